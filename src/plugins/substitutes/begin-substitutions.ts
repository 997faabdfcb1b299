import { type Job, type Scope, type System, system, type Tx, transact } from '#atrium'
import { tellSubstitute } from '#atrium/approvals'
import { lockStaff } from '#atrium/organization'
import { getPolicy } from '#atrium/tenants'
import { isWithin, periodOf } from './substitutes.rules.ts'
import { listOfOtherZones, listToBegin, markBegun, savePeriod } from './substitutes.store.ts'

/** Notifies substitutes of what waits when their first day begins, and moves days when a tenant changes its time zone. */
export const substitutions: Job = {
  name: 'substitutions',
  every: 60_000,
  first: 3000,
  inTenants: { failed: 'a substitution could not begin', where: isDue },
  work: ({ tenantId }, { database }) =>
    transact(database, { tenantId, actor: system, requestId: 'substitutions' }, begin),
}

async function isDue(scope: Scope): Promise<boolean> {
  const { timeZone } = await getPolicy(scope, { id: scope.tenantId })
  const [toBegin, ofOtherZones] = await Promise.all([listToBegin(scope, {}), listOfOtherZones(scope, { timeZone })])
  return toBegin.length + ofOtherZones.length > 0
}

/** The lock keeps out other processes, and requests that are being submitted: each is announced once. */
async function begin(tx: Tx<System>): Promise<void> {
  const [, { timeZone }] = await tx.inOrder([lockStaff(tx, {}), getPolicy(tx, { id: tx.tenantId })])
  for (const { userId, fromDay, untilDay, begun } of await listOfOtherZones(tx, { timeZone })) {
    const period = periodOf({ from: fromDay, until: untilDay }, timeZone)
    // One that lies ahead again begins once more.
    savePeriod(tx, { userId, ...period, begun: begun && isWithin(period, tx.now) })
  }
  for (const one of await listToBegin(tx, {})) {
    markBegun(tx, { userId: one.userId })
    await tellSubstitute(tx, one)
  }
}
