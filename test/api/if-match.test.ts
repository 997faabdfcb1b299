import { beforeEach, describe, expect, test } from 'vitest'
import type { Answer } from '../support/client.ts'
import { until } from '../support/patience.ts'
import { openWorldWithTenant } from '../support/world-with-tenant.ts'

/** Versions as HTTP knows them: an ETag with what was read, If-Match with what shall be changed. */
const { world, tenant } = await openWorldWithTenant()
const owner = await world.givenUser(tenant)

const editor = () => world.as(tenant.administrator)
const etagOf = (answer: Answer) => String(answer.headers.etag)

describe.each([
  ['project', 'name', () => world.givenProject(owner)],
  ['task', 'title', async () => world.givenTask(owner, await world.givenProject(owner))],
])('a %s', (kind, field, create) => {
  const pathOf = (id: number) => `/${kind}s/${id}`
  let path: string
  beforeEach(async () => {
    path = pathOf((await create()).id)
  })
  const read = () => editor().get(path)
  const change = (ifMatch: string | undefined, value: string, more: object = {}) =>
    editor().put(path, { [field]: value, ...more }, ifMatch === undefined ? {} : { 'if-match': ifMatch })

  test('is changed by anyone who has read it last, and by nobody who has read it before that', async () => {
    const [first, second] = [await read(), await read()]
    expect(etagOf(first)).toMatch(/^"[\x21\x23-\x7e]+"$/)
    expect(etagOf(second)).toBe(etagOf(first))
    expect(first.headers['cache-control']).toBe('no-store')

    const answer = await change(etagOf(first), 'First')

    expect(answer.expect(200)[field]).toBe('First')
    expect(etagOf(answer)).not.toBe(etagOf(first))
    const { details } = (await change(etagOf(first), 'Second')).expect(412, 'PRECONDITION_FAILED')
    expect(details).toEqual([{ path: 'headers.if-match', expected: [0], actual: 1, message: expect.any(String) }])
    const now = await read()
    expect([now.data[field], etagOf(now)]).toEqual(['First', etagOf(answer)])
    ;(await change(etagOf(answer), 'Second')).expect(200)
  })

  test('is changed when one ETag of a list is its own', async () => {
    const etag = etagOf(await read())
    ;(await change(`"other", W/${etag} ,,\t${etag}`, 'First')).expect(200)
    ;(await change(`"other", ${etag}`, 'Second')).expect(412, 'PRECONDITION_FAILED')
  })

  test('is changed by a star with its version, and not by a star alone; what is not there is missing', async () => {
    ;(await change('*', 'First', { version: 0 })).expect(200)
    ;(await change(' * ', 'Second', { version: 1 })).expect(200)
    const { details } = (await change('*', 'First')).expect(400, 'VALIDATION_FAILED')
    expect(details).toEqual([{ path: 'body.version', message: expect.any(String) }])
    for (const ifMatch of ['*', '"987654321-0"']) {
      const missing = { [field]: 'x', version: 0 }
      ;(await editor().put(pathOf(987_654_321), missing, { 'if-match': ifMatch })).expect(404, 'NOT_FOUND')
    }
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

  test('has no other ETag, nor that of another one of its kind', async () => {
    const [own, other] = [etagOf(await read()), etagOf(await editor().get(pathOf((await create()).id)))]
    for (const wrong of [other, `W/${own}`, '"x"', '""', '"0"', `"${'9'.repeat(4000)}"`, '"1-0"', '"\xe9"'])
      (await change(wrong, 'x')).expect(412, 'PRECONDITION_FAILED')
  })

  test('is not asked about with a malformed list', async () => {
    const bare = etagOf(await read()).replaceAll('"', '')
    const lists = ['0', bare, "'x'", '"x', 'x"', '"x" "y"', '"x"; "y"', 'w/"x"', '*, "x"', '"x", *', '"a b"', ',', '']
    for (const list of lists) {
      const { details } = (await change(list, '')).expect(400, 'VALIDATION_FAILED')
      expect(details.map(({ path }: any) => path)).toEqual(
        expect.arrayContaining([`body.${field}`, 'headers.if-match']),
      )
    }
  })

  test('is changed with its version too: one of the two there must be, and If-Match is looked at first', async () => {
    ;(await change(undefined, 'First', { version: 0 })).expect(200)
    ;(await change(undefined, 'Second', { version: 0 })).expect(409, 'VERSION_CONFLICT')
    const { details } = (await change(undefined, '')).expect(400, 'VALIDATION_FAILED')
    expect(details.map(({ path, message }: any) => `${path} ${message}`).sort()).toEqual([
      `body.${field} must not be blank`,
      'body.version is required',
    ])
    const etag = etagOf(await read())
    ;(await change('"other"', 'x', { version: 9 })).expect(412, 'PRECONDITION_FAILED')
    for (const ifMatch of [etag, '*']) (await change(ifMatch, 'x', { version: 9 })).expect(409, 'VERSION_CONFLICT')
    ;(await change(etag, 'x', { version: null })).expect(400, 'VALIDATION_FAILED')
    ;(await change(etag, 'x', { version: 1 })).expect(200)
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
    ;(await world.as(stranger).put(`/tasks/${task.id}`, { version: 0 }, { 'if-match': '*' })).expect(404, 'NOT_FOUND')
  })

  test('of a project, and of archiving it', async () => {
    const project = await world.givenProject(owner)
    const path = `/projects/${project.id}`
    const archive = (headers: Record<string, string>, query = '') =>
      world.as(owner).put(`${path}/archive${query}`, undefined, headers)
    const order = { startDate: '2026-02-02', endDate: '2026-02-01' }
    ;(await world.as(owner).put(path, order, stale)).expect(400, 'DATE_ORDER')
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
  for (const [made, reader] of [
    [project, world.as(owner)] as const,
    [task, world.as(owner)] as const,
    [article, editor()] as const,
  ])
    expect(etagOf(made)).toBe(etagOf(await reader.get(String(made.headers.location))))
  expect(article.data).not.toHaveProperty('version')
})
