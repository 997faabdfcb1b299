import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bodyTimeout } from '../../src/http/load/body-timeout.ts'

const USUAL = 150
let app: FastifyInstance
let port: number
beforeAll(async () => {
  app = Fastify()
  await app.register(bodyTimeout, { usual: USUAL })
  const refuse = { onRequest: (_req: unknown, reply: any) => void reply.code(401).send() }
  app.post('/usual', async () => 'received')
  app.post('/patient', { config: { bodyWithin: 4 * USUAL } }, async () => 'received')
  app.post('/refused', { config: { bodyWithin: 4 * USUAL }, ...refuse }, async () => '')
  await app.listen({ port: 0, host: '127.0.0.1' })
  port = (app.server.address() as { port: number }).port
})
afterAll(() => app.close())

describe('a body that comes too slowly', () => {
  test.each([
    ['/usual', 1],
    ['/refused', 1],
    ['/patient', 4],
  ])('ends the connection of %s after %i times the usual', async (path, times) => {
    const line = await begin(path)
    const dripping = setInterval(() => line.socket.write(' '), 20)
    const start = performance.now()
    await line.closed
    clearInterval(dripping)
    expect((performance.now() - start) / USUAL).toBeGreaterThan(times - 0.2)
    expect((performance.now() - start) / USUAL).toBeLessThan(times + 2)
  })
})

test.each(['/usual', '/patient'])('a body that came in time leaves the connection of %s alone', async (path) => {
  const line = await begin(path)
  line.socket.write('"x"'.padEnd(100))
  await expect.poll(line.received).toContain('200 OK')
  await sleep(5 * USUAL)
  expect(line.socket.destroyed).toBe(false)
  line.socket.destroy()
})

async function begin(path: string) {
  const socket = connect(port, '127.0.0.1')
  let received = ''
  socket.on('error', () => {})
  socket.on('data', (data) => {
    received += data
  })
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  await once(socket, 'connect')
  socket.write(`POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n`)
  return { socket, closed, received: () => received }
}
