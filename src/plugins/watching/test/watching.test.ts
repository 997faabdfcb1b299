import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { tablesWith } from '#test/rows-with.ts'
import { startProcess } from '#test/service.ts'
import { openWorld, type Person } from '#test/world.ts'

const world = await openWorld()
const tenant = await world.givenTenant()
const boss = tenant.administrator
const [owner, author, assignee, watcher, fan, both, stranger] = (await Promise.all(
  Array.from({ length: 7 }, () => world.givenUser(tenant)),
)) as [Person, Person, Person, Person, Person, Person, Person]
const names = ['owner', 'author', 'assignee', 'watcher', 'fan', 'both', 'boss'] as const
const people = { owner, author, assignee, watcher, fan, both, boss }
type Name = (typeof names)[number]
let project: { id: number }
let task: { id: number; version: number }

/** The watcher watches the task, the fan its project, and one person both; the boss is an administrator and no member. */
beforeEach(async () => {
  project = await world.givenProject(owner)
  for (const person of [author, assignee, watcher, fan, both]) await world.givenMember(owner, project, person)
  task = await world.givenTask(owner, project, { title: 'Land', assigneeId: assignee.id })
  for (const person of [watcher, both, boss, owner, assignee, author]) await watch(person)
  for (const person of [fan, both]) (await world.as(person).put(`/projects/${project.id}/watch`)).expect(200)
})

const watch = async (person: Person) => (await world.as(person).put(`/tasks/${task.id}/watch`)).expect(200)
const watching = async (person: Person) => (await world.as(person).get('/users/me/watching')).expect(200)
const say = async (draft: object, by = author) =>
  (await world.as(by).post(`/tasks/${task.id}/comments`, draft)).expect(201)
const edit = (comment: { id: number }, draft: object, by = author) =>
  world.as(by).put(`/tasks/${task.id}/comments/${comment.id}`, draft)
const change = async (patch: object, by = author) => {
  task = (await world.as(by).put(`/tasks/${task.id}`, { version: task.version, ...patch })).expect(200)
}
const inbox = async (person: Person) =>
  (await world.as(person).get('/notifications'))
    .expect(200)
    .filter(({ resourceType, resourceId }: any) => resourceType === 'task' && resourceId === task.id)
/** What everybody is told of by a command: type by person. */
async function told(command: () => Promise<unknown>): Promise<Partial<Record<Name, string[]>>> {
  const before = new Map<Name, number>()
  for (const name of names) before.set(name, (await inbox(people[name])).length)
  await command()
  const found: Partial<Record<Name, string[]>> = {}
  for (const name of names) {
    const all = await inbox(people[name])
    const types = all.slice(0, all.length - before.get(name)!).map(({ type }: any) => type)
    if (types.length) found[name] = types.sort()
  }
  return found
}

