import { beforeAll, describe, expect, test } from 'vitest'
import { until } from '../support/patience.ts'
import { openWorld, type Person, type Tenant } from '../support/world.ts'

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

describe('an acknowledged write has its one row at the moment of its answer', () => {
  const by = (person: Person) => ({ tenant_id: person.tenantId, user_id: person.id, username: person.username })

  test.each<[string, (headers: Record<string, string>) => Promise<any>, object]>([
    [
      'making a project',
      (headers) =>
        world
          .as(user)
          .post('/projects', { name: 'A', code: `A-${++counter}` }, { 'idempotency-key': `a-${counter}`, ...headers }),
      { method: 'POST', path: '/api/v1/projects', route: '/api/v1/projects', status: 201 },
    ],
    [
      'changing a task',
      async (headers) => {
        const task = await world.givenTask(user, await world.givenProject(user))
        return world.as(user).put(`/tasks/${task.id}?ignored=secret`, { version: 0 }, headers)
      },
      {
        method: 'PUT',
        path: expect.stringMatching(/^\/api\/v1\/tasks\/\d+$/),
        route: '/api/v1/tasks/:id',
        status: 200,
      },
    ],
    [
      'reading all notifications',
      (headers) => world.as(user).put('/notifications/read-all', undefined, headers),
      { method: 'PUT', status: 200 },
    ],
    [
      'removing a member',
      async (headers) => {
        const project = await world.givenProject(user)
        return world.as(user).delete(`/projects/${project.id}/members/${tenant.administrator.id}`, headers)
      },
      { method: 'DELETE', route: '/api/v1/projects/:id/members/:userId', status: 200 },
    ],
  ])('%s', async (_, write, wanted) => {
    const headers = { ...freshId(), 'user-agent': 'a test' }
    const answer = await write(headers)
    expect(answer.status).toBeLessThan(300)
    expect(await rowsOf(headers['x-request-id'])).toEqual([
      { ...by(user), user_agent: 'a test', route: expect.any(String), path: expect.any(String), ...wanted },
    ])
  })

  test('of whatever kind: as many rows as successes, over a mixed lot', async () => {
    const project = await world.givenProject(user)
    const marked = Array.from({ length: 6 }, freshId)
    const answers = await Promise.all(
      marked.map((headers, at) =>
        [
          () => world.as(user).post(`/projects/${project.id}/tasks`, { title: at < 3 ? 'x' : '' }, headers),
          () => world.as(user).put(`/projects/${project.id}`, { version: at < 3 ? 0 : 9 }, headers),
          () => world.as(user).put('/notifications/read-all', undefined, headers),
        ][at % 3]!(),
      ),
    )
    expect(answers.map(({ status }) => status)).toEqual([201, 200, 200, 400, 409, 200])
    const succeeded = marked.filter((_, at) => answers[at]!.status < 300).map((headers) => headers['x-request-id'])
    const rows = await world.look.rows(
      `select request_id, status from audit_operations where request_id = any ($1) and status < 300`,
      [marked.map((headers) => headers['x-request-id'])],
    )
    expect(rows.map(({ request_id }) => request_id).sort()).toEqual([...succeeded].sort())
    await until(async () => {
      for (const [at, headers] of marked.entries())
        expect(await rowsOf(headers['x-request-id'])).toEqual([
          expect.objectContaining({ status: answers[at]!.status }),
        ])
    })
  })
})

