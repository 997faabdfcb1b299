import { afterEach, describe, expect, test } from 'vitest'
import { cloneDatabase } from '../support/database.ts'
import { report } from '../support/invariants.ts'
import { openLoad } from '../support/load.ts'
import { expectNothingLost } from '../support/nothing-lost.ts'
import { givesDatabase, inTime, until } from '../support/patience.ts'
import type { Trouble } from '../support/proxy.ts'
import { startWays } from '../support/ways.ts'
import { latencies, randomFrom, statusesOf } from '../support/workload.ts'

/** NETWORK_SECONDS=20 for the full run, with the time-out that the service has by default; the short one is a fifth of it. */
const SECONDS = Number(process.env.NETWORK_SECONDS ?? 0)
const CLIENTS = 16
const { DATABASE_TIMEOUT_MS } = givesDatabase(process.env.NETWORK_SECONDS ? 5000 : 1000)
const TIMEOUT_MS = Number(DATABASE_TIMEOUT_MS)
const LINES = { reading: 3, writing: 3, held: 8, searching: 2 }
/** What a machine with two cores may add to any figure. */
const MARGIN_MS = 1000

const databaseUrl = await cloneDatabase()
const way = await startWays(databaseUrl, randomFrom(Date.now()))
const env = {
  DATABASE_TIMEOUT_MS,
  DATABASE_LINES: String(LINES.reading),
  DATABASE_WRITE_LINES: String(LINES.writing),
  DATABASE_HELD_LINES: String(LINES.held),
}
const load = await openLoad(
  { clients: CLIENTS, reads: 0.6, restMs: 5 },
  { databaseUrl, way: way.through(databaseUrl), env },
)
afterEach(() => way.cause({ kind: 'none' }))

describe('a network between service and database', () => {
  test.each<[string, Trouble]>([
    ['takes a tenth of the time-out for each answer', { kind: 'latency', ms: TIMEOUT_MS / 10 }],
    ['swallows everything', { kind: 'black hole' }],
    ['resets every connection', { kind: 'reset' }],
    ['cuts one answer in twenty', { kind: 'cut', share: 0.05 }],
  ])(
    'that %s costs 503s at worst, in time, and no more connections, and the process says that it lives',
    async (_, trouble) => {
      const { service, workload } = load
      const { history } = workload
      let most = 0
      const probe = async (path: string) => (await service.remote.probe(path)).status

      way.cause(trouble)
      const [from, begun] = [performance.now(), history.length]
      // Each client has met it.
      await until(async () => {
        most = Math.max(most, way.connections())
        const met = history.slice(begun).filter(({ ms }) => ms > 0).length
        expect(await probe('/livez')).toBe(200)
        return met > 2 * CLIENTS && performance.now() > from + 1000 * SECONDS
      })
      if (trouble.kind === 'black hole') await expect.poll(() => probe('/readyz')).toBe(503)
      const ended = history.length
      way.cause({ kind: 'none' })
      const recoveredAfter = await workload.served()
      await until(() => history.slice(0, ended).every(({ ms }) => ms > 0))

      const during = history.slice(begun, ended)
      const answered = latencies(during)
      report(`${trouble.kind} for ${SECONDS} s`, [], {
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

  test('loses, doubles and mixes up nothing by all that', () =>
    expectNothingLost('trouble on the way to the database', load.look, load.workload))
})
