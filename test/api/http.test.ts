import { describe, expect, test } from 'vitest'
import { answerOf } from '../support/client.ts'
import { listRoutes } from '../support/routes.ts'
import { openWorld } from '../support/world.ts'

/** What holds for every request, whatever it is about. */
const world = await openWorld()
const tenant = await world.givenTenant()
const owner = await world.givenUser(tenant)
const project: any = await world.givenProject(owner)
const task: any = await world.givenTask(owner, project)

const routes = await listRoutes()
const send = (method: string, url: string, headers: Record<string, string> = {}, payload?: string | Buffer) =>
  world.as(owner).send({
    method: method as 'GET',
    url: url.startsWith('/') ? url : `/api/v1/${url}`,
    headers,
    ...(payload !== undefined && { payload }),
  })

test('a command without a body takes an empty one of any type, and ignores one that clients send anyway', async () => {
  const types = [
    ...['application/json', 'application/json; charset=utf-8', 'text/plain', 'application/x-www-form-urlencoded'],
    ...['multipart/form-data', 'application/octet-stream', ''],
  ]
  for (const type of types) {
    const headers: Record<string, string> = type ? { 'content-type': type } : {}
    const member = await world.givenUser(tenant)
    const path = `projects/${project.id}/members/${member.id}`
    for (const method of ['PUT', 'DELETE']) {
      ;(await send(method, path, headers)).expect(200)
      ;(await send(method, path, { ...headers, 'content-length': '0' }, '')).expect(200)
    }
    const fresh = await world.givenProject(owner)
    ;(await send('PUT', `projects/${fresh.id}/archive?version=0`, headers)).expect(200)
    ;(await world.as(member).send({ method: 'POST', url: '/api/v1/auth/logout', headers })).expect(200)
  }
  for (const ignored of ['{"ids":[1]}', 'null'])
    (await send('PUT', 'notifications/read-all', { 'content-type': 'application/json' }, ignored)).expect(200)
})

