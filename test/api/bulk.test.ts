import { beforeEach, describe, expect, test } from 'vitest'
import { EVENTS } from '../support/event-rows.ts'
import { openInstance } from '../support/instance.ts'
import { openWorld, type Person } from '../support/world.ts'

/** Several tasks are changed by one request, all or none, each as if it was changed alone. */
const world = await openWorld()
const tenant = await world.givenTenant()
let owner: Person
let member: Person
type Made = { id: number }
let tasks: Made[]
beforeEach(async () => {
  ;[owner, member] = [await world.givenUser(tenant), await world.givenUser(tenant)]
  tasks = []
  for (const _ of [1, 2]) {
    const project = await world.givenProject(owner)
    await world.givenMember(owner, project, member)
    tasks.push(await world.givenTask(owner, project), await world.givenTask(owner, project))
  }
})

const bulk = (changes: object[], by = owner, headers = {}) =>
  world.as(by).post('/tasks/bulk', { tasks: changes }, headers)
const all = (patch: object) => tasks.map(({ id }) => ({ id, version: 0, ...patch }))
const read = ({ id }: { id: number }) => world.as(owner).get(`/tasks/${id}`)
const versions = async () => Promise.all(tasks.map(async (task) => (await read(task)).expect(200).version))
const history = ({ id }: { id: number }) => world.as(owner).list(`/tasks/${id}/activities`, 'action', 'newValue')
const UNCHANGED = [0, 0, 0, 0]

describe('changing several tasks', () => {
  test('answers them in the order of the request, each with its own history, event and notification', async () => {
    const changes = all({ status: 'IN_PROGRESS', assigneeId: member.id }).reverse()
    const answer = (await bulk(changes)).expect(200)

    expect(answer.map(({ id }: any) => id)).toEqual(changes.map(({ id }) => id))
    for (const task of answer) {
      expect(task).toMatchObject({ version: 1, status: 'IN_PROGRESS', assigneeId: member.id })
      expect((await read(task)).expect(200)).toEqual(task)
      expect((await history(task)).slice(0, 2).sort()).toEqual([
        ['STATUS_CHANGED', 'IN_PROGRESS'],
        ['TASK_ASSIGNED', String(member.id)],
      ])
    }
    const events = `select count(*) from ${EVENTS}
      where type = 'task.updated' and subject_id = any($1)`
    expect(await world.look.count(events, [tasks.map(({ id }) => id)])).toBe(4)
    const news = await world.as(member).read('/notifications')
    expect(news.filter(({ type }: any) => type === 'TASK_ASSIGNED')).toHaveLength(4)
  })

  test('takes another patch for each', async () => {
    const [one, two] = tasks as [Made, Made, ...Made[]]
    const patches = [
      { id: two.id, version: 0, title: 'Two', dueDate: '2026-12-24' },
      { id: one.id, version: 0, priority: 'URGENT' },
    ]
    expect((await bulk(patches)).expect(200)).toMatchObject([
      { title: 'Two', dueDate: '2026-12-24' },
      { priority: 'URGENT' },
    ])
    expect(await history(one)).toEqual([
      ['FIELD_CHANGED', 'URGENT'],
      ['TASK_CREATED', expect.any(String)],
    ])
  })

  test('takes a hundred, each once, and a key once', async () => {
    const project = await world.givenProject(owner)
    const made = []
    for (let n = 0; n < 100; n++) made.push(await world.givenTask(owner, project))
    const flights: string[][] = []
    const instance = await openInstance(world.databaseUrl, {
      hear: (_, calls) => flights.push(calls.map(({ prepared }) => prepared.text)),
    })
    const changes = made.map(({ id }) => ({ id, version: 0, assigneeId: owner.id }))
    ;(await instance.as(owner).post('/tasks/bulk', { tasks: changes })).expect(200)
    await instance.close()
    const saving = flights
      .map((texts) => texts.filter((text) => text.includes('update "tasks"')).length)
      .filter(Boolean)
    expect(saving).toEqual([100])

    const once = { 'idempotency-key': 'bulk-once' }
    ;(await bulk(all({ title: 'New' }), owner, once)).expect(200)
    ;(await bulk(all({ title: 'New' }), owner, once)).expect(409, 'IDEMPOTENCY_KEY_REUSED')
    for (const wrong of [[], [...made, ...tasks].map(({ id }) => ({ id, version: 1 })), [{ id: made[0]!.id }]])
      (await bulk(wrong)).expect(400, 'VALIDATION_FAILED')
    const twice = await bulk([...all({}), { id: tasks[1]!.id, version: 1 }])
    twice.expect(400, 'VALIDATION_FAILED')
    expect(twice.error!.details).toMatchObject([{ path: 'body.tasks.4.id' }])
  })
})

describe('the first refusal is the answer, names its place, and nothing is changed', () => {
  /** What is wrong with one change, the status, the type and the field that its path ends with. */
  const wrongs: [string, object, number, string, string][] = [
    ['an unknown task', { id: 987_654_321 }, 404, 'NOT_FOUND', 'id'],
    ['a stale version', { version: 7 }, 409, 'VERSION_CONFLICT', 'version'],
    ['an illegal move', { status: 'DONE' }, 409, 'ILLEGAL_TRANSITION', 'status'],
    ['an assignee from elsewhere', { assigneeId: 987_654_321 }, 400, 'ASSIGNEE_NOT_MEMBER', 'assigneeId'],
  ]
  test.each(wrongs)('%s', async (_, wrong, status, type, field) => {
    const changes = all({ title: 'New' })
    for (const place of [1, 3]) {
      const bad = changes.map((change, at) =>
        at >= place ? { ...change, ...(at === place ? wrong : { version: 9 }) } : change,
      )
      const answer = await bulk(bad)
      answer.expect(status, type)
      expect(answer.error!.details).toMatchObject([{ path: `tasks[${place}].${field}` }])
      expect(await versions()).toEqual(UNCHANGED)
    }
  })

  test('a finished task, a task of a project that one only views, and one that one does not see', async () => {
    const [one, two] = tasks as [Made, Made, ...Made[]]
    ;(await world.as(owner).put(`/tasks/${one.id}`, { version: 0, status: 'CANCELLED' })).expect(200)
    const finished = await bulk([
      { id: two.id, version: 0 },
      { id: one.id, version: 1 },
    ])
    finished.expect(409, 'TASK_FINISHED')
    expect(finished.error!.details).toMatchObject([{ path: 'tasks[1].id' }])

    const other = await world.givenProject(owner)
    const unseen = await world.givenTask(owner, other)
    const changes = [...all({}).slice(1), { id: unseen.id, version: 0 }]
    const hidden = await bulk(changes, member)
    hidden.expect(404, 'NOT_FOUND')
    expect(hidden.error!.details).toMatchObject([{ path: 'tasks[3].id' }])
    ;(await world.as(owner).put(`/projects/${other.id}/members/${member.id}`, { role: 'viewer' })).expect(200)
    const viewed = await bulk(changes, member)
    viewed.expect(403, 'PROJECT_READ_ONLY')
    expect(viewed.error!.details).toMatchObject([{ path: 'tasks[3].id' }])
    expect(await versions()).toEqual([1, 0, 0, 0])
  })
})
