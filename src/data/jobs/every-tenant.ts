import type { Database } from '../wire/database.ts'
import type { Scope } from '../tx/scope.ts'
import { directory } from '../sql/verbs.ts'
import { nowhere, openScope } from '../tx/transact.ts'

const listTenantIds = directory.list((from, _: object) => from('tenants').select('tenants.id').orderBy('tenants.id'))

/** The walk of every sweep: enters one tenant after the other, closed ones too, until it is told to stop. */
export async function* everyTenant(database: Database, stopping?: AbortSignal): AsyncGenerator<Scope> {
  for (const { id } of await listTenantIds(nowhere(database), {})) {
    if (stopping?.aborted) return
    yield openScope(database, id)
  }
}
