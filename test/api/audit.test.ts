import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type Answer, nextOf } from '../support/client.ts'
import { obeying } from '../support/obedient.ts'
import { until } from '../support/patience.ts'
import { givenPassword } from '../support/quick-hash.ts'
import { startProcess } from '../support/service.ts'
import { openWorld, type Tenant } from '../support/world.ts'

const world = await openWorld()
const tenant = await world.givenTenant()
const user = await world.givenUser(tenant)

let counter = 0
const freshId = () => ({ 'x-request-id': `audited-${++counter}` })
/** Those of refusals are written behind the answer, and so are waited for. */
const rowsOf = (requestId: string) =>
  world.look.rows(
    `select tenant_id::float8, user_id::float8, username, method, path, route, status, user_agent from audit_operations where request_id = $1`,
    [requestId],
  )
const expectRow = async (headers: { 'x-request-id': string }, row: object) =>
  expect(await rowsOf(headers['x-request-id'])).toEqual([expect.objectContaining(row)])
const expectRowSoon = (...wanted: Parameters<typeof expectRow>) => until(() => expectRow(...wanted))

test('an acknowledged write has its one row at the moment of its answer, with who has done what', async () => {
  const by = { tenant_id: user.tenantId, user_id: user.id, username: user.username, user_agent: 'a test', status: 200 }
  const project = await world.givenProject(user)
  const task = await world.givenTask(user, project)
  const [changed, removed] = [freshId(), freshId()].map((id) => ({ ...id, 'user-agent': 'a test' }))
  ;(await world.as(user).put(`/tasks/${task.id}?ignored=secret`, { version: 0 }, changed)).expect(200)
  const member = `/projects/${project.id}/members/${tenant.administrator.id}`
  ;(await world.as(user).delete(member, removed)).expect(200)
  await expectRow(changed!, { ...by, method: 'PUT', path: `/api/v1/tasks/${task.id}`, route: '/api/v1/tasks/:id' })
  await expectRow(removed!, { ...by, method: 'DELETE', route: '/api/v1/projects/:id/members/:userId' })
})

describe('what was refused is noted with how it ended', () => {
  const send = (headers: Record<string, string>, payload: string, type: string) => {
    const all = { 'content-type': type, ...headers }
    return world.as(user).send({ method: 'POST', url: '/api/v1/approvals', payload, headers: all })
  }

  test.each<[string, number, (headers: Record<string, string>) => Promise<Answer>]>([
    ['a body that is not valid', 400, (headers) => world.as(user).post('/approvals', {}, headers)],
    ['a body that is no JSON', 400, (headers) => send(headers, '{', 'application/json')],
    ['a missing permission to read', 403, (headers) => world.as(user).get('/tenants', headers)],
    ['a record that they may not see', 404, (headers) => world.as(user).get('/tasks/999999', headers)],
    ['a wrong method', 405, (headers) => world.as(user).delete('/projects', headers)],
    ['a wrong media type', 415, (headers) => send(headers, 'x', 'text/plain')],
  ])('%s', async (_, status, send) => {
    const headers = freshId()
    expect((await send(headers)).status).toBe(status)
    await expectRowSoon(headers, { tenant_id: tenant.id, user_id: user.id, status })
  })

  test('reads are not, nor what nobody in particular tried', async () => {
    const [read, nowhere, anonymous, marker] = [freshId(), freshId(), freshId(), freshId()]
    await world.as(user).read('/projects', read)
    ;(await world.as(user).get('/nowhere', nowhere)).expect(404)
    ;(await world.anyone.post('/projects', {}, anonymous)).expect(401)
    ;(await world.as(user).put('/tasks/999999', { version: 0 }, marker)).expect(404)
    await expectRowSoon(marker, {})
    for (const headers of [read, nowhere, anonymous]) expect(await rowsOf(headers['x-request-id'])).toEqual([])
  })
})