const CHANGED = ['TASK_CHANGED']
describe('who is told of what', () => {
  test.each<[what: string, command: () => Promise<unknown>, Partial<Record<Name, string[]>>]>([
    [
      'a comment',
      () => say({ content: 'Hello' }),
      {
        ...{ owner: ['TASK_COMMENTED'], assignee: ['TASK_COMMENTED'] },
        ...{ watcher: CHANGED, fan: CHANGED, both: CHANGED, boss: CHANGED },
      },
    ],
    [
      'a comment of a watcher, which mentions another one',
      () => say({ content: 'Hello', mentions: [fan.id, watcher.id] }, watcher),
      {
        ...{ owner: ['TASK_COMMENTED'], assignee: ['TASK_COMMENTED'], author: CHANGED },
        ...{ fan: ['TASK_MENTIONED'], both: CHANGED, boss: CHANGED },
      },
    ],
    ['a change of its title', () => change({ title: 'Land softly' }), {}],
    ['a status that stays', () => change({ status: 'TODO' }), {}],
    [
      'a status',
      () => change({ status: 'IN_PROGRESS' }),
      { owner: CHANGED, assignee: CHANGED, watcher: CHANGED, fan: CHANGED, both: CHANGED, boss: CHANGED },
    ],
    [
      'several changes at once, by the assignee',
      () => change({ status: 'IN_PROGRESS', dueDate: '2027-01-01', title: 'x' }, assignee),
      { owner: CHANGED, author: CHANGED, watcher: CHANGED, fan: CHANGED, both: CHANGED, boss: CHANGED },
    ],
    [
      'another assignee, who watches it',
      () => change({ assigneeId: watcher.id }),
      {
        ...{ owner: CHANGED, assignee: CHANGED, watcher: ['TASK_ASSIGNED'] },
        ...{ fan: CHANGED, both: CHANGED, boss: CHANGED },
      },
    ],
    [
      'a hand-over to a watcher',
      async () => (await world.as(boss).post(`/users/${assignee.id}/hand-over`, { toUserId: watcher.id })).expect(200),
      { owner: CHANGED, author: CHANGED, assignee: CHANGED, watcher: ['TASK_ASSIGNED'], fan: CHANGED, both: CHANGED },
    ],
  ])('of %s', async (_, command, wanted) => {
    expect(await told(command)).toEqual(wanted)
  })

  test('is said in the language of the reader', async () => {
    await change({ status: 'IN_PROGRESS', dueDate: '2027-01-01' })
    const titles = async (language: string) =>
      (await world.as(watcher).get('/notifications', { 'accept-language': language })).expect(200)[0].title
    expect(await titles('en')).toBe('Changed on Land: status, due date')
    expect(await titles('zh-CN')).toBe('任务 Land 有变化：状态、截止日期')
  })

  test('of many tasks that one command changes, each watcher is told once', async () => {
    const leaver = await world.givenUser(tenant)
    await world.givenMember(owner, project, leaver)
    for (let n = 0; n < 51; n++) await world.givenTask(leaver, project, { assigneeId: leaver.id })
    const news = async (person: Person) =>
      (await world.as(person).get('/notifications?pageSize=100')).expect(200).map(({ type }: any) => type)
    const before = await news(fan)
    ;(await world.as(boss).post(`/users/${leaver.id}/hand-over`, { toUserId: author.id })).expect(200)
    expect(await news(fan)).toEqual(['TASKS_CHANGED', ...before].slice(0, 100))
  })
})

describe('a watch', () => {
  test('is made once, listed, and ended', async () => {
    await watch(watcher)
    const [first] = (await world.as(owner).get(`/tasks/${task.id}/watchers`)).expect(200)
    expect(first).toEqual({ userId: watcher.id, name: expect.stringMatching(/^Person/) })
    const both = [
      { resourceType: 'project', resourceId: project.id, title: expect.any(String) },
      { resourceType: 'task', resourceId: task.id, title: 'Land' },
    ]
    expect((await watching(people.both)).slice(0, 2)).toEqual(both)
    for (const _ of ['once', 'again']) {
      ;(await world.as(people.both).delete(`/tasks/${task.id}/watch`)).expect(200)
      ;(await world.as(people.both).delete(`/projects/${project.id}/watch`)).expect(200)
    }
    expect(await told(() => change({ status: 'IN_PROGRESS' }))).not.toHaveProperty('both')
  })

  test('ends with the membership, and does not come back with it', async () => {
    ;(await world.as(owner).delete(`/projects/${project.id}/members/${both.id}`)).expect(200)
    expect(await told(() => change({ status: 'IN_PROGRESS' }))).not.toHaveProperty('both')
    await world.givenMember(owner, project, both)
    expect(await told(() => change({ status: 'BLOCKED' }))).not.toHaveProperty('both')
    expect((await watching(both)).filter(({ resourceId }: any) => resourceId === task.id)).toEqual([])
  })

  test('ends with its person, also when they are restored', async () => {
    const leaver = await world.givenUser(tenant)
    await world.givenMember(owner, project, leaver)
    await watch(leaver)
    ;(await world.as(boss).delete(`/users/${leaver.id}`)).expect(200)
    expect(await world.look.count('select count(*) from watches where user_id = $1', [leaver.id])).toBe(0)
  })

  test('of an administrator ends with them also where the plug-in is off', async () => {
    const second = await world.givenUser(tenant, 'tenant-admin')
    await watch(second)
    const without = await startProcess({ databaseUrl: world.databaseUrl, env: { PLUGINS: 'none' } })
    onTestFinished(async () => void (await without.end('SIGTERM')))
    ;(await without.remote.as(boss.token).delete(`/users/${second.id}`)).expect(200)
    expect(await world.look.count('select count(*) from watches where user_id = $1', [second.id])).toBe(0)
  })

  test('of an administrator counts only while they see the project', async () => {
    const second = await world.givenUser(tenant, 'tenant-admin')
    await watch(second)
    const role = await world.givenRole(tenant, ['project:list'])
    const roleIds = [await world.roleId(tenant, role)]
    ;(await world.as(boss).put(`/users/${second.id}`, { roleIds })).expect(200)
    const { length } = await inbox(second)
    await change({ status: 'IN_PROGRESS' })
    expect(await watching(second)).toEqual([])
    expect(await world.look.count('select count(*) from notifications where receiver_id = $1', [second.id])).toBe(
      length,
    )
  })

  test('is not for who does not see the task, and does not pass to somebody else', async () => {
    for (const path of [`/tasks/${task.id}/watch`, `/projects/${project.id}/watch`]) {
      ;(await world.as(stranger).put(path)).expect(404, 'NOT_FOUND')
      ;(await world.as(stranger).delete(path)).expect(404, 'NOT_FOUND')
    }
    ;(await world.as(stranger).get(`/tasks/${task.id}/watchers`)).expect(404, 'NOT_FOUND')
    const inside = { 'x-tenant-code': tenant.code }
    ;(await world.as(world.admin).put(`/tasks/${task.id}/watch`, undefined, inside)).expect(409, 'NOT_IN_TENANT')
    const heir = await world.givenUser(tenant)
    ;(await world.as(boss).post(`/users/${watcher.id}/hand-over`, { toUserId: heir.id })).expect(200)
    expect(await watching(heir)).toEqual([])
  })
})

