import { beforeEach, describe, expect, test } from 'vitest'
import type { Answer } from '../support/client.ts'
import { until } from '../support/patience.ts'
import { openWorld } from '../support/world.ts'

/** Versions as HTTP knows them: an ETag with what was read, If-Match with what shall be changed. */
const world = await openWorld()
const tenant = await world.givenTenant()
const owner = await world.givenUser(tenant)

const editor = () => world.as(tenant.administrator)
const etagOf = (answer: Answer) => String(answer.headers.etag)

describe.each([
  {
    kind: 'project',
    create: async () => (await world.givenProject(owner)).id,
    path: (id: number) => `/projects/${id}`,
    field: 'name',
  },
  {
    kind: 'task',
    create: async () => (await world.givenTask(owner, await world.givenProject(owner))).id,
    path: (id: number) => `/tasks/${id}`,
    field: 'title',
  },
  {
    kind: 'article',
    create: async () => (await editor().post('/content/articles', { title: 'A' })).expect(201).id,
    path: (id: number) => `/content/articles/${id}`,
    field: 'title',
  },
])('a $kind', ({ kind, create, path: pathOf, field }) => {
  let id: number
  let path: string
  beforeEach(async () => {
    id = await create()
    path = pathOf(id)
  })
  const read = () => editor().get(path)
  const change = (ifMatch: string | undefined, value: string, more: object = {}) =>
    editor().put(path, { [field]: value, ...more }, ifMatch === undefined ? {} : { 'if-match': ifMatch })

  test('is read with an ETag that stays until it is changed, and is never kept', async () => {
    const [first, second] = [await read(), await read()]
    expect(etagOf(first)).toMatch(/^"[\x21\x23-\x7e]+"$/)
    expect(etagOf(second)).toBe(etagOf(first))
    expect(first.headers['cache-control']).toBe('no-store')
  })

  test('is changed by anyone who has read it last; the answer carries the next ETag', async () => {
    const before = etagOf(await read())

    const answer = await change(before, 'First')

    expect(answer.expect(200)[field]).toBe('First')
    expect(etagOf(answer)).not.toBe(before)
    expect(etagOf(await read())).toBe(etagOf(answer))
    ;(await change(etagOf(answer), 'Second')).expect(200)
  })

  test('is not changed by anyone who has read it before that', async () => {
    const before = etagOf(await read())
    const after = etagOf(await change(before, 'First'))

    const { details } = (await change(before, 'Second')).expect(412, 'PRECONDITION_FAILED')

    expect(details).toEqual([{ path: 'headers.if-match', expected: [0], actual: 1, message: expect.any(String) }])
    const now = await read()
    expect(now.data[field]).toBe('First')
    expect(etagOf(now)).toBe(after)
  })

  test('is changed when one ETag of a list is its own', async () => {
    const etag = etagOf(await read())
    ;(await change(`"other", W/${etag} ,,\t${etag}`, 'First')).expect(200)
    ;(await change(`"other", ${etag}`, 'Second')).expect(412, 'PRECONDITION_FAILED')
  })

  test('is changed by a star with its version, and is missing when it is not there', async () => {
    ;(await change('*', 'First', { version: 0 })).expect(200)
    ;(await change(' * ', 'Second', { version: 1 })).expect(200)
    const missing = (ifMatch: string) =>
      editor().put(pathOf(987_654_321), { [field]: 'x', version: 0 }, { 'if-match': ifMatch })
    ;(await missing('*')).expect(404, 'NOT_FOUND')
    ;(await missing('"987654321-0"')).expect(404)
  })

  if (kind !== 'article')
    test('is not changed by a star alone, which names no version', async () => {
      const { details } = (await change('*', 'First')).expect(400, 'VALIDATION_FAILED')
      expect(details).toEqual([{ path: 'body.version', message: expect.any(String) }])
    })

  test('is not sent again to a client that has it, and is to one that has an older one', async () => {
    const before = etagOf(await read())
    const known = (etag: string) => editor().get(path, { 'if-none-match': etag })
    for (const etag of [before, `"other", W/${before}`, '*']) {
      const answer = await known(etag)
      expect([answer.status, answer.body, answer.headers.etag]).toEqual([304, undefined, before])
    }
    ;(await change(before, 'First')).expect(200)
    expect((await known(before)).expect(200)[field]).toBe('First')
  })

  test.each(['W/TAG', '"x"', '""', '"0"', `"${'9'.repeat(4000)}"`, '"1-0"', '"\xe9"'])(
    'has not the ETag %.20s',
    async (tag) => {
      const own = etagOf(await read())
      const other = tag.replace('TAG', own)
      ;(await change(other, 'x')).expect(412, 'PRECONDITION_FAILED')
    },
  )

  test.each(['0', 'TAG', "'x'", '"x', 'x"', '"x" "y"', '"x"; "y"', 'w/"x"', '*, "x"', '"x", *', '"a b"', ',', ''])(
    'is not asked about with the malformed list %j',
    async (list) => {
      const bare = etagOf(await read()).replaceAll('"', '')
      const { details } = (await change(list.replace('TAG', bare), 'x', { [field]: '' })).expect(
        400,
        'VALIDATION_FAILED',
      )
      expect(details.map(({ path }: any) => path).sort()).toEqual([`body.${field}`, 'headers.if-match'])
    },
  )

  test('of another kind, or another one of its kind, has another ETag', async () => {
    const other = etagOf(await editor().get(pathOf(await create())))
    ;(await change(other, 'x')).expect(412, 'PRECONDITION_FAILED')
  })

  if (kind === 'article') {
    test('is changed by the last writer if no version is required', async () => {
      ;(await change(undefined, 'First')).expect(200)
      ;(await change(undefined, 'Second')).expect(200)
    })
    return
  }

  test('is changed with its version as ever, without If-Match; one of the two there must be', async () => {
    ;(await change(undefined, 'First', { version: 0 })).expect(200)
    ;(await change(undefined, 'Second', { version: 0 })).expect(409, 'VERSION_CONFLICT')
    const { details } = (await change(undefined, '')).expect(400, 'VALIDATION_FAILED')
    expect(details.map(({ path, message }: any) => `${path} ${message}`).sort()).toEqual([
      `body.${field} must not be blank`,
      'body.version is required',
    ])
  })

  test('is held to both where both are given: If-Match first, then the version', async () => {
    const etag = etagOf(await read())
    ;(await change('"other"', 'x', { version: 9 })).expect(412, 'PRECONDITION_FAILED')
    ;(await change(etag, 'x', { version: 9 })).expect(409, 'VERSION_CONFLICT')
    ;(await change('*', 'x', { version: 9 })).expect(409, 'VERSION_CONFLICT')
    ;(await change(etag, 'x', { version: null })).expect(400, 'VALIDATION_FAILED')
    ;(await change(etag, 'x', { version: 0 })).expect(200)
  })
})

