import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { Log } from '../../kernel/log.ts'
import { Client } from '../connections/client.ts'
import { quoted } from '../sql/quoted.ts'
import { clusters, type TellStep } from '../topology/clusters.ts'
import {
  checksumOf,
  compareMigrations,
  isOutsideTransaction,
  type KnownMigration,
  type Migration,
  type MigrationSource,
  statementsOf,
} from './migrations.ts'
import { settleServiceRole } from './service-role.ts'
import { SetupProblem } from './setup-problem.ts'

/** Any number, the same in every replica: 'atrium' as digits of a phone. */
const LOCK = 287486
/**
 * While a migration waits for a table, everyone who comes later waits too. Shorter than the second after which
 * PostgreSQL looks for deadlocks: if a migration and a request wait for each other, the migration gives way.
 */
const LOCK_TIMEOUT_MS = 500
/** Lock not available, deadlock: these pass when the table is released. */
const PASSING = new Set(['55P03', '40P01'])
/** The row of `schema_migrations` that exists during a restore: no version knows such a migration. */
export const RESTORING = 'a restore is under way'
/** The same while tables are moved to the workers of a cluster. */
export const DISTRIBUTING = 'a distribution is under way'

export interface Migrated {
  /** names of the migrations that this call applied */
  applied: string[]
  /** the role that every flight must drop to */
  role: string
  /**
   * true if that is the owner of the tables, who may not create a role; then `advice` says what could be done before a
   * first start
   */
  asOwner: boolean
  advice: string | undefined
}

export interface MigrateOptions {
  /** runs in a transaction after the last migration, for the bootstrap */
  andThen?: ((client: pg.Client) => Promise<void>) | undefined
  /** also accepts a database that a newer version has migrated */
  allowDowngrade?: boolean
  /** also accepts a database that is being restored, up to these migrations or to the end */
  restoring?: 'to the end' | ReadonlySet<string>
  /**
   * moves the tables to the workers of a cluster of Citus, and hears of each step; a new database and a restored one are
   * distributed in any case
   */
  distribute?: TellStep | undefined
  /** ms for which it retries if another transaction holds a table */
  patience?: number
}

/**
 * Brings the database to the newest migration: one transaction for each file, in order. Of two replicas that start
 * together, one waits and then finds nothing to do. The lock belongs to a separate transaction, so it also works behind
 * a pooler and cannot outlive its holder. A file waits half a second for a table, then releases everything and tries
 * again later, so a long read delays no one else.
 *
 * @param url of a role that owns the database, or of a superuser
 * @param sources the service's own first
 * @throws SetupProblem naming the file that failed, was changed, or was applied by a newer version; or the missing role
 */
export async function migrate(
  url: string,
  log: Log,
  sources: readonly MigrationSource[],
  { andThen = async () => {}, patience = 600_000, ...options }: MigrateOptions = {},
): Promise<Migrated> {
  const [guard, client] = await connectTwice(url)
  try {
    const isOurs = await waitForTurn(guard, log)
    const cluster = await clusters().stateOf(client)
    const attempt = <T>(what: string, work: () => Promise<T>) =>
      inTransaction(client, log, { what, until: performance.now() + patience }, work)
    const standing = await attempt('the role of the service', () => beginMigrations(client))
    if (standing.advice)
      log.warn(
        { role: standing.role },
        `the service works as the owner of its tables; to separate them: ${standing.advice}`,
      )
    const { missing, isNew } = await findMissing(client, log, sources, options)
    const run = cluster === 'begun' ? clusters().apply : applyToServer
    for (const migration of missing) {
      if (!isOurs()) throw new SetupProblem('The connection that kept other migrations away was lost; start again')
      await applyOne(client, migration, { role: standing.role, run, attempt })
      if (!isNew) log.info({ migration: migration.name }, 'migrated')
    }
    if (isNew) log.info({ migrations: missing.length }, 'migrated a new database')
    const isFilled = options.restoring === undefined ? !isNew : options.restoring !== 'to the end'
    if (options.distribute || (cluster !== 'none' && !isFilled))
      await clusters().distribute(client, standing.role, options.distribute)
    await attempt('the catalogue', () => andThen(client))
    const { role, asOwner, advice } = standing
    return { applied: missing.map(({ name }) => name), role, asOwner, advice }
  } finally {
    await Promise.allSettled([guard.end(), client.end()])
  }
}

