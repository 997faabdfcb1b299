import { once } from 'node:events'
import { connect } from 'node:net'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { answerClientError } from '../../src/http/request/failures.ts'

/** How long a slow machine may take; what is said and what is closed comes by itself. */
const NO_HURRY = { timeout: 15_000, interval: 5 }
const SOON_MS = 1000

let app: FastifyInstance
let port: number
beforeAll(async () => {
  app = Fastify({
    clientErrorHandler: answerClientError,
    http: { headersTimeout: 300, connectionsCheckingInterval: 20, maxHeaderSize: 1000 },
  })
  app.get('/', async () => 'received')
  await app.listen({ port: 0, host: '127.0.0.1' })
  port = (app.server.address() as { port: number }).port
  vi.useFakeTimers({ toFake: ['setTimeout'] })
})
afterAll(async () => {
  vi.useRealTimers()
  await app.close()
})

describe.each([
  ['no HTTP', 'NONSENSE\r\n\r\n', '400 Bad Request', 'BAD_REQUEST'],
  ['headers without end', `GET / HTTP/1.1\r\nx: ${'x'.repeat(2000)}`, '431 Request Header', 'HEADERS_TOO_LARGE'],
  ['headers that come too slowly', 'GET / HTTP/1.1\r\nhost: x\r\nx: ', '408 Request Timeout', 'REQUEST_TIMEOUT'],
])('a client that sends %s', (_, text, status, type) => {
  test.each([
    ['falls silent', ''],
    ['keeps dripping', 'x'],
  ])('and then %s gets the reason, and is gone soon', async (_, drop) => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    let received = ''
    socket.on('data', (data) => {
      received += data
    })
    socket.on('error', () => {})
    await once(socket, 'connect')
    socket.write(text)
    const dripping = setInterval(() => void (drop && socket.write(drop)), 30)

    await expect.poll(() => received, NO_HURRY).toMatch(new RegExp(`^HTTP/1.1 ${status}[^]*}$`))
    vi.advanceTimersByTime(SOON_MS)
    await expect.poll(openConnections, NO_HURRY).toBe(0)

    expect(JSON.parse(received.split('\r\n\r\n')[1]!)).toMatchObject({
      code: Number(status.slice(0, 3)),
      error: { type },
    })
    clearInterval(dripping)
    socket.destroy()
  })
})

function openConnections(): Promise<number> {
  return new Promise((resolve) => app.server.getConnections((_, count) => resolve(count)))
}
