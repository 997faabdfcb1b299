import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { departed } from '../../src/http/load/departed.ts'
import { lifetime } from '../../src/http/load/lifetime.ts'
import { type SlowReadersOptions, slowReaders } from '../../src/http/load/slow-readers.ts'
import { PATIENCE_MS, until } from '../support/patience.ts'

/** More than the kernel takes in for a client that reads nothing. */
const LARGE = Buffer.alloc(24_000_000, 'x')
const HASTY = { lookEveryMs: 20, hurried: { bytes: 8_000_000, ms: 300 } }

let app: FastifyInstance
const sockets: Socket[] = []
/** Slow readers are measured by the monotonic clock, which stands still unless a test moves it. */
let now: number
/** Lets slow answers go. */
let release: () => void
beforeEach(() => {
  now = performance.now()
  vi.spyOn(performance, 'now').mockImplementation(() => now)
})
afterEach(async () => {
  vi.restoreAllMocks()
  for (const socket of sockets.splice(0)) socket.destroy()
  await app?.close()
})

async function givenServer(options: SlowReadersOptions = {}, mostUnanswered = 32) {
  app = Fastify()
  await app.register(lifetime, { mostUnanswered })
  await app.register(slowReaders, { ...HASTY, ...options })
  app.get('/large', async () => LARGE)
  app.get('/hurried', async (req) => {
    app.slowReaders.hurry(req)
    return LARGE
  })
  app.get('/small', async () => 'small')
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  app.get('/slow', () => released.then(() => 'late'))
  await app.listen({ port: 0, host: '127.0.0.1' })
}

/** A client that reads only on demand. */
async function givenClient() {
  const { port } = app.server.address() as { port: number }
  const socket = connect(port, '127.0.0.1').on('error', () => {})
  sockets.push(socket)
  await once(socket, 'connect')
  const closed = new Promise<true>((resolve) => socket.once('close', () => resolve(true)))
  return {
    ask: (path: string, times = 1) => socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`.repeat(times)),
    /**
     * Reads at most so much at a time; so many ms pass with as much.
     * @returns how much there was until the connection ended, or `all`
     */
    async read(bytes: number, ms: number, all: number) {
      let sum = 0
      while (sum < all && !socket.destroyed) {
        const part: Buffer | null = socket.read(Math.min(bytes, socket.readableLength))
        const count = part?.length ?? 0
        now += (ms * count) / bytes
        sum += count
        await sleep(5)
      }
      return sum
    },
    /** The bodies of the next answers. */
    async bodies(count: number) {
      let text = ''
      socket.setEncoding('latin1').on('data', (chunk: string) => (text += chunk))
      const bodies = () => text.match(/late|small/g) ?? []
      await until(() => bodies().length >= count)
      return bodies()
    },
    closed,
  }
}

describe('a client that does not read', () => {
  const least = { bytes: 10_000, ms: 300 }

  test('is cut off, and what waited for it is gone', async () => {
    await givenServer({ least })
    const client = await givenClient()
    client.ask('/large')
    await until(() => app.slowReaders.unsent > 10_000_000)
    expect(app.slowReaders.cut).toBe(0)
    await until(() => {
      now += 100
      return app.slowReaders.cut === 1
    })
    await until(() => app.slowReaders.unsent === 0 && app.lifetime.inHand === 0)
  })

  test('is left alone as long as it takes what is asked of it, which may be more for an answer', async () => {
    await givenServer({ least })
    const [client, other] = [await givenClient(), await givenClient()]
    client.ask('/large')
    const before = now
    expect(await client.read(65_536, 5, LARGE.length)).toBeGreaterThanOrEqual(LARGE.length)
    expect(now - before, 'more than it may take to read nothing').toBeGreaterThan(2 * least.ms)
    expect(app.slowReaders.cut).toBe(0)

    other.ask('/hurried')
    expect(await other.read(65_536, 5, LARGE.length)).toBeLessThan(LARGE.length)
    expect(app.slowReaders.cut).toBe(1)
  })

  test('keeps nobody else waiting: of all answers that wait, the largest go first', async () => {
    await givenServer({ budget: 30_000_000 })
    const greedy = await Promise.all([givenClient(), givenClient(), givenClient()])
    for (const client of greedy) client.ask('/large')
    await until(() => app.slowReaders.cut >= 1 && app.slowReaders.unsent <= 30_000_000)
    const modest = await givenClient()
    modest.ask('/small')
    expect(await modest.bodies(1)).toEqual(['small'])
    expect(app.slowReaders.cut).toBeLessThan(3)
  })
})

describe('requests that do not wait for answers', () => {
  test('are answered in order while there are few of them', async () => {
    await givenServer()
    const client = await givenClient()
    client.ask('/slow', 2)
    client.ask('/small', 20)
    await until(() => app.lifetime.inHand === 22)
    release()
    expect(await client.bodies(22)).toEqual(['late', 'late', ...Array(20).fill('small')])
  })

  test('end the connection if there are many, and count no more than those that were let in', async () => {
    await givenServer({}, 32)
    let made = 0
    app.server.on('request', () => made++)
    const client = await givenClient()
    client.ask('/slow', 2000)
    await client.closed
    release()
    await until(() => app.lifetime.inHand === 0)
    expect(app.lifetime.impatient).toBe(1)
    expect(made, 'requests that Node made of them').toBeLessThan(40)
    const other = await givenClient()
    other.ask('/small')
    expect(await other.bodies(1)).toEqual(['small'])
  })
})

test('connections that are reset while they wait to be accepted are dropped, and no request is made of them', async () => {
  app = Fastify()
  await app.register(departed)
  app.get('/small', async () => 'small')
  await app.listen({ port: 0, host: '127.0.0.1', backlog: 512 })
  let made = 0
  app.server.on('request', () => made++)

  resetWhileNobodyAccepts((app.server.address() as AddressInfo).port, 100)

  await until(() => app.departed.count === 100)
  expect(made).toBe(0)
  const client = await givenClient()
  client.ask('/small')
  expect(await client.bodies(1)).toEqual(['small'])
})

/** Another thread connects, sends a request and resets, so many times, while this one is busy and accepts nothing. */
function resetWhileNobodyAccepts(port: number, times: number) {
  const done = new Int32Array(new SharedArrayBuffer(4))
  new Worker(
    `const { connect } = require('node:net')
     const { port, times, done } = require('node:worker_threads').workerData
     let left = times
     const end = () => { if (--left === 0) { Atomics.store(done, 0, 1); Atomics.notify(done, 0) } }
     for (let at = 0; at < times; at++) {
       const socket = connect({ port, host: '127.0.0.1' }, () =>
         socket.write('GET /small HTTP/1.1\\r\\nhost: x\\r\\n\\r\\n', () => socket.resetAndDestroy()))
       socket.on('error', () => {})
       socket.on('close', end)
     }`,
    { eval: true, workerData: { port, times, done } },
  )
  expect(Atomics.wait(done, 0, 0, PATIENCE_MS)).not.toBe('timed-out')
}