/** Concurrently: a connection mostly waits for the other end. */
async function connectTwice(url: string): Promise<[pg.Client, pg.Client]> {
  const connecting = [connect(url), connect(url)] as const
  try {
    return await Promise.all(connecting)
  } catch (error) {
    for (const one of await Promise.allSettled(connecting)) if (one.status === 'fulfilled') await one.value.end()
    throw error
  }
}

async function connect(url: string): Promise<pg.Client> {
  const client = new Client({ connectionString: url, application_name: 'atrium-migrate' })
  client.on('error', () => {})
  await client.connect()
  return client
}

/** Polls: an index that is built concurrently would wait for a session that waits in a statement. */
async function waitForTurn(guard: pg.Client, log: Log): Promise<() => boolean> {
  let isOurs = true
  guard.once('end', () => (isOurs = false))
  for (let attempt = 0; ; attempt++) {
    await guard.query('begin; set local idle_in_transaction_session_timeout = 0')
    // Without parameters: an open prepared statement keeps its snapshot, and would be waited for as well.
    const { rows } = await guard.query(`select pg_try_advisory_xact_lock(${LOCK}) as got`)
    if (rows[0].got) return () => isOurs
    await guard.query('rollback')
    if (attempt === 0) log.info({}, 'another process is migrating; waiting for it')
    await sleep(100 + 100 * Math.random())
  }
}

async function inTransaction<T>(
  client: pg.Client,
  log: Log,
  { what, until }: { what: string; until: number },
  work: () => Promise<T>,
): Promise<T> {
  for (let pause = 1000; ; pause = Math.min(2 * pause, 30_000)) {
    try {
      // Two statements: Citus repeats the text of a `set local` on its workers.
      await client.query('begin')
      await client.query(`set local lock_timeout = ${LOCK_TIMEOUT_MS}`)
      const result = await work()
      await client.query('commit')
      return result
    } catch (error) {
      await client.query('rollback').catch(() => {})
      if (!PASSING.has((error as pg.DatabaseError).code ?? '') || performance.now() > until) throw error
      const rest = Math.round(pause * (0.5 + Math.random()))
      log.warn(
        { what, retryInMs: rest, ...(await oldest(client)) },
        'a migration needs a table that is locked; trying again',
      )
      await sleep(rest)
    }
  }
}

/** The oldest open transaction: usually the one in the way. */
async function oldest(client: pg.Client): Promise<object> {
  const { rows } = await client.query(`
    select application_name as "oldestTransaction", extract(epoch from now() - xact_start)::int as seconds
      from pg_stat_activity where xact_start is not null and datname = current_database() and application_name <> 'atrium-migrate'
     order by xact_start limit 1`)
  return rows[0] ?? {}
}

/** The role and the list of migrations. They are made together: a role is found again by its grant on that list. */
export async function beginMigrations(client: pg.Client) {
  const standing = await settleServiceRole(client)
  const { rows } = await client.query(`select to_regclass('public.schema_migrations') as found`)
  if (rows[0].found) return standing
  await client.query(`create table schema_migrations (
    name text primary key, checksum text not null, applied_at timestamptz(3) not null default clock_timestamp())`)
  await client.query(`grant select on schema_migrations to ${quoted(standing.role)}`)
  return standing
}