test('signing in, refreshing and registering are noted in the tenant that they name, with who it was', async () => {
  await world.setRegistration(tenant, 'open')
  const [joined, twice, good, bad] = [freshId(), freshId(), freshId(), freshId()]
  const [unknown, enter, lost] = [freshId(), freshId(), freshId()]
  const password = 'correct horse'
  const draft = { username: 'anna', email: 'anna@example.com', password, tenantCode: tenant.code }
  const signIn = (username: string, password: string, headers: Record<string, string>) =>
    world.anyone.post('/auth/login', { username, password, tenantCode: tenant.code }, headers)
  const refresh = (refreshToken: string, headers: Record<string, string>) =>
    world.anyone.post('/auth/refresh', { refreshToken }, headers)
  await world.anyone.create('/auth/register', draft, joined)
  ;(await world.anyone.post('/auth/register', draft, twice)).expect(409)
  const { refreshToken } = (await signIn('anna', password, good)).expect(200)
  ;(await signIn('anna', 'wrong', bad)).expect(401)
  // There is no such user: it may be a password.
  ;(await signIn('my secret password', 'x', unknown)).expect(401)
  ;(await refresh(refreshToken, enter)).expect(200)
  ;(await refresh(`${tenant.id}.${'x'.repeat(43)}`, lost)).expect(401)

  const there = { tenant_id: tenant.id, username: 'anna' }
  await expectRow(joined, { ...there, status: 201 })
  for (const headers of [good, enter]) await expectRow(headers, { ...there, status: 200 })
  await expectRowSoon(bad, { ...there, status: 401 })
  for (const headers of [unknown, lost])
    await expectRowSoon(headers, { tenant_id: tenant.id, user_id: null, username: null, status: 401 })
  await expectRowSoon(twice, { tenant_id: tenant.id, status: 409 })
})

test('signing in and registering name nobody by the token that came with them', async () => {
  const other = await world.givenTenant()
  const owner = await givenPassword(world, await world.givenUser(other), 'correct horse')
  await world.setRegistration(other, 'open')
  const [joined, good, bad] = [freshId(), freshId(), freshId()]
  const tenantCode = other.code
  const draft = { username: 'anna', email: 'anna@example.com', password: 'correct horse', tenantCode }
  const signIn = (password: string, headers: Record<string, string>) =>
    world.as(user).post('/auth/login', { username: owner.username, password, tenantCode }, headers)
  await world.as(user).create('/auth/register', draft, joined)
  ;(await signIn('correct horse', good)).expect(200)
  ;(await signIn('wrong', bad)).expect(401)

  const owners = { tenant_id: other.id, user_id: owner.id, username: owner.username }
  await expectRow(joined, { tenant_id: other.id, username: 'anna', status: 201 })
  await expectRow(good, { ...owners, status: 200 })
  await expectRowSoon(bad, { ...owners, status: 401 })
})

test('the trail is read by those who may, and only their tenant’s', async () => {
  const other = await world.givenTenant()
  const headers = freshId()
  ;(await world.as(user).put('/notifications/read-all', undefined, headers)).expect(200)
  const trail = await world.as(tenant.administrator).read('/audit/operations')
  expect(trail.find(({ requestId }: any) => requestId === headers['x-request-id'])).toEqual({
    id: expect.any(Number),
    requestId: headers['x-request-id'],
    tenantId: tenant.id,
    userId: user.id,
    username: user.username,
    actorKind: 'user',
    keyPrefix: null,
    method: 'PUT',
    path: '/api/v1/notifications/read-all',
    route: '/api/v1/notifications/read-all',
    status: 200,
    duration: expect.any(Number),
    ip: '127.0.0.1',
    userAgent: expect.any(String),
    createdAt: expect.stringMatching(/Z$/),
    // A job links it a few seconds later.
    chain: expect.toBeOneOf([null, expect.stringMatching(/^[0-9a-f]{64}$/)]),
  })
  expect(new Set(trail.map(({ tenantId }: any) => tenantId))).toEqual(new Set([tenant.id]))
  expect(JSON.stringify(await world.as(other.administrator).read('/audit/operations'))).not.toContain(
    headers['x-request-id'],
  )
})

test('without plug-ins the trail is streamed as well, and has no links', async () => {
  const alone = await startProcess({ databaseUrl: world.databaseUrl, env: { PLUGINS: 'none' } })
  onTestFinished(() => void alone.end('SIGTERM'))
  const boss = alone.remote.as(tenant.administrator.token)
  ;(await obeying(() => boss.put('/notifications/read-all'))).expect(200)
  const ids = 'select id::float8 from audit_operations where tenant_id = $1 order by id'
  // Rows of refusals before may still come.
  await until(async () => {
    const written = await world.look.rows(ids, [tenant.id])
    const lines = await boss.read('/audit/operations?after=0', { accept: 'application/x-ndjson' })
    const rows = lines
      .trim()
      .split('\n')
      .map((line: string) => JSON.parse(line))
    expect(rows.map(({ id }: any) => id)).toEqual(written.map(({ id }) => id))
    expect(new Set(rows.map(({ chain }: any) => chain))).toEqual(new Set([null]))
  })
})

