import { type Database, type Erased, eraseTenant, type Sweep, sharedScope, startSweep } from '#atrium'
import type { Storage } from '#atrium/files'
import { listDueForErasure } from '#atrium/tenants'

const EVERY_MS = 600_000
/** Tenants of one round; the rest waits for the next. */
const MOST = 100

/** Erases the tenants whose time is over, one after the other. @returns what there was of each, by its code */
export async function eraseDueTenants(
  database: Database,
  storage: Pick<Storage, 'removeAll'>,
  stopping?: AbortSignal,
): Promise<Record<string, Erased>> {
  const erased: Record<string, Erased> = {}
  for (const { id, code } of await listDueForErasure(sharedScope(database), { most: MOST })) {
    const found = await eraseTenant(database, id, (tenantId) => storage.removeAll(tenantId), stopping)
    if (!found) break
    erased[code] = found
    database.log.info({ tenantId: id, code, ...found }, 'a tenant was erased')
  }
  return erased
}

/** Looks for tenants to erase, every ten minutes. */
export function startErasures(database: Database, storage: Storage): Sweep {
  return startSweep(database, { what: 'tenants to erase', pause: EVERY_MS, first: EVERY_MS / 10 }, (stopping) =>
    eraseDueTenants(database, storage, stopping),
  )
}
