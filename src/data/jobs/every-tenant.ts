import { directory } from '../sql/verbs.ts'
import { openScope, sharedScope } from '../tx/open-scope.ts'
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

/**
 * Does some work in every tenant. A failure in one is logged and does not stop the others, unless the database is away.
 * @param failed what the log says of a tenant in which the work failed
 */
export async function inEveryTenant(
  database: Database,
  { failed, stopping }: { failed: string; stopping?: AbortSignal | undefined },
  work: (scope: Scope) => Promise<unknown>,
): Promise<void> {
  for await (const scope of everyTenant(database, stopping))
    try {
      await work(scope)
    } catch (error) {
      database.log.warn({ err: String(error), tenantId: scope.tenantId }, failed)
      // If the whole database is away this fails too, and the round is over.
      if (isUnavailable(error as Error)) await listTenantIds(sharedScope(database), {})
    }
}
