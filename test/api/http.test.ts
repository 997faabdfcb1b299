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

describe('a command without a body takes an empty one', () => {
  const types = [
    'application/json',
    'application/json; charset=utf-8',
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    'application/octet-stream',
    '',
  ]

  test.each(types)('of the type %j', async (type) => {
    const headers: Record<string, string> = type ? { 'content-type': type } : {}
    const member = await world.givenUser({ id: owner.tenantId })
    const fresh = await world.givenProject(owner)
    ;(await send('PUT', `projects/${fresh.id}/members/${member.id}`, headers)).expect(200)
    ;(await send('PUT', `projects/${fresh.id}/members/${member.id}`, { ...headers, 'content-length': '0' }, '')).expect(
      200,
    )
    ;(await send('DELETE', `projects/${fresh.id}/members/${member.id}`, headers)).expect(200)
    ;(
      await send('DELETE', `projects/${fresh.id}/members/${member.id}`, { ...headers, 'content-length': '0' }, '')
    ).expect(200)
    ;(await send('PUT', `projects/${fresh.id}/archive?version=0`, headers)).expect(200)
    ;(await send('PUT', 'notifications/read-all', headers)).expect(200)
    const someone = await world.givenUser({ id: owner.tenantId })
    ;(await world.as(someone).send({ method: 'POST', url: '/api/v1/auth/logout', headers })).expect(200)
  })

  test('and ignores one that clients send anyway', async () => {
    ;(await send('PUT', 'notifications/read-all', { 'content-type': 'application/json' }, '{"ids":[1]}')).expect(200)
    ;(await send('PUT', 'notifications/read-all', { 'content-type': 'application/json' }, 'null')).expect(200)
  })
})

describe('a body that is', () => {
  const create = (payload: string | Buffer, type = 'application/json') =>
    send('POST', `projects/${project.id}/tasks`, { 'content-type': type }, payload)

  test.each([
    '{',
    '{"title":"x"} x',
    '{"title":"x"}{}',
    '{title:"x"}',
    "{'title':'x'}",
    '[1,]',
    '\ufeff\ufeff{"title":"x"}',
    'NaN',
    'title=x',
    '<xml/>',
    '{"title":"\u0000"}',
  ])('no JSON: %j', async (payload) => {
    ;(await create(payload)).expect(400, 'MALFORMED_JSON')
  })

  test('not UTF-8', async () => {
    ;(await create(Buffer.from('{"title":"caf\xe9"}', 'latin1'))).expect(400, 'MALFORMED_JSON')
    ;(await create(Buffer.from('{"title":"x"}', 'utf16le'))).expect(400, 'MALFORMED_JSON')
  })

  test.each([
    '{"title":"x","title":"y"}',
    '{"title":"x\\u0000"}',
    '{"title":"\\ud83d"}',
    '{"title":"x","__proto__":{"status":"DONE"}}',
    '{"title":"x","constructor":{"prototype":{}}}',
    `{"title":"x","deep":${'['.repeat(100)}${']'.repeat(100)}}`,
    `{"title":"x","deep":${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}}`,
  ])('JSON of the kind that bites later: %.60s', async (payload) => {
    const { details } = (await create(payload)).expect(400, 'VALIDATION_FAILED')
    expect(details).toEqual([{ path: 'body', message: expect.any(String) }])
  })

  test.each(['null', '[]', '"title"', '7', 'true', '[{"title":"x"}]', '', ' '])('no object: %j', async (payload) => {
    const answer = await create(payload)
    expect(answer.status).toBe(400)
    expect(['VALIDATION_FAILED', 'MALFORMED_JSON']).toContain(answer.error!.type)
  })

  test.each([
    'text/plain',
    'text/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/xml',
    'application/octet-stream',
    'application/jsonp',
    'application/json-patch+json',
    'application/jsonx',
    'application',
    '*/*',
    'json',
  ])('of the type %s', async (type) => {
    ;(await create('{"title":"x"}', type)).expect(415, 'UNSUPPORTED_MEDIA_TYPE')
  })

  test('of no type at all', async () => {
    ;(await send('POST', `projects/${project.id}/tasks`, {}, Buffer.from('{"title":"x"}'))).expect(
      415,
      'UNSUPPORTED_MEDIA_TYPE',
    )
  })

  test.each([
    'application/json',
    'Application/JSON',
    'application/json;charset=utf-8',
    'application/json; charset="utf-8"',
    'application/json; charset=US-ASCII',
    'application/json ; x=y',
  ])('of the type %s is read', async (type) => {
    ;(await create('{"title":"x"}', type)).expect(201)
  })

  test.each(['gbk', 'utf-16', '"iso-8859-1"'])('in the encoding %s is not read as another', async (charset) => {
    ;(await create('{"title":"x"}', `application/json; charset=${charset}`)).expect(415, 'UNSUPPORTED_MEDIA_TYPE')
  })

  test('after a byte order mark is read', async () => {
    expect((await create('\ufeff{"title":"x"}')).expect(201).title).toBe('x')
  })

  test.each([
    ' application/json',
    '\tapplication/json',
    'application/json\t',
    'application/json\t; charset=utf-8',
    'application/json;charset=utf-16',
    'application/json;',
    'application/json; boundary=,',
  ])('of the tricky type %j is refused or looked at, never taken as it comes', async (type) => {
    const answer = await create('{"title":""}', type)
    expect([400, 415]).toContain(answer.status)
  })

  test('compressed', async () => {
    const answer = await send(
      'POST',
      `projects/${project.id}/tasks`,
      { 'content-type': 'application/json', 'content-encoding': 'gzip' },
      Buffer.from([0x1f, 0x8b, 8, 0]),
    )
    expect([400, 415]).toContain(answer.status)
  })

  test('larger than a megabyte', async () => {
    ;(await create(`{"title":"x","pad":"${'x'.repeat(1_048_576)}"}`)).expect(413, 'PAYLOAD_TOO_LARGE')
    ;(await create(`{"title":"x","pad":"${'x'.repeat(1_000_000)}"}`)).expect(201)
  })

  test.each(['/auth/login', '/auth/register', '/auth/refresh', '/public/contact'])(
    'larger than 16 KiB, without a token: %s',
    async (path) => {
      const answer = await world.anyone.post(path, { pad: 'x'.repeat(16_384) })
      expect(answer.expect(413, 'PAYLOAD_TOO_LARGE').details).toMatchObject([{ path: 'body', limit: 16_384 }])
      ;(await world.anyone.post(path, { pad: 'x'.repeat(16_000) })).expect(400, 'VALIDATION_FAILED')
    },
  )

  test('declared to be larger than it is', async () => {
    ;(
      await send(
        'POST',
        `projects/${project.id}/tasks`,
        { 'content-type': 'application/json', 'content-length': '10000000000' },
        '{}',
      )
    ).expect(413, 'PAYLOAD_TOO_LARGE')
  })
})