describe('what was refused is noted with how it ended', () => {
  test.each<[string, number, (headers: Record<string, string>) => Promise<any>]>([
    ['a body that is not valid', 400, (headers) => world.as(user).post('/approvals', {}, headers)],
    [
      'a body that is no JSON',
      400,
      (headers) =>
        world.as(user).send({
          method: 'POST',
          url: '/api/v1/approvals',
          payload: '{',
          headers: { 'content-type': 'application/json', ...headers },
        }),
    ],
    ['a missing permission', 403, (headers) => world.as(user).post('/tenants', {}, headers)],
    ['a missing permission to read', 403, (headers) => world.as(user).get('/tenants', headers)],
    ['a missing thing', 404, (headers) => world.as(user).put('/tasks/999999', { version: 0 }, headers)],
    ['a record that they may not see', 404, (headers) => world.as(user).get('/tasks/999999', headers)],
    ['a missing route', 404, (headers) => world.as(user).post('/nowhere', {}, headers)],
    ['a wrong method', 405, (headers) => world.as(user).delete('/projects', headers)],
    [
      'a wrong state',
      409,
      async (headers) => {
        const project = await world.givenProject(user)
        return world.as(user).put(`/projects/${project.id}`, { version: 9 }, headers)
      },
    ],
    [
      'a wrong media type',
      415,
      (headers) =>
        world.as(user).send({
          method: 'POST',
          url: '/api/v1/approvals',
          payload: 'x',
          headers: { 'content-type': 'text/plain', ...headers },
        }),
    ],
  ])('%s', async (_, status, send) => {
    const headers = freshId()
    expect((await send(headers)).status).toBe(status)
    await until(async () =>
      expect(await rowsOf(headers['x-request-id'])).toEqual([
        expect.objectContaining({ tenant_id: tenant.id, user_id: user.id, status }),
      ]),
    )
  })

  test('reads are not, nor what nobody in particular tried', async () => {
    const [read, nowhere, anonymous] = [freshId(), freshId(), freshId()]
    ;(await world.as(user).get('/projects', read)).expect(200)
    ;(await world.as(user).get('/nowhere', nowhere)).expect(404)
    ;(await world.anyone.post('/projects', {}, anonymous)).expect(401)
    const marker = freshId()
    ;(await world.as(user).put('/tasks/999999', { version: 0 }, marker)).expect(404)
    await until(async () => expect(await rowsOf(marker['x-request-id'])).toHaveLength(1))
    for (const headers of [read, nowhere, anonymous]) expect(await rowsOf(headers['x-request-id'])).toEqual([])
  })
})

describe('signing in is noted in the tenant it names', () => {
  beforeAll(async () => {
    const draft = { username: 'anna', email: 'anna@example.com', password: 'correct horse', tenantCode: tenant.code }
    await world.setRegistration(tenant, 'open')
    ;(await world.anyone.post('/auth/register', draft)).expect(201)
  })
  const signIn = (username: string, password: string, headers: Record<string, string>) =>
    world.anyone.post('/auth/login', { username, password, tenantCode: tenant.code }, headers)

  test('with who it was, when it succeeds and when it fails', async () => {
    const [good, bad] = [freshId(), freshId()]
    ;(await signIn('anna', 'correct horse', good)).expect(200)
    ;(await signIn('anna', 'wrong', bad)).expect(401)
    expect(await rowsOf(good['x-request-id'])).toEqual([
      expect.objectContaining({ tenant_id: tenant.id, username: 'anna', status: 200 }),
    ])
    await until(async () =>
      expect(await rowsOf(bad['x-request-id'])).toEqual([
        expect.objectContaining({ tenant_id: tenant.id, username: 'anna', status: 401 }),
      ]),
    )
  })

  test('without a name when there is no such user: it may be a password', async () => {
    const headers = freshId()
    ;(await signIn('my secret password', 'x', headers)).expect(401)
    await until(async () =>
      expect(await rowsOf(headers['x-request-id'])).toEqual([
        expect.objectContaining({ tenant_id: tenant.id, user_id: null, username: null, status: 401 }),
      ]),
    )
  })

  test('and so are refreshing and registering', async () => {
    const [enter, leave, join, twice] = [freshId(), freshId(), freshId(), freshId()]
    const { refreshToken } = (await signIn('anna', 'correct horse', {})).expect(200)
    ;(await world.anyone.post('/auth/refresh', { refreshToken }, enter)).expect(200)
    ;(await world.anyone.post('/auth/refresh', { refreshToken: `${tenant.id}.${'x'.repeat(43)}` }, leave)).expect(401)
    const draft = { username: 'ben', email: 'ben@example.com', password: 'correct horse', tenantCode: tenant.code }
    ;(await world.anyone.post('/auth/register', draft, join)).expect(201)
    ;(await world.anyone.post('/auth/register', draft, twice)).expect(409)
    expect(await rowsOf(enter['x-request-id'])).toEqual([
      expect.objectContaining({ tenant_id: tenant.id, username: 'anna', status: 200 }),
    ])
    expect(await rowsOf(join['x-request-id'])).toEqual([
      expect.objectContaining({ tenant_id: tenant.id, username: 'ben', status: 201 }),
    ])
    await until(async () => {
      expect(await rowsOf(leave['x-request-id'])).toEqual([
        expect.objectContaining({ tenant_id: tenant.id, user_id: null, status: 401 }),
      ])
      expect(await rowsOf(twice['x-request-id'])).toEqual([
        expect.objectContaining({ tenant_id: tenant.id, status: 409 }),
      ])
    })
  })
})

