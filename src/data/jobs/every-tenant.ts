import { directory } from '../sql/verbs.ts'
import { openScope, sharedScope } from '../tx/open-scope.ts'
import type { Scope } from '../tx/scope.ts'
import type { Database } from '../wire/database.ts'

const listTenantIds = directory.list((from, _: object) => from('tenants').select('tenants.id').orderBy('tenants.id'))

/** The walk of every sweep: enters one tenant after the other, including closed ones, until it is stopped. */
export async function* everyTenant(database: Database, stopping?: AbortSignal): AsyncGenerator<Scope> {
  for (const { id } of await listTenantIds(sharedScope(database), {})) {
    if (stopping?.aborted) return
    yield openScope(database, id)
  }
}
