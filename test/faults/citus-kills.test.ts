import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, describe, expect, inject, test } from 'vitest'
import { findHome, moveTenant } from '../../src/data/setup/citus/move-tenant.ts'
import { cloneDatabase, type Inspector, openInspector } from '../support/database.ts'
import { checkDatabase, checkHistory, expectNoViolation, untilDelivered } from '../support/invariants.ts'
import { findServerProcess } from '../support/server-process.ts'
import { TEST_CITUS } from '../support/servers.ts'
import { type ServiceProcess, startProcess } from '../support/service.ts'
import {
  type Company,
  type Entry,
  foundCompanies,
  latencies,
  randomFrom,
  startWorkload,
  statusesOf,
  tally,
  type Workload,
} from '../support/workload.ts'

/** The service is killed and stopped on each cluster. */
const KILLS = Number(process.env.KILLS ?? 2)
const HANGS = Number(process.env.HANGS ?? 1)
/** Workers are, if nobody else uses them: each end of one ends the work of all its databases. */
const WORKERS_MAY_END = process.env.CITUS_KILLS === 'workers'
const COMPANIES = 6
const CLIENTS = 24
const seed = Date.now()
const chance = randomFrom(seed)

interface Trouble {
  what: string
  /** of the worker */
  node?: string
  from: number
  to: number
  /** companies that were elsewhere all the while */
  others: Set<number>
}

describe.skipIf(!TEST_CITUS)('on a cluster of Citus', () => {
  let service: ServiceProcess | undefined
  let look: Inspector | undefined
  let workload: Workload | undefined
  let moves: ReturnType<typeof keepMoving> | undefined

  afterAll(async () => {
    await workload?.stop()
    await moves?.stop()
    await service?.end('SIGKILL')
    await look?.close()
  })

  test(`${KILLS} kills and ${HANGS} hangs while tenants work and move: nothing is lost, doubled or unaudited`, async () => {
    const databaseUrl = await cloneDatabase()
    look = await openInspector(databaseUrl)
    service = await startProcess({ databaseUrl })
    const { port } = service
    const companies = await foundCompanies(service.remote, COMPANIES)
    const workers = await Promise.all(inject('servers').slice(1).map(workerAt))
    const homes = () => Promise.all(companies.map(({ tenant }) => homeOf(databaseUrl, tenant)))
    workload = startWorkload(() => service!.remote, companies, { clients: CLIENTS, reads: 0.5 })
    const begun = performance.now()
    await workload.served(500)
    const calm = { from: begun, to: performance.now() }
    moves = keepMoving(
      databaseUrl,
      companies[0]!,
      workers.map(({ name }) => name),
    )

    const troubles: Trouble[] = []
    for (const what of shuffled([...Array(KILLS).fill('kill'), ...Array(HANGS).fill('hang')])) {
      await sleep(500 + 1500 * chance())
      const worker = WORKERS_MAY_END && chance() < 0.7 ? workers[Math.floor(chance() * workers.length)]! : undefined
      const before = await homes()
      const from = performance.now()
      if (worker && what === 'kill') await worker.process.killAndStart(3000 * chance())
      else if (worker) await worker.process.hang(2000 + 3000 * chance())
      else if (what === 'kill') {
        await service.end('SIGKILL')
        service = await startProcess({ databaseUrl, port })
      } else {
        process.kill(service.pid, 'SIGSTOP')
        await sleep(2000 + 3000 * chance())
        process.kill(service.pid, 'SIGCONT')
      }
      const [to, after] = [performance.now(), await homes()]
      const stayed = companies.filter((_, at) => before[at] === after[at] && before[at] !== worker?.name)
      const others = new Set(stayed.map(({ tenant }) => tenant))
      troubles.push({ what: `${what} of ${worker ? 'a worker' : 'the service'}`, from, to, others })
    }
    await workload.served(200)
    await moves.stop()
    await workload.stop()
    await untilDelivered(look)

    const { history, foreign, malformed } = workload
    expectNoViolation(
      `${troubles.length} troubles under ${CLIENTS} clients of ${COMPANIES} companies`,
      [...(await checkHistory(look, history)), ...(await checkDatabase(look))],
      {
        seed,
        troubles: Object.fromEntries(
          Map.groupBy(troubles, ({ what }) => what)
            .entries()
            .map(([what, all]) => [what, all.length]),
        ),
        outcomes: tally(history),
        statuses: statusesOf(history),
        moves: moves.counts,
        latencyMsBefore: latencies(during(history, calm)),
        latencyMsOfOthersDuring: Object.fromEntries(
          ['kill of a worker', 'hang of a worker'].map((kind) => [
            kind,
            latencies(
              troubles
                .filter(({ what }) => what === kind)
                .flatMap((trouble) => during(history, trouble, trouble.others)),
            ),
          ]),
        ),
      },
    )
    expect({ foreign, malformed }).toEqual({ foreign: [], malformed: [] })
    expect(moves.counts.moved).toBeGreaterThan(0)
    expect(await look.countEverywhere('select count(*) from pg_prepared_xacts')).toBe(0)
  })
})

async function workerAt(url: string) {
  const { hostname, port } = new URL(url)
  return { name: `${hostname}:${port}`, process: await findServerProcess(url) }
}

async function homeOf(databaseUrl: string, tenant: number) {
  const { host, port } = (await findHome(databaseUrl, tenant)).node
  return `${host}:${port}`
}

/** What was sent in this time, of some tenants. */
function during(history: readonly Entry[], { from, to }: { from: number; to: number }, of?: ReadonlySet<number>) {
  return history.filter(({ at, tenant }) => at >= from && at < to && (of?.has(tenant) ?? true))
}

function shuffled<T>(items: T[]): T[] {
  return items
    .map((item) => ({ item, at: chance() }))
    .sort((one, other) => one.at - other.at)
    .map(({ item }) => item)
}

/** Moves a company from one worker to another, and lets Citus move others back, as an operator does, until it is stopped. */
function keepMoving(databaseUrl: string, { tenant }: Company, names: readonly string[]) {
  const counts = { moved: 0, rebalanced: 0, failed: 0, reasons: {} as Record<string, number> }
  let isWorking = true
  const done = work()
  return {
    counts,
    async stop() {
      isWorking = false
      await done
    },
  }

  async function work() {
    for (let round = 1; isWorking; round++) {
      await sleep(500)
      try {
        await administerCluster('call citus_cleanup_orphaned_resources()')
        if (round % 3 === 0) {
          await administerCluster('select rebalance_table_shards()')
          counts.rebalanced++
        } else {
          const from = await homeOf(databaseUrl, tenant)
          await moveTenant(databaseUrl, tenant, names.find((name) => name !== from)!)
          counts.moved++
        }
      } catch (error) {
        // A node was away: the operator tries again.
        counts.failed++
        const reason = String(error).slice(0, 120)
        counts.reasons[reason] = (counts.reasons[reason] ?? 0) + 1
      }
    }
  }

  async function administerCluster(statement: string) {
    const client = new pg.Client({ connectionString: databaseUrl })
    client.on('error', () => {})
    await client.connect()
    await client.query(statement).finally(() => client.end())
  }
}
