import type { Database } from './database.ts'
import type { Scope } from './scope.ts'
import { directory } from './statement.ts'
import { nowhere, openScope } from './transaction.ts'

const listTenantIds = directory.list((from, _: object) => from('tenants').select('tenants.id').orderBy('tenants.id'))

/** The walk of every sweep: enters one tenant after the other, closed ones too, until it is told to stop. */
export async function* everyTenant(database: Database, stopping?: AbortSignal): AsyncGenerator<Scope> {
  for (const { id } of await listTenantIds(nowhere(database), {})) {
    if (stopping?.aborted) return
    yield openScope(database, id)
  }
}
