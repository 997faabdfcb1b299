import type { AddressInfo } from 'node:net'
import type { InjectOptions } from 'fastify'
import { describe, expect, test } from 'vitest'
import { openLog } from '../../src/log.ts'
import { formOf } from '../support/form.ts'
import { holdRow } from '../support/interleave.ts'
import { openLine } from '../support/line.ts'
import { until } from '../support/patience.ts'
import { openWorld } from '../support/world.ts'

const JSON_TYPE = { 'content-type': 'application/json' }
const written: string[] = []
const trace = '0af7651916cd43dd8448eb211c80319c'
const traceparent = `00-${trace}-b7ad6b7169203331-01`

const world = await openWorld({ logger: openLog('trace', { write: (line) => void written.push(line) }) })
const tenant = await world.givenTenant()
const person = await world.givenUser(tenant)
await world.app.listen({ port: 0, host: '127.0.0.1' })

/** The lines about a request. */
const linesOf = (requestId: string) =>
  written.map((line) => JSON.parse(line)).filter((line) => line.requestId === requestId)

/** Sends bytes, and hangs up once they have come so far. */
async function sendRaw(text: string, haveCome: () => boolean | Promise<boolean>) {
  const { socket } = await openLine((world.app.server.address() as AddressInfo).port)
  socket.write(text.replaceAll('\n', '\r\n'))
  await until(haveCome)
  socket.destroy()
}

describe('a request has one line', () => {
  test('that follows it from its origin to the person it served', async () => {
    const project = await world.givenProject(person)
    await world.as(person).get(`/projects/${project.id}?x=1`, { 'x-request-id': 'followed', traceparent })

    const served = {
      tenantId: person.tenantId,
      userId: person.id,
      status: 200,
      ms: expect.any(Number),
      ip: '127.0.0.1',
    }
    const asked = { requestId: 'followed', traceId: trace, method: 'GET', route: '/api/v1/projects/:id' }
    await world.anyone.get('/public/home', {
      'x-request-id': 'lost',
      traceparent: `00-${'0'.repeat(32)}-b7ad6b7169203331-01`,
    })
    expect(linesOf('lost')).toEqual([expect.not.objectContaining({ traceId: expect.anything() })])
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
    expect(linesOf('followed')).toEqual([{ level: 30, time, ...asked, ...served, msg: 'request' }])
  })

  test('whatever became of it', async () => {
    const preflight = { origin: 'http://localhost:5173', 'access-control-request-method': 'GET' }
    const requests: Record<string, [status: number, request: InjectOptions]> = {
      nobody: [401, { url: '/api/v1/auth/me' }],
      nowhere: [404, { url: '/api/v1/nowhere' }],
      nothing: [400, { method: 'POST', url: '/api/v1/auth/login', payload: '{', headers: JSON_TYPE }],
      unreadable: [400, { url: '/api/v1/%zz' }],
      endless: [414, { url: `/api/v1/tasks/${'1'.repeat(600)}` }],
      preflight: [204, { method: 'OPTIONS', url: '/api/v1/tasks/1', headers: preflight }],
    }
    for (const [name, [status, request]] of Object.entries(requests)) {
      const headers = { ...request.headers, 'x-request-id': name }
      const answer = await world.app.inject({ ...request, headers })
      const error = status >= 400 ? { error: answer.json().error.type } : {}
      expect(linesOf(name)).toMatchObject([{ msg: 'request', status, ms: expect.any(Number), ...error }])
    }
  })

  test('also when the client leaves before its answer, or in the middle of its body', async () => {
    const { id } = await world.givenProject(person)
    const head = (id: string, line: string) =>
      `${line} HTTP/1.1\nhost: x\nx-request-id: ${id}\nauthorization: Bearer ${person.token}\n`
    const half = `${head('half', 'POST /api/v1/projects')}content-type: application/json\ncontent-length: 50\n\n{"name":`
    const aborted = { msg: 'request aborted by the client', status: 499 }
    await sendRaw(half, () => world.app.lifetime.inHand === 1)
    await expect.poll(() => linesOf('half')).toMatchObject([{ ...aborted, route: '/api/v1/projects' }])
    const release = await holdRow(world, tenant, `select from projects where id = ${id} for no key update`)
    const archive = `PUT /api/v1/projects/${id}/archive?version=0`
    const waiting = `select count(*) from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query like '%projects%'`
    await sendRaw(`${head('gone', archive)}\n`, async () => (await world.look.countEverywhere(waiting)) > 0)
    // Before the lock is gone: otherwise the answer may be ready before the service sees that the client left.
    await expect
      .poll(() => linesOf('gone'))
      .toMatchObject([{ ...aborted, route: '/api/v1/projects/:id/archive', userId: person.id }])
    await release()

    expect(world.app.lifetime.inHand).toBe(0)
  })
})

test('no log line carries a secret, a body, a query or a header, whatever was asked', async () => {
  const canary = (what: string) => `canary-${what}-3f9a`
  const client = world.as(person)
  const project = await world.givenProject(person)
  written.length = 0

  const carla = { username: 'carla', password: canary('password') }
  await world.anyone.post('/auth/register', { ...carla, email: 'carla@example.com' })
  const { accessToken, refreshToken } = (await world.anyone.post('/auth/login', carla)).expect(200)
  await world.anyone.post('/auth/login', { username: canary('user'), password: canary('wrong') })
  await world.anyone.post('/auth/refresh', { refreshToken })
  await world.anyone.post('/auth/refresh', { refreshToken: canary('refresh') })
  await world.anyone.get('/auth/me', { authorization: `Bearer ${canary('token')}`, cookie: `sid=${canary('cookie')}` })
  await client.post('/projects', { name: canary('name'), code: 'CANARY' }, { 'idempotency-key': canary('key') })
  await client.post('/projects', { name: canary('name'), code: 'CANARY' }, { 'idempotency-key': canary('other-key') })
  await client.post(`/projects/${project.id}/tasks`, { title: canary('title'), priority: canary('priority') })
  await client.get(`/projects?keyword=${canary('keyword')}`)
  await client.send({
    method: 'POST',
    url: '/api/v1/projects',
    payload: `{"name":"${canary('broken')}`,
    headers: JSON_TYPE,
  })
  await client.send({ method: 'GET', url: `/api/v1/${canary('path')}?token=${canary('query')}` })
  const form = formOf([{ name: 'file', filename: `${canary('file')}.png`, content: canary('bytes') }])
  await client.send({ method: 'POST', url: '/api/v1/files', ...form })
  // A database may quote a value that it refuses, which must not be passed on; its wording cannot be changed.
  await world.look.rows(`create function quote(title text) returns boolean language plpgsql as $$
    begin raise exception '%', title using detail = title, hint = title; end $$`)
  await world.look.rows('alter table tasks add constraint quoted check (quote(title)) not valid')
  ;(await client.post(`/projects/${project.id}/tasks`, { title: canary('quoted') })).expect(500, 'INTERNAL')

  await expect.poll(() => written.filter((line) => line.includes('"msg":"request"')).length).toBeGreaterThanOrEqual(14)
  const text = written.join('')
  expect(text).toContain('"msg":"unexpected failure"')
  expect(text).toContain('"code":"P0001"')
  expect(text).not.toContain('canary-')
  for (const secret of [accessToken, refreshToken, person.token]) expect(text).not.toContain(secret)
})
