import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openWorld, type Person, type Tenant, type World } from '../support/world.ts'

let world: World
let tenant: Tenant
let owner: Person
let member: Person
let project: any
beforeAll(async () => {
  world = await openWorld()
  tenant = await world.givenTenant()
  owner = await world.givenUser(tenant)
  member = await world.givenUser(tenant)
  project = await world.givenProject(owner)
  await world.givenMember(owner, project, member)
})
afterAll(() => world.close())

const create = (draft: object, person = owner) =>
  world.as(person).post(`/projects/${project.id}/tasks`, { title: 'Land', ...draft })
const put = (task: { id: number }, patch: object, person = owner) => world.as(person).put(`/tasks/${task.id}`, patch)
const read = async (task: { id: number }) => (await world.as(owner).get(`/tasks/${task.id}`)).expect(200)
const history = async (task: { id: number }) =>
  (await world.as(owner).get(`/tasks/${task.id}/activities`))
    .expect(200)
    .map(({ action, fieldName, oldValue, newValue }: any) => [action, fieldName, oldValue, newValue])

describe('a new task', () => {
  test('is to do, of medium priority, for nobody, and reported by its creator', async () => {
    const answer = await create({}, member)

    const task = answer.expect(201)
    expect(task).toEqual({
      id: expect.any(Number),
      projectId: project.id,
      title: 'Land',
      description: null,
      assigneeId: null,
      assigneeName: null,
      reporterId: member.id,
      reporterName: expect.stringMatching(/^Person \d+$/),
      priority: 'MEDIUM',
      status: 'TODO',
      dueDate: null,
      version: 0,
      createdAt: expect.stringMatching(/Z$/),
      updatedAt: task.createdAt,
    })
    expect(answer.headers.location).toBe(`/api/v1/tasks/${task.id}`)
    expect(await read(task)).toEqual(task)
    expect(await history(task)).toEqual([['TASK_CREATED', null, null, 'Land']])
  })

  test('takes what it is given', async () => {
    const given = { description: 'Softly', assigneeId: member.id, priority: 'URGENT', dueDate: '2028-02-29' }
    expect((await create(given)).expect(201)).toMatchObject(given)
  })

  test('takes neither status, version nor reporter', async () => {
    const wishes = { status: 'DONE', version: 9, reporterId: 1, projectId: 1, id: 1, createdAt: '2001-01-01T00:00:00Z' }
    expect((await create(wishes)).expect(201)).toMatchObject({
      status: 'TODO',
      version: 0,
      reporterId: owner.id,
      projectId: project.id,
    })
  })

  test('can be given only to a member of its project', async () => {
    const strangers = [await world.givenUser(tenant), tenant.administrator, world.admin, { id: 999999 }]
    for (const { id } of strangers) {
      const { details } = (await create({ assigneeId: id })).expect(400, 'ASSIGNEE_NOT_MEMBER')
      expect(details[0].path).toBe('body.assigneeId')
    }
  })

  test('moves the version of its project by nothing', async () => {
    const before = (await world.as(owner).get(`/projects/${project.id}`)).expect(200)
    const task = (await create({})).expect(201)
    ;(await put(task, { version: 0, title: 'New' })).expect(200)
    ;(await world.as(owner).post(`/tasks/${task.id}/comments`, { content: 'x' })).expect(201)
    expect((await world.as(owner).get(`/projects/${project.id}`)).expect(200)).toEqual(before)
  })

  test.each([
    ['body.title', { title: '   ' }],
    ['body.title', { title: 'x'.repeat(256) }],
    ['body.title', { title: null }],
    ['body.description', { description: 'x'.repeat(8001) }],
    ['body.assigneeId', { assigneeId: '1' }],
    ['body.assigneeId', { assigneeId: 0 }],
    ['body.assigneeId', { assigneeId: 2 ** 53 }],
    ['body.priority', { priority: 'medium' }],
    ['body.priority', { priority: null }],
    ['body.dueDate', { dueDate: '2027-02-29' }],
    ['body.dueDate', { dueDate: '2027-01-01T00:00:00Z' }],
  ])('names %s when it is not valid: %j', async (path, wrong) => {
    const { details } = (await create(wrong)).expect(400, 'VALIDATION_FAILED')
    expect(new Set(details.map((detail: any) => detail.path))).toEqual(new Set([path]))
  })
})

