import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Coordination } from '../coordination/coordination.ts'
import { cold, compile } from '../sql/compile.ts'
import { directory } from '../sql/verbs.ts'
import { sharedScope } from '../tx/open-scope.ts'
import { run } from '../tx/scope.ts'
import type { Database } from '../wire/database.ts'
import { knownMigrations, type MigrationSource } from './migrations.ts'

export interface Check {
  status: 'ok' | 'away' | 'behind' | 'open' | 'failing'
  /** how long the answer took */
  ms: number
}

/** Whether requests can be served now, and why not. */
export interface Readiness {
  /** `degraded`: served, but slower or with weaker limits */
  status: 'ok' | 'degraded' | 'unavailable' | 'stopping'
  checks: Record<string, Check>
}

/** How long an answer is reused; the proof of row security costs more and changes less. */
const REMEMBERED_MS = { database: 500, isolation: 30_000 }

const listApplied = directory.list((from, _: object) => from('schemaMigrations').select('schemaMigrations.name'))

/** The server of the database, how much of it is used, and how many migrations are applied. */
export const findServerFacts = directory.find((from, _: object) =>
  from('schemaMigrations').select((eb) => [
    eb.fn.countAll<number>().as('migrations'),
    sql<string>`split_part(current_setting('server_version'), ' ', 1)`.as('version'),
    sql<number>`pg_database_size(current_database())`.as('bytes'),
    sql<number>`(select sum(numbackends) from pg_stat_database)`.as('used'),
    sql<number>`current_setting('max_connections')::int`.as('most'),
  ]),
)

/** Whether requests can be served, even if less well than usual. */
export function canServe({ status }: Pick<Readiness, 'status'>): boolean {
  return status === 'ok' || status === 'degraded'
}

/** Tenant tables whose row security is not forced, and whether the current role could bypass it. */
const wall = compile('read', (_: object) =>
  cold.selectNoFrom([
    sql<number>`(select count(*) from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id'
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not a.attisdropped
        and not (c.relrowsecurity and c.relforcerowsecurity))`.as('open'),
    sql<boolean>`(select rolsuper or rolbypassrls from pg_roles where rolname = current_user)`.as('passesBy'),
  ]),
)

/**
 * Checks what the service depends on, at most twice a second. It is not ready if the database is away, migrations are
 * missing, a tenant table has lost its forced row security, or a stop has begun. It is degraded without what replicas
 * coordinate through, because the service works without it; without a node of a cluster, because only its tenants get 503;
 * and if the database cannot be written, because every instance can still serve reads.
 */
export async function watchReadiness(
  database: Database,
  coordination: Coordination | undefined,
  sources: readonly MigrationSource[],
  stopping: () => boolean,
): Promise<() => Promise<Readiness>> {
  const expected = (await knownMigrations(sources)).map(({ name }) => name)
  const looks = {
    async database(): Promise<Check['status']> {
      const names = new Set((await listApplied(sharedScope(database), {})).map(({ name }) => name))
      return expected.every((name) => names.has(name)) ? 'ok' : 'behind'
    },
    async isolation(): Promise<Check['status']> {
      const row = (await run(sharedScope(database), wall(undefined, {}), undefined)).rows[0]!
      return row.open === 0 && row.passesBy === false ? 'ok' : 'open'
    },
  }
  // Concurrent callers share one check; a failure is remembered no longer than an answer of the database.
  const checks = new LRUCache<keyof typeof looks, Check>({
    max: 2,
    async fetchMethod(what, _, { options }) {
      const start = performance.now()
      const status = await looks[what]().catch(() => 'away' as const)
      options.ttl = REMEMBERED_MS[status === 'ok' ? what : 'database']
      return { status, ms: Math.round((performance.now() - start) * 10) / 10 }
    },
  })

  return async () => {
    if (stopping()) return { status: 'stopping', checks: {} }
    const [behind, open] = await Promise.all([checks.forceFetch('database'), checks.forceFetch('isolation')])
    const found: Readiness['checks'] = {
      database: { status: behind.status === 'away' ? 'away' : 'ok', ms: behind.ms },
      migrations: behind,
      isolation: open,
      writes: { status: database.areWritesFailing() ? 'failing' : 'ok', ms: 0 },
      ...Object.fromEntries(database.awayNodes().map((name) => [`node ${name}`, { status: 'away', ms: 0 } as const])),
      ...(coordination?.dependency && {
        [coordination.dependency]: { status: coordination.up() ? ('ok' as const) : ('away' as const), ms: 0 },
      }),
    }
    if (behind.status !== 'ok' || open.status !== 'ok') return { status: 'unavailable', checks: found }
    const isWhole = Object.values(found).every(({ status }) => status === 'ok')
    return { status: isWhole ? 'ok' : 'degraded', checks: found }
  }
}
