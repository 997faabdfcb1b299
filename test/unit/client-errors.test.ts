import { PassThrough } from 'node:stream'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { lifetime } from '../../src/http/load/lifetime.ts'
import { answerClientError } from '../../src/http/request/failures.ts'
import { openLine } from '../support/line.ts'

/** After its answer a connection is closed. */
const SOON_MS = 1000

const SLOWLY = 'GET / HTTP/1.1\r\nhost: x\r\nx: '

describe.each([
  ['no HTTP', 'NONSENSE\r\n\r\n', 60_000, '400 Bad Request', 'BAD_REQUEST'],
  [
    'headers without end',
    `GET / HTTP/1.1\r\nx: ${'x'.repeat(2000)}`,
    60_000,
    '431 Request Header',
    'HEADERS_TOO_LARGE',
  ],
  ['headers that come too slowly', SLOWLY, 50, '408 Request Timeout', 'REQUEST_TIMEOUT'],
])('a client that sends %s', (_, text, headersTimeout, status, type) => {
  let app: FastifyInstance
  let port: number
  beforeAll(async () => {
    app = Fastify({
      clientErrorHandler: answerClientError,
      http: { headersTimeout, connectionsCheckingInterval: 10, maxHeaderSize: 1000 },
    })
    await app.register(lifetime)
    app.get('/', async () => 'received')
    await app.listen({ port: 0, host: '127.0.0.1' })
    port = (app.server.address() as { port: number }).port
    vi.useFakeTimers({ toFake: ['setTimeout'] })
  })
  afterAll(async () => {
    vi.useRealTimers()
    await app.close()
  })
  const openConnections = () => new Promise((resolve) => void app.server.getConnections((_, count) => resolve(count)))

  test.each([
    ['falls silent', ''],
    ['keeps dripping', 'x'],
  ])('and then %s gets the reason, and is gone soon', async (_, drop) => {
    const { socket, received } = await openLine(port, { allowHalfOpen: true })
    socket.write(text)
    const dripping = setInterval(() => void (drop && socket.write(drop)), 10)

    await expect.poll(received).toMatch(new RegExp(`^HTTP/1.1 ${status}[^]*}$`))
    vi.advanceTimersByTime(SOON_MS)
    await expect.poll(openConnections).toBe(0)

    expect(JSON.parse(received().split('\r\n\r\n')[1]!)).toMatchObject({
      code: Number(status.slice(0, 3)),
      error: { type },
    })
    clearInterval(dripping)
  })
})

test('what is no HTTP ends an answer that is under way, and nothing is written into it', async () => {
  const app = Fastify({ clientErrorHandler: answerClientError })
  await app.register(lifetime)
  const file = new PassThrough()
  app.get('/', (_, reply) => reply.send(file))
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { socket, received, closed } = await openLine((app.server.address() as { port: number }).port)

  socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
  file.write('the first part')
  await expect.poll(received).toContain('the first part')
  socket.write('NONSENSE\r\n\r\n')
  await closed

  expect(received()).toMatch(/^HTTP\/1.1 200 OK.*the first part\r\n$/s)
  await app.close()
})