describe('changing a task', () => {
  test('is partial: a field left out stays, null clears, blanks clear what is optional', async () => {
    const task = (await create({ description: 'Softly', assigneeId: member.id, dueDate: '2027-01-01' })).expect(201)
    expect((await put(task, { version: 0, assigneeId: null })).expect(200)).toEqual({
      ...task,
      assigneeId: null,
      assigneeName: null,
      version: 1,
      updatedAt: expect.any(String),
    })
    expect((await put(task, { version: 1, dueDate: null, description: '  ' })).expect(200)).toMatchObject({
      dueDate: null,
      description: null,
      title: 'Land',
      version: 2,
    })
  })

  test('leaves one line of history for each field that differs, with the old and the new value', async () => {
    const task = (await create({})).expect(201)
    const patch = {
      title: 'Land softly',
      description: 'On the moon',
      priority: 'HIGH',
      dueDate: '2027-07-20',
      assigneeId: member.id,
      status: 'IN_PROGRESS',
    }

    ;(await put(task, { version: 0, ...patch })).expect(200)

    expect((await history(task)).reverse()).toEqual([
      ['TASK_CREATED', null, null, 'Land'],
      ['FIELD_CHANGED', 'title', 'Land', 'Land softly'],
      ['FIELD_CHANGED', 'description', null, 'On the moon'],
      ['FIELD_CHANGED', 'priority', 'MEDIUM', 'HIGH'],
      ['FIELD_CHANGED', 'dueDate', null, '2027-07-20'],
      ['TASK_ASSIGNED', 'assigneeId', null, String(member.id)],
      ['STATUS_CHANGED', 'status', 'TODO', 'IN_PROGRESS'],
    ])
  })

  test('that changes nothing raises the version and leaves no line', async () => {
    const task = (await create({})).expect(201)
    const same = (
      await put(task, { version: 0, title: 'Land', status: 'TODO', priority: 'MEDIUM', assigneeId: null })
    ).expect(200)
    expect(same).toMatchObject({ version: 1 })
    expect(same.updatedAt > task.updatedAt).toBe(true)
    expect(await history(task)).toHaveLength(1)
  })

  test('from an old state is refused, and told both versions', async () => {
    const task = (await create({})).expect(201)
    ;(await put(task, { version: 0, title: 'One' })).expect(200)
    const { details } = (await put(task, { version: 0, title: 'Two' })).expect(409, 'VERSION_CONFLICT')
    expect(details).toEqual([{ path: 'version', expected: 0, actual: 1, message: expect.any(String) }])
  })

  test('names state before value before version', async () => {
    const task = (await create({})).expect(201)
    const stranger = await world.givenUser(tenant)
    const wrong = { version: 9, assigneeId: stranger.id }
    ;(await put(task, { ...wrong, status: 'DONE' })).expect(409, 'ILLEGAL_TRANSITION')
    ;(await put(task, wrong)).expect(400, 'ASSIGNEE_NOT_MEMBER')
    ;(await put(task, { version: 9 })).expect(409, 'VERSION_CONFLICT')
    ;(await put(task, { version: 0, status: 'CANCELLED' })).expect(200)
    ;(await put(task, { ...wrong, status: 'DONE' })).expect(409, 'TASK_FINISHED')
    ;(await put(task, { ...wrong, status: 'NONE' })).expect(400, 'VALIDATION_FAILED')
  })

  test('can give it to a member only while they are one', async () => {
    const leaving = await world.givenUser(tenant)
    await world.givenMember(owner, project, leaving)
    const task = (await create({})).expect(201)
    ;(await world.as(owner).delete(`/projects/${project.id}/members/${leaving.id}`)).expect(200)
    ;(await put(task, { version: 0, assigneeId: leaving.id })).expect(400, 'ASSIGNEE_NOT_MEMBER')
  })

  test('of which twenty come at once is made once', async () => {
    const task = (await create({})).expect(201)
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) => put(task, { version: 0, title: `Title ${at}` })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    for (const answer of answers) if (answer.status !== 200) answer.expect(409, 'VERSION_CONFLICT')
    expect(await read(task)).toMatchObject({ version: 1 })
    expect(await history(task)).toHaveLength(2)
  })

  test('clients may send back all that they read', async () => {
    const task = (await create({})).expect(201)
    expect((await put(task, { ...task, title: 'Edited', unknown: { deep: [1] } })).expect(200)).toMatchObject({
      title: 'Edited',
      version: 1,
    })
  })
})

