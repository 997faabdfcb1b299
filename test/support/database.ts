import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import { administer } from '../../tools/throwaway.ts'
import { TEMPLATE } from './server.ts'

/** A clone of the template, for one test file. @returns its superuser URL */
export function cloneDatabase(): Promise<string> {
  return createDatabase(` template ${TEMPLATE}`)
}

/** One that nobody has started a service on yet. @returns its superuser URL */
export async function createDatabase(how = ''): Promise<string> {
  const serverUrl = inject('serverUrl')
  const name = `test_${randomBytes(6).toString('hex')}`
  await administer(serverUrl, `create database ${name}${how}`)
  return Object.assign(new URL(serverUrl), { pathname: `/${name}` }).href
}

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
/** The schema of an older release does not know the kind, and announces by triggers. */
const ANNOUNCE = `insert into invalidations (kind, subject) select 'everything', 0
  where exists (select from pg_constraint where conname = 'invalidations_kind_check'
    and pg_get_constraintdef(oid) like '%everything%')`

/** Looks at the database from outside, past every wall: for assertions on what was stored. */
export async function openInspector(url: string) {
  const pool = new pg.Pool({ connectionString: url, max: 2 })
  pool.on('error', () => {})
  return {
    async rows<Row extends pg.QueryResultRow>(sql: string, values: unknown[] = []): Promise<Row[]> {
      const { rows } = await pool.query<Row>(sql, values)
      if (REMEMBERED.test(sql)) await pool.query(ANNOUNCE)
      return rows
    },
    /** The one number that the query yields. */
    async count(sql: string, values: unknown[] = []): Promise<number> {
      return Number(Object.values((await pool.query(sql, values)).rows[0])[0])
    },
    close: () => pool.end(),
  }
}
export type Inspector = Awaited<ReturnType<typeof openInspector>>
