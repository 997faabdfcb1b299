import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { freePort } from '../../appliance/embedded/postmaster.ts'
import { type Inspector, openInspector } from '../support/database.ts'
import { newFolder } from '../support/folder.ts'
import { checkDatabase, checkHistory, expectNoViolation, report, untilDelivered } from '../support/invariants.ts'
import { foundCompaniesIn } from '../support/load.ts'
import { obeying } from '../support/obedient.ts'
import { givesDatabase, inTime, until } from '../support/patience.ts'
import { startProxy, type TroubledWay } from '../support/proxy.ts'
import { hasMetrics, startProcess } from '../support/service.ts'
import { startStandby } from '../support/standby.ts'
import { type Entry, signIn, startWorkload, tally } from '../support/workload.ts'

/** ROUNDS=10 for the full run: so many failovers of each kind. */
const ROUNDS = Number(process.env.ROUNDS ?? 1)
/** WORKERS=2 for the same behind one port. */
const WORKERS = process.env.WORKERS ?? '1'
const FIRST_WRITE_MS = 3000
const CLIENTS = 8

/** A service whose database has a name, and is replaced by its standby again and again. */
/** the primary of this moment */
let primary: Inspector
/** the ways to the servers so far, the one to the primary last */
const ways: TroubledWay[] = []
const history: Entry[] = []
const file = join(newFolder(), 'names.json')

const standby = await startStandby()
const port = await freePort()
const metricsPort = await freePort()
await lead()
const companies = await foundCompaniesIn(standby.primaryUrl)
const service = await startProcess({
  databaseUrl: Object.assign(new URL(standby.primaryUrl), { hostname: 'database.test', port: String(port) }).href,
  env: {
    NODE_OPTIONS: `--import ${new URL('../support/names.preload.js', import.meta.url).href}`,
    NAMES_FILE: file,
    METRICS_PORT: String(metricsPort),
    ...givesDatabase(2500),
    WORKERS,
  },
})
await standby.synchronize()

/** Lets the name lead to a server: by default to the primary. */
async function lead(url = standby.primaryUrl) {
  const host = `127.0.0.${2 + ways.length}`
  ways.push(await startProxy(Number(new URL(url).port), undefined, { host, port }))
  writeFileSync(`${file}.new`, JSON.stringify({ 'database.test': host }))
  renameSync(`${file}.new`, file)
  await primary?.close()
  primary = await openInspector(url)
}

/** What the listener for operators answers. */
const operators = async (path: string) => (await fetch(`http://127.0.0.1:${metricsPort}${path}`)).text()
const FAILING = /^db_writes_failing(\{.*\})? 1$/m
const NOT_FAILING = /^db_writes_failing(\{.*\})? 0$/m

async function makeReadOnly(state: 'on' | 'off') {
  await primary.rows('set default_transaction_read_only = off')
  await primary.rows(`alter system set default_transaction_read_only = ${state}`)
  await primary.rows('select pg_reload_conf()')
}

/** The service looks for its database where the name still leads, and finds none there. */
async function untilInVain() {
  const before = ways.at(-1)!.taken()
  await until(async () => (await service.remote.probe('/readyz')).status === 503)
  await until(() => ways.at(-1)!.taken() > before + 2)
}

test('a primary that was made read-only is read from, says all the time that writes fail, and is written again by itself', async ({
  skip,
}) => {
  skip(!hasMetrics)
  const admin = (await signIn(service.remote)).client
  const write = () => admin.post('/content/categories', { name: `category ${++written}` })
  let written = 0
  const isRefused = () => until(async () => (await write()).expect(503, 'UNAVAILABLE'))
  ;(await obeying(write)).expect(201)

  await makeReadOnly('on')
  await isRefused()
  for (let look = 0; look < 10; look++) {
    // On a busy machine the database may not answer a check in time.
    await expect.poll(() => operators('/readyz')).toMatch(/^{"status":"degraded".*"writes":{"status":"failing"/)
    ;(await obeying(() => admin.get('/projects'))).expect(200)
    if (look % 5 === 0) await isRefused()
  }

  await makeReadOnly('off')
  await expect.poll(() => operators('/readyz')).toMatch(/^{"status":"ok"/)
  ;(await obeying(write)).expect(201)
})

describe.skipIf(!hasMetrics)('after a failover, when the old primary', () => {
  test.each<{ kind: string; strike: () => Promise<unknown>; answers?: true }>([
    {
      kind: 'takes no changes any more',
      answers: true,
      strike: () => makeReadOnly('on').then(standby.promote),
    },
    {
      kind: 'is gone',
      strike: () => standby.stopPrimary().then(standby.promote),
    },
    {
      kind: 'is a standby, and its name still leads there for a while',
      answers: true,
      async strike() {
        await standby.stopPrimary()
        await standby.promote()
        await standby.startPrimaryAsStandby()
        await untilInVain()
        await expect.poll(() => operators('/metrics')).toMatch(FAILING)
      },
    },
    {
      kind: 'is frozen, and its name still leads there for a while',
      async strike() {
        standby.freezePrimary()
        await standby.promote()
        await untilInVain()
      },
    },
  ])(
    '$kind: the service writes within 3 s, and keeps no connection to one that answers',
    async ({ kind, strike, answers }) => {
      const firstWrites: number[] = []
      for (let round = 0; round < ROUNDS; round++) {
        const workload = startWorkload(() => service.remote, companies, { clients: CLIENTS, reads: 0.3, restMs: 10 })
        try {
          await workload.served(CLIENTS)
          const old = ways.at(-1)!
          await strike()
          await lead(standby.replicaUrl)
          firstWrites.push(await workload.served(1, ({ kind }) => kind !== 'read'))
          await expect.poll(() => operators('/readyz')).toMatch(/^{"status":"ok"/)
          await expect.poll(() => operators('/metrics')).toMatch(NOT_FAILING)
          if (answers) await until(() => old.connections() === 0)
          await workload.served(CLIENTS)
        } finally {
          await workload.stop()
          history.push(...workload.history)
        }
        await standby.succeed()
        await standby.synchronize()
      }
      report(`first write after the name is right, when the old primary ${kind}`, [], { firstWrites })
      expect(Math.max(...firstWrites)).toBeLessThan(inTime(FIRST_WRITE_MS))
    },
  )

  test('has been replaced again and again, nothing that was acknowledged is lost', async () => {
    await untilDelivered(primary)

    expectNoViolation('failovers', [...(await checkHistory(primary, history)), ...(await checkDatabase(primary))], {
      outcomes: tally(history),
    })
  })
})
