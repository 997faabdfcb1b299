import {
  type Database,
  inEveryTenant,
  type Scope,
  type Sweep,
  type System,
  startSweep,
  system,
  type Tx,
  transact,
} from '#atrium'
import { lockStaff } from '#atrium/organization'
import { getPolicy } from '#atrium/tenants'
import { substituteWork } from './substitutes.actions.ts'
import { periodOf } from './substitutes.rules.ts'
import { listOfOtherZones, listToBegin, markBegun, savePeriod } from './substitutes.store.ts'

const PAUSE_MS = 60_000

/** Notifies substitutes of what waits when their first day begins, and moves days when a tenant changes its time zone. */
export function startSubstitutions(database: Database): Sweep {
  return startSweep(database, { what: 'substitutions', pause: PAUSE_MS, first: 3000 }, (stopping) =>
    beginSubstitutions(database, stopping),
  )
}

/** One round through all tenants; a failure in one does not stop the others. @returns how many substitutions began */
export async function beginSubstitutions(database: Database, stopping?: AbortSignal): Promise<number> {
  let begun = 0
  await inEveryTenant(database, { failed: 'a substitution could not begin', where: isDue, stopping }, async (scope) => {
    begun += await transact(database, commandIn(scope), begin)
  })
  return begun
}

const commandIn = ({ tenantId }: Scope) => ({ tenantId, actor: system, requestId: 'substitutions' })

async function isDue(scope: Scope): Promise<boolean> {
  const { timeZone } = await getPolicy(scope, { id: scope.tenantId })
  const [toBegin, ofOtherZones] = await Promise.all([listToBegin(scope, {}), listOfOtherZones(scope, { timeZone })])
  return toBegin.length + ofOtherZones.length > 0
}

/** The lock keeps out other processes, and requests that are being submitted: each is announced once. */
async function begin(tx: Tx<System>): Promise<number> {
  const [, { timeZone }] = await tx.inOrder([lockStaff(tx, {}), getPolicy(tx, { id: tx.tenantId })])
  for (const { userId, fromDay, untilDay } of await listOfOtherZones(tx, { timeZone }))
    savePeriod(tx, { userId, ...periodOf({ from: fromDay, until: untilDay }, timeZone) })
  const due = await listToBegin(tx, {})
  for (const one of due) {
    markBegun(tx, { userId: one.userId })
    await substituteWork.get().tellWaiting(tx, one)
  }
  return due.length
}
