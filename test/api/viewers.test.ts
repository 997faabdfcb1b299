import { beforeEach, describe, expect, test } from 'vitest'
import { EVENTS } from '../support/event-rows.ts'
import { openWorldWithFiles } from '../support/uploads.ts'
import type { Person } from '../support/world.ts'

/** A viewer reads a project and comments on its tasks. They change nothing, and work is never theirs. */
const { world, upload } = await openWorldWithFiles()
const tenant = await world.givenTenant()
let owner: Person
let viewer: Person
let project: { id: number; name: string }
let task: { id: number }
beforeEach(async () => {
  ;[owner, viewer] = [await world.givenUser(tenant), await world.givenUser(tenant)]
  project = await world.givenProject(owner)
  task = await world.givenTask(owner, project)
  ;(await put(viewer, { role: 'viewer' })).expect(200)
})

const boss = () => world.as(tenant.administrator)
const put = (person: { id: number }, body?: object, by = owner) =>
  world.as(by).put(`/projects/${project.id}/members/${person.id}`, body)
const read = (by: Person) => world.as(by).read(`/projects/${project.id}`)
const roles = () => boss().list(`/projects/${project.id}/members`, 'userId', 'role')
const history = () => boss().list(`/projects/${project.id}/activities`, 'action', 'detail')
const assign = (person: Person, version = 0) =>
  world.as(owner).put(`/tasks/${task.id}`, { version, assigneeId: person.id })
const give = (from: Person) => boss().post(`/users/${from.id}/hand-over`, { toUserId: viewer.id })
const place = (by: Person, { url }: { url: string }, wanted: object | null) =>
  world.as(by).put(`${url}/resource`, wanted)
const NOTHING_NEW = [['PROJECT_CREATED', expect.any(String)]]

describe('a viewer', () => {
  test('sees the project and its tasks, and comments', async () => {
    const client = world.as(viewer)
    expect(await read(viewer)).toMatchObject({ id: project.id, myRole: 'viewer', memberIds: [owner.id, viewer.id] })
    expect(await client.read('/projects')).toMatchObject([{ id: project.id, myRole: 'viewer' }])
    for (const path of [`/projects/${project.id}/tasks`, `/tasks`])
      expect(await client.read(path)).toMatchObject([{ id: task.id }])
    await client.read(`/tasks/${task.id}/activities`)
    await client.create(`/tasks/${task.id}/comments`, { content: 'Well done' })
    expect(await client.read(`/tasks/${task.id}/comments`)).toMatchObject([{ authorId: viewer.id }])
  })

  test('changes neither the project, its members nor its tasks, and is told so before anything else', async () => {
    const client = world.as(viewer)
    const file = await upload.file(viewer)
    const refused = [
      await client.post(`/projects/${project.id}/tasks`, { title: 'Mine', assigneeId: viewer.id }),
      await client.put(`/tasks/${task.id}`, { version: 99, title: 'Mine', assigneeId: 987_654_321 }),
      await client.put(`/tasks/${task.id}`, { version: 0, status: 'DONE' }),
      await place(viewer, file, { resourceType: 'task', resourceId: task.id }),
      await client.put(`/projects/${project.id}`, { version: 99, description: 'Mine' }),
      await client.put(`/projects/${project.id}`, { version: 0, ownerId: viewer.id }),
      await client.put(`/projects/${project.id}/archive?version=99`),
      await client.put(`/projects/${project.id}/unarchive?version=99`),
      await put(viewer, { role: 'member' }, viewer),
      await put(owner, {}, viewer),
      await client.delete(`/projects/${project.id}/members/${viewer.id}`),
    ]
    for (const answer of refused) answer.expect(403, 'PROJECT_READ_ONLY')
    expect(await client.read(`/tasks/${task.id}/activities`)).toHaveLength(1)
  })

  test('detaches no file from a task, unless they manage all files', async () => {
    const file = await upload.file(owner)
    ;(await place(owner, file, { resourceType: 'task', resourceId: task.id })).expect(200)
    ;(await place(viewer, file, null)).expect(403, 'PROJECT_READ_ONLY')
    const clerk = await world.givenUser(tenant, ['project:list', 'file:upload', 'file:manage'])
    ;(await put(clerk, { role: 'viewer' })).expect(200)
    ;(await place(clerk, file, null)).expect(200)
  })

  test('who manages all projects, or administers the tenant, keeps what that gives', async () => {
    const permissions = ['project:list', 'project:update', 'project:manage', 'task:update'] as const
    const manager = await world.givenUser(tenant, permissions)
    for (const person of [manager, tenant.administrator]) {
      ;(await put(person, { role: 'viewer' })).expect(200)
      expect((await read(person)).myRole).toBe('viewer')
      const { version } = await read(person)
      ;(await world.as(person).put(`/projects/${project.id}`, { version, name: `By ${person.id}` })).expect(200)
      const { version: at } = await world.as(person).read(`/tasks/${task.id}`)
      ;(await world.as(person).put(`/tasks/${task.id}`, { version: at, title: `By ${person.id}` })).expect(200)
    }
  })

  test('is assigned nothing, neither in a new task nor in one that is there', async () => {
    ;(await assign(viewer)).expect(400, 'ASSIGNEE_NOT_MEMBER')
    const draft = { title: 'For them', assigneeId: viewer.id }
    ;(await world.as(owner).post(`/projects/${project.id}/tasks`, draft)).expect(400, 'ASSIGNEE_NOT_MEMBER')
  })

  test('leaves as a member does', async () => {
    ;(await world.as(owner).delete(`/projects/${project.id}/members/${viewer.id}`)).expect(200)
    ;(await world.as(viewer).get(`/projects/${project.id}`)).expect(404, 'NOT_FOUND')
    expect((await history())[0]).toEqual(['PROJECT_MEMBER_REMOVED', String(viewer.id)])
  })
})

