import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, describe, expect, inject, test } from 'vitest'
import { cloneDatabase, openInspector } from '#test/database.ts'
import { expectNothingLost } from '#test/nothing-lost.ts'
import { until } from '#test/patience.ts'
import { findServerProcess } from '#test/server-process.ts'
import { TEST_CITUS } from '#test/servers.ts'
import { startProcess } from '#test/service.ts'
import { type Company, foundCompanies, randomFrom, startWorkload } from '#test/workload.ts'
import { findHome, moveTenant } from '../../setup/move-tenant.ts'

/** The service is killed and stopped on each cluster. */
const KILLS = Number(process.env.KILLS ?? 2)
const HANGS = Number(process.env.HANGS ?? 1)
/** Workers are, if nobody else uses them: each end of one ends the work of all its databases. */
const WORKERS_MAY_END = process.env.CITUS_KILLS === 'workers'
const COMPANIES = 6
const CLIENTS = 24
const seed = Date.now()
const chance = randomFrom(seed)

describe.skipIf(!TEST_CITUS)('on a cluster of Citus', () => {
  let moves: ReturnType<typeof keepMoving> | undefined

  afterAll(() => moves?.stop())

  test(`${KILLS} kills and ${HANGS} hangs while tenants work and move: nothing is lost, doubled or unaudited`, async () => {
    const databaseUrl = await cloneDatabase()
    const look = await openInspector(databaseUrl)
    let service = await startProcess({ databaseUrl })
    const { port } = service
    const companies = await foundCompanies(service.remote, COMPANIES)
    const workers = await Promise.all(inject('servers').slice(1).map(workerAt))
    const workload = startWorkload(() => service.remote, companies, { clients: CLIENTS, reads: 0.5 })
    await workload.served(500)
    const names = workers.map(({ name }) => name)
    moves = keepMoving(databaseUrl, companies[0]!, names)

    const troubles: string[] = []
    for (const what of shuffled([...Array(KILLS).fill('kill'), ...Array(HANGS).fill('hang')])) {
      await sleep(500 + 1500 * chance())
      const worker = WORKERS_MAY_END && chance() < 0.7 ? workers[Math.floor(chance() * workers.length)]! : undefined
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
      troubles.push(`${what} of ${worker ? 'a worker' : 'the service'}`)
    }
    await workload.served(200)
    await until(() => moves!.counts.moved > 0)
    await moves.stop()
    const title = `${troubles.length} troubles under ${CLIENTS} clients of ${COMPANIES} companies`
    await expectNothingLost(title, look, workload, { seed, troubles, moves: moves.counts })
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
