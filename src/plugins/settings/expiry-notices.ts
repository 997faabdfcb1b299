import {
  type Database,
  type Scope,
  type Sweep,
  type System,
  sharedScope,
  startSweep,
  system,
  type Tx,
  transact,
} from '#atrium'
import { listAdministratorIds } from '#atrium/roles'
import { getPolicy, listExpiring } from '#atrium/tenants'
import { dayIn, NOTICE_DAYS, noticeDue } from './settings.rules.ts'
import { noteNotice } from './settings.store.ts'

const HOUR_MS = 3600_000
const MOST_DAYS = Math.max(...NOTICE_DAYS) + 1

/** Notifies the administrators of each tenant before it expires, once for each notice. It checks hourly. */
export function startExpiryNotices(database: Database): Sweep {
  return startSweep(database, { what: 'notices of expiry', pause: HOUR_MS, first: 2000 }, (stopping) =>
    notifyOfExpiry(database, stopping),
  )
}

/** One round through all tenants; a failure in one does not stop the others. @returns how many notices were sent */
export async function notifyOfExpiry(database: Database, stopping?: AbortSignal): Promise<number> {
  let sent = 0
  for (const { id, expiredAt } of await listExpiring(sharedScope(database), { days: MOST_DAYS })) {
    if (stopping?.aborted) break
    try {
      const command = { tenantId: id, actor: system, requestId: 'expiry' }
      if (await transact(database, command, (tx) => notify(tx, expiredAt!))) sent++
    } catch (error) {
      database.log.warn({ err: String(error), tenantId: id }, 'the notice of an expiry could not be sent')
    }
  }
  return sent
}

async function notify(tx: Tx<System>, expiredAt: string): Promise<boolean> {
  const [administrators, { timeZone }] = await Promise.all([
    listAdministratorIds(tx as Scope, {}),
    getPolicy(tx, { id: tx.tenantId }),
  ])
  const days = noticeDue(expiredAt, tx.now)
  if (days === undefined) return false
  // If two processes run at the same time, the second finds the note.
  const { affected } = await noteNotice(tx, { expiredAt, days, createdAt: tx.now })
  if (affected === 0) return false
  tx.notify({
    type: 'TENANT_EXPIRES',
    facts: { date: dayIn(timeZone, expiredAt) },
    resourceType: 'tenant',
    resourceId: tx.tenantId,
    receivers: administrators.map(({ id }) => id),
  })
  return true
}
