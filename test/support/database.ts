import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import { serviceRoleOf } from '../../src/data/setup/service-role.ts'
import { administer } from '../../tools/throwaway.ts'
import { afterEachFile, endsWithFile } from './clean-up.ts'
import { createOnAll, databaseOn, dropOnAll, isOnCluster, PLAIN } from './servers.ts'

/** Clones of the template keep the role that it was made with. */
export const SERVICE_ROLE = serviceRoleOf(inject('template'))

/** A clone of the template, for one test file. @returns its superuser URL */
export function cloneDatabase(): Promise<string> {
  return createDatabase(inject('template'))
}

/**
 * One without Citus, also if the tests run on a cluster: for releases that never ran on one.
 * @returns its superuser URL
 */
export function createPlainDatabase(): Promise<string> {
  return createDatabase('template0', PLAIN)
}

/** One that nobody has started a service on yet. @returns its superuser URL */
export async function createDatabase(template = inject('empty'), prefix = 'test_'): Promise<string> {
  const servers = inject('servers')
  const name = `${prefix}${randomBytes(6).toString('hex')}`
  await createOnAll(servers, name, template)
  made.push(name)
  return databaseOn(servers[0]!, name)
}

const made: string[] = []
// All of a run together would take gigabytes.
afterEachFile(async () => {
  for (const name of made.splice(0)) await dropOnAll(inject('servers'), name)
})

/** How a service of the tests reaches the database of this URL: directly, or through the PgBouncer of this run. */
export function reach(url: string): { url: string; pooled: boolean } {
  const { host } = new URL(url)
  const pooler = host === new URL(inject('serverUrl')).host ? inject('poolerUrl') : otherPoolers.get(host)
  if (!pooler) return { url, pooled: false }
  return { url: Object.assign(new URL(url), { host: new URL(pooler).host }).href, pooled: true }
}

/** By the host of a server that a test file has of its own, the URL of the PgBouncer before it. */
export const otherPoolers = new Map<string, string>()

/** A change by hand that running services do not notice by themselves, and what `atrium announce` writes after it. */
const REMEMBERED =
  /^\s*(with|insert|update|delete)\b[\s\S]*\b(users|user_roles|roles|role_permissions|permissions|sessions|tenants|api_keys|system_administrator)\b/i
const ANNOUNCE = `insert into invalidations (kind, subject) values ('everything', 0)`

/** Looks at the database from outside, past every wall: for assertions on what was stored. It closes after the file. */
export async function openInspector(url: string) {
  const pool = new pg.Pool({ connectionString: url, max: 2 })
  pool.on('error', () => {})
  return {
    url,
    async rows<Row extends pg.QueryResultRow>(sql: string, values: unknown[] = []): Promise<Row[]> {
      const { rows } = await pool.query<Row>(sql, values)
      if (REMEMBERED.test(sql)) await pool.query(ANNOUNCE)
      return rows
    },
    /** The one number that the query yields. */
    async count(sql: string, values: unknown[] = []): Promise<number> {
      return Number(Object.values((await pool.query(sql, values)).rows[0])[0])
    },
    /** The sum of the number that each server yields: of what a server knows of itself, such as locks. */
    async countEverywhere(sql: string): Promise<number> {
      const everywhere = 'select sum(result::bigint) from run_command_on_all_nodes($1)'
      return isOnCluster(url) ? this.count(everywhere, [sql]) : this.count(sql)
    },
    close: endsWithFile(() => pool.end()),
  }
}

/** Runs a statement on each server that holds a part of the database. @returns the rows of all */
export async function onEachServer<Row extends pg.QueryResultRow>(url: string, sql: string): Promise<Row[]> {
  const found: Row[] = []
  for (const server of inject('servers')) {
    found.push(...(await administer<Row>(databaseOn(server, new URL(url).pathname.slice(1)), sql)))
  }
  return found
}

export type Inspector = Awaited<ReturnType<typeof openInspector>>
