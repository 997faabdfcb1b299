import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import pg from 'pg'
import type { Log } from '../../kernel/log.ts'

/** A folder of migrations. Those of a domain from outside are known by its name: `labels/0001_labels.sql`. */
export interface MigrationSource {
  readonly name?: string | undefined
  readonly folder: URL
}

/** The migrations of the service itself. */
export const OWN_MIGRATIONS: MigrationSource = { folder: new URL('../../../db/migrations/', import.meta.url) }
export const SERVICE_ROLE = 'atrium_service'
/** Any number, the same in every replica: 'atrium' as digits of a phone. */
const LOCK = 287486

export interface Migrated {
  /** names of the migrations that this call applied */
  applied: string[]
  /** the role that every flight has to drop to */
  role: string
}

/**
 * Brings the database to the newest migration, in one transaction under an advisory lock: of two replicas that start
 * together one waits, then finds nothing to do. The lock belongs to the transaction, so it also works behind a pooler
 * and cannot outlive its holder. Migrations are plain SQL, append-only, and checked against what was applied.
 *
 * @param url of a role that owns the database, or of a superuser
 * @param sources the service's own first
 * @param andThen runs in the same transaction, for the bootstrap
 * @throws Error when an applied migration was changed or is missing, or the service role cannot be made
 */
export async function migrate(
  url: string,
  log: Log,
  sources: readonly MigrationSource[],
  andThen: (client: pg.Client) => Promise<void> = async () => {},
): Promise<Migrated> {
  const client = new pg.Client({ connectionString: url, application_name: 'atrium-migrate' })
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query('begin')
    await waitForLock(client, log)
    const role = await serviceRole(client, log)
    await client.query(`select set_config('atrium.service_role', $1, true)`, [role])
    const applied = await applyMissing(client, log, sources)
    await andThen(client)
    await client.query('commit')
    return { applied, role }
  } finally {
    await client.end()
  }
}

/** The migrations of this version, in their order: source by source, by their numbers. */
export async function knownMigrations(sources: readonly MigrationSource[]): Promise<{ name: string; sql: string }[]> {
  return (await Promise.all(sources.map(migrationsIn))).flat()
}

async function migrationsIn({ name, folder }: MigrationSource): Promise<{ name: string; sql: string }[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort()
  return Promise.all(
    files.map(async (file) => ({
      name: name === undefined ? file : `${name}/${file}`,
      sql: await readFile(new URL(file, folder), 'utf8'),
    })),
  )
}

export interface Migration {
  name: string
  /** `changed`: its text is not what was applied; `unknown`: applied by a newer version of the service */
  state: 'applied' | 'missing' | 'changed' | 'unknown'
  appliedAt: Date | undefined
  /** undefined where it is unknown */
  sql: string | undefined
}

/** Compares the migrations of this version with those that the database has seen. */
export async function compareMigrations(client: pg.Client, sources: readonly MigrationSource[]): Promise<Migration[]> {
  const { rows: tables } = await client.query(`select to_regclass('public.schema_migrations') as found`)
  const { rows } = tables[0].found
    ? await client.query<{ name: string; checksum: string; applied_at: Date }>(
        'select name, checksum, applied_at from schema_migrations order by name',
      )
    : { rows: [] }
  const done = new Map(rows.map((row) => [row.name, row]))
  const known = (await knownMigrations(sources)).map(({ name, sql }): Migration => {
    const row = done.get(name)
    done.delete(name)
    const state = !row ? 'missing' : row.checksum === checksumOf(sql) ? 'applied' : 'changed'
    return { name, sql, state, appliedAt: row?.applied_at }
  })
  const unknown = [...done.values()].map(
    ({ name, applied_at }): Migration => ({ name, sql: undefined, state: 'unknown', appliedAt: applied_at }),
  )
  return [...known, ...unknown]
}

async function waitForLock(client: pg.Client, log: Log) {
  const { rows } = await client.query('select pg_try_advisory_xact_lock($1) as got', [LOCK])
  if (rows[0].got) return
  log.info({}, 'another process is migrating; waiting for it')
  await client.query('select pg_advisory_xact_lock($1)', [LOCK])
}

async function applyMissing(client: pg.Client, log: Log, sources: readonly MigrationSource[]): Promise<string[]> {
  await client.query(`create table if not exists schema_migrations (
    name text primary key, checksum text not null, applied_at timestamptz(3) not null default clock_timestamp())`)
  const migrations = await compareMigrations(client, sources)
  const changed = migrations.find(({ state }) => state === 'changed')
  if (changed)
    throw new Error(`Migration ${changed.name} was changed after it had been applied; write a new one instead`)
  const applied: string[] = []
  for (const { name, sql } of migrations.filter(({ state }) => state === 'missing')) {
    await client.query(sql!)
    await client.query('insert into schema_migrations (name, checksum) values ($1, $2)', [name, checksumOf(sql!)])
    log.info({ migration: name }, 'migrated')
    applied.push(name)
  }
  return applied
}

function checksumOf(sql: string): string {
  return createHash('sha256').update(sql).digest('hex')
}

/**
 * Finds or makes the role that the service works as: it owns nothing and cannot bypass row security.
 * An owner who may not make roles works as itself: the policies are forced, so they hold for the owner too. Migrations
 * grant to the role that there is, so a database stays with the one that it began with.
 */
async function serviceRole(client: pg.Client, log: Log): Promise<string> {
  const { rows } = await client.query(
    `
    select current_user as name, rolsuper or rolcreaterole as "mayCreate",
           exists (select from pg_roles where rolname = $1) as found, to_regclass('public.schema_migrations') as begun
      from pg_roles where rolname = current_user`,
    [SERVICE_ROLE],
  )
  const { name, mayCreate, found, begun } = rows[0]
  if (!found && !mayCreate) {
    log.warn(
      { role: name },
      `the role ${name} may not create ${SERVICE_ROLE}, so the service works as ${name} itself; before the first start in a database a superuser can make it: create role ${SERVICE_ROLE} nologin; grant ${SERVICE_ROLE} to ${name}`,
    )
    return name
  }
  if (found && begun && !(await mayRead(client, SERVICE_ROLE))) {
    log.warn({ role: name }, `${SERVICE_ROLE} was made after this database, so the service goes on working as ${name}`)
    return name
  }
  if (!found) await createRole(client)
  // PostgreSQL 16 parted "is a member" from "may become it"; a creator is the former, not yet the latter.
  const { rows: member } = await client.query(
    `select pg_has_role(current_user, $1, case when current_setting('server_version_num')::int >= 160000 then 'SET' else 'MEMBER' end) as may`,
    [SERVICE_ROLE],
  )
  if (!member[0].may) await client.query(`grant ${SERVICE_ROLE} to current_user`)
  await client.query(`grant usage on schema public to ${SERVICE_ROLE}`)
  return SERVICE_ROLE
}

async function mayRead(client: pg.Client, role: string): Promise<boolean> {
  const { rows } = await client.query(`select has_table_privilege($1, 'public.schema_migrations', 'select') as may`, [
    role,
  ])
  return rows[0].may
}

/** Roles belong to the whole cluster: another database's start may make it at the same moment. */
async function createRole(client: pg.Client) {
  await client.query('savepoint making_role')
  await client.query(`create role ${SERVICE_ROLE} nologin noinherit`).catch(async (error) => {
    if (error.code !== '42710' && error.code !== '23505') throw error
    await client.query('rollback to savepoint making_role')
  })
}
