import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { interleave } from '../support/interleave.ts'
import { openWorld, type Person, type Tenant, type World } from '../support/world.ts'

/** A hand-over, met on purpose by what could go wrong beside it; `npm run prove:guards` counts on these too. */
let world: World
let tenant: Tenant
let leaver: Person
let heir: Person
let colleague: Person
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world?.close())
beforeEach(async () => {
  tenant = await world.givenTenant()
  ;[leaver, heir, colleague] = await Promise.all([
    world.givenUser(tenant),
    world.givenUser(tenant),
    world.givenUser(tenant),
  ])
})

const boss = () => world.as(tenant.administrator)
const handOver = () => boss().post(`/users/${leaver.id}/hand-over`, { toUserId: heir.id })
let keys = 0
const submitted = async (departmentId: number) => {
  const draft = { type: 'leave', title: 'Off', departmentId }
  const { id } = (await world.as(colleague).post('/approvals', draft)).expect(201)
  const key = { 'idempotency-key': `leaving-${++keys}` }
  return (await world.as(colleague).post(`/approvals/${id}/submit`, undefined, key)).expect(200)
}
const departmentOf = async (leader: Person) =>
  (await boss().post('/departments', { name: 'D', code: `D-${++keys}`, leaderId: leader.id })).expect(201)

describe('a hand-over', () => {
  test('leaves its heir in the project that somebody is just taking them out of', async () => {
    const project = await world.givenProject(colleague)
    for (const person of [leaver, heir]) await world.givenMember(colleague, project, person)
    const task = await world.givenTask(colleague, project, { assigneeId: leaver.id })
    const drop = () => world.as(colleague).delete(`/projects/${project.id}/members/${heir.id}`)

    const before = await interleave(world, drop, handOver)
    before.first.expect(200)
    before.second.expect(200)

    const { memberIds } = (await boss().get(`/projects/${project.id}`)).expect(200)
    expect(memberIds).toContain(heir.id)
    expect((await world.as(heir).get(`/tasks/${task.id}`)).expect(200).assigneeId).toBe(heir.id)
  })

  test('keeps its heir in the project until the tasks are there', async () => {
    const project = await world.givenProject(colleague)
    for (const person of [leaver, heir]) await world.givenMember(colleague, project, person)
    await world.givenTask(colleague, project, { assigneeId: leaver.id })
    const { first, second } = await interleave(world, handOver, () =>
      world.as(colleague).delete(`/projects/${project.id}/members/${heir.id}`),
    )
    first.expect(200)
    second.expect(409, 'MEMBER_HAS_OPEN_TASKS')
  })

  test('waits for the decision of who leaves, and passes on nothing that is decided', async () => {
    const department = await departmentOf(leaver)
    const request = await submitted(department.id)
    const { first, second } = await interleave(
      world,
      () => world.as(leaver).post(`/approvals/${request.id}/approve`),
      handOver,
    )
    first.expect(200)
    expect(second.expect(200)).toMatchObject({ approvals: 0, departments: 1 })
    const [step] = (await boss().get(`/approvals/${request.id}`)).expect(200).steps
    expect(step).toMatchObject({ approverId: leaver.id, actedBy: leaver.id, decidedForId: null })
  })

  test('is seen by the decision that comes after it', async () => {
    const department = await departmentOf(leaver)
    const request = await submitted(department.id)
    const { first, second } = await interleave(world, handOver, () =>
      world.as(leaver).post(`/approvals/${request.id}/approve`),
    )
    first.expect(200)
    expect([403, 404]).toContain(second.status)
    ;(await world.as(heir).post(`/approvals/${request.id}/approve`)).expect(200)
  })
})
