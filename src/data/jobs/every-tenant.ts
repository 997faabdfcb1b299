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
  stopping?: AbortSignal | undefined
}

/**
 * Does some work in every tenant. A failure in one is logged and does not stop the others, unless the database is away.
 */
export async function inEveryTenant(
  database: Database,
  { failed, where, stopping }: Walk,
  work: (scope: Scope) => Promise<unknown>,
): Promise<void> {
  for await (const scope of where ? tenantsWhere(where, database, stopping) : everyTenant(database, stopping))
    try {
      await work(scope)
    } catch (error) {
      database.log.warn({ err: String(error), tenantId: scope.tenantId }, failed)
      await endIfAway(database, error)
    }
}

/** If the whole database is away, this fails too, and the round is over. */
async function endIfAway(database: Database, error: unknown): Promise<void> {
  if (isUnavailable(error as Error)) await listTenantIds(sharedScope(database), {})
}