describe('comments', () => {
  const comment = (task: { id: number }, content: unknown, person = member) =>
    world.as(person).post(`/tasks/${task.id}/comments`, { content })
  const commentsOf = async (task: { id: number }, query = '') =>
    await world.as(owner).get(`/tasks/${task.id}/comments${query}`)

  test('carry the name of their author, and leave a line of history but no new version', async () => {
    const task = (await create({})).expect(201)

    const first = (await comment(task, '  Well done  ')).expect(201)

    expect(first).toEqual({
      id: expect.any(Number),
      taskId: task.id,
      authorId: member.id,
      authorName: expect.stringMatching(/^Person/),
      content: 'Well done',
      createdAt: expect.stringMatching(/Z$/),
    })
    expect((await commentsOf(task)).expect(200)).toEqual([first])
    expect(await history(task)).toEqual([
      ['COMMENT_ADDED', null, null, String(first.id)],
      ['TASK_CREATED', null, null, 'Land'],
    ])
    expect(await read(task)).toEqual(task)
  })

  test('are read oldest first; before= gives the last ones before an id, still ascending', async () => {
    const task = (await create({})).expect(201)
    const ids: number[] = []
    for (let at = 0; at < 7; at++) ids.push((await comment(task, `Comment ${at}`)).expect(201).id)
    const idsOf = (answer: any) => answer.expect(200).map(({ id }: any) => id)

    expect(idsOf(await commentsOf(task))).toEqual(ids)
    expect(idsOf(await commentsOf(task, '?page=2&pageSize=3'))).toEqual(ids.slice(3, 6))
    const last = await commentsOf(task, `?before=${ids[6]! + 1}&pageSize=3`)
    expect(idsOf(last)).toEqual(ids.slice(4))
    const older = await world.as(owner).send({ method: 'GET', url: nextOf(last) })
    expect(idsOf(older)).toEqual(ids.slice(1, 4))
    const oldest = await world.as(owner).send({ method: 'GET', url: nextOf(older) })
    expect(idsOf(oldest)).toEqual(ids.slice(0, 1))
    expect(oldest.headers.link).toBeUndefined()
  })

  test('may be added to what is finished', async () => {
    const task = (await create({})).expect(201)
    ;(await put(task, { version: 0, status: 'CANCELLED' })).expect(200)
    ;(await comment(task, 'A pity')).expect(201)
  })

  test('keep any text as it was written, but that all text is in NFC', async () => {
    const task = (await create({})).expect(201)
    const texts = [
      '<script>alert(1)</script>',
      "'; drop table tasks; --",
      '日本語 ✨ 👩‍👩‍👧',
      'e\u0301 is not \u00e9',
      '\u202eright to left',
      'a\nb\tc',
      '%_\\',
      '"quoted\\"',
      'z̸͔a̷l̴g̶o̵',
      '\u200b',
      'null',
      'a\ufeffb',
    ]
    for (const text of texts) expect((await comment(task, text)).expect(201).content).toBe(text.normalize('NFC'))
    expect((await commentsOf(task)).expect(200).map(({ content }: any) => content)).toEqual(
      texts.map((text) => text.normalize('NFC')),
    )
  })

  test.each([[''], ['   '], ['x'.repeat(2001)], [null], [7], [['x']], [undefined], ['nul\u0000'], ['\ud800']])(
    'cannot be %j',
    async (content) => {
      const task = (await create({})).expect(201)
      ;(await comment(task, content)).expect(400, 'VALIDATION_FAILED')
      expect((await commentsOf(task)).expect(200)).toEqual([])
    },
  )
})

function nextOf(answer: { headers: Record<string, unknown> }): string {
  return /^<([^>]+)>; rel="next"$/.exec(String(answer.headers.link))![1]!
}
