import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import { freePort } from '../../appliance/embedded/postmaster.ts'
import { type Inspector, openInspector } from '../support/database.ts'
import { checkDatabase, checkHistory, expectNoViolation, report, untilDelivered } from '../support/invariants.ts'
import { inTime } from '../support/patience.ts'
import { startProxy } from '../support/proxy.ts'
import { type ServiceProcess, startProcess } from '../support/service.ts'
import { type Standby, startStandby } from '../support/standby.ts'
import { foundCompanies, startWorkload, tally, type Workload } from '../support/workload.ts'

/** ROUNDS=10 for the full run: each begins with two new servers. */
const ROUNDS = Number(process.env.ROUNDS ?? 1)
/** WORKERS=2 for the same behind one port. */
const WORKERS = process.env.WORKERS ?? '1'
const FIRST_WRITE_MS = 3000
const CLIENTS = 8

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanUp of cleanups.splice(0).reverse()) await cleanUp()
})

/** What has happened to the old primary when the name leads to the new one. */
const KINDS: Record<string, { strike(given: Given): Promise<void>; answers?: true }> = {
  'is gone': {
    async strike({ standby }) {
      await standby.stopPrimary()
      await standby.promote()
    },
  },
  'is frozen': {
    async strike({ standby }) {
      standby.freezePrimary()
      await standby.promote()
    },
  },
  'takes no changes any more': {
    answers: true,
    async strike({ standby, old }) {
      await old.rows('alter system set default_transaction_read_only = on')
      await old.rows('select pg_reload_conf()')
      await standby.promote()
    },
  },
  'is a standby, and its name still leads there for a while': {
    answers: true,
    async strike({ standby, service, operators }) {
      await standby.stopPrimary()
      await standby.promote()
      await standby.startPrimaryAsStandby()
      await sleep(2500)
      expect((await service.remote.probe('/readyz')).status).toBe(503)
      expect(await operators('/metrics')).toMatch(FAILING)
    },
  },
  'is frozen, and its name still leads there for a while': {
    async strike({ standby }) {
      standby.freezePrimary()
      await standby.promote()
      await sleep(8000)
    },
  },
}
const FAILING = /^db_writes_failing(\{.*\})? 1$/m
const NOT_FAILING = /^db_writes_failing(\{.*\})? 0$/m

describe('after a failover, when the old primary', () => {
  for (const [kind, { strike, answers }] of Object.entries(KINDS))
    test(`${kind}: the service writes within 3 s, loses nothing, and leaves no connection behind`, {
      timeout: 60_000 + ROUNDS * 60_000,
    }, async () => {
      const firstWrites: number[] = []
      for (let round = 0; round < ROUNDS; round++) {
        const given = await givenService()
        firstWrites.push(await failOver(given, strike))
        if (answers) await expect.poll(() => connectionsOn(given.old), { timeout: 15_000 }).toBe(0)
        for (const cleanUp of cleanups.splice(0).reverse()) await cleanUp()
      }
      report(`first write after the name is right, when the old primary ${kind}`, [], { firstWrites })
      expect(Math.max(...firstWrites)).toBeLessThan(inTime(FIRST_WRITE_MS))
    })
})

