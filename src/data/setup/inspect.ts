import type pg from 'pg'
import { withClient } from '../connections/with-client.ts'
import { compareMigrations, type Migration, type MigrationSource } from './migrations.ts'
import { findRoleFacts, mayBecome, type Standing, standingOf } from './service-role.ts'

/** What can be seen of a database from outside the service. Facts only; the caller judges them. */
export interface Inspection {
  /** `18.4` */
  version: string
  /** 180004 */
  versionNumber: number
  database: string
  user: string
  /** the same for every path to the same database of the same running server */
  identity: string
  /** the role in which the service would work if this were the role that migrates; the same decision as at the start */
  standing: Standing
  /** whether the connecting role may become the role of the service now */
  mayEnterRole: boolean
  /** whether the connecting role may create tables, and so migrate */
  mayMigrate: boolean
  /** empty if the role may not look */
  migrations: Migration[]
  /** settings that an acknowledged write depends on */
  durability: { fsync: string; synchronous_commit: string; full_page_writes: string }
  connections: {
    /** that this role may open at all, without those reserved for superusers */
    most: number
    /** that are open now: of the service, and of others */
    ours: number
    others: number
  }
  /** whether its searches ignore the case of letters outside ASCII; those with the locale C do not */
  foldsCase: boolean
  /** ms by which the database's clock is ahead of ours, give or take half a round trip */
  clockAhead: number
  roundTrip: number
}

/**
 * Inspects the database at a URL. Rejects with the driver's error if it cannot be reached.
 * @param role the role of the service, if there are no tables yet and a different role will create them
 */
export async function inspect(url: string, sources: readonly MigrationSource[], role?: string): Promise<Inspection> {
  return withClient(url, 'atrium-inspection', async (client) => {
    const { rows } = await client.query(FACTS)
    const roles = await findRoleFacts(client)
    const entered = roles.begun ? roles.role : (role ?? roles.role)
    const mayEnterRole = (await mayBecome(client, entered)).may
    const { most, ours, others, fsync, synchronousCommit, fullPageWrites, ...facts } = rows[0]
    return {
      ...facts,
      standing: standingOf(roles),
      mayEnterRole,
      connections: { most, ours, others },
      durability: { fsync, synchronous_commit: synchronousCommit, full_page_writes: fullPageWrites },
      ...(await compareClocks(client)),
      migrations: mayEnterRole ? await migrationsSeenBy(client, roles.begun ? entered : facts.user, sources) : [],
    }
  })
}

/**
 * How many connections a role may open, without those reserved for superusers: of `me`, a role, and `d`, a database.
 */
const MOST_CONNECTIONS = `
  least(case when me.rolsuper then current_setting('max_connections')::int
             else current_setting('max_connections')::int
                - current_setting('superuser_reserved_connections')::int
                - coalesce(current_setting('reserved_connections', true)::int, 0) end,
        nullif(d.datconnlimit, -1), nullif(me.rolconnlimit, -1))`

const FACTS = `
  with me as (select * from pg_roles where rolname = current_user)
  select split_part(current_setting('server_version'), ' ', 1) as version,
         current_setting('server_version_num')::int as "versionNumber",
         current_database()::text as database, current_user::text as "user",
         concat_ws('/', d.oid, extract(epoch from pg_postmaster_start_time())) as identity,
         has_schema_privilege('public', 'create') as "mayMigrate",
         current_setting('fsync') as fsync, current_setting('synchronous_commit') as "synchronousCommit",
         current_setting('full_page_writes') as "fullPageWrites",
         case when current_setting('server_encoding') = 'UTF8' then lower(chr(196)) = chr(228) else false end
           as "foldsCase",
         ${MOST_CONNECTIONS} as most,
         (select count(*)::int from pg_stat_activity
           where application_name = 'atrium' and backend_type = 'client backend') as ours,
         (select count(*)::int from pg_stat_activity
           where application_name not like 'atrium%' and backend_type = 'client backend') as others
    from me, pg_database d where d.datname = current_database()`

async function migrationsSeenBy(
  client: pg.Client,
  role: string,
  sources: readonly MigrationSource[],
): Promise<Migration[]> {
  await client.query(`select set_config('role', $1, false)`, [role])
  return compareMigrations(client, sources)
}

/** The best of three: the fastest answer gives the most accurate comparison. */
async function compareClocks(client: pg.Client): Promise<{ clockAhead: number; roundTrip: number }> {
  let best = { clockAhead: 0, roundTrip: Number.POSITIVE_INFINITY }
  for (let attempt = 0; attempt < 3; attempt++) {
    const start = performance.now()
    const wall = Date.now()
    const { rows } = await client.query('select extract(epoch from clock_timestamp())::float8 * 1000 as theirs')
    const roundTrip = performance.now() - start
    if (roundTrip < best.roundTrip) best = { clockAhead: rows[0].theirs - (wall + roundTrip / 2), roundTrip }
  }
  return best
}

/** How many connections the role of the URL may open. */
export async function mostConnections(url: string): Promise<number> {
  return withClient(url, 'atrium-arrival', async (client) => {
    const { rows } = await client.query(`
      select ${MOST_CONNECTIONS} as most from pg_roles me, pg_database d
       where me.rolname = current_user and d.datname = current_database()`)
    return rows[0].most
  })
}
