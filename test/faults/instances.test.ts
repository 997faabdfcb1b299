import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import { cloneDatabase, type Inspector, openInspector } from '../support/database.ts'
import { checkDatabase, checkHistory, expectNoViolation, untilDelivered } from '../support/invariants.ts'
import { inTime } from '../support/patience.ts'
import { type ServiceProcess, startProcess } from '../support/service.ts'
import { type Entry, foundCompanies, latencies, startWorkload, tally, type Workload } from '../support/workload.ts'

/** KILLS=20 for the full run. */
const KILLS = Number(process.env.KILLS ?? 2)
/** STOPS=10 STOP_SECONDS=12 for the full run; PostgreSQL ends a transaction that has been idle for ten seconds. */
const STOPS = Number(process.env.STOPS ?? 1)
const STOP_SECONDS = Number(process.env.STOP_SECONDS ?? 1.5)
const CLIENTS = 32
const PROBES = 4

let databaseUrl: string
let look: Inspector
let services: ServiceProcess[] = []
let workload: Workload | undefined
afterEach(async () => {
  await workload?.stop()
  for (const service of services) await service.end('SIGKILL')
  await look?.close()
  services = []
  workload = undefined
})

describe('two instances on one database', () => {
  test(`of which one or the other is killed, ${KILLS} times, lose nothing, and serve anyone who tries the other`, {
    timeout: 60_000 + KILLS * 15_000,
  }, async () => {
    const probing = startProbes(await givenTwo())
    await sleep(400)
    const calm = Math.max(...probing.gaps())

    for (let kill = 0; kill < KILLS; kill++) {
      const victim = services[kill % 2]!
      await sleep(400 + 400 * Math.random())
      await victim.end('SIGKILL')
      await sleep(600)
      services[kill % 2] = await startProcess({ databaseUrl, port: victim.port })
    }
    await sleep(300)

    await probing.stop()
    await expectSound(`${KILLS} kills of one of two`, { withoutServiceMs: probing.gaps(), undisturbedMs: calm })
    // If an answer took long before anything was killed, the machine is busy with something else.
    expect(Math.max(...probing.gaps())).toBeLessThan(inTime(Math.max(1000, 4 * calm)))
  })

  test(`of which one stands still for ${STOP_SECONDS} s and goes on, ${STOPS} times, tell everything once`, {
    timeout: 60_000 + STOPS * (STOP_SECONDS + 5) * 1000,
  }, async () => {
    await givenTwo()
    const [stopped] = services as [ServiceProcess]
    const heldUp: Entry[] = []

    for (let stop = 0; stop < STOPS; stop++) {
      await sleep(400 + 400 * Math.random())
      process.kill(stopped.pid, 'SIGSTOP')
      const stoppedAt = performance.now()
      await sleep(STOP_SECONDS * 1000)
      process.kill(stopped.pid, 'SIGCONT')
      const goesOnAt = performance.now()
      await sleep(800)
      heldUp.push(...workload!.history.filter(({ at, ms }) => at < stoppedAt && at + ms > goesOnAt))
    }

    const figures = { heldUp: heldUp.length, answeredAs: tally(heldUp), stopped: STOP_SECONDS }
    await expectSound(`${STOPS} stops of one of two`, figures)
    expect(stopped.isAlive(), stopped.output()).toBe(true)
    // What the database has answered meanwhile is read before it is given up.
    if (STOP_SECONDS < 10) expect(tally(heldUp).unknown ?? 0).toBe(0)
  })
})

/** Half of the clients begin at either; a client that is not served tries the other. */
async function givenTwo() {
  databaseUrl = await cloneDatabase()
  look = await openInspector(databaseUrl)
  services = await Promise.all([startProcess({ databaseUrl }), startProcess({ databaseUrl })])
  const companies = await foundCompanies(services[0]!.remote)
  let turn = 0
  workload = startWorkload(() => services[turn++ % 2]!.remote, companies, { clients: CLIENTS, reads: 0.2 })
  await sleep(300)
  return companies
}

/** Clients that write again and again, and go to the other instance with whatever is not answered. */
function startProbes(companies: Workload['companies']) {
  let probing = true
  const gaps = Array.from({ length: PROBES }, () => 0)
  const probes = gaps.map(async (_, at) => {
    const [, person] = companies[at % companies.length]!.people
    let servedAt = performance.now()
    for (let mine = at; probing; ) {
      const client = services[mine % 2]!.remote.as(person!.token)
      const answer = await Promise.race([
        client.put('/notifications/read-all').catch(() => undefined),
        sleep(500, undefined),
      ])
      if (answer?.status !== 200) {
        mine++
        continue
      }
      gaps[at] = Math.max(gaps[at]!, Math.round(performance.now() - servedAt))
      servedAt = performance.now()
      await sleep(10)
    }
  })
  return {
    /** for each the longest time between two answers so far, in milliseconds */
    gaps: () => [...gaps],
    async stop() {
      probing = false
      await Promise.all(probes)
    },
  }
}

async function expectSound(title: string, figures: Record<string, unknown>) {
  await workload!.stop()
  await untilDelivered(look)
  const { history, foreign, malformed } = workload!

  expectNoViolation(title, [...(await checkHistory(look, history)), ...(await checkDatabase(look))], {
    outcomes: tally(history),
    latencyMs: latencies(history),
    ...figures,
  })
  expect({ foreign, malformed }).toEqual({ foreign: [], malformed: [] })
}
