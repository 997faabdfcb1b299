import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { cloneDatabase, type Inspector, openInspector } from '../support/database.ts'
import { checkDatabase, checkHistory, expectNoViolation, report, untilDelivered } from '../support/invariants.ts'
import { inTime, until } from '../support/patience.ts'
import type { Trouble, TroubledWay } from '../support/proxy.ts'
import { type ServiceProcess, startProcess } from '../support/service.ts'
import { startWays } from '../support/ways.ts'
import { foundCompanies, latencies, randomFrom, startWorkload, statusesOf, type Workload } from '../support/workload.ts'

/** NETWORK_SECONDS=20 for the full run, with the time-out that the service has by default; the short one is a fifth of it. */
const SECONDS = Number(process.env.NETWORK_SECONDS ?? 0)
const CLIENTS = 16
const TIMEOUT_MS = process.env.NETWORK_SECONDS ? 5000 : 1000
const LINES = { reading: 3, writing: 3, held: 8, searching: 2 }
/** What a machine with two cores may add to any figure. */
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
  const companies = await foundCompanies(service.remote)
  workload = startWorkload(() => service.remote, companies, { clients: CLIENTS, reads: 0.6, restMs: 5 })
  await workload.served(CLIENTS)
})
afterEach(() => way?.cause({ kind: 'none' }))
afterAll(async () => {
  await workload?.stop()
  await service?.end('SIGKILL')
  await look?.close()
  await way?.close()
})

describe('a network between service and database', () => {
  test.each<[string, Trouble]>([
    ['takes a tenth of the time-out for each answer', { kind: 'latency', ms: TIMEOUT_MS / 10 }],
    ['swallows everything', { kind: 'black hole' }],
    ['resets every connection', { kind: 'reset' }],
    ['cuts one answer in twenty', { kind: 'cut', share: 0.05 }],
  ])('that %s costs 503s at worst, in time, and no more connections', async (_, trouble) => {
    const { history } = workload
    let most = 0

    way.cause(trouble)
    const [from, begun] = [performance.now(), history.length]
    // Each client has met it.
    await until(() => {
      most = Math.max(most, way.connections())
      const met = history.slice(begun).filter(({ ms }) => ms > 0).length
      return met > 2 * CLIENTS && performance.now() > from + 1000 * SECONDS
    })
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
  })

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
