import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest'
import { openScope } from '../../src/data/tx/open-scope.ts'
import { run, type Scope } from '../../src/data/tx/scope.ts'
import { transact } from '../../src/data/tx/transact.ts'
import { type Database, openDatabase } from '../../src/data/wire/database.ts'
import { system } from '../../src/kernel/actor.ts'
import { cloneDatabase, type Inspector, openInspector, SERVICE_ROLE } from '../support/database.ts'
import { checkDatabase, checkHistory, expectNoViolation, untilDelivered } from '../support/invariants.ts'
import { PATIENCE_MS, until } from '../support/patience.ts'
import { type PgBouncer, pgbouncerIsHere, startPgBouncer } from '../support/pgbouncer.ts'
import { skippedOnCluster } from '../support/servers.ts'
import { type ServiceProcess, startProcess } from '../support/service.ts'
import { foundCompanies, latencies, startWorkload, statusesOf, tally, type Workload } from '../support/workload.ts'

/** POOLER_ROUNDS=20 for the full run. */
const ROUNDS = Number(process.env.POOLER_ROUNDS ?? 1)
const SERVER_CONNECTIONS = 4
const AT_ONCE = 200
const CLIENTS = 16

const here = !skippedOnCluster('the service behind a pooler', 'each node is entered directly') && pgbouncerIsHere()
let pooler: PgBouncer
let databaseUrl: string
let look: Inspector
beforeAll(async () => {
  if (!here) return
  pooler = await startPgBouncer(inject('serverUrl'), SERVER_CONNECTIONS)
  databaseUrl = await cloneDatabase()
  look = await openInspector(databaseUrl)
})
afterAll(async () => {
  await look?.close()
  await pooler?.stop()
})