describe('a body that is', () => {
  const create = (payload: string | Buffer, type = 'application/json') =>
    send('POST', `projects/${project.id}/tasks`, { 'content-type': type }, payload)

  test('no JSON, or not UTF-8', async () => {
    for (const payload of ['{', '{"title":"x"}{}', '\ufeff\ufeff{"title":"x"}', 'title=x', ' '])
      (await create(payload)).expect(400, 'MALFORMED_JSON')
    for (const bytes of [Buffer.from('{"title":"caf\xe9"}', 'latin1'), Buffer.from('{"title":"x"}', 'utf16le')])
      (await create(bytes)).expect(400, 'MALFORMED_JSON')
  })

  test('no object, or JSON of the kind that bites later', async () => {
    for (const payload of ['null', '[]', '"title"', '7', 'true', '[{"title":"x"}]', ''])
      (await create(payload)).expect(400, 'VALIDATION_FAILED')
    const { details } = (await create('{"title":"x","title":"y"}')).expect(400, 'VALIDATION_FAILED')
    expect(details).toMatchObject([{ path: 'body' }])
  })

  test.each([
    ...['text/plain', 'text/json', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'],
    ...['application/xml', 'application/octet-stream', 'application/jsonp', 'application/json-patch+json'],
    ...['application/jsonx', 'application', '*/*', 'json', 'application/json; charset=gbk'],
    ...['application/json; charset=utf-16', 'application/json; charset="iso-8859-1"', ''],
  ])('of the type %j is refused', async (type) => {
    const headers: Record<string, string> = type ? { 'content-type': type } : {}
    const answer = await send('POST', `projects/${project.id}/tasks`, headers, Buffer.from('{"title":"x"}'))
    answer.expect(415, 'UNSUPPORTED_MEDIA_TYPE')
  })

  test.each([
    ...['application/json', 'Application/JSON', 'application/json;charset=utf-8', 'application/json ; x=y'],
    ...['application/json; charset="utf-8"', 'application/json; charset=US-ASCII'],
  ])('of the type %s is read, also after a byte order mark', async (type) => {
    for (const payload of ['{"title":"x"}', '\ufeff{"title":"x"}'])
      expect((await create(payload, type)).expect(201).title).toBe('x')
  })

  test.each([
    ...[' application/json', '\tapplication/json', 'application/json\t', 'application/json\t; charset=utf-8'],
    ...['application/json;charset=utf-16', 'application/json;', 'application/json; boundary=,'],
  ])('of the tricky type %j is refused or looked at, never taken as it comes', async (type) => {
    const answer = await create('{"title":""}', type)
    expect([400, 415]).toContain(answer.status)
  })

  test('compressed', async () => {
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' }
    const answer = await send('POST', `projects/${project.id}/tasks`, headers, Buffer.from([0x1f, 0x8b, 8, 0]))
    expect([400, 415]).toContain(answer.status)
  })

  test('larger than a megabyte, or declared to be', async () => {
    ;(await create(`{"title":"x","pad":"${'x'.repeat(1_048_576)}"}`)).expect(413, 'PAYLOAD_TOO_LARGE')
    ;(await create(`{"title":"x","pad":"${'x'.repeat(1_000_000)}"}`)).expect(201)
    const headers = { 'content-type': 'application/json', 'content-length': '10000000000' }
    ;(await send('POST', `projects/${project.id}/tasks`, headers, '{}')).expect(413, 'PAYLOAD_TOO_LARGE')
  })

  test.each(['/auth/login', '/auth/register', '/auth/refresh'])(
    'larger than 16 KiB, without a token: %s',
    async (path) => {
      const answer = await world.anyone.post(path, { pad: 'x'.repeat(16_384) })
      expect(answer.expect(413, 'PAYLOAD_TOO_LARGE').details).toMatchObject([{ path: 'body', limit: 16_384 }])
      ;(await world.anyone.post(path, { pad: 'x'.repeat(16_000) })).expect(400, 'VALIDATION_FAILED')
    },
  )
})

describe('an address', () => {
  test('that leads nowhere is a 404 for every method, before it is asked who calls', async () => {
    const below = ['', '/nowhere', '//projects', '/tasks/1/nowhere'].map((path) => `/api/v1${path}`)
    for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'PATCH'])
      for (const url of ['/', '/api', '/api/v2/projects', '/API/V1/projects', ...below])
        (await send(method, url)).expect(404, 'ROUTE_NOT_FOUND')
    ;(await world.anyone.get('/nowhere')).expect(404, 'ROUTE_NOT_FOUND')
    ;(await world.anyone.delete('/projects')).expect(405, 'METHOD_NOT_ALLOWED')
  })

  test('says which methods it has when it is asked for another', async () => {
    for (const [path, here] of Map.groupBy(routes, ({ path }) => path)) {
      const methods = here.map(({ method }) => method)
      const address = path.replace(/:\w+/g, '1')
      for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'PATCH'] as const) {
        // `/departments/current` would be `/departments/:id` to another method.
        if (routes.some((other) => other.method === method && leadsTo(other.path, address))) continue
        const answer = await send(method, `/api/v1${address}`)
        answer.expect(405, 'METHOD_NOT_ALLOWED')
        const allowed = String(answer.headers.allow).split(', ')
        expect(allowed).toEqual(expect.arrayContaining(methods))
        expect(allowed).not.toContain(method)
      }
    }
  })
  const leadsTo = (path: string, address: string) => new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}$`).test(address)

  test('answers HEAD like GET, without a body, and methods of other protocols with a 404 or a 405', async () => {
    for (const method of ['PROPFIND', 'TRACE', 'LINK', 'SEARCH', 'MKCOL'])
      expect([404, 405]).toContain((await send(method, '/api/v1/projects')).status)
    const asked = { method: 'HEAD', url: `/api/v1/tasks/${task.id}` } as const
    const response = await world.app.inject({ ...asked, headers: { authorization: `Bearer ${owner.token}` } })
    expect([response.statusCode, response.body]).toEqual([200, ''])
    expect((await world.app.inject(asked)).statusCode).toBe(401)
  })

  test.each([
    ...['abc', '0', '-1', '1.5', '1e3', '0x10', '9007199254740992', '1'.repeat(300), 'null', '..', '.', '%2e%2e'],
    ...['..%2f..', '%252e', ' ', '%20', '1%20', '%00', '١', '%D9%A1', "1'--", '1;2', '*', ':id', '{id}'],
  ])('with the id %s is a 400 in the envelope', async (id) => {
    for (const path of [`tasks/${id}/comments`, `projects/${project.id}/members/${id}`]) {
      const asked = { method: path.startsWith('tasks') ? 'GET' : 'PUT', url: `/api/v1/${path}` } as const
      const response = await world.app.inject({ ...asked, headers: { authorization: `Bearer ${owner.token}` } })
      // The tester's own address parser resolves dot segments and trims; what is left of them leads nowhere.
      if (/^\.+$|^%2e%2e$|^ $/i.test(id)) expect([400, 404, 405]).toContain(response.statusCode)
      else expect(response.statusCode, response.body).toBe(400)
      answerOf(asked, response.statusCode, response.headers, response.body)
    }
  })

  test('that is no text, in its path or query, or is endless, is refused, behind the question who calls', async () => {
    for (const piece of ['%', '%zz', '%c3%28', '%ed%a0%80', '%ff', '%C0%AF', '%E0%80%AF'])
      for (const url of [`projects?keyword=${piece}`, `tasks/${piece}`, piece, `projects?${piece}=1`]) {
        const { status, headers } = await send('GET', url)
        expect([url, status]).toEqual([url, 400])
        expect(headers).toMatchObject({ 'x-request-id': expect.any(String), 'x-content-type-options': 'nosniff' })
      }
    expect([400, 414]).toContain((await send('GET', `tasks/${'9'.repeat(600)}`)).status)
    ;(await world.anyone.get('/projects?keyword=%00')).expect(401, 'UNAUTHENTICATED')
    ;(await world.as(owner).get('/projects?keyword=%00')).expect(400, 'VALIDATION_FAILED')
    ;(await world.as(owner).get('/projects?%00=1')).expect(400, 'VALIDATION_FAILED')
  })
})

describe('every answer', () => {
  const answers = () =>
    Promise.all([
      world.as(owner).get('/projects'),
      world.as(owner).post('/approvals', { type: 'x', title: 'x' }),
      world.as(owner).get('/tasks/999999'),
      world.as(owner).get('/tasks/x'),
      world.as(owner).get('/tenants'),
      world.anyone.get('/projects'),
      world.anyone.get('/nowhere'),
      world.anyone.delete('/projects'),
      world.anyone.post('/auth/login', {}),
      world.anyone.post('/auth/login', { username: 'x', password: 'y' }),
      world.anyone.get('/tasks/%zz'),
      send('POST', 'approvals', { 'content-type': 'text/plain' }, 'x'),
      send('POST', 'approvals', { 'content-type': 'application/json' }, '{'),
    ])

  test('carries a request id, may be read by a browser and stored by nobody, and says nothing of the inside', async () => {
    for (const { headers, body, status } of await answers()) {
      expect(headers, JSON.stringify(body)).toMatchObject({
        'x-request-id': status < 400 ? expect.stringMatching(/^[A-Za-z0-9._-]{1,64}$/) : body.requestId,
        'content-type': expect.stringMatching(/^application\/json/),
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'cache-control': 'no-store',
      })
      if (status === 401) expect(headers['www-authenticate']).toBe('Bearer')
      if (status >= 400) expect(JSON.stringify(body)).not.toMatch(INSIDE)
    }
  })
  const INSIDE = /stack|select |insert |fastify|zod|postgres|kysely|node_modules|\.ts\b|\/work\//i

  test('has the request id of its client if that is one, and else a new one', async () => {
    for (const id of ['abc', 'A-1_b.c', 'x'.repeat(64)]) {
      expect((await world.as(owner).get('/auth/me', { 'x-request-id': id })).headers['x-request-id']).toBe(id)
      expect((await world.as(owner).get('/tasks/x', { 'x-request-id': id })).body.requestId).toBe(id)
    }
    for (const id of ['', 'x'.repeat(65), 'a b', 'a/b', '<script>', 'a,b', 'ünï']) {
      const { headers } = await world.as(owner).get('/auth/me', { 'x-request-id': id })
      expect(headers['x-request-id']).toMatch(/^[0-9a-f]{20}-[0-9a-z]+$/)
    }
  })
})

describe('a browser of another origin', () => {
  const wanted = 'authorization,idempotency-key,if-match,x-tenant-code,content-type'
  const asked = { 'access-control-request-method': 'PUT', 'access-control-request-headers': wanted }
  const preflight = (origin: string) =>
    world.app.inject({ method: 'OPTIONS', url: '/api/v1/projects', headers: { origin, ...asked } })

  test.each(['http://localhost:5173', 'http://127.0.0.1:3000', 'https://localhost', 'http://[::1]:8080'])(
    '%s may call in development',
    async (origin) => {
      const response = await preflight(origin)
      expect(response.statusCode).toBeLessThan(300)
      expect(response.headers).toMatchObject({
        'access-control-allow-origin': origin,
        'access-control-allow-credentials': 'true',
        'access-control-allow-methods': expect.stringContaining('DELETE'),
        'access-control-allow-headers': expect.stringContaining('if-match'),
      })
      const answer = await world.as(owner).get('/projects', { origin })
      expect(answer.headers['access-control-allow-origin']).toBe(origin)
      const exposed = String(answer.headers['access-control-expose-headers']).split(', ')
      const names =
        'X-Request-Id X-Total-Count X-Truncated Link Location Retry-After ETag Content-Disposition RateLimit'
      expect(exposed).toEqual(expect.arrayContaining([...names.split(' '), 'RateLimit-Policy']))
    },
  )

  test.each([
    ...['https://evil.example', 'null', 'http://localhost.evil.example', 'http://evil-localhost', 'file://'],
    ...['http://localhost:5173.evil.example', 'https://127.0.0.1.evil.example', 'http://localhost:999999'],
    'http://localhost:80@evil.example',
  ])('%s may not', async (origin) => {
    for (const { headers } of [await preflight(origin), await world.as(owner).get('/projects', { origin })])
      expect(headers).not.toHaveProperty('access-control-allow-origin')
  })

  test('may call if it is on the list, and no other origin then', async () => {
    const strict = await openWorld({ env: { CORS_ORIGINS: 'https://app.example.com' } })
    const allowed = async (origin: string) =>
      (await strict.as(strict.admin).get('/projects', { origin })).headers['access-control-allow-origin']
    const known = 'https://app.example.com'
    expect(await allowed(known)).toBe(known)
    const like = [`${known}.evil.example`, 'http://app.example.com', 'https://sub.app.example.com']
    for (const origin of [...like, 'http://localhost:5173'])
      expect([origin, await allowed(origin)]).toEqual([origin, undefined])
  })
})

test('all violations are reported together, of path, query and body, and none of them repeats what was sent', async () => {
  const { details } = (await send('PUT', 'projects/x/archive?version=y')).expect(400, 'VALIDATION_FAILED')
  expect(details.map((detail: any) => detail.path)).toEqual(['params.id', 'query.version'])
  const both = (await world.as(owner).put('/tasks/x', { version: -1, title: '' })).expect(400, 'VALIDATION_FAILED')
  expect(both.details.map((detail: any) => detail.path)).toEqual(['params.id', 'body.title', 'body.version'])

  const canary = 'CANARY9d1c'
  const fields = ['version', 'status', 'priority', 'dueDate', 'assigneeId', canary].map((field) => [field, canary])
  const body = { title: [canary], ...Object.fromEntries(fields) }
  const answer = await world.as(owner).put(`/tasks/${canary}`, body)
  answer.expect(400, 'VALIDATION_FAILED')
  expect(JSON.stringify(answer.body)).not.toContain(canary)
})

test('a token is asked for before a body is read', async () => {
  const asked = { method: 'POST', url: '/api/v1/projects', payload: Buffer.alloc(5_000_000, 'x') } as const
  for (const type of ['application/json', 'text/plain', 'multipart/form-data'])
    (await world.anyone.send({ ...asked, headers: { 'content-type': type } })).expect(401, 'UNAUTHENTICATED')
})