async function findMissing(
  client: pg.Client,
  log: Log,
  sources: readonly MigrationSource[],
  { allowDowngrade = false, restoring, distribute }: MigrateOptions,
): Promise<{ missing: KnownMigration[]; isNew: boolean }> {
  const found = await compareMigrations(client, sources)
  const named = (state: Migration['state']) => found.filter((it) => it.state === state).map(({ name }) => name)
  const [changed, unknown, foreign] = [named('changed'), named('unknown'), named('foreign')]
  if (changed.length)
    throw new SetupProblem(`Migration ${changed[0]} was changed after it had been applied; write a new one instead`)
  const known = unknown.filter((name) => name !== DISTRIBUTING || !distribute)
  const problem = restoring ? undefined : (strangenessOf(found) ?? downgradeOf(known, allowDowngrade))
  if (problem) throw new SetupProblem(problem)
  if (foreign.length) log.warn({ migrations: foreign }, 'a domain that is not loaded has tables here; they are kept')
  const missing = found.flatMap(({ name, state, sql }) =>
    state === 'missing' && (typeof restoring !== 'object' || restoring.has(name)) ? [{ name, sql: sql! }] : [],
  )
  return { missing, isNew: found.every(({ state }) => state === 'missing') }
}

/**
 * Why no version works on a database: it has migrations, and not the first of all. Undefined if it is none of these.
 * @param found all migrations, those of the service first
 */
export function strangenessOf(found: readonly Migration[]): string | undefined {
  const strange = found.filter(({ state, name }) => state === 'unknown' && name !== RESTORING && name !== DISTRIBUTING)
  if (found[0]?.state !== 'missing' || strange.length === 0) return undefined
  const rest = strange.length > 1 ? ` and ${strange.length - 1} more` : ''
  return `No version knows the migrations of this database (${strange[0]!.name}${rest}): it was made before the first release, and nothing leads from there. Start with an empty database, or an empty DATA_DIR`
}

/** Why this version does not work on a database with unknown migrations; undefined if it does. */
export function downgradeOf(unknown: readonly string[], allowDowngrade: boolean): string | undefined {
  if (unknown.includes(RESTORING))
    return 'A restore into this database was not finished. Run it again: atrium restore FILE --replace'
  if (unknown.includes(DISTRIBUTING))
    return 'Tenants are being moved to the workers of the cluster, and that was not finished. Run it again: atrium citus distribute'
  if (unknown.length === 0 || allowDowngrade) return undefined
  return `A newer version has migrated this database (${unknown.join(', ')}), and this one does not know what changed. Start that version, or restore a backup from before; where you know that both can work on it, set ALLOW_DOWNGRADE=true`
}

async function applyOne(
  client: pg.Client,
  { name, sql }: KnownMigration,
  {
    role,
    run,
    attempt,
  }: { role: string; run: typeof applyToServer; attempt: <T>(what: string, work: () => Promise<T>) => Promise<T> },
): Promise<void> {
  const isOutside = isOutsideTransaction(sql)
  const record = () =>
    client.query('insert into schema_migrations (name, checksum) values ($1, $2)', [name, checksumOf(sql)])
  try {
    // An index that is built concurrently blocks no one, so it may wait.
    if (isOutside) for (const statement of statementsOf(sql)) await client.query(statement)
    await attempt(name, async () => {
      await client.query(`select set_config('atrium.service_role', $1, true)`, [role])
      if (!isOutside) await run(client, sql)
      await record()
    })
  } catch (error) {
    const { message, position } = error as pg.DatabaseError
    const line = position && !isOutside ? ` in line ${sql.slice(0, Number(position)).split('\n').length}` : ''
    const rest = isOutside ? 'what it had done stays, and it runs again' : 'nothing of it was kept, and it runs again'
    throw new SetupProblem(`Migration ${name} failed${line}: ${message}. At the next start ${rest}`, { cause: error })
  }
}

async function applyToServer(client: pg.Client, sql: string): Promise<void> {
  await client.query(sql)
}