describe('a role', () => {
  test('stands in the list of members and in the project, for each reader their own', async () => {
    expect(await roles()).toEqual([
      [owner.id, 'member'],
      [viewer.id, 'viewer'],
    ])
    expect((await read(owner)).myRole).toBe('owner')
    expect((await read(tenant.administrator)).myRole).toBeNull()
    const [newest] = await boss().read('/projects')
    expect(newest).toMatchObject({ id: project.id, myRole: null })
  })

  test('changes both ways, each change with its history and its event, and twice as once', async () => {
    const name = String(viewer.id)
    for (const role of ['member', 'member', 'viewer', 'viewer']) (await put(viewer, { role })).expect(200)

    expect(await history()).toEqual([
      ['PROJECT_MEMBER_MADE_VIEWER', name],
      ['PROJECT_VIEWER_MADE_MEMBER', name],
      ['PROJECT_MEMBER_MADE_VIEWER', name],
      ['PROJECT_MEMBER_ADDED', name],
      ...NOTHING_NEW,
    ])
    const events = await world.look.rows(
      `select type, data from ${EVENTS} where subject_type = 'project' and subject_id = $1 order by id`,
      [project.id],
    )
    expect(events.slice(1).map(({ type, data }) => [type, data])).toEqual([
      ['project.member_added', { userId: viewer.id }],
      ['project.member_role_changed', { userId: viewer.id, from: 'member', to: 'viewer' }],
      ['project.member_role_changed', { userId: viewer.id, from: 'viewer', to: 'member' }],
      ['project.member_role_changed', { userId: viewer.id, from: 'member', to: 'viewer' }],
    ])
    expect((await read(owner)).version).toBe(0)
  })

  test('is left alone by who names none, as clients of 1.0 do', async () => {
    for (const body of [undefined, {}, null as never]) (await put(viewer, body)).expect(200)
    const other = await world.givenUser(tenant)
    ;(await put(other)).expect(200)
    expect(await roles()).toEqual([
      [owner.id, 'member'],
      [viewer.id, 'viewer'],
      [other.id, 'member'],
    ])
    ;(await put(viewer, { role: 'owner' })).expect(400, 'VALIDATION_FAILED')
  })

  test('of a member with open tasks, or of the owner, cannot become that of a viewer', async () => {
    ;(await put(viewer, { role: 'member' })).expect(200)
    ;(await assign(viewer)).expect(200)
    const busy = await put(viewer, { role: 'viewer' })
    busy.expect(409, 'MEMBER_HAS_OPEN_TASKS')
    expect(busy.error!.details).toMatchObject([{ path: 'userId', id: task.id }])
    ;(await world.as(viewer).put(`/tasks/${task.id}`, { version: 1, status: 'CANCELLED' })).expect(200)
    ;(await put(viewer, { role: 'viewer' })).expect(200)
    ;(await put(owner, { role: 'viewer' })).expect(409, 'OWNER_STAYS_MEMBER')
    ;(await put(owner, { role: 'member' })).expect(200)
  })

  test('changes in no archived project', async () => {
    ;(await world.as(owner).put(`/projects/${project.id}/archive?version=0`)).expect(200)
    ;(await put(viewer, { role: 'member' })).expect(409, 'PROJECT_ARCHIVED')
  })
})

describe('a viewer becomes a member', () => {
  test('with the project, which is given to them', async () => {
    const answer = (await world.as(owner).put(`/projects/${project.id}`, { version: 0, ownerId: viewer.id })).expect(
      200,
    )
    expect(answer).toMatchObject({ myRole: 'member', memberIds: [owner.id, viewer.id] })
    expect(await read(viewer)).toMatchObject({ myRole: 'owner' })
    expect(await roles()).toEqual([
      [owner.id, 'member'],
      [viewer.id, 'member'],
    ])
    expect((await history()).slice(0, 2)).toEqual([
      ['PROJECT_OWNER_CHANGED', String(viewer.id)],
      ['PROJECT_VIEWER_MADE_MEMBER', String(viewer.id)],
    ])
  })

  test('with the tasks or the projects of somebody else, which are handed over to them', async () => {
    const leaver = await world.givenUser(tenant)
    for (const [from, line] of [
      [leaver, 'TASK_ASSIGNED'],
      [owner, 'PROJECT_OWNER_CHANGED'],
    ] as const) {
      ;(await put(viewer, { role: 'viewer' })).expect(200)
      if (from === leaver) {
        await world.givenMember(owner, project, leaver)
        ;(await assign(leaver)).expect(200)
      }
      ;(await give(from)).expect(200)
      expect(await roles()).toContainEqual([viewer.id, 'member'])
      const { id } = from === leaver ? task : project
      const path = from === leaver ? `/tasks/${id}/activities` : `/projects/${id}/activities`
      expect(await boss().list(path, 'action')).toContain(line)
      expect((await history()).map(([action]: string[]) => action)).toContain('PROJECT_VIEWER_MADE_MEMBER')
      if (from === leaver)
        (await world.as(viewer).put(`/tasks/${task.id}`, { version: 2, status: 'CANCELLED' })).expect(200)
    }
  })
})
