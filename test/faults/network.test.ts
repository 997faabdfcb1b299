import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { cloneDatabase, type Inspector, openInspector } from '../support/database.ts'
import { checkDatabase, checkHistory, expectNoViolation, report, untilDelivered } from '../support/invariants.ts'
import { inTime } from '../support/patience.ts'
import type { Trouble, TroubledWay } from '../support/proxy.ts'
import { type ServiceProcess, startProcess } from '../support/service.ts'
import { startWays } from '../support/ways.ts'
import { foundCompanies, latencies, randomFrom, startWorkload, statusesOf, type Workload } from '../support/workload.ts'

/** NETWORK_SECONDS=20 for the full run, with the time-out that the service has by default; the short one is a fifth of it. */
const SECONDS = Number(process.env.NETWORK_SECONDS ?? 0.7)
const TIMEOUT_MS = process.env.NETWORK_SECONDS ? 5000 : 1000
const LINES = { reading: 3, writing: 3, held: 8, searching: 2 }
/** What a busy machine with two cores may add to any figure. */
const MARGIN_MS = 1000

let way: TroubledWay
let service: ServiceProcess
let look: Inspector
let workload: Workload
beforeAll(async () => {
  const databaseUrl = await cloneDatabase()
  look = await openInspector(databaseUrl)
  way = await startWays(databaseUrl, randomFrom(Date.now()))
  const env = {
    DATABASE_TIMEOUT_MS: String(TIMEOUT_MS),
    DATABASE_LINES: String(LINES.reading),
    DATABASE_WRITE_LINES: String(LINES.writing),
    DATABASE_HELD_LINES: String(LINES.held),
  }
  service = await startProcess({ databaseUrl: way.through(databaseUrl), env })
  workload = startWorkload(() => service.remote, await foundCompanies(service.remote), { clients: 32, reads: 0.6 })
  await sleep(500)
})
afterEach(() => way?.cause({ kind: 'none' }))
afterAll(async () => {
  await workload?.stop()
  await service?.end('SIGKILL')
  await look?.close()
  await way?.close()
})

describe('a network between service and database', () => {
  test.each<[string, Trouble, number]>([
    ['takes a tenth of the time-out for each answer', { kind: 'latency', ms: TIMEOUT_MS / 10 }, SECONDS],
    ['swallows everything', { kind: 'black hole' }, Math.max(SECONDS, (1.5 * TIMEOUT_MS) / 1000)],
    ['resets every connection', { kind: 'reset' }, SECONDS],
    ['cuts one answer in a hundred', { kind: 'cut', share: 0.01 }, SECONDS],
  ])(
    'that %s costs 503s at worst, in time, and no more connections',
    { timeout: 120_000 },
    async (_, trouble, seconds) => {
      const { history } = workload
      const from = performance.now()
      let most = 0

      way.cause(trouble)
      while (performance.now() - from < seconds * 1000) {
        most = Math.max(most, way.connections())
        await sleep(20)
      }
      const to = performance.now()
      way.cause({ kind: 'none' })
      const recoveredAfter = await timeToFirstSuccess(to)

      while (history.some(({ at, ms }) => at < to && ms === 0)) await sleep(20)
      const during = history.filter(({ at, ms }) => at + ms > from && at < to)
      const answered = latencies(during)
      report(`${trouble.kind} for ${seconds} s`, [], {
        ...{ timeout: TIMEOUT_MS, statuses: statusesOf(during), latencyMs: answered },
        ...{ connections: most, recoveredAfterMs: recoveredAfter },
      })
      expect(service.isAlive(), service.output()).toBe(true)
      const refusals = Object.keys(statusesOf(during)).filter((status) => Number(status) >= 500)
      expect([[], ['503']]).toContainEqual(refusals)
      expect(answered.p99).toBeLessThan(inTime(TIMEOUT_MS + 200 + MARGIN_MS))
      expect(most).toBeLessThanOrEqual(LINES.reading + LINES.writing + LINES.held + LINES.searching)
      expect(recoveredAfter).toBeLessThan(inTime(5000))
    },
  )

  test('loses, doubles and mixes up nothing by all that', async () => {
    await workload.stop()
    await untilDelivered(look)

    const { history, foreign, malformed } = workload
    expectNoViolation('trouble on the way to the database', [
      ...(await checkHistory(look, history)),
      ...(await checkDatabase(look)),
    ])
    expect({ foreign, malformed }).toEqual({ foreign: [], malformed: [] })
  })
})

/** Milliseconds from the moment the trouble was over to the first success that was asked for after it. */
async function timeToFirstSuccess(since: number): Promise<number> {
  for (const end = performance.now() + 10_000; performance.now() < end; await sleep(20)) {
    const first = workload.history.find(({ at, outcome }) => at > since && outcome === 'ok')
    if (first) return Math.round(first.at + first.ms - since)
  }
  return Number.POSITIVE_INFINITY
}