test('no text of a body or a query, no password and no token is ever in the audit', async () => {
  const canary = 'CANARY7f3a9b2c5d'
  const project = await world.givenProject(user, { name: canary, description: canary })
  const task = await world.givenTask(user, project, { title: canary, description: canary })
  const draft = { username: `u-${canary}`, email: `${canary}@example.com`, password: canary }
  ;(await world.anyone.post('/auth/login', { username: canary, password: canary })).expect(401)
  ;(await world.anyone.post('/auth/login', { username: 'admin', password: canary, tenantCode: canary })).expect(404)
  ;(await world.anyone.post('/auth/refresh', { refreshToken: `${tenant.id}.${canary.padEnd(43, 'x')}` })).expect(401)
  ;(await world.as(user).put(`/tasks/${task.id}?note=${canary}`, { version: 0, title: `${canary}2` })).expect(200)
  ;(await world.as(user).post(`/tasks/${task.id}/comments`, { content: canary })).expect(201)
  ;(await world.as(user).put(`/tasks/${task.id}`, { version: canary })).expect(400)
  ;(await world.as(user).put('/auth/password', { currentPassword: canary, newPassword: canary })).expect(400)
  ;(await world.as(user).get(`/tenants?keyword=${canary}`)).expect(403)
  ;(await world.as(user).post('/approvals', { type: canary, title: canary, payload: canary })).expect(201)
  ;(
    await world.as(user).send({
      method: 'POST',
      url: '/api/v1/approvals',
      payload: `{"${canary}`,
      headers: { 'content-type': 'application/json', cookie: canary },
    })
  ).expect(400)
  ;(await world.anyone.post('/auth/register', { ...draft, username: ' ' })).expect(400)
  const marker = freshId()
  ;(await world.as(user).post('/nowhere', { canary }, marker)).expect(404)
  await until(async () => expect(await rowsOf(marker['x-request-id'])).toHaveLength(1))

  expect(await world.look.count('select count(*) from audit_operations a where a::text like $1', [`%${canary}%`])).toBe(
    0,
  )
  expect(
    await world.look.count('select count(*) from audit_operations a where a::text like $1', [
      `%${user.token.slice(-20)}%`,
    ]),
  ).toBe(0)
  expect(await world.look.count(`select count(*) from audit_operations where path like '%?%'`)).toBe(0)
})

test('the role of the service cannot change or remove what was written', async () => {
  const { role } = world.database
  for (const verb of ['update', 'delete', 'truncate'])
    expect(
      await world.look.rows(`select has_table_privilege($1, 'audit_operations', $2) as may`, [role, verb]),
    ).toEqual([{ may: false }])
})