describe('an address', () => {
  test.each(['GET', 'POST', 'PUT', 'DELETE', 'PATCH'])('that leads nowhere is a 404 for %s', async (method) => {
    for (const url of [
      '/',
      '/api',
      '/api/v1',
      '/api/v1/nowhere',
      '/api/v2/projects',
      '/api/v1//projects',
      '/API/V1/projects',
      '/api/v1/tasks/1/nowhere',
    ])
      (await send(method, url)).expect(404, 'ROUTE_NOT_FOUND')
  })

  test('answers 404 before it asks who calls', async () => {
    ;(await world.anyone.get('/nowhere')).expect(404, 'ROUTE_NOT_FOUND')
    ;(await world.anyone.delete('/projects')).expect(405, 'METHOD_NOT_ALLOWED')
  })

  test('says which methods it has when it is asked for another', async () => {
    const byPath = Map.groupBy(routes, ({ path }) => path)
    for (const [path, here] of byPath) {
      const methods = new Set<string>(here.map(({ method }) => method))
      for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'PATCH']) {
        if (methods.has(method)) continue
        const url = `/api/v1${path.replace(/:\w+/g, '1')}`
        // `/departments/current` would be `/departments/:id` to another method.
        if (
          routes.some(
            (other) =>
              other.method === method && new RegExp(`^${other.path.replace(/:\w+/g, '[^/]+')}$`).test(url.slice(7)),
          )
        )
          continue
        const answer = await send(method, url)
        answer.expect(405, 'METHOD_NOT_ALLOWED')
        for (const known of methods) expect(String(answer.headers.allow).split(', ')).toContain(known)
        expect(String(answer.headers.allow).split(', ')).not.toContain(method)
      }
    }
  })

  test.each(['PROPFIND', 'TRACE', 'LINK', 'SEARCH', 'MKCOL'])('asked for with %s is a 404 or a 405', async (method) => {
    const answer = await send(method, '/api/v1/projects')
    expect([404, 405]).toContain(answer.status)
  })

  test('answers HEAD like GET, without a body', async () => {
    const response = await world.app.inject({
      method: 'HEAD',
      url: `/api/v1/tasks/${task.id}`,
      headers: { authorization: `Bearer ${owner.token}` },
    })
    expect(response.statusCode).toBe(200)
    expect(response.body).toBe('')
    expect((await world.app.inject({ method: 'HEAD', url: `/api/v1/tasks/${task.id}` })).statusCode).toBe(401)
  })

  test.each([
    'abc',
    '0',
    '-1',
    '1.5',
    '1e3',
    '0x10',
    '9007199254740992',
    '99999999999999999999',
    '1'.repeat(300),
    '..',
    '.',
    '%2e%2e',
    '..%2f..',
    '%252e',
    ' ',
    '%20',
    '1%20',
    '%00',
    '١',
    '%D9%A1',
    'null',
    'undefined',
    'NaN',
    "1'--",
    '1;2',
    '*',
    ':id',
    '{id}',
  ])('with the id %s is a 400 in the envelope', async (id) => {
    for (const path of [
      `tasks/${id}/comments`,
      `projects/${id}/members/${owner.id}`,
      `projects/${project.id}/members/${id}`,
    ]) {
      const asked = { method: path.startsWith('tasks') ? 'GET' : 'PUT', url: `/api/v1/${path}` } as const
      const response = await world.app.inject({ ...asked, headers: { authorization: `Bearer ${owner.token}` } })
      // The tester's own address parser resolves dot segments and trims; what is left of them leads nowhere.
      if (/^\.+$|^%2e%2e$|^ $/i.test(id)) expect([400, 404, 405]).toContain(response.statusCode)
      else expect(response.statusCode, response.body).toBe(400)
      answerOf(asked, response.statusCode, response.headers, response.body)
    }
  })

  test.each(['%', '%zz', '%c3%28', '%ed%a0%80', '%ff', '%C0%AF', '%E0%80%AF'])(
    'that is no text, with %s in its path or query, is a 400',
    async (piece) => {
      for (const url of [
        `/api/v1/projects?keyword=${piece}`,
        `/api/v1/tasks/${piece}`,
        `/api/v1/${piece}`,
        `/api/v1/projects?${piece}=1`,
      ]) {
        const answer = await send('GET', url)
        expect(answer.status, url).toBe(400)
        expect(answer.headers['x-request-id']).toEqual(expect.any(String))
        expect(answer.headers['x-content-type-options']).toBe('nosniff')
      }
    },
  )

  test('that is no text asks first who calls', async () => {
    ;(await world.anyone.get('/projects?keyword=%00')).expect(401, 'UNAUTHENTICATED')
    ;(await world.as(owner).get('/projects?keyword=%00')).expect(400, 'VALIDATION_FAILED')
    ;(await world.as(owner).get('/projects?%00=1')).expect(400, 'VALIDATION_FAILED')
  })

  test('that is endless is refused', async () => {
    const answer = await send('GET', `tasks/${'9'.repeat(600)}`)
    expect([400, 414]).toContain(answer.status)
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
      world.anyone.get('/tasks/%zz'),
      send('POST', 'approvals', { 'content-type': 'text/plain' }, 'x'),
      send('POST', 'approvals', { 'content-type': 'application/json' }, '{'),
    ])

  test('carries a request id, which for a failure is also in its body', async () => {
    for (const { headers, body, status } of await answers()) {
      expect(headers['x-request-id'], JSON.stringify(body)).toMatch(/^[A-Za-z0-9._-]{1,64}$/)
      if (status >= 400) expect(body.requestId).toBe(headers['x-request-id'])
    }
  })

  test('keeps a browser from doing anything with it but read it, and anybody from storing it', async () => {
    for (const { headers } of await answers())
      expect(headers).toMatchObject({
        'content-type': expect.stringMatching(/^application\/json/),
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'cache-control': 'no-store',
      })
  })

  test('of 401 says how to sign in', async () => {
    expect((await world.anyone.get('/projects')).headers['www-authenticate']).toBe('Bearer')
    expect((await world.anyone.post('/auth/login', { username: 'x', password: 'y' })).headers['www-authenticate']).toBe(
      'Bearer',
    )
  })

  test('that is a failure tells nothing of the inside', async () => {
    for (const { status, body } of await answers())
      if (status >= 400)
        expect(JSON.stringify(body)).not.toMatch(
          /stack|select |insert |fastify|zod|postgres|kysely|node_modules|\.ts\b|\/work\//i,
        )
  })

  test.each(['abc', 'A-1_b.c', 'x'.repeat(64)])('takes the request id %s of its client', async (id) => {
    expect((await world.as(owner).get('/auth/me', { 'x-request-id': id })).headers['x-request-id']).toBe(id)
    expect((await world.as(owner).get('/tasks/x', { 'x-request-id': id })).body.requestId).toBe(id)
  })

  test.each(['', 'x'.repeat(65), 'a b', 'a/b', '<script>', 'a,b', 'ünï'])(
    'takes a new request id where the client sent %j',
    async (id) => {
      expect((await world.as(owner).get('/auth/me', { 'x-request-id': id })).headers['x-request-id']).toMatch(
        /^[0-9a-f]{20}-[0-9a-z]+$/,
      )
    },
  )
})

