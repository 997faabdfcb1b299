import { setTimeout as sleep } from 'node:timers/promises'
import { directory } from '../sql/verbs.ts'
import { openScope, openScopes, sharedScope } from '../tx/open-scope.ts'
import type { Scope } from '../tx/scope.ts'
import type { Database } from '../wire/database.ts'
import { isUnavailable } from '../wire/unavailable.ts'

const listTenantIds = directory.list((from, _: object) => from('tenants').select('tenants.id').orderBy('tenants.id'))

/** The walk of every sweep: enters one tenant after the other, including closed ones, until it is stopped. */
export async function* everyTenant(database: Database, stopping?: AbortSignal): AsyncGenerator<Scope> {
  for (const { id } of await listTenantIds(sharedScope(database), {})) {
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

/** A read that says whether there may be something to do in a tenant. */
export type Look = (scope: Scope) => Promise<boolean>

/** The tenants in which a look finds something. If a look fails, all of its group are returned. */
async function* tenantsWhere(look: Look, database: Database, stopping?: AbortSignal): AsyncGenerator<Scope> {
  for await (const group of tenantsTogether(database, stopping)) {
    const found = await Promise.all(group.map(look)).catch((error) => endIfAway(database, error))
    for (const [at, { tenantId }] of group.entries())
      if ((found?.[at] ?? true) && !stopping?.aborted) yield openScope(database, tenantId)
  }
}

interface Walk {
  /** what the log says of a tenant in which the work failed */
  failed: string
  /** leaves out tenants with nothing to do, at a small part of the price of entering each */
  where?: Look
  /** after a batch that was not the last of its tenant, requests have the database for so many times its duration */
  rest?: number
  stopping?: AbortSignal | undefined
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
  { failed, where, rest = 0, stopping }: Walk,
  work: (scope: Scope) => Promise<unknown>,
): Promise<boolean> {
  const start = performance.now()
  let behind = await walk(where ? tenantsWhere(where, database, stopping) : everyTenant(database, stopping))
  const walked = performance.now()
  // As long as the walk took, so that walks through many tenants cost at most half of the time.
  const until = walked + Math.max(walked - start, LONGEST_ROUNDS_MS)
  while (behind.length > 0 && !stopping?.aborted && performance.now() < until) behind = await walk(behind)
  return behind.length > 0 && !stopping?.aborted

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
      await sleep(pause, undefined, { ref: false, ...(stopping && { signal: stopping }) }).catch(() => {})
    }
    return more
  }
}

/**
 * Fills something in, in every tenant, until nothing is left.
 * @param most rows of one batch
 * @param fill fills in one batch, and returns how many rows it had
 * @returns how many were filled in
 */
export async function fillInEveryTenant(
  database: Database,
  walk: Walk,
  most: number,
  fill: (scope: Scope) => Promise<number>,
): Promise<number> {
  let filled = 0
  const work = async (scope: Scope) => {
    const count = await fill(scope)
    filled += count
    return count === most
  }
  while (await inEveryTenant(database, walk, work));
  return filled
}

/** If the whole database is away, this fails too, and the round is over. */
async function endIfAway(database: Database, error: unknown): Promise<void> {
  if (isUnavailable(error as Error)) await listTenantIds(sharedScope(database), {})
}
