import { setImmediate as turn } from 'node:timers/promises'
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { bodyTimeout } from '../../src/http/load/body-timeout.ts'
import { openLine } from '../support/line.ts'

const USUAL = 30_000
let app: FastifyInstance
let port: number
let arrived: Promise<FastifyRequest>
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  app = Fastify()
  await app.register(bodyTimeout, { usual: USUAL })
  arrived = new Promise((resolve) => app.addHook('onRequest', async (req) => resolve(req)))
  const refuse = { onRequest: (_req: unknown, reply: any) => void reply.code(401).send() }
  app.post('/usual', async () => 'received')
  app.post('/patient', { config: { bodyWithin: 4 * USUAL } }, async () => 'received')
  app.post('/refused', { config: { bodyWithin: 4 * USUAL }, ...refuse }, async () => '')
  await app.listen({ port: 0, host: '127.0.0.1' })
  port = (app.server.address() as { port: number }).port
})
afterEach(async () => {
  vi.useRealTimers()
  await app.close()
})

describe('a body that does not come', () => {
  test.each([
    ['/usual', 1],
    ['/refused', 1],
    ['/patient', 4],
  ])('ends the connection of %s after %i times the usual', async (path, times) => {
    const connection = await begin(path)
    const { raw } = await arrived
    await turn()

    vi.advanceTimersByTime(times * USUAL - 1)
    expect(raw.destroyed).toBe(false)
    vi.advanceTimersByTime(1)
    expect(raw.destroyed).toBe(true)
    await connection.closed
  })
})

test.each(['/usual', '/patient'])('a body that came in time leaves the connection of %s alone', async (path) => {
  const connection = await begin(path)
  connection.socket.write('"x"'.padEnd(100))
  await expect.poll(connection.received).toContain('200 OK')

  while (vi.getTimerCount() > 0) await turn()
  expect(connection.socket.destroyed).toBe(false)
})

async function begin(path: string) {
  const line = await openLine(port)
  line.socket.write(`POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n`)
  return line
}