describe('a browser of another origin', () => {
  const preflight = (origin: string) =>
    world.app.inject({
      method: 'OPTIONS',
      url: '/api/v1/projects',
      headers: {
        origin,
        'access-control-request-method': 'PUT',
        'access-control-request-headers': 'authorization,idempotency-key,x-tenant-code,content-type',
      },
    })

  test.each(['http://localhost:5173', 'http://127.0.0.1:3000', 'https://localhost', 'http://[::1]:8080'])(
    '%s may call in development',
    async (origin) => {
      const response = await preflight(origin)
      expect(response.statusCode).toBeLessThan(300)
      expect(response.headers).toMatchObject({
        'access-control-allow-origin': origin,
        'access-control-allow-credentials': 'true',
      })
      expect(String(response.headers['access-control-allow-methods'])).toContain('DELETE')
      const answer = await world.as(owner).get('/projects', { origin })
      expect(answer.headers['access-control-allow-origin']).toBe(origin)
      for (const name of [
        'X-Request-Id',
        'X-Total-Count',
        'X-Truncated',
        'Link',
        'Location',
        'Retry-After',
        'ETag',
        'Content-Disposition',
        'RateLimit',
        'RateLimit-Policy',
      ])
        expect(String(answer.headers['access-control-expose-headers'])).toContain(name)
    },
  )

  test.each([
    'https://evil.example',
    'null',
    'http://localhost.evil.example',
    'http://evil-localhost',
    'http://localhost:5173.evil.example',
    'https://127.0.0.1.evil.example',
    'file://',
    'http://localhost:999999',
    'http://localhost:80@evil.example',
  ])('%s may not', async (origin) => {
    expect((await preflight(origin)).headers).not.toHaveProperty('access-control-allow-origin')
    expect((await world.as(owner).get('/projects', { origin })).headers).not.toHaveProperty(
      'access-control-allow-origin',
    )
  })

  test('may call if it is on the list, and no other origin then', async () => {
    const strict = await openWorld({ env: { CORS_ORIGINS: 'https://app.example.com' } })
    const origins = [
      'https://app.example.com',
      'https://app.example.com.evil.example',
      'http://app.example.com',
      'https://sub.app.example.com',
      'http://localhost:5173',
    ]
    const allowed = await Promise.all(
      origins.map(
        async (origin) =>
          (await strict.as(strict.admin).get('/projects', { origin })).headers['access-control-allow-origin'],
      ),
    )
    expect(allowed).toEqual(['https://app.example.com', undefined, undefined, undefined, undefined])
    await strict.close()
  })
})

