import { beforeEach, describe, expect, test } from 'vitest'
import { EVENTS } from '../support/event-rows.ts'
import { openWorld, type Person, type Tenant } from '../support/world.ts'

/** People leave, and what they were responsible for stays with somebody. */
const world = await openWorld()
let tenant: Tenant
let leaver: Person
let heir: Person
let colleague: Person
beforeEach(async () => {
  tenant = await world.givenTenant()
  leaver = await world.givenUser(tenant)
  heir = await world.givenUser(tenant)
  colleague = await world.givenUser(tenant)
})

const boss = () => world.as(tenant.administrator)
const heldBy = ({ id }: Person) => boss().read(`/users/${id}/responsibilities`)
const handOver = (from: Person, to: { id: number }, by = boss()) =>
  by.post(`/users/${from.id}/hand-over`, { toUserId: to.id })
const inbox = (person: Person) => world.as(person).list('/notifications', 'type', 'title')
const departmentOf = (leader: Person, code = 'D') =>
  boss().create('/departments', { name: `Department ${code}`, code, leaderId: leader.id })
let keys = 0
const submit = async (applicant: Person, departmentId: number, title = 'Two days off') => {
  const { id } = await world.as(applicant).create('/approvals', { type: 'leave', title, departmentId })
  const key = { 'idempotency-key': `hand-over-${++keys}` }
  return (await world.as(applicant).post(`/approvals/${id}/submit`, undefined, key)).expect(200)
}

test('a hand-over passes everything on, in one transaction, and then the person can be deleted', async () => {
  // Plug-ins have kinds of their own.
  const nothing: Record<string, unknown[]> = await heldBy(colleague)
  expect(Object.values(nothing).flat()).toEqual([])
  const none = Object.fromEntries(Object.keys(nothing).map((kind) => [kind, 0]))

  // Given a person with projects, one of them archived, tasks in others' projects, a department, and requests
  const [open, archived] = [await world.givenProject(leaver), await world.givenProject(leaver)]
  ;(await world.as(leaver).put(`/projects/${archived.id}/archive?version=0`)).expect(200)
  const theirs = await world.givenProject(colleague)
  await world.givenMember(colleague, theirs, leaver)
  const task = await world.givenTask(colleague, theirs, { assigneeId: leaver.id })
  const done = await world.givenTask(colleague, theirs, { assigneeId: leaver.id })
  ;(await world.as(colleague).put(`/tasks/${done.id}`, { version: 0, status: 'CANCELLED' })).expect(200)
  const department = await departmentOf(leaver)
  const waiting = await submit(colleague, department.id)
  const elsewhere = await departmentOf(colleague, 'E')
  const own = await submit(leaver, elsewhere.id, 'A new chair')

  expect(await heldBy(leaver)).toEqual({
    ...nothing,
    projects: [open, archived].map(({ id, name }) => ({ id, name })),
    tasks: [{ id: task.id, name: task.title }],
    departments: [{ id: department.id, name: department.name }],
    approvals: [waiting, own].map(({ id, title }) => ({ id, name: title })),
  })
  ;(await boss().delete(`/users/${leaver.id}`)).expect(409, 'USER_IN_USE')

  // When it is handed over
  const counts = (await handOver(leaver, heir)).expect(200)

  // Then the heir has all of it, with history and notifications
  expect(counts).toEqual({ ...none, projects: 2, tasks: 1, departments: 1, approvals: 2 })
  expect(await heldBy(leaver)).toEqual(nothing)
  const kinds = ['projects', 'tasks', 'departments', 'approvals']
  const held = await heldBy(heir)
  expect(kinds.map((kind) => held[kind].length)).toEqual([2, 1, 1, 2])
  for (const { id } of [open, archived]) {
    const project = await world.as(heir).read(`/projects/${id}`)
    expect(project).toMatchObject({ ownerId: heir.id, memberIds: [leaver.id, heir.id] })
    const [newest] = await boss().read(`/projects/${id}/activities`)
    expect(newest).toMatchObject({ action: 'PROJECT_OWNER_CHANGED', detail: String(heir.id) })
  }
  expect(await world.as(heir).read(`/tasks/${task.id}`)).toMatchObject({ assigneeId: heir.id, version: 1 })
  const [assigned] = await world.as(heir).read(`/tasks/${task.id}/activities`)
  expect(assigned).toMatchObject({ action: 'TASK_ASSIGNED', oldValue: String(leaver.id), newValue: String(heir.id) })
  expect(await world.as(colleague).read(`/tasks/${done.id}`)).toMatchObject({ assigneeId: leaver.id })
  expect(await boss().read(`/departments/${department.id}`)).toMatchObject({
    ...{ leaderId: heir.id, memberCount: 2, version: 1 },
  })
  const passed = await world.as(heir).read(`/approvals/${waiting.id}`)
  expect(passed).toMatchObject({ version: 2, waitingFor: { approverId: heir.id } })
  expect(await world.as(heir).read(`/approvals/${own.id}`)).toMatchObject({ applicantId: heir.id })
  expect((await inbox(heir)).toSorted()).toEqual(
    [
      ['PROJECT_HANDED_OVER', `${open.name} is your project now`],
      ['PROJECT_HANDED_OVER', `${archived.name} is your project now`],
      ['TASK_ASSIGNED', `You were assigned ${task.title}`],
      ['DEPARTMENT_HANDED_OVER', `You lead ${department.name} now`],
      ['APPROVAL_PENDING', 'Two days off waits for your decision'],
      ['APPROVAL_HANDED_OVER', 'A new chair is your request now'],
    ].toSorted(),
  )
  ;(await world.as(heir).post(`/approvals/${waiting.id}/approve`)).expect(200)
  ;(await world.as(heir).post(`/approvals/${own.id}/cancel`)).expect(200)
  ;(await boss().delete(`/users/${leaver.id}`)).expect(200)
})