test('a primary that was made read-only is read from, says all the time that writes fail, and is written again by itself', {
  timeout: 120_000,
}, async () => {
  const { old, service, workload, operators } = await givenService()
  await workload.stop()
  const admin = service.remote.as(
    (await service.remote.as().post('/auth/login', { username: 'admin', password: 'admin123' })).expect(200)
      .accessToken,
  )
  const write = () => admin.post('/content/categories', { name: `category ${++written}` })
  let written = 0
  ;(await write()).expect(201)

  await makeReadOnly(old, 'on')
  ;(await write()).expect(503, 'UNAVAILABLE')
  for (let look = 0; look < 30; look++) {
    expect(await operators('/readyz')).toMatch(/^{"status":"degraded".*"writes":{"status":"failing"/)
    ;(await admin.get('/projects')).expect(200)
    if (look % 10 === 0) (await write()).expect(503, 'UNAVAILABLE')
    await sleep(50)
  }

  await makeReadOnly(old, 'off')
  await expect.poll(() => operators('/readyz'), { timeout: 30_000 }).toMatch(/^{"status":"ok"/)
  ;(await write()).expect(201)
})

async function makeReadOnly(server: Inspector, state: 'on' | 'off') {
  await server.rows(`set default_transaction_read_only = off`)
  await server.rows(`alter system set default_transaction_read_only = ${state}`)
  await server.rows('select pg_reload_conf()')
}

/**
 * Those of the service, which names them. A backend that waits for the standby to have a commit does not notice that its
 * client has left.
 */
const connectionsOn = (server: Inspector) =>
  server.count(
    `select count(*) from pg_stat_activity where application_name = 'atrium' and wait_event is distinct from 'SyncRep'`,
  )

/** @returns ms from the moment when the name led to the new primary to the first write that was accepted */
async function failOver(given: Given, strike: (given: Given) => Promise<void>): Promise<number> {
  const { standby, names, workload, operators } = given
  await sleep(1000)

  await strike(given)
  const rightAt = performance.now()
  names('127.0.0.3')
  const written = () => workload.history.filter((each) => isWrite(each) && each.at >= rightAt)
  await expect.poll(() => written().length, { timeout: 30_000, interval: 5 }).toBeGreaterThan(0)
  const first = Math.min(...written().map(({ at, ms }) => at + ms - rightAt))

  await expect.poll(() => operators('/readyz'), { timeout: 30_000 }).toMatch(/^{"status":"ok"/)
  const sinceOk = performance.now()
  await sleep(1000)
  await workload.stop()
  expect(await operators('/metrics')).toMatch(NOT_FAILING)
  const late = workload.history.filter(({ at, outcome }) => at > sinceOk && outcome === 'unknown')
  expect(late).toEqual([])

  const look = await givenInspector(standby.replicaUrl)
  await untilDelivered(look)
  expectNoViolation('a failover', [...(await checkHistory(look, workload.history)), ...(await checkDatabase(look))], {
    outcomes: tally(workload.history),
    firstWriteMs: Math.round(first),
  })
  return Math.round(first)
}

const isWrite = ({ kind, outcome }: Workload['history'][number]) => kind !== 'read' && outcome === 'ok'

interface Given {
  standby: Standby
  service: ServiceProcess
  workload: Workload
  old: Inspector
  /** Lets the name of the database lead to an address. */
  names(address: string): void
  /** what the listener for operators answers */
  operators(path: string): Promise<string>
}

/** A service under load whose database has a name, and a standby that has all that was acknowledged. */
async function givenService(): Promise<Given> {
  const standby = await startStandby()
  cleanups.push(() => standby.stop())
  const [port, metricsPort] = [await freePort(), await freePort()]
  for (const [host, url] of [
    ['127.0.0.2', standby.primaryUrl],
    ['127.0.0.3', standby.replicaUrl],
  ] as const) {
    const way = await startProxy(Number(new URL(url).port), undefined, { host, port })
    cleanups.push(() => way.close())
  }
  const place = mkdtempSync(join(tmpdir(), 'atrium-names-'))
  cleanups.push(() => rmSync(place, { recursive: true }))
  const file = join(place, 'names.json')
  const names = (address: string) => {
    writeFileSync(`${file}.new`, JSON.stringify({ 'database.test': address }))
    renameSync(`${file}.new`, file)
  }
  names('127.0.0.2')
  const service = await startProcess({
    databaseUrl: Object.assign(new URL(standby.primaryUrl), { hostname: 'database.test', port: String(port) }).href,
    env: {
      NODE_OPTIONS: `--import ${new URL('../support/names.preload.js', import.meta.url).href}`,
      NAMES_FILE: file,
      METRICS_PORT: String(metricsPort),
      WORKERS,
    },
  })
  cleanups.push(() => service.end('SIGKILL'))
  const companies = await foundCompanies(service.remote)
  await standby.synchronize()
  const old = await givenInspector(standby.primaryUrl)
  const workload = startWorkload(() => service.remote, companies, { clients: CLIENTS, reads: 0.3 })
  cleanups.push(() => workload.stop())
  const operators = async (path: string) => (await fetch(`http://127.0.0.1:${metricsPort}${path}`)).text()
  return { standby, service, workload, old, names, operators }
}

async function givenInspector(url: string): Promise<Inspector> {
  const look = await openInspector(url)
  cleanups.push(() => look.close())
  return look
}
