import { type AddressInfo, connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { until } from '../support/patience.ts'
import { openWorld } from '../support/world.ts'

const world = await openWorld()
await world.app.listen({ port: 0, host: '127.0.0.1' })
const { port } = world.app.server.address() as AddressInfo

/** A request as it is written here: clients of HTTP would put it right. */
async function write(...lines: string[]) {
  const socket = connect(port, '127.0.0.1')
  socket.write(`${lines.join('\r\n')}\r\nConnection: close\r\n\r\n`)
  const answer = await text(socket)
  return { status: Number(answer.slice(9, 12)), answer }
}
const host = 'Host: localhost'

test('an address that names another host is refused, and nobody is led there', async () => {
  const path = '/api/v1/public/blog/1/comments?pageSize=1'
  const admin = world.as(world.admin)
  for (const content of ['one', 'two']) await admin.create('/blog/1/comments', { content })

  const { status, answer } = await write(`GET http://evil.example${path} HTTP/1.1`, 'Host: evil.example')

  expect(status).toBe(400)
  expect(answer).toContain('"type":"BAD_REQUEST"')
  expect(answer).toContain('nosniff')
  const next = await write(`GET ${path} HTTP/1.1`, host)
  expect(next.status).toBe(200)
  expect(next.answer).toMatch(/link: <\/api\/v1\/public\/blog\/1\/comments\?pageSize=1&before=\d+>/)
  expect(next.answer).not.toContain('evil')
})

test('two hosts are refused, also where the answer is ready', async () => {
  const get = 'GET /api/v1/public/home HTTP/1.1'
  for (let times = 0; times < 2; times++) expect((await write(get, host)).status).toBe(200)
  expect((await write(get, host, 'Host: evil.example')).status).toBe(400)
  expect((await write(get, host, host)).status).toBe(400)
  expect((await write('POST /api/v1/auth/login HTTP/1.1', host, 'Host: evil.example')).status).toBe(400)
})

test('what is behind a hash is part of no address', async () => {
  expect((await write('GET /api/v1/public/home#part HTTP/1.1', host)).status).toBe(400)
})

test('an address is audited, and leads on, in one way of writing', async () => {
  const admin = world.as(world.admin)
  const url = '/api/v1/%72oles/'
  const sent = await admin.send({ method: 'POST', url, payload: { name: 'Escaped', code: 'escaped' } })
  sent.expect(201)
  const audited = 'select path from audit_operations where request_id = $1'
  const rows = await world.look.rows<any>(audited, [sent.headers['x-request-id']])
  expect(rows).toEqual([{ path: '/api/v1/roles' }])
  const list = await admin.send({ method: 'GET', url: '/api/v1/%61udit/operations/?pageSize=1' })
  list.expect(200)
  expect(list.headers.link).toMatch(/^<\/api\/v1\/audit\/operations\?pageSize=1&before=\d+>; rel="next"$/)
})

test('what can be no code of a tenant is neither looked up nor remembered', async () => {
  // Jobs ask the database as well, now and then.
  await until(async () => {
    const { flights } = world.database.tally
    for (const code of ['x'.repeat(8000), 'No_Such', 'a', 'a b', '1st', "a'--", 'ünï'])
      (await world.anyone.get('/public/home', { 'x-tenant-code': code })).expect(404, 'TENANT_NOT_FOUND')
    expect(world.database.tally.flights).toBe(flights)
  })
  ;(await world.anyone.get('/public/home', { 'x-tenant-code': 'no-such' })).expect(404, 'TENANT_NOT_FOUND')
})

test('a client that has left immediately has no address, and that is no failure', async () => {
  const admin = { username: 'admin', password: 'admin123' }
  const { accessToken } = (await world.anyone.post('/auth/login', admin)).expect(200)
  const send = (path: string, body: object, headers = {}) =>
    fetch(`http://127.0.0.1:${port}/api/v1${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
  const forget = (socket: Socket) => Object.defineProperty(socket, 'remoteAddress', { value: undefined })
  world.app.server.on('connection', forget)

  const signIn = await send('/auth/login', admin)
  const role = { name: 'Nowhere', code: 'nowhere' }
  const command = await send('/roles', role, { authorization: `Bearer ${accessToken}` })

  expect([signIn.status, command.status]).toEqual([200, 201])
  const rows = await world.look.rows(
    `select ip from audit_operations where path = '/api/v1/roles' order by id desc limit 1`,
  )
  expect(rows).toEqual([{ ip: '' }])
})

test('nothing is counted if no one asks', () => {
  expect(world.app.metrics).toBeUndefined()
})