describe('the order of what is checked stays: state, values, then the version', () => {
  const stale = { 'if-match': '"stale"' }

  test('of a task', async () => {
    const task = await world.givenTask(owner, await world.givenProject(owner))
    const stranger = await world.givenUser(tenant)
    const put = (patch: object) => world.as(owner).put(`/tasks/${task.id}`, patch, stale)
    ;(await put({ status: 'DONE', assigneeId: stranger.id })).expect(409, 'ILLEGAL_TRANSITION')
    ;(await put({ assigneeId: stranger.id })).expect(400, 'ASSIGNEE_NOT_MEMBER')
    ;(await put({ status: 'NONE' })).expect(400, 'VALIDATION_FAILED')
    ;(await put({})).expect(412, 'PRECONDITION_FAILED')
  })

  test('of a project, and of archiving it', async () => {
    const project = await world.givenProject(owner)
    const path = `/projects/${project.id}`
    const archive = (headers: Record<string, string>, query = '') =>
      world.as(owner).put(`${path}/archive${query}`, undefined, headers)
    ;(await world.as(owner).put(path, { startDate: '2026-02-02', endDate: '2026-02-01' }, stale)).expect(
      400,
      'DATE_ORDER',
    )
    ;(await archive({})).expect(400, 'VALIDATION_FAILED')
    ;(await archive(stale)).expect(412, 'PRECONDITION_FAILED')
    ;(await archive({ 'if-match': '*' })).expect(400, 'VALIDATION_FAILED')
    ;(await archive({ 'if-match': '*' }, '?version=7')).expect(409, 'VERSION_CONFLICT')

    const etag = etagOf(await world.as(owner).get(path))
    const archived = await archive({ 'if-match': etag })

    expect(archived.expect(200)).toMatchObject({ status: 'ARCHIVED', version: 1 })
    expect(etagOf(archived)).toBe(etagOf(await world.as(owner).get(path)))
    ;(await archive(stale)).expect(409, 'PROJECT_ARCHIVED')
    ;(await world.as(owner).put(path, { name: 'x' }, stale)).expect(409, 'PROJECT_ARCHIVED')
  })

  test('and nobody learns of what is none of theirs', async () => {
    const task = await world.givenTask(owner, await world.givenProject(owner))
    const stranger = world.as(await world.givenUser(await world.givenTenant()))
    ;(await stranger.put(`/tasks/${task.id}`, { version: 0 }, { 'if-match': '*' })).expect(404, 'NOT_FOUND')
    ;(await world.anyone.put(`/tasks/${task.id}`, {}, { 'if-match': 'x' })).expect(401, 'UNAUTHENTICATED')
  })
})