test('drafts end with their applicant: nobody else could submit them', async () => {
  const draft = await world.as(leaver).create('/approvals', { type: 'leave', title: 'Some day' })
  ;(await boss().delete(`/users/${leaver.id}`)).expect(200)
  const { status, version, completedAt } = await boss().read(`/approvals/${draft.id}`)
  expect([status, version]).toEqual(['CANCELLED', 1])
  expect(Date.parse(completedAt)).not.toBeNaN()
  const events = await world.look.rows(
    `select subject_id::float8 as id, actor_id::float8 as by
       from ${EVENTS}
      where tenant_id = $1 and type = 'approval.cancelled'`,
    [tenant.id],
  )
  expect(events).toEqual([{ id: draft.id, by: tenant.administrator.id }])
})

test('nothing moves to the leader of another department, unless it is no department', async () => {
  await world.givenProject(leaver)
  const led = await departmentOf(leaver)
  const other = await departmentOf(heir, 'E')
  const before = await heldBy(leaver)

  const { details } = (await handOver(leaver, heir)).expect(409, 'MEMBER_IS_LEADER')

  expect(details).toMatchObject([{ id: other.id }])
  expect(await heldBy(leaver)).toEqual(before)
  expect(await inbox(heir)).toEqual([])
  ;(await boss().put(`/departments/${led.id}`, { ...led, leaderId: null })).expect(200)
  expect((await handOver(leaver, heir)).expect(200)).toMatchObject({ projects: 1, departments: 0 })
})

test('a person of the department becomes its leader, and a member of another one moves', async () => {
  const department = await departmentOf(leaver)
  const other = await boss().create('/departments', { name: 'E', code: 'E' })
  ;(await boss().put(`/departments/${other.id}/members/${heir.id}`)).expect(200)
  ;(await handOver(leaver, heir)).expect(200)
  const members = await boss().read(`/departments/${department.id}/members`)
  expect(members.map(({ id }: any) => id)).toEqual([leaver.id, heir.id])
  expect(await boss().read(`/departments/${other.id}/members`)).toEqual([])
})

test('the next person is an active one of the tenant, another, and can do the work', async () => {
  await world.givenProject(leaver)
  const [gone, disabled] = [await world.givenUser(tenant), await world.givenUser(tenant)]
  ;(await boss().delete(`/users/${gone.id}`)).expect(200)
  ;(await boss().put(`/users/${disabled.id}`, { status: 'disabled' })).expect(200)
  for (const to of [gone, disabled, world.admin, { id: 987_654_321 }])
    (await handOver(leaver, to)).expect(404, 'NOT_FOUND')
  ;(await handOver(leaver, leaver)).expect(400, 'VALIDATION_FAILED')
  const blind = await world.givenUser(tenant, ['department:list'])
  const { details } = (await handOver(leaver, blind)).expect(400, 'CANNOT_TAKE_OVER')
  expect(details).toMatchObject([{ path: 'body.toUserId', kind: 'projects', permission: 'project:list' }])
  ;(await handOver(gone, heir)).expect(404, 'NOT_FOUND')
  ;(await boss().get(`/users/${gone.id}/responsibilities`)).expect(404, 'NOT_FOUND')
  expect((await heldBy(leaver)).projects).toHaveLength(1)
})

describe('somebody who manages people, and holds little else', () => {
  let manager: Person
  beforeEach(async () => {
    const role = await world.givenRole(tenant, ['user:update', 'project:list'])
    manager = await world.givenUser(tenant, role)
  })

  test('hands over neither for nor to a person with rights that they lack', async () => {
    const role = await world.givenRole(tenant, ['project:list'])
    const [one, other] = [await world.givenUser(tenant, role), await world.givenUser(tenant, role)]
    const by = world.as(manager)
    ;(await handOver(one, tenant.administrator, by)).expect(403, 'PERMISSION_DENIED')
    ;(await handOver(tenant.administrator, one, by)).expect(403, 'PERMISSION_DENIED')
    ;(await handOver(one, other, by)).expect(200)
  })

  test('sees how much there is, and no names of projects that are not theirs', async () => {
    const { id } = await world.givenProject(leaver)
    const { projects } = await world.as(manager).read(`/users/${leaver.id}/responsibilities`)
    expect(projects).toEqual([{ id, name: '' }])
  })
})

test('of many things there is one notification with their number, and a line of history for each', async () => {
  const project = await world.givenProject(leaver)
  await world.look.rows(
    `insert into tasks (tenant_id, project_id, title, assignee_id, reporter_id, is_open, created_at, updated_at)
     select $1, $2, 'Task ' || n, $3, $3, true, now(), now() from generate_series(1, 60) n`,
    [tenant.id, project.id, leaver.id],
  )
  expect((await handOver(leaver, heir)).expect(200)).toMatchObject({ tasks: 60 })
  expect((await inbox(heir)).toSorted()).toEqual([
    ['PROJECT_HANDED_OVER', `${project.name} is your project now`],
    ['TASKS_HANDED_OVER', '60 tasks are yours now'],
  ])
  const lines = `select count(*) from activities where project_id = $1 and action = 'TASK_ASSIGNED' and new_value = $2`
  expect(await world.look.count(lines, [project.id, String(heir.id)])).toBe(60)
})
