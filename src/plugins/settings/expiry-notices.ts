import { type Job, type System, sharedScope, system, type Tx, transact } from '#atrium'
import { listAdministratorIds } from '#atrium/roles'
import { getSettings, listExpiring } from '#atrium/tenants'
import { dayIn, NOTICE_DAYS, noticeDue } from './settings.rules.ts'
import { noteNotice } from './settings.store.ts'

const HOUR_MS = 3600_000
const MOST_DAYS = Math.max(...NOTICE_DAYS) + 1

/** Notifies the administrators of each tenant before it expires, once for each notice. It checks hourly. */
export const expiryNotices: Job = {
  name: 'notices of expiry',
  every: HOUR_MS,
  first: 2000,
  inTenants: {
    failed: 'the notice of an expiry could not be sent',
    among: (database) => listExpiring(sharedScope(database), { days: MOST_DAYS }),
  },
  work: ({ tenantId }, { database }) =>
    transact(database, { tenantId, actor: system, requestId: 'expiry' }, (tx) => notify(tx)),
}

async function notify(tx: Tx<System>): Promise<void> {
  const [administrators, { expiredAt, timeZone }] = await Promise.all([
    listAdministratorIds(tx, {}),
    getSettings(tx, { id: tx.tenantId }),
  ])
  const days = expiredAt ? noticeDue(expiredAt, tx.now) : undefined
  if (!expiredAt || days === undefined) return
  // If two processes run at the same time, the second finds the note.
  const { affected } = await noteNotice(tx, { expiredAt, days, createdAt: tx.now })
  if (affected === 0) return
  tx.notify({
    type: 'TENANT_EXPIRES',
    facts: { date: dayIn(timeZone, expiredAt) },
    resourceType: 'tenant',
    resourceId: tx.tenantId,
    receivers: administrators.map(({ id }) => id),
  })
}
