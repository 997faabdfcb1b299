import { setTimeout as sleep } from 'node:timers/promises'
import type { TenantId } from '../../kernel/actor.ts'
import { directory } from '../sql/verbs.ts'
import { openScope, openScopes, sharedScope } from '../tx/open-scope.ts'
import type { Scope } from '../tx/scope.ts'
import type { Database } from '../wire/database.ts'
import { isUnavailable } from '../wire/unavailable.ts'

const listTenantIds = directory.list((from, p: { without?: 'closing' }) =>
  from('tenants')
    .select('tenants.id')
    .$if(p.without !== undefined, (query) => query.where('tenants.status', '<>', p.without!))
    .orderBy('tenants.id'),
)

/**
 * The walk of every sweep: enters one tenant after the other, until it is stopped.
 * @param without leaves out those that are closing, or are being imported
 */
export async function* everyTenant(
  database: Database,
  stopping?: AbortSignal,
  without?: 'closing',
): AsyncGenerator<Scope> {
  for (const { id } of await listTenantIds(sharedScope(database), { without })) {
    if (stopping?.aborted) return
    yield openScope(database, id)
  }
}

/** Few, because a request may have to wait for them on its connection. */
const TOGETHER = 20

/**
 * The same walk in groups of one server: what is asked of all tenants of a group at the same moment is one round trip.
 */
export async function* tenantsTogether(database: Database, stopping?: AbortSignal): AsyncGenerator<Scope[]> {
  const all = (await listTenantIds(sharedScope(database), {})).map(({ id }) => id)
  for (const ids of Map.groupBy(all, (id) => database.serverOf(id)).values())
    for (let at = 0; at < ids.length && !stopping?.aborted; at += TOGETHER)
      yield openScopes(database, ids.slice(at, at + TOGETHER))
}

/** The tenants in which a look finds something. If a look fails, all of its group are returned. */
async function* tenantsWhere(
  look: NonNullable<Walk['where']>,
  database: Database,
  stopping?: AbortSignal,
): AsyncGenerator<Scope> {
  for await (const group of tenantsTogether(database, stopping)) {
    const found = await Promise.all(group.map(look)).catch((error) => endIfAway(database, error))
    for (const [at, { tenantId }] of group.entries())
      if ((found?.[at] ?? true) && !stopping?.aborted) yield openScope(database, tenantId)
  }
}

/** A way through the tenants. */
export interface Walk {
  /** what the log says of a tenant in which the work failed */
  failed: string
  /** a read that leaves out tenants with nothing to do, at a small part of the price of entering each */
  where?: (scope: Scope) => Promise<boolean>
  /** asks the shared tables for the tenants with something to do; without it all are visited, also closed ones */
  among?(database: Database): Promise<readonly { id: TenantId }[]>
  /** after a batch that was not the last of its tenant, requests have the database for so many times its duration */
  rest?: number
}

/** How long tenants with more to do get their batches before all are looked at again, in ms. */
const LONGEST_ROUNDS_MS = 5000

/**
 * Does one batch of work in every tenant, then one more in each that has more, in turns: so what one has to do holds up
 * no other by more than a batch. A failure in one is logged and does not stop the others, unless the database is away.
 * @param work returns true if there is more to do in the tenant
 * @returns true if some have more to do, and the next walk should begin immediately
 */
export async function inEveryTenant(
  database: Database,
  { failed, where, among, rest = 0 }: Walk,
  work: (scope: Scope) => Promise<unknown>,
  stopping?: AbortSignal,
): Promise<boolean> {
  const start = performance.now()
  let behind = await walk(await tenants())
  const walked = performance.now()
  // As long as the walk took, so that walks through many tenants cost at most half of the time.
  const until = walked + Math.max(walked - start, LONGEST_ROUNDS_MS)
  while (behind.length > 0 && !stopping?.aborted && performance.now() < until) behind = await walk(behind)
  return behind.length > 0 && !stopping?.aborted

  async function tenants(): Promise<Iterable<Scope> | AsyncIterable<Scope>> {
    if (among) return (await among(database)).map(({ id }) => openScope(database, id))
    return where ? tenantsWhere(where, database, stopping) : everyTenant(database, stopping)
  }

  async function walk(scopes: Iterable<Scope> | AsyncIterable<Scope>): Promise<Scope[]> {
    const more: Scope[] = []
    for await (const scope of scopes) {
      if (stopping?.aborted) break
      const began = performance.now()
      try {
        if ((await work(scope)) !== true) continue
      } catch (error) {
        database.log.warn({ err: String(error), tenantId: scope.tenantId }, failed)
        await endIfAway(database, error)
        continue
      }
      more.push(scope)
      const pause = rest * (performance.now() - began)
      await sleep(pause, undefined, { ref: false, signal: stopping }).catch(() => {})
    }
    return more
  }
}

/** If the whole database is away, this fails too, and the round is over. */
async function endIfAway(database: Database, error: unknown): Promise<void> {
  if (isUnavailable(error as Error)) await listTenantIds(sharedScope(database), {})
}
