import { beforeEach, describe, expect, test } from 'vitest'
import { openWorld, type Person } from '../support/world.ts'

/** A person who leaves leaves nothing that only they could end: projects pass on, come back, and their maker may go. */
let owner: Person
let heir: Person
let project: { id: number; name: string; version: number }
const world = await openWorld()
const tenant = await world.givenTenant()
beforeEach(async () => {
  ;[owner, heir] = [await world.givenUser(tenant), await world.givenUser(tenant)]
  project = await world.givenProject(owner)
})

const boss = () => world.as(tenant.administrator)
const put = (person: Person, patch: object) =>
  world.as(person).put(`/projects/${project.id}`, { version: project.version, ...patch })
const archive = (person: Person, version: number) =>
  world.as(person).put(`/projects/${project.id}/archive?version=${version}`)
const unarchive = (person: Person, version: number | string) =>
  world.as(person).put(`/projects/${project.id}/unarchive?version=${version}`)
const history = () => boss().read(`/projects/${project.id}/activities`)
const inbox = (person: Person) => world.as(person).list('/notifications', 'type', 'title')
const news = () => [['PROJECT_HANDED_OVER', `${project.name} is your project now`]]
const disable = async ({ id }: Person) => (await boss().put(`/users/${id}`, { status: 'disabled' })).expect(200)

describe('handing a project over', () => {
  test('makes its new owner a member, records it, and tells them', async () => {
    const answer = (await put(owner, { ownerId: heir.id })).expect(200)

    expect(answer).toMatchObject({ ownerId: heir.id, memberIds: [owner.id, heir.id], version: 1 })
    expect(await world.as(heir).read(`/projects/${project.id}`)).toEqual({ ...answer, myRole: 'owner' })
    expect((await history()).map(({ action, detail }: any) => [action, detail])).toEqual([
      ['PROJECT_OWNER_CHANGED', String(heir.id)],
      ['PROJECT_MEMBER_ADDED', String(heir.id)],
      ['PROJECT_CREATED', project.name],
    ])
    expect(await inbox(heir)).toEqual(news())
    ;(await world.as(heir).delete(`/projects/${project.id}/members/${owner.id}`)).expect(200)
    ;(await world.as(heir).delete(`/projects/${project.id}/members/${heir.id}`)).expect(409, 'OWNER_CANNOT_LEAVE')
  })

  test('is for its owner and for those who manage all projects', async () => {
    await world.givenMember(owner, project, heir)
    ;(await put(heir, { ownerId: heir.id })).expect(403, 'NOT_OWNER')
    ;(await put(tenant.administrator, { ownerId: heir.id })).expect(200)
  })

  test('goes to nobody who has left, is disabled, or belongs elsewhere', async () => {
    const [gone, disabled] = [await world.givenUser(tenant), await world.givenUser(tenant)]
    ;(await boss().delete(`/users/${gone.id}`)).expect(200)
    await disable(disabled)
    for (const id of [gone.id, disabled.id, world.admin.id, 987_654_321]) {
      const answer = await put(owner, { ownerId: id })
      answer.expect(404, 'NOT_FOUND')
      expect(answer.body.message).toContain('User not found')
    }
    ;(await put(owner, { ownerId: null })).expect(400, 'VALIDATION_FAILED')
    // Nor is it one to the person who owns it already.
    ;(await put(owner, { ownerId: owner.id })).expect(200)
    expect(await history()).toHaveLength(1)
  })

  test('lets a person go who once made a project, even an archived one', async () => {
    ;(await archive(owner, 0)).expect(200)
    ;(await boss().delete(`/users/${owner.id}`)).expect(409, 'USER_IN_USE')
    await disable(owner)

    const renamed = { version: 1, ownerId: heir.id, name: 'New' }
    ;(await boss().put(`/projects/${project.id}`, renamed)).expect(409, 'PROJECT_ARCHIVED')
    const handedOver = (await boss().put(`/projects/${project.id}`, { version: 1, ownerId: heir.id })).expect(200)
    expect(handedOver).toMatchObject({ status: 'ARCHIVED', ownerId: heir.id, version: 2 })
    expect(handedOver.memberIds).toContain(heir.id)
    expect((await history())[0]).toMatchObject({ action: 'PROJECT_OWNER_CHANGED', detail: String(heir.id) })
    expect(await inbox(heir)).toEqual(news())
    ;(await boss().delete(`/users/${owner.id}`)).expect(200)
  })
})

test('an archived project is opened again, in the version that was read, by its owner and those who manage all', async () => {
  await world.givenMember(owner, project, heir)
  ;(await archive(owner, 0)).expect(200)
  ;(await unarchive(heir, 1)).expect(403, 'NOT_OWNER')
  ;(await unarchive(owner, 0)).expect(409, 'VERSION_CONFLICT')
  ;(await unarchive(owner, 'x')).expect(400, 'VALIDATION_FAILED')
  const stale = { 'if-match': `"${project.id}-0"` }
  ;(await world.as(owner).put(`/projects/${project.id}/unarchive`, undefined, stale)).expect(412)
  ;(await unarchive(await world.givenUser(tenant), 1)).expect(404, 'NOT_FOUND')

  const opened = (await unarchive(tenant.administrator, 1)).expect(200)

  expect(opened).toMatchObject({ status: 'ACTIVE', archivedAt: null, version: 2 })
  expect(await world.as(owner).read(`/projects/${project.id}`)).toEqual({ ...opened, myRole: 'owner' })
  expect((await history())[0]).toMatchObject({ action: 'PROJECT_UNARCHIVED', detail: project.name })
  await world.givenTask(owner, project)
  await world.givenMember(owner, project, await world.givenUser(tenant))
  ;(await unarchive(owner, 2)).expect(409, 'PROJECT_NOT_ARCHIVED')
})

test('a member who does not own a project works in it, and renames or archives it only if they manage all', async () => {
  await world.givenMember(owner, project, heir)
  ;(await put(heir, { name: 'Mine' })).expect(403, 'NOT_OWNER')
  ;(await archive(heir, 0)).expect(403, 'NOT_OWNER')

  ;(await put(heir, { name: project.name, description: 'What it is about' })).expect(200)
  await world.givenTask(heir, project)
  const role = await world.givenRole(tenant, ['project:list', 'project:update', 'project:manage'])
  const manager = await world.givenUser(tenant, role)
  await world.givenMember(owner, project, manager)
  ;(await put(manager, { version: 1, name: 'Tidied up' })).expect(200)
  ;(await archive(tenant.administrator, 2)).expect(200)
})

test('a disabled member is given no new task, as a stranger is not, and keeps those they have', async () => {
  await world.givenMember(owner, project, heir)
  const task = await world.givenTask(owner, project, { assigneeId: heir.id })
  const other = await world.givenTask(owner, project)
  await disable(heir)

  const given = { title: 'x', assigneeId: heir.id }
  ;(await world.as(owner).post(`/projects/${project.id}/tasks`, given)).expect(400, 'ASSIGNEE_NOT_MEMBER')
  const changed = await world.as(owner).put(`/tasks/${other.id}`, { version: 0, assigneeId: heir.id })
  changed.expect(400, 'ASSIGNEE_NOT_MEMBER')
  const form = { version: 0, title: 'Still theirs', assigneeId: heir.id }
  expect((await world.as(owner).put(`/tasks/${task.id}`, form)).expect(200)).toMatchObject({ assigneeId: heir.id })
})