describe('a mention', () => {
  const shown = async () => (await world.as(owner).get(`/tasks/${task.id}/comments`)).expect(200)
  const mention = ({ id }: Person) => ({ id, name: expect.stringMatching(/^Person/) })

  test('is shown, told once, and not told again by an edit', async () => {
    const comment = await say({ content: 'Look', mentions: [author.id, fan.id] })
    expect(comment.mentions).toEqual([author, fan].sort((a, b) => a.id - b.id).map(mention))
    expect((await inbox(fan))[0]).toMatchObject({ type: 'TASK_MENTIONED', content: 'Look' })

    expect(await told(async () => (await edit(comment, { content: 'Look!' })).expect(200))).toEqual({})
    expect((await shown())[0].mentions).toEqual(comment.mentions)
    expect(await told(async () => (await edit(comment, { content: 'Look!', mentions: [] })).expect(200))).toEqual({})
    expect((await shown())[0]).toMatchObject({ mentions: [], editedAt: expect.any(String) })
    const again = () => edit(comment, { content: 'Look!', mentions: [fan.id, both.id] })
    expect(await told(async () => (await again()).expect(200))).toEqual({ both: ['TASK_MENTIONED'] })
    expect((await inbox(both))[0]).toMatchObject({ content: null })
  })

  test('names people who see the project, each once, and at most twenty', async () => {
    const path = `/tasks/${task.id}/comments`
    const refused = await world.as(author).post(path, { content: 'x', mentions: [fan.id, stranger.id] })
    expect(refused.expect(400, 'MENTION_NOT_MEMBER').details[0].path).toBe('body.mentions.1')
    for (const mentions of [[fan.id, fan.id], Array.from({ length: 21 }, (_, at) => at + 1), 'all', [0]])
      (await world.as(author).post(path, { content: 'x', mentions })).expect(400, 'VALIDATION_FAILED')
    ;(await world.as(stranger).post(path, { content: 'x', mentions: [fan.id] })).expect(404, 'NOT_FOUND')
    expect(await shown()).toEqual([])
    expect((await say({ content: 'x', mentions: [boss.id] })).mentions).toEqual([
      { id: boss.id, name: expect.any(String) },
    ])
  })

  test('goes with the text of its comment', async () => {
    const comment = await say({ content: 'Text-that-goes', mentions: [fan.id] })
    ;(await world.as(author).delete(`/tasks/${task.id}/comments/${comment.id}`)).expect(200)
    expect((await shown())[0]).toMatchObject({ content: '', mentions: [] })
    expect(await tablesWith(world.look, 'Text-that-goes')).toEqual([])
    const left = 'select count(*) from comment_mentions where comment_id = $1'
    expect(await world.look.count(left, [comment.id])).toBe(0)
  })
})
