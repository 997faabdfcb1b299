import { beforeEach, describe, expect, test } from 'vitest'
import { cleanupsOf } from '../../src/app.ts'
import { runCleanup } from '../../src/data/jobs/cleanup.ts'
import type { DELETED } from '../../src/domains/tasks/bin/bin.rules.ts'
import { tasks } from '../../src/domains/tasks/tasks.ts'
import type { Answer } from '../support/client.ts'
import { testConfig } from '../support/config.ts'
import { EVENTS } from '../support/event-rows.ts'
import { pngOf } from '../support/form.ts'
import { checkDatabase, expectNoViolation, untilDelivered } from '../support/invariants.ts'
import { until } from '../support/patience.ts'
import { shifted } from '../support/shifted.ts'
import { openWorldWithFiles } from '../support/uploads.ts'
import type { Person, Tenant } from '../support/world.ts'

/** The bin of tasks: who deletes and restores, and what a deleted task is to everything else. */
const { world, folder, upload } = await openWorldWithFiles()
let tenant: Tenant
let owner: Person
let reporter: Person
let member: Person
let project: any
let task: any
beforeEach(async () => {
  tenant = await world.givenTenant()
  ;[owner, reporter, member] = [
    await world.givenUser(tenant),
    await world.givenUser(tenant),
    await world.givenUser(tenant),
  ]
  project = await world.givenProject(owner)
  for (const person of [reporter, member]) await world.givenMember(owner, project, person)
  task = await world.givenTask(reporter, project, { title: 'Paint', assigneeId: member.id })
})

const boss = () => world.as(tenant.administrator)
const remove = (person: Person, version = task.version) =>
  world.as(person).delete(`/tasks/${task.id}?version=${version}`)
const restore = (person: Person, ifMatch?: string) =>
  world.as(person).post(`/tasks/${task.id}/restore`, undefined, ifMatch === undefined ? {} : { 'if-match': ifMatch })
const bin = (query = '') => boss().list(`/projects/${project.id}/tasks?deleted=true${query}`, 'id')
const change = async (patch: object, by = reporter) =>
  (task = (await world.as(by).put(`/tasks/${task.id}`, { version: task.version, ...patch })).expect(200))
const archive = async (how = 'archive') => {
  const { version } = await boss().read(`/projects/${project.id}`)
  ;(await boss().put(`/projects/${project.id}/${how}?version=${version}`)).expect(200)
}
const leave = (person: Person) => boss().delete(`/projects/${project.id}/members/${person.id}`)
const inbox = (person: Person) => world.as(person).list('/notifications', 'title')
const actions = async (path: string) =>
  (await boss().read(`${path}/activities`)).map((line: any) => [line.action, line.newValue ?? line.detail])
const events = (type: string) =>
  world.look.rows(`select data from ${EVENTS} where tenant_id = $1 and type = $2`, [tenant.id, type])
const wait = (days: number) =>
  world.look.rows(`update tasks set deleted_at = ${shifted('deleted_at', `-${days} days`)} where id = $1`, [task.id])
/** The service's own cleanup may be at the same rows. */
const emptyBin = () => runCleanup(world.database, cleanupsOf([tasks], testConfig({ FILE_STORAGE_ROOT: folder.root })))
const rows = (table: string, column: string) =>
  world.look.count(`select count(*) from ${table} where ${column} = $1`, [task.id])