describe.skipIf(!here)(`${AT_ONCE} concurrent transactions on ${SERVER_CONNECTIONS} server connections`, () => {
  let database: Database
  const tenants: number[] = []
  beforeAll(async () => {
    if (!here) return
    // More than any of them waits for its turn.
    database = await open(PATIENCE_MS)
    for (let at = 0; at < 20; at++) tenants.push(await givenTenant(`pooled-${at}`))
  })
  afterAll(() => database?.close())

  test('see the rows of their own tenant and no others', async () => {
    const rows: Row[] = []
    const asked: number[] = []

    for (let round = 0; round < ROUNDS; round++)
      await Promise.all(
        inTurn(AT_ONCE).map(async (tenantId) => {
          await transact(database, { tenantId, actor: system, requestId: 'test' }, async (tx) => {
            for (const text of ['', 'x'.repeat(30_000 * Math.random())]) rows.push(...(await everything(tx, text)))
          })
          asked.push(tenantId)
        }),
      )

    expect(asked).toHaveLength(AT_ONCE * ROUNDS)
    expect(rows).toHaveLength(2 * asked.length)
    expect(foreign(rows)).toEqual([])
  })

  test('and reads that share their lines do too, large ones behind small ones', async () => {
    const rows: Row[] = []

    for (let round = 0; round < ROUNDS; round++)
      await Promise.all(
        inTurn(AT_ONCE).map(async (tenantId) => {
          const text = 'x'.repeat(60_000 * Math.random())
          rows.push(...(await everything(openScope(database, tenantId), text)))
        }),
      )

    expect(rows).toHaveLength(AT_ONCE * ROUNDS)
    expect(foreign(rows)).toEqual([])
  })

  test('leave nothing in a session that the next could find', async () => {
    const settings = `select current_user <> $1 and coalesce(current_setting('app.tenant_id', true), '') = ''
                             and current_setting('statement_timeout') = '0' as clean`
    const outside = await openInspector(pooler.through(databaseUrl))

    for (let time = 0; time < 4 * SERVER_CONNECTIONS; time++) {
      await Promise.all(inTurn(SERVER_CONNECTIONS).map((tenantId) => everything(openScope(database, tenantId), '')))
      expect(await outside.rows(settings, [SERVICE_ROLE])).toEqual([{ clean: true }])
    }
    await outside.close()
  })

  test('learn in time that a statement takes too long, from the database itself', async () => {
    const hasty = await open(400)
    const slow = { prepared: { name: 'slow', text: 'select pg_sleep(3600)' }, values: [] }

    // The service gives up a tenth of a second later, which a busy machine may take for the answer.
    await until(() =>
      expect(hasty.send(0, [hasty.entering(0, 'shared'), slow])).rejects.toMatchObject({ code: '57014' }),
    )
    await hasty.close()
  })

  function open(timeout: number): Promise<Database> {
    return openDatabase({
      ...{ url: pooler.through(databaseUrl), role: SERVICE_ROLE, pooled: true },
      ...{ readConnections: 8, writeConnections: 8, transactionConnections: AT_ONCE },
      ...{ flightTimeout: timeout, log: { info() {}, warn() {}, error() {} } },
    })
  }

  interface Row {
    tenantId: number
    asked: string
    who: string
  }
  /** Every project that row security shows, asked for without a tenant; and who asked, for which tenant. */
  async function everything(scope: Scope, text: string): Promise<Row[]> {
    const prepared = {
      name: 'everything',
      text: `select tenant_id, $1::text as asked, current_user::text as who from projects where length($2) >= 0`,
    }
    const { rows } = await run(scope, { prepared, values: [String(scope.tenantId), text] }, undefined)
    return rows as never
  }

  const foreign = (rows: Row[]) => rows.filter((row) => row.who !== SERVICE_ROLE || String(row.tenantId) !== row.asked)
  const inTurn = (count: number) => Array.from({ length: count }, (_, at) => tenants[at % tenants.length]!)

  /** A tenant with one project. */
  async function givenTenant(code: string): Promise<number> {
    return look.count(
      `with tenant as (insert into tenants (name, code, plan) values ($1, $1, 'test') returning id),
            person as (insert into users (tenant_id, username, password_hash) select id, 'boss', '-' from tenant returning tenant_id, id),
            project as (insert into projects (tenant_id, name, code, owner_id, created_at, updated_at)
              select tenant_id, $1, $1, id, now(), now() from person returning tenant_id, id, owner_id)
       insert into project_members (tenant_id, project_id, user_id, created_at)
       select tenant_id, id, owner_id, now() from project returning tenant_id`,
      [code],
    )
  }
})

describe.skipIf(!here)('a service behind a pooler that is restarted under load', () => {
  let service: ServiceProcess | undefined
  let workload: Workload | undefined
  afterEach(async () => {
    await workload?.stop()
    await service?.end('SIGKILL')
  })

  test('answers 503 for a moment, and loses and doubles nothing', async () => {
    service = await startProcess({
      databaseUrl,
      env: { DATABASE_URL: pooler.through(databaseUrl), MIGRATION_DATABASE_URL: databaseUrl, DATABASE_POOLER: 'true' },
    })
    const companies = await foundCompanies(service.remote)
    workload = startWorkload(() => service!.remote, companies, { clients: CLIENTS, reads: 0.4, restMs: 5 })
    const { history, ...seen } = workload
    await workload.served(CLIENTS)

    for (let round = 0; round < ROUNDS; round++) {
      await pooler.restart()
      await workload.served(3 * CLIENTS)
    }
    await workload.stop()
    await untilDelivered(look)

    expectNoViolation(
      `${ROUNDS} × pooler restarted`,
      // The projects of the test before were made by SQL, without their events.
      [...(await checkHistory(look, history)), ...(await checkDatabase(look, ['I17']))],
      { outcomes: tally(history), statuses: statusesOf(history), latencyMs: latencies(history) },
    )
    expect(seen).toMatchObject({ foreign: [], malformed: [] })
    expect(service.isAlive(), service.output()).toBe(true)
  })
})