describe('the trail is searched', () => {
  let searched: Tenant
  /** Request ids of what is found, newest first. */
  const idsOf = (answer: Answer) => answer.expect(200).reduce((ids: string, row: any) => ids + row.requestId, '')
  beforeAll(async () => {
    searched = await world.givenTenant()
    // In the order of their ids; the clock was set back by an hour between d and e.
    await world.look.rows(
      `insert into audit_operations (tenant_id, request_id, user_id, method, path, route, status, duration, ip, user_agent, created_at)
       select $1, id, person, method, path, '/', status, 1, '', '', at::timestamptz from (values
         ('a', 7, 'POST', '/api/v1/projects', 201, '2026-03-01T10:00:00Z'),
         ('b', 8, 'PUT', '/api/v1/tasks/1', 200, '2026-03-02T10:00:00Z'),
         ('c', 7, 'PUT', '/api/v1/tasks/12', 409, '2026-03-02T11:00:00Z'),
         ('d', 8, 'DELETE', '/api/v1/files/1/x_y', 403, '2026-03-02T12:00:00Z'),
         ('e', 7, 'PUT', '/api/v1/tasks/2', 200, '2026-03-02T11:30:00Z'),
         ('f', 7, 'GET', '/api/v1/tenants', 403, '2026-03-03T10:00:00Z')) as t (id, person, method, path, status, at)`,
      [searched.id],
    )
  })

  test.each([
    ['', 'fedcba'],
    ['userId=8', 'db'],
    ['method=PUT', 'ecb'],
    ['status=403', 'fd'],
    ['status=404', ''],
    ['path=/api/v1/tasks', 'ecb'],
    ['path=/api/v1/tasks/1', 'cb'],
    ['path=/api/v1/files/1/x_', 'd'],
    ['path=%25', ''],
    ['requestId=c&userId=7&status=409&method=PUT', 'c'],
    ['requestId=c&status=200', ''],
    ['from=2026-03-02T11:00:00Z', 'fedc'],
    ['from=2026-03-02T11:15Z', 'fed'],
    ['from=2026-03-02T19:15+08:00', 'fed'],
    ['to=2026-03-02T11:45:00Z', 'ecba'],
    ['to=2026-03-02T11:00:00Z', 'ba'],
    ['from=2026-03-04T00:00:00Z', ''],
    ['from=2026-03-02T00:00:00Z&to=2026-03-03T00:00:00Z', 'edcb'],
    ['from=2026-03-03T00:00:00Z&to=2026-03-02T00:00:00Z', ''],
    ['userId=7&method=PUT&to=2026-03-03T00:00:00Z', 'ec'],
    ['status=403&from=2026-03-03T00:00:00%2B00:00', 'f'],
    ['status=200&path=/api/v1/tasks&userId=8', 'b'],
  ])('by ?%s', async (query, wanted) => {
    const boss = world.as(searched.administrator)
    expect(idsOf(await boss.get(`/audit/operations?${query}`))).toBe(wanted)
    const counted = await boss.get(`/audit/operations?${query}&pageSize=2`)
    expect(counted.headers['x-total-count']).toBe(String(wanted.length))
    expect(idsOf(counted)).toBe(wanted.slice(0, 2))
    const next = nextOf(counted)
    if (wanted.length <= 2) return expect(next).toBeUndefined()
    expect(idsOf(await boss.get(next!))).toBe(wanted.slice(2, 4))
  })
})

test('with AUDIT_READS every request has its row, public ones aside', async () => {
  const curious = await openWorld({ env: { AUDIT_READS: 'true' } })
  await curious.as(curious.admin).read('/projects', { 'x-request-id': 'a-read' })
  await until(async () =>
    expect(
      await curious.look.count(`select count(*) from audit_operations where request_id = 'a-read' and status = 200`),
    ).toBe(1),
  )
})