test('a name beside an id changes without a version, and is sent again', async () => {
  const [project, person] = [await world.givenProject(owner), await world.givenUser(tenant)]
  await world.givenMember(owner, project, person)
  const { id } = await world.givenTask(owner, project, { assigneeId: person.id })
  const before = await world.as(owner).get(`/tasks/${id}`)
  ;(await world.as(person).put('/users/me', { nickname: 'Another name' })).expect(200)

  const read = () => world.as(owner).get(`/tasks/${id}`, { 'if-none-match': etagOf(before) })
  await until(async () => expect((await read()).expect(200).assigneeName).toBe('Another name'))
  ;(await world.as(owner).put(`/tasks/${id}`, { title: 'Still mine' }, { 'if-match': etagOf(before) })).expect(200)
})

test('a new resource has its ETag immediately', async () => {
  const project = await world.as(owner).post('/projects', { name: 'P', code: 'FRESH' }, { 'idempotency-key': 'fresh' })
  const task = await world.as(owner).post(`/projects/${project.data.id}/tasks`, { title: 'T' })
  const article = await editor().post('/content/articles', { title: 'A' })
  expect(etagOf(project)).toBe(etagOf(await editor().get(`/projects/${project.data.id}`)))
  expect(etagOf(task)).toBe(etagOf(await editor().get(`/tasks/${task.data.id}`)))
  expect(etagOf(article)).toBe(etagOf(await editor().get(`/content/articles/${article.data.id}`)))
  expect(article.data).not.toHaveProperty('version')
})

test('a browser may read the ETag and send If-Match from an allowed origin', async () => {
  const origin = 'http://localhost:5173'
  const preflight = await world.app.inject({
    method: 'OPTIONS',
    url: '/api/v1/tasks/1',
    headers: {
      origin,
      'access-control-request-method': 'PUT',
      'access-control-request-headers': 'authorization,content-type,if-match',
    },
  })
  expect(preflight.statusCode).toBe(204)
  expect(preflight.headers['access-control-allow-headers']).toContain('if-match')
  const answer = await world.anyone.get('/public/home', { origin })
  expect(answer.headers['access-control-expose-headers']).toContain('ETag')
})
