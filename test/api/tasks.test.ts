import { beforeAll, describe, expect, test } from 'vitest'
import { openWorld, type Person, type Tenant } from '../support/world.ts'

let tenant: Tenant
let owner: Person
let member: Person
let project: any
const world = await openWorld()
beforeAll(async () => {
  tenant = await world.givenTenant()
  owner = await world.givenUser(tenant)
  member = await world.givenUser(tenant)
  project = await world.givenProject(owner)
  await world.givenMember(owner, project, member)
})

const create = (draft: object, person = owner) =>
  world.as(person).post(`/projects/${project.id}/tasks`, { title: 'Land', ...draft })
const put = (task: { id: number }, patch: object, person = owner) => world.as(person).put(`/tasks/${task.id}`, patch)
const read = async (task: { id: number }) => (await world.as(owner).get(`/tasks/${task.id}`)).expect(200)
const history = async (task: { id: number }) =>
  (await world.as(owner).get(`/tasks/${task.id}/activities`))
    .expect(200)
    .map(({ action, fieldName, oldValue, newValue }: any) => [action, fieldName, oldValue, newValue])

test('a task is created, given to somebody, worked on and finished, and its history says so', async () => {
  const task = (await create({ title: 'Land', priority: 'HIGH' })).expect(201)
  ;(await put(task, { version: 0, assigneeId: member.id })).expect(200)
  ;(await put(task, { version: 1, status: 'IN_PROGRESS' }, member)).expect(200)
  ;(await world.as(member).post(`/tasks/${task.id}/comments`, { content: 'Going down' })).expect(201)
  ;(await put(task, { version: 2, status: 'DONE' }, member)).expect(200)

  expect(await read(task)).toMatchObject({ title: 'Land', status: 'DONE', assigneeId: member.id, version: 3 })
  expect((await history(task)).reverse()).toEqual([
    ['TASK_CREATED', null, null, 'Land'],
    ['TASK_ASSIGNED', 'assigneeId', null, String(member.id)],
    ['STATUS_CHANGED', 'status', 'TODO', 'IN_PROGRESS'],
    ['COMMENT_ADDED', null, null, expect.stringMatching(/^\d+$/)],
    ['STATUS_CHANGED', 'status', 'IN_PROGRESS', 'DONE'],
  ])
})

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

  test('is given to nobody who may not read it', async () => {
    const member = await world.givenUser(tenant, await world.givenRole(tenant, ['department:list']))
    await world.givenMember(owner, project, member)
    ;(await create({ assigneeId: member.id })).expect(400, 'ASSIGNEE_NOT_MEMBER')
    const task = await world.givenTask(owner, project)
    const given = { version: 0, assigneeId: member.id }
    ;(await world.as(owner).put(`/tasks/${task.id}`, given)).expect(400, 'ASSIGNEE_NOT_MEMBER')
  })

  test('moves the version of its project by nothing', async () => {
    const before = (await world.as(owner).get(`/projects/${project.id}`)).expect(200)
    const task = (await create({})).expect(201)
    ;(await put(task, { version: 0, title: 'New' })).expect(200)
    ;(await world.as(owner).post(`/tasks/${task.id}/comments`, { content: 'x' })).expect(201)
    expect((await world.as(owner).get(`/projects/${project.id}`)).expect(200)).toEqual(before)
  })

  test('can be made in a project that was changed before the clock of the database was set back', async () => {
    const changed = await world.givenProject(owner)
    await world.look.rows(`update projects set updated_at = now() + interval '1 hour' where id = $1`, [changed.id])
    ;(await world.as(owner).post(`/projects/${changed.id}/tasks`, { title: 'x' })).expect(201)
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
      description: '',
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

  test('of which twenty come concurrently is made once', async () => {
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

describe('the status of a task', () => {
  /** For each status, how a task gets there, and what it may become from there. */
  const STATUSES = {
    TODO: { way: [], next: ['IN_PROGRESS', 'CANCELLED'] },
    IN_PROGRESS: { way: ['IN_PROGRESS'], next: ['BLOCKED', 'DONE', 'CANCELLED'] },
    BLOCKED: { way: ['IN_PROGRESS', 'BLOCKED'], next: ['IN_PROGRESS', 'CANCELLED'] },
    DONE: { way: ['IN_PROGRESS', 'DONE'], next: [] },
    CANCELLED: { way: ['CANCELLED'], next: [] },
  } as const
  type Status = keyof typeof STATUSES
  const statuses = Object.keys(STATUSES) as Status[]

  async function givenTaskIn(status: Status) {
    const task = (await create({})).expect(201)
    for (const [version, next] of STATUSES[status].way.entries())
      (await put(task, { version, status: next })).expect(200)
    return read(task)
  }
  const movesOf = async (task: { id: number }) =>
    (await history(task))
      .filter(([action]: unknown[]) => action === 'STATUS_CHANGED')
      .map(([, , , to]: unknown[]) => to)
      .reverse()

  const pairs = statuses.flatMap((from) => statuses.map((to) => [from, to] as const))
  const mayMove = ([from, to]: readonly [Status, Status]) => (STATUSES[from].next as readonly Status[]).includes(to)
  const isOver = ([from]: readonly [Status, Status]) => STATUSES[from].next.length === 0

  test.each(pairs.filter(mayMove))('moves from %s to %s', async (from, to) => {
    const task = await givenTaskIn(from)
    const moved = (await put(task, { version: task.version, status: to })).expect(200)
    expect(moved).toMatchObject({ status: to, version: task.version + 1 })
    expect(await movesOf(task)).toEqual([...STATUSES[from].way, to])
  })

  test.each(pairs.filter((pair) => pair[0] === pair[1] && !isOver(pair)))(
    'stays %s when it is sent as %s',
    async (from) => {
      const task = await givenTaskIn(from)
      expect((await put(task, { version: task.version, status: from })).expect(200)).toMatchObject({ status: from })
      expect(await movesOf(task)).toEqual(STATUSES[from].way)
    },
  )

  test.each(pairs.filter((pair) => pair[0] !== pair[1] && !mayMove(pair) && !isOver(pair)))(
    'does not move from %s to %s',
    async (from, to) => {
      const task = await givenTaskIn(from)
      const { details } = (await put(task, { version: task.version, status: to })).expect(409, 'ILLEGAL_TRANSITION')
      expect(details[0]).toMatchObject({ from, to, allowed: STATUSES[from].next })
      expect(await read(task)).toEqual(task)
    },
  )

  test.each(pairs.filter(isOver))('is over in %s: it does not become %s', async (from, to) => {
    const task = await givenTaskIn(from)
    ;(await put(task, { version: task.version, status: to })).expect(409, 'TASK_FINISHED')
    expect(await read(task)).toEqual(task)
  })
})