describe('all violations are reported together', () => {
  test('of path, query and body', async () => {
    const { details } = (await send('PUT', 'projects/x/archive?version=y')).expect(400, 'VALIDATION_FAILED')
    expect(details.map((detail: any) => detail.path)).toEqual(['params.id', 'query.version'])
    const both = (await world.as(owner).put('/tasks/x', { version: -1, title: '' })).expect(400, 'VALIDATION_FAILED')
    expect(both.details.map((detail: any) => detail.path)).toEqual(['params.id', 'body.version', 'body.title'])
  })

  test('and none of them repeats what was sent', async () => {
    const canary = 'CANARY9d1c'
    const answer = await world.as(owner).put(`/tasks/${canary}`, {
      version: canary,
      title: [canary],
      status: canary,
      priority: canary,
      dueDate: canary,
      assigneeId: canary,
      [canary]: canary,
    })
    answer.expect(400, 'VALIDATION_FAILED')
    expect(JSON.stringify(answer.body)).not.toContain(canary)
  })
})

test('a token is asked for before a body is read', async () => {
  const big = Buffer.alloc(5_000_000, 'x')
  for (const type of ['application/json', 'text/plain', 'multipart/form-data'])
    (
      await world.anyone.send({
        method: 'POST',
        url: '/api/v1/projects',
        headers: { 'content-type': type },
        payload: big,
      })
    ).expect(401, 'UNAUTHENTICATED')
})