test('the trail is read by those who may, and only their tenant’s', async () => {
  const other = await world.givenTenant()
  const headers = freshId()
  ;(await world.as(user).put('/notifications/read-all', undefined, headers)).expect(200)
  const trail = (await world.as(tenant.administrator).get('/audit/operations')).expect(200)
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
    chain: null,
  })
  expect(new Set(trail.map(({ tenantId }: any) => tenantId))).toEqual(new Set([tenant.id]))
  expect(JSON.stringify((await world.as(other.administrator).get('/audit/operations')).expect(200))).not.toContain(
    headers['x-request-id'],
  )
  ;(await world.as(user).get('/audit/operations')).expect(403, 'PERMISSION_DENIED')
})

describe('the trail is searched', () => {
  let searched: Tenant
  /** Request ids of what is found, newest first. */
  const find = async (query: string) =>
    (await world.as(searched.administrator).get(`/audit/operations?${query}`))
      .expect(200)
      .map(({ requestId }: any) => requestId)
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
    ['method=HEAD', ''],
    ['status=200', 'eb'],
    ['status=403', 'fd'],
    ['status=404', ''],
    ['path=/api/v1/tasks', 'ecb'],
    ['path=/api/v1/tasks/1', 'cb'],
    ['path=/api/v1/files/1/x_', 'd'],
    ['path=%25', ''],
    ['requestId=c', 'c'],
    ['requestId=x', ''],
    ['requestId=c&userId=7&status=409&method=PUT', 'c'],
    ['requestId=c&status=200', ''],
    ['from=2026-03-02T11:00:00Z', 'fedc'],
    ['from=2026-03-02T11:15:00Z', 'fed'],
    ['from=2026-03-02T11:15Z', 'fed'],
    ['from=2026-03-02T19:15:00+08:00', 'fed'],
    ['from=2026-03-02T19:15+08:00', 'fed'],
    ['from=2026-03-02T11:45:00Z', 'fd'],
    ['to=2026-03-02T11:45:00Z', 'ecba'],
    ['to=2026-03-02T11:00:00Z', 'ba'],
    ['to=2026-03-01T10:00:00Z', ''],
    ['from=2026-03-04T00:00:00Z', ''],
    ['from=2026-03-02T00:00:00Z&to=2026-03-03T00:00:00Z', 'edcb'],
    ['from=2026-03-03T00:00:00Z&to=2026-03-02T00:00:00Z', ''],
    ['userId=7&status=409', 'c'],
    ['userId=7&method=PUT&to=2026-03-03T00:00:00Z', 'ec'],
    ['status=403&method=GET', 'f'],
    ['status=403&from=2026-03-03T00:00:00%2B00:00', 'f'],
    ['status=200&path=/api/v1/tasks&userId=8', 'b'],
  ])('by ?%s', async (query, wanted) => {
    expect((await find(query)).join('')).toBe(wanted)
    const counted = await world.as(searched.administrator).get(`/audit/operations?${query}&pageSize=2`)
    expect(counted.headers['x-total-count']).toBe(String(wanted.length))
    expect(
      counted
        .expect(200)
        .map(({ requestId }: any) => requestId)
        .join(''),
    ).toBe(wanted.slice(0, 2))
    const [, next] = /^<([^>]+)>/.exec(String(counted.headers.link)) ?? []
    if (wanted.length <= 2) return expect(next).toBeUndefined()
    const following = await world.as(searched.administrator).send({ method: 'GET', url: next! })
    expect(
      following
        .expect(200)
        .map(({ requestId }: any) => requestId)
        .join(''),
    ).toBe(wanted.slice(2, 4))
  })
})

test('with AUDIT_READS every request has its row, public ones aside', async () => {
  const curious = await openWorld({ env: { AUDIT_READS: 'true' } })
  ;(await curious.as(curious.admin).get('/projects', { 'x-request-id': 'a-read' })).expect(200)
  await until(async () =>
    expect(
      await curious.look.count(`select count(*) from audit_operations where request_id = 'a-read' and status = 200`),
    ).toBe(1),
  )
  await curious.close()
})
