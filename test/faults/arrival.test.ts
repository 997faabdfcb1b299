import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { freePort } from '../../appliance/embedded/postmaster.ts'
import { waitForDatabase } from '../../src/data/setup/wait-for-database.ts'
import { cloneDatabase } from '../support/database.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import { startProxy } from '../support/proxy.ts'

const databaseUrl = await cloneDatabase()

/** The address of the database by another port, on which nothing listens until it is opened. */
async function givenLateDatabase() {
  const at = { host: '127.0.0.1', port: await freePort() }
  return {
    url: Object.assign(new URL(databaseUrl), { hostname: at.host, port: String(at.port) }).href,
    open: () => void startProxy(Number(new URL(databaseUrl).port), undefined, at),
  }
}

/** A log that keeps its messages, and hands each on. */
function givenLog(hear: (message: string) => void = () => {}) {
  const said: { facts: object; message: string }[] = []
  const warn = (facts: object, message: string) => {
    said.push({ facts, message })
    hear(message)
  }
  return { said, log: { info() {}, error() {}, warn } }
}

const BEGUN = 'the database is not there yet; waiting for it'
const STILL = 'still waiting for the database'

test('a service that is started before its database waits for it, and says again and again what it waits for, how long already, and until when', async () => {
  const { url, open } = await givenLateDatabase()
  let times = 0
  const { said, log } = givenLog((message) => {
    if (message === STILL && ++times === 2) open()
  })

  await waitForDatabase(url, log, PATIENCE_MS, 0)

  // It may say so again before the way is open.
  expect(said.slice(0, 3).map(({ message }) => message)).toEqual([BEGUN, STILL, STILL])
  expect(said[2]!.facts).toEqual({
    err: expect.stringContaining('ECONNREFUSED'),
    database: new URL(url).host,
    waitedInS: expect.any(Number),
    givesUpAfterS: Math.round(PATIENCE_MS / 1000),
  })
})

test('a lasting error is not waited for', async () => {
  const wrong = databaseUrl.replace(/:[^:@]*@/, ':guess@')
  const missing = Object.assign(new URL(databaseUrl), { pathname: '/nowhere' }).href
  const { said, log } = givenLog()

  await expect(waitForDatabase(wrong, log)).rejects.toMatchObject({ code: '28P01' })
  await expect(waitForDatabase(missing, log)).rejects.toMatchObject({ code: '3D000' })
  // A machine that stands still waits for the server to answer at all.
  expect(said.filter(({ facts }) => !/timeout expired|Query read timeout/.test(JSON.stringify(facts)))).toEqual([])
})

test('the patience has an end, with a sentence that names the server', async () => {
  const { url } = await givenLateDatabase()

  await expect(waitForDatabase(url, givenLog().log, 600)).rejects.toMatchObject({
    message: expect.stringMatching(
      /^The database at 127\.0\.0\.1:\d+ was not available within \d+ s: connect ECONNREFUSED \S+\. Is it running, and is DATABASE_URL right\?$/,
    ),
    cause: { code: 'ECONNREFUSED' },
  })
})

test('a server that takes connections and hangs up is waited for too', async () => {
  const mute = createServer((socket) => socket.destroy())
  await new Promise<void>((resolve) => mute.listen(0, '127.0.0.1', resolve))
  const { port } = mute.address() as { port: number }

  await expect(waitForDatabase(`postgres://x@127.0.0.1:${port}/x`, givenLog().log, 600)).rejects.toThrow(
    /^The database at 127\.0\.0\.1:\d+ was not available within \d+ s: (Connection terminated|read ECONNRESET)/,
  )
  mute.close()
})
