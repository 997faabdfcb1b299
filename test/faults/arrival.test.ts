import { connect, createServer, type Server, type Socket } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { freePort } from '../../appliance/embedded/postmaster.ts'
import { waitForDatabase } from '../../src/data/setup/wait-for-database.ts'
import { cloneDatabase } from '../support/database.ts'
import { inTime } from '../support/patience.ts'

const silent = { info() {}, warn() {}, error() {} }
let databaseUrl: string
let latecomer: Server | undefined
const sockets = new Set<Socket>()
beforeEach(async () => {
  databaseUrl = await cloneDatabase()
})
afterEach(() => {
  latecomer?.close()
  for (const socket of sockets) socket.destroy()
})

/** The address of the database by another port, on which nothing listens until it is opened. */
async function givenLateDatabase() {
  const target = new URL(databaseUrl)
  const port = await freePort()
  latecomer = createServer((socket) => {
    const onwards = connect(Number(target.port), target.hostname)
    for (const each of [socket, onwards]) sockets.add(each.on('error', () => {}))
    socket.pipe(onwards).pipe(socket)
  })
  return {
    url: Object.assign(new URL(databaseUrl), { hostname: '127.0.0.1', port: String(port) }).href,
    open: () => latecomer!.listen(port, '127.0.0.1'),
  }
}

test('a service that is started before its database waits for it, and says so once', async () => {
  const { url, open } = await givenLateDatabase()
  const said: string[] = []
  const warn = (_: object, message: string) => {
    said.push(message)
    setTimeout(open, 700)
  }

  await waitForDatabase(url, { ...silent, warn })

  expect(said).toEqual(['the database is not there yet; waiting for it'])
})

test('a lasting error is reported immediately', async () => {
  const wrong = databaseUrl.replace(/:[^:@]*@/, ':guess@')
  const missing = Object.assign(new URL(databaseUrl), { pathname: '/nowhere' }).href
  const start = performance.now()

  await expect(waitForDatabase(wrong, silent)).rejects.toMatchObject({ code: '28P01' })
  await expect(waitForDatabase(missing, silent)).rejects.toMatchObject({ code: '3D000' })
  expect(performance.now() - start).toBeLessThan(inTime(5000))
})

test('the patience has an end, with a sentence that names the server', async () => {
  const { url } = await givenLateDatabase()

  await expect(waitForDatabase(url, silent, 600)).rejects.toMatchObject({
    message: expect.stringMatching(
      /^The database at 127\.0\.0\.1:\d+ was not available within \d s: connect ECONNREFUSED \S+\. Is it running, and is DATABASE_URL right\?$/,
    ),
    cause: { code: 'ECONNREFUSED' },
  })
})

test('a long wait says again and again what it waits for, how long already, and until when', async () => {
  const { url } = await givenLateDatabase()
  const said: { facts: object; message: string }[] = []
  const warn = (facts: object, message: string) => void said.push({ facts, message })

  await waitForDatabase(url, { ...silent, warn }, 4000, 800).catch(() => {})

  const [first, ...more] = said
  expect(first!.message).toBe('the database is not there yet; waiting for it')
  expect(more.length).toBeGreaterThan(0)
  for (const { message, facts } of more) {
    expect(message).toBe('still waiting for the database')
    expect(facts).toEqual({
      err: expect.stringContaining('ECONNREFUSED'),
      database: new URL(url).host,
      waitedInS: expect.any(Number),
      givesUpAfterS: 4,
    })
  }
})

test('a server that takes connections and says nothing, or hangs up, is waited for too', async () => {
  const mute = createServer((socket) => socket.destroy())
  await new Promise<void>((resolve) => mute.listen(0, '127.0.0.1', resolve))
  const { port } = mute.address() as { port: number }
  const waiting = waitForDatabase(`postgres://x@127.0.0.1:${port}/x`, silent, 1500)

  await expect(waiting).rejects.toThrow(
    /^The database at 127\.0\.0\.1:\d+ was not available within \d s: Connection terminated/,
  )
  mute.close()
})
