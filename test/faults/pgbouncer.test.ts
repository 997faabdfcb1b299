import { beforeAll, describe, expect, inject, test } from 'vitest'
import { openScope } from '../../src/data/tx/open-scope.ts'
import { run, type Scope } from '../../src/data/tx/scope.ts'
import { transact } from '../../src/data/tx/transact.ts'
import { type Database, openDatabase } from '../../src/data/wire/database.ts'
import { system } from '../../src/kernel/actor.ts'
import { endsWithFile } from '../support/clean-up.ts'
import { cloneDatabase, type Inspector, openInspector, SERVICE_ROLE } from '../support/database.ts'
import { openLoad } from '../support/load.ts'
import { expectNothingLost } from '../support/nothing-lost.ts'
import { PATIENCE_MS, SLOWNESS, until } from '../support/patience.ts'
import { type PgBouncer, pgbouncerIsHere, startPgBouncer } from '../support/pgbouncer.ts'
import { skippedOnCluster } from '../support/servers.ts'

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

describe.skipIf(!here)(`${AT_ONCE} concurrent transactions on ${SERVER_CONNECTIONS} server connections`, () => {
  let database: Database
  const tenants: number[] = []
  beforeAll(async () => {
    if (!here) return
    // More than any of them waits for its turn.
    database = await open(PATIENCE_MS)
    for (let at = 0; at < 20; at++) tenants.push(await givenTenant(`pooled-${at}`))
  })

  test.each<[string, (tenantId: number) => Promise<Row[]>]>([
    [
      'transactions',
      (tenantId) =>
        transact(database, { tenantId, actor: system, requestId: 'test' }, async (tx) => [
          ...(await everything(tx, '')),
          ...(await everything(tx, 'x'.repeat(30_000 * Math.random()))),
        ]),
    ],
    [
      'reads that share their lines, large ones behind small ones',
      (tenantId) => everything(openScope(database, tenantId), 'x'.repeat(60_000 * Math.random())),
    ],
  ])('see the rows of their own tenant and no others: %s', async (_, ask) => {
    const rows: Row[] = []
    for (let round = 0; round < ROUNDS; round++) rows.push(...(await Promise.all(inTurn(AT_ONCE).map(ask))).flat())

    expect(rows.length % (AT_ONCE * ROUNDS)).toBe(0)
    expect(rows.filter((row) => row.who !== SERVICE_ROLE || String(row.tenantId) !== row.asked)).toEqual([])
    expect(rows).not.toEqual([])
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
    const slow = { prepared: { name: 'slow', text: 'select pg_sleep(3600)' }, values: [] }

    // The service gives up a tenth of a second later, which a busy machine may take for the answer.
    await until(async () => {
      const hasty = await open(Math.round(400 * SLOWNESS))
      await expect(hasty.send(0, [hasty.entering(0, 'shared'), slow])).rejects.toMatchObject({ code: '57014' })
    })
  })

  async function open(timeout: number): Promise<Database> {
    const database = await openDatabase({
      ...{ url: pooler.through(databaseUrl), role: SERVICE_ROLE, pooled: true },
      ...{ readConnections: 8, writeConnections: 8, transactionConnections: AT_ONCE },
      ...{ flightTimeout: timeout, log: { info() {}, warn() {}, error() {} } },
    })
    return Object.assign(database, { close: endsWithFile(database.close) })
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
  test('answers 503 for a moment, and loses and doubles nothing', async () => {
    const { look, service, workload } = await openLoad(
      { clients: CLIENTS, reads: 0.4, restMs: 5 },
      {
        databaseUrl,
        env: {
          DATABASE_URL: pooler.through(databaseUrl),
          MIGRATION_DATABASE_URL: databaseUrl,
          DATABASE_POOLER: 'true',
        },
      },
    )

    for (let round = 0; round < ROUNDS; round++) {
      await pooler.restart()
      await workload.served(3 * CLIENTS)
    }
    // The projects of the test before were made by SQL, without their events.
    await expectNothingLost(`${ROUNDS} × pooler restarted`, look, workload, { except: ['I17'] })
    expect(service.isAlive(), service.output()).toBe(true)
  })
})