describe('a task is deleted', () => {
  test.each<[string, () => Person, number]>([
    ['its reporter', () => reporter, 200],
    ['the owner of its project', () => owner, 200],
    ['who manages all projects', () => tenant.administrator, 200],
    ['its assignee', () => member, 403],
  ])('and restored by %s: %#', async (_, who, status) => {
    const refusal = status === 403 ? 'NOT_OWNER' : undefined
    ;(await remove(who())).expect(status, refusal)
    if (refusal) (await remove(owner)).expect(200)
    ;(await restore(who())).expect(status, refusal)
  })

  test('in the version that was read, and goes into the bin of its project until it is restored', async () => {
    await change({ title: 'Paint it' })
    ;(await world.as(owner).delete(`/tasks/${task.id}`)).expect(400, 'VALIDATION_FAILED')
    ;(await remove(owner, 0)).expect(409, 'VERSION_CONFLICT')
    ;(await world.as(owner).delete(`/tasks/${task.id}`, { 'if-match': '"0"' })).expect(412, 'PRECONDITION_FAILED')
    const { etag } = (await boss().get(`/tasks/${task.id}`)).headers
    expect((await world.as(owner).delete(`/tasks/${task.id}`, { 'if-match': String(etag) })).expect(200)).toBe(null)

    const [found] = await world.as(member).read(`/projects/${project.id}/tasks?deleted=true&page=1`)
    expect(found).toEqual({
      ...task,
      deletedAt: expect.stringMatching(/Z$/),
      deletedById: owner.id,
      deletedByName: expect.stringMatching(/^Person /),
    })
    ;(await restore(owner, '"0"')).expect(412, 'PRECONDITION_FAILED')
    const restored = await restore(owner, String(etag))
    expect(restored.expect(200)).toEqual({ ...task, version: 2, updatedAt: restored.data.updatedAt })
    expect(await boss().read(`/tasks/${task.id}`)).toEqual(restored.data)
    expect(await bin()).toEqual([])
  })

  test('for the log, for its history and for that of its project', async () => {
    ;(await remove(owner)).expect(200)
    ;(await restore(owner)).expect(200)

    const lines = [
      ['TASK_RESTORED', 'Paint'],
      ['TASK_DELETED', 'Paint'],
    ]
    expect((await actions(`/tasks/${task.id}`)).slice(0, 2)).toEqual(lines)
    expect((await actions(`/projects/${project.id}`)).slice(0, 2)).toEqual(lines)
    const about = { projectId: project.id, title: 'Paint' }
    expect(await events('task.deleted')).toEqual([{ data: { ...about, version: 0 } }])
    expect(await events('task.restored')).toEqual([{ data: { ...about, version: 1, assigneeId: member.id } }])
    await untilDelivered(world.look)
    expectNoViolation('the bin', await checkDatabase(world.look, ['I5']))
  })

  test('the bin is filtered, sorted and read in pages like any list of tasks', async () => {
    const others = [
      await world.givenTask(reporter, project, { title: 'B', priority: 'URGENT', dueDate: '2096-01-02' }),
      await world.givenTask(reporter, project, { title: 'A', priority: 'LOW', dueDate: '2096-01-01' }),
    ]
    for (const { id } of [task, ...others]) (await world.as(owner).delete(`/tasks/${id}?version=0`)).expect(200)
    const [b, a] = others.map(({ id }) => id)

    expect(await bin()).toEqual([a, b, task.id])
    expect(await bin('&sort=dueDate')).toEqual([a, b, task.id])
    expect(await bin('&sort=-priority')).toEqual([b, task.id, a])
    expect(await bin('&sort=title&pageSize=2')).toEqual([a, b])
    expect(await bin('&sort=dueDate&status=TODO&priority=URGENT')).toEqual([b])
    expect(await bin('&keyword=pain')).toEqual([task.id])
    expect(await bin('&status=DONE')).toEqual([])
    ;(await boss().get(`/projects/${project.id}/tasks?deleted=false`)).expect(400, 'VALIDATION_FAILED')
    const stranger = await world.givenUser(tenant)
    ;(await world.as(stranger).get(`/projects/${project.id}/tasks?deleted=true`)).expect(404)
  })
})

