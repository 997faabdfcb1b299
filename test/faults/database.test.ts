import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import pino from 'pino'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { openConnection } from '../../src/data/wire/connection.ts'
import { openDatabase } from '../../src/data/wire/database.ts'
import { Unavailable } from '../../src/data/wire/unavailable.ts'
import { type Inspector, openInspector } from '../support/database.ts'
import { checkDatabase, checkHistory, expectNoViolation, report, untilDelivered } from '../support/invariants.ts'
import { inTime } from '../support/patience.ts'
import { type OwnPostgres, startOwnPostgres } from '../support/postgres.ts'
import { type ServiceProcess, startProcess } from '../support/service.ts'
import {
  type Entry,
  foundCompanies,
  latencies,
  startWorkload,
  statusesOf,
  tally,
  type Workload,
} from '../support/workload.ts'

/** DATABASE_FAULTS=20 restarts the database so often each way, and keeps cutting lines for as many times 4 s. */
const ROUNDS = Number(process.env.DATABASE_FAULTS ?? 1)
const LOAD = { clients: 32, reads: 0.6 }
/** A line without an answer is cut at most this long after DATABASE_TIMEOUT_MS. */
const CUT_AFTER_MS = 200
/** What a busy machine with two cores may add to any figure. */
const MARGIN_MS = 500

let postgres: OwnPostgres
let service: ServiceProcess
let look: Inspector | undefined
let workload: Workload | undefined

beforeAll(async () => {
  postgres = await startOwnPostgres({ durable: true })
})
afterEach(async () => {
  postgres.thaw()
  await workload?.stop()
  if (service?.isAlive()) await service.end('SIGKILL')
  await look?.close()
  workload = look = undefined
})
afterAll(() => postgres?.stop())

async function givenLoad(env: Record<string, string> = {}) {
  const databaseUrl = await postgres.createDatabase()
  service = await startProcess({ databaseUrl, env })
  look = await openInspector(databaseUrl)
  workload = startWorkload(() => service.remote, await foundCompanies(service.remote), LOAD)
  await sleep(500)
  return workload
}

describe('a database that is restarted under load', () => {
  test.each(['fast', 'immediate'] as const)(
    '(%s) costs 503s for a moment and nothing else',
    { timeout: 60_000 + ROUNDS * 15_000 },
    async (how) => {
      const { history, ...seen } = await givenLoad()
      const firstSuccess: number[] = []

      for (let round = 0; round < ROUNDS; round++) {
        const { backAt } = await postgres.restart(how)
        firstSuccess.push(await timeToFirstSuccess(history, backAt))
        await sleep(1000)
      }
      await workload!.stop()
      await untilDelivered(look!)

      const answered = latencies(history)
      expectNoViolation(
        `${ROUNDS} × ${how} restart of the database`,
        [...(await checkHistory(look!, history)), ...(await checkDatabase(look!))],
        {
          outcomes: tally(history),
          statuses: statusesOf(history),
          latencyMs: answered,
          firstSuccessAfterMs: firstSuccess,
        },
      )
      expect(seen).toMatchObject({ foreign: [], malformed: [] })
      expect(history.filter(({ outcome }) => outcome === 'unsent')).toEqual([])
      expect(statusesOf(history)[503]).toBeGreaterThan(0)
      expect(service.isAlive(), service.output()).toBe(true)
      expect(answered.most).toBeLessThan(inTime(5000))
      expect(Math.max(...firstSuccess)).toBeLessThan(inTime(3000))
    },
  )
})

describe('database connections that are cut at random', () => {
  test('cost 503s, no crash, and show nobody a foreign row', { timeout: 60_000 + ROUNDS * 10_000 }, async () => {
    const { history, ...seen } = await givenLoad()
    let cut = 0

    for (const end = performance.now() + 4000 * ROUNDS; performance.now() < end; await sleep(200))
      cut += await look!.count(`
        with chosen as (
          select pid from pg_stat_activity where application_name = 'atrium' order by random() limit 1)
        select count(*) filter (where pg_terminate_backend(pid)) from chosen`)
    await sleep(500)
    await workload!.stop()
    await untilDelivered(look!)

    expectNoViolation(
      `${cut} connections cut`,
      [...(await checkHistory(look!, history)), ...(await checkDatabase(look!))],
      { outcomes: tally(history), statuses: statusesOf(history), latencyMs: latencies(history) },
    )
    expect(seen).toMatchObject({ foreign: [], malformed: [] })
    expect(cut).toBeGreaterThan(10)
    expect(service.isAlive(), service.output()).toBe(true)
    expect(history.at(-1)).toMatchObject({ status: expect.toSatisfy((status) => status < 500) })
  })
})

