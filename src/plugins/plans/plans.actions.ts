import { type Limited, type Scope, type Tx, usages } from '#atrium'
import { planOf } from '#atrium/tenants'
import { assertFits, limitOf } from './plans.rules.ts'
import { lockQuota } from './plans.store.ts'

/**
 * Makes sure that the plan of the tenant has room for so much more, until the commit. What no plan limits costs no
 * statement.
 * @throws QUOTA_EXCEEDED
 */
export async function takeRoom(tx: Tx<any>, quota: Limited, wanted: number): Promise<void> {
  const { plans } = tx
  if (!plans || !Object.values(plans).some((limits) => limits[quota] !== undefined)) return
  const limit = limitOf(plans, await planOf(tx), quota)
  if (limit === null) return
  const [, used] = await tx.inOrder([lockQuota(tx, { quota, tenantId: tx.tenantId }), usedOf(tx, quota)])
  assertFits(quota, { used, limit, wanted })
}

/** How much the tenant has; 0 of what no domain counts. */
export async function usedOf(scope: Scope, quota: Limited): Promise<number> {
  const usage = usages.all().find(({ of }) => of === quota)
  return usage ? usage.count(scope) : 0
}