/** One story for each line of the table. What plug-ins make of a deleted task stands in their folders. */
const stories: Record<Exclude<keyof typeof DELETED, 'an export'>, () => Promise<void>> = {
  async 'lists, counts and whatever reads open or finished tasks'() {
    await change({ dueDate: '2096-01-01' })
    const finished = await world.givenTask(reporter, project, { title: 'Paint', dueDate: '2096-01-02' })
    for (const [version, status] of ['IN_PROGRESS', 'DONE'].entries())
      (await world.as(reporter).put(`/tasks/${finished.id}`, { version, status })).expect(200)
    const lists = ['/tasks?', `/projects/${project.id}/tasks?`, `/tasks?projectId=${project.id}&`].flatMap((path) =>
      [
        '',
        'sort=dueDate',
        'sort=-updatedAt',
        'status=TODO',
        'status=DONE&sort=dueDate',
        'keyword=paint',
        'dueFrom=2096-01-01',
      ].map((query) => `${path}${query}&page=1`),
    )
    const all = [
      ...lists.filter((path) => !(path.startsWith('/projects') && path.includes('due'))),
      '/tasks?assigneeId=me&page=1',
    ]
    const seen = async () =>
      (await Promise.all(all.map((path) => world.as(member).get(path)))).map((answer) => [
        answer.expect(200).length,
        Number(answer.headers['x-total-count'] ?? answer.body.total ?? Number.NaN),
      ])
    for (const [found, total] of await seen())
      expect([found! > 0, total! > 0 || Number.isNaN(total)]).toEqual([true, true])
    for (const { id, version } of [task, { ...finished, version: 2 }])
      (await world.as(owner).delete(`/tasks/${id}?version=${version}`)).expect(200)
    for (const [found, total] of await seen()) expect([found, total || 0]).toEqual([0, 0])
  },

  async 'a deed on it'() {
    ;(await remove(owner)).expect(200)
    const path = `/tasks/${task.id}`
    const file = await upload.file(owner)
    const resource = { resourceType: 'task', resourceId: task.id }
    const answers = [
      await boss().get(path),
      await boss().put(path, { version: 0, title: 'New' }),
      await boss().get(`${path}/comments`),
      await boss().post(`${path}/comments`, { content: 'hello' }),
      await boss().get(`${path}/activities`),
      await world.as(owner).put(`${file.url}/resource`, resource),
    ]
    for (const answer of answers) answer.expect(404, 'NOT_FOUND')
  },

  async 'a second deletion or restoration'() {
    ;(await restore(owner)).expect(409, 'TASK_NOT_DELETED')
    ;(await remove(owner)).expect(200)
    ;(await remove(owner)).expect(404, 'NOT_FOUND')
    ;(await restore(owner)).expect(200)
    ;(await restore(owner)).expect(409, 'TASK_NOT_DELETED')
    ;(await remove(owner)).expect(409, 'VERSION_CONFLICT')
    ;(await world.as(owner).post('/tasks/987654321/restore')).expect(404, 'NOT_FOUND')
  },

  async 'its assignee'() {
    ;(await leave(member)).expect(409, 'MEMBER_HAS_OPEN_TASKS')
    ;(await boss().delete(`/users/${member.id}`)).expect(409)
    ;(await remove(owner)).expect(200)
    expect(await inbox(member)).toContain('Paint was deleted')
    expect(await inbox(reporter)).not.toContain('Paint was deleted')
    ;(await leave(member)).expect(200)
    ;(await boss().delete(`/users/${member.id}`)).expect(200)
  },

  async 'a hand-over of open work'() {
    ;(await remove(owner)).expect(200)
    ;(await boss().post(`/users/${member.id}/hand-over`, { toUserId: owner.id })).expect(200)
    expect((await restore(owner)).expect(200)).toMatchObject({ assigneeId: member.id, version: 1 })
  },

  async 'an assignee who left, was disabled or may not read tasks'() {
    const role = await world.givenRole(tenant, ['task:update'])
    const roleIds = [await world.roleId(tenant, role)]
    const ends: ((person: Person) => Promise<Answer>)[] = [
      leave,
      ({ id }) => boss().put(`/users/${id}`, { status: 'disabled' }),
      ({ id }) => boss().put(`/users/${id}`, { roleIds }),
    ]
    for (const end of ends) {
      const person = await world.givenUser(tenant)
      await world.givenMember(owner, project, person)
      task = await world.givenTask(reporter, project, { title: 'Paint', assigneeId: person.id })
      ;(await remove(owner)).expect(200)
      ;(await end(person)).expect(200)
      expect((await restore(owner)).expect(200)).toMatchObject({ assigneeId: null, assigneeName: null, version: 1 })
      const lines = [...(await actions(`/tasks/${task.id}`))].slice(0, 2)
      expect(lines).toEqual([
        ['TASK_ASSIGNED', undefined],
        ['TASK_RESTORED', 'Paint'],
      ])
    }
  },

  async 'a reporter who left'() {
    ;(await remove(owner)).expect(200)
    ;(await leave(reporter)).expect(200)
    ;(await restore(reporter)).expect(404, 'NOT_FOUND')
    ;(await boss().delete(`/users/${reporter.id}`)).expect(200)
    expect((await restore(owner)).expect(200)).toMatchObject({ reporterId: reporter.id })
  },

  async 'a reporter who became a viewer'() {
    const view = async (role: string) =>
      (await world.as(owner).put(`/projects/${project.id}/members/${reporter.id}`, { role })).expect(200)
    await view('viewer')
    ;(await remove(reporter)).expect(403, 'PROJECT_READ_ONLY')
    ;(await remove(owner)).expect(200)
    ;(await restore(reporter)).expect(403, 'PROJECT_READ_ONLY')
    await view('member')
    ;(await restore(reporter)).expect(200)
  },

  async 'a project with another owner'() {
    ;(await remove(reporter)).expect(200)
    ;(await world.as(owner).put(`/projects/${project.id}`, { version: 0, ownerId: member.id })).expect(200)
    ;(await restore(owner)).expect(403, 'NOT_OWNER')
    ;(await restore(member)).expect(200)
  },

  async 'an archived project'() {
    await archive()
    ;(await remove(owner)).expect(409, 'PROJECT_ARCHIVED')
    await archive('unarchive')
    ;(await remove(owner)).expect(200)
    await archive()
    ;(await restore(owner)).expect(409, 'PROJECT_ARCHIVED')
    expect(await bin()).toEqual([task.id])
    await archive('unarchive')
    ;(await restore(owner)).expect(200)
  },

  async 'comments and history'() {
    const comments = () => boss().read(`/tasks/${task.id}/comments`)
    await world.as(member).create(`/tasks/${task.id}/comments`, { content: 'hello' })
    const [before, lines] = [await comments(), await actions(`/tasks/${task.id}`)]
    ;(await remove(owner)).expect(200)
    ;(await restore(owner)).expect(200)
    expect(await comments()).toEqual(before)
    expect((await actions(`/tasks/${task.id}`)).slice(2)).toEqual(lines)
  },

  async 'an attached file'() {
    const [kept, given] = [await upload.file(member), await upload.file(member)]
    const statusFor = async (person: Person, { url }: any) => (await upload.download(person, url)).statusCode
    for (const file of [kept, given]) await attach(member, file)
    ;(await remove(owner)).expect(200)
    expect([await statusFor(member, kept), await statusFor(owner, kept)]).toEqual([200, 404])
    ;(await world.as(member).delete(given.url)).expect(200)
    ;(await restore(owner)).expect(200)
    expect(await statusFor(owner, kept)).toBe(200)
    expect(await boss().read(`/files?resourceType=task&resourceId=${task.id}`)).toMatchObject([{ key: kept.key }])
  },

  async 'a quota of files'() {
    const used = () => world.look.count('select sum(size) from files where tenant_id = $1', [tenant.id])
    await attach(reporter, await upload.file(reporter, { content: pngOf(2000) }))
    const before = await used()
    ;(await remove(owner)).expect(200)
    expect(await used()).toBe(before)
    await wait(30)
    await until(async () => {
      await emptyBin()
      expect(await used()).toBe(0)
    })
  },

  async 'the end of its 30 days'() {
    const file = await upload.file(reporter)
    const picture = await upload.file(reporter)
    for (const one of [file, picture]) await attach(reporter, one)
    ;(await world.as(reporter).put('/users/me', { avatarKey: picture.key })).expect(200)
    await world.as(member).create(`/tasks/${task.id}/comments`, { content: 'hello' })
    const stays = await world.givenTask(reporter, project)
    ;(await remove(owner)).expect(200)
    await wait(29)
    await emptyBin()
    expect(await bin()).toEqual([task.id])

    await wait(1)
    expect(await bin()).toEqual([])
    ;(await restore(owner)).expect(404, 'NOT_FOUND')
    await until(async () => {
      await emptyBin()
      expect([await rows('tasks', 'id'), await rows('task_comments', 'task_id')]).toEqual([0, 0])
      expect(folder.names(tenant.id).filter((name) => !name.startsWith('.'))).toEqual([picture.key.split('/')[1]])
    })
    expect((await actions(`/projects/${project.id}`))[0]).toEqual(['TASK_DELETED', 'Paint'])
    expect(await rows('activities', 'task_id')).toBe(3 + 2)
    expect(await boss().read(`/projects/${project.id}/tasks`)).toMatchObject([{ id: stays.id }])
    ;(await restore(owner)).expect(404, 'NOT_FOUND')
    await untilDelivered(world.look)
    expectNoViolation('an empty bin', await checkDatabase(world.look, ['I5']))
  },
}

const attach = async (person: Person, file: any) =>
  (await world.as(person).put(`${file.url}/resource`, { resourceType: 'task', resourceId: task.id })).expect(200)

describe('where a deleted task meets', () => {
  test.each(Object.entries(stories))('%s', (_, story) => story())
})