describe('a database connection that is lost before it carries anything', () => {
  test('is away, and no accident', async () => {
    const client = new pg.Client(await postgres.createDatabase())
    client.on('error', () => {})
    await client.connect()
    const { stream } = (client as unknown as { connection: { stream: Socket } }).connection
    const gone = new Promise((resolve) => client.once('end', resolve))
    stream.destroy()
    await gone

    const line = openConnection(client, { shared: false })

    await expect(line.send([{ prepared: { name: 'one', text: 'select 1' }, values: [] }])).rejects.toThrow(Unavailable)
  })
})

describe('a process that stood still for longer than a flight may take', () => {
  test('reads what the database has answered meanwhile, and then goes on giving flights up', async () => {
    const url = await postgres.createDatabase()
    const lines = {
      readConnections: 1,
      writeConnections: 1,
      transactionConnections: 1,
      flightTimeout: 300,
      acquireTimeout: 300,
    }
    const database = await openDatabase({ url, role: '', ...lines, log: pino({ level: 'silent' }) })
    const ask = (text: string) => database.send(0, [{ prepared: { name: text, text }, values: [] }])
    await ask('select 1')

    const answer = ask('select pg_sleep(0.05)')
    await sleep(10)
    // In the phase that timers, not answers, come next to.
    await new Promise((resolve) => setImmediate(resolve))
    for (const end = performance.now() + 1000; performance.now() < end; );
    await expect(answer).resolves.toHaveLength(1)

    await ask('set statement_timeout = 0')
    const start = performance.now()
    await expect(ask('select pg_sleep(5)')).rejects.toThrow(Unavailable)
    expect(performance.now() - start).toBeLessThan(inTime(300 + CUT_AFTER_MS + MARGIN_MS))
    await database.close()
  })
})

describe('a database that has stopped answering', () => {
  test('is given up on in time, while /livez goes on and /readyz says no', { timeout: 60_000 }, async () => {
    const timeout = 1500
    const { history, ...seen } = await givenLoad({ DATABASE_TIMEOUT_MS: String(timeout) })
    const probes: { ms: number; status: number; ready: number }[] = []

    const frozenAt = performance.now()
    postgres.freeze()
    while (performance.now() - frozenAt < 8000) {
      const { ms, status } = await service.remote.probe('/livez')
      const ready = performance.now() - frozenAt > 7000 ? (await service.remote.probe('/readyz')).status : 0
      probes.push({ ms, status, ready })
      await sleep(50)
    }
    const thawedAt = performance.now()
    postgres.thaw()
    const firstSuccess = await timeToFirstSuccess(history, thawedAt)
    await sleep(1000)
    await workload!.stop()
    await untilDelivered(look!)

    const during = history.filter(({ at, ms }) => at + ms > frozenAt + MARGIN_MS && at + ms < thawedAt)
    const answered = latencies(during)
    expectNoViolation('8 s without an answer of the database', [
      ...(await checkHistory(look!, history)),
      ...(await checkDatabase(look!)),
    ])
    report('while it did not answer', [], {
      statuses: statusesOf(during),
      latencyMs: answered,
      livezMs: latencies(probes),
      firstSuccessAfterMs: firstSuccess,
    })
    expect(seen).toMatchObject({ foreign: [], malformed: [] })
    // A command that was committed just before may still be acknowledged, once its news has been given up on.
    expect(Object.keys(statusesOf(during.filter(({ at }) => at > frozenAt)))).toEqual(['503'])
    expect(answered.p99).toBeLessThan(inTime(timeout + CUT_AFTER_MS + 2 * MARGIN_MS))
    // A client that had just read when it stopped waits once more, for a connection to write on.
    expect(latencies(history).most).toBeLessThan(inTime(2 * timeout + CUT_AFTER_MS + 3 * MARGIN_MS))
    expect(probes.map(({ status }) => status)).toEqual(probes.map(() => 200))
    expect(probes.at(-1)!.ready).toBe(503)
    expect(latencies(probes).p50).toBeLessThan(inTime(100))
    expect(latencies(probes).most).toBeLessThan(inTime(MARGIN_MS))
    expect(firstSuccess).toBeLessThan(inTime(3000))
    expect(service.isAlive(), service.output()).toBe(true)
  })
})

/** Milliseconds from the moment the database was back to the first 2xx that was asked for after it. */
async function timeToFirstSuccess(history: Entry[], backAt: number): Promise<number> {
  for (const end = performance.now() + 10_000; performance.now() < end; await sleep(20)) {
    const first = history.find(({ at, ms, outcome }) => at + ms > backAt && outcome === 'ok')
    if (first) return Math.round(first.at + first.ms - backAt)
  }
  return Number.POSITIVE_INFINITY
}
