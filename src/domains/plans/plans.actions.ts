import { type Limited, limitOf, port, ports, type Scope, type Tx } from '#atrium'
import { assertFits } from './plans.rules.ts'
import { lockQuota } from './plans.store.ts'

/** How much a tenant has of something that plans limit. */
export interface Usage {
  readonly of: Limited
  /** The exact number, by an index: it is counted while others wait for the lock of the quota. */
  count(scope: Scope): Promise<number>
}
export const usages = ports<Usage>('how much a tenant has of what plans limit')

/** Finds the plan of the scope's tenant. */
export type PlanOf = (scope: Scope) => Promise<string>
export const tenantPlan = port<PlanOf>('the plan of a tenant')

/**
 * Makes sure that the plan of the tenant has room for what this transaction adds. Those who add the same thing to a tenant
 * with a limit wait for each other until the commit; a tenant without one neither waits nor counts. It comes after the
 * transaction's other locks.
 * @throws QUOTA_EXCEEDED
 */
export async function takeRoom(tx: Tx<any>, quota: Limited, wanted = 1): Promise<void> {
  const { plans } = tx
  if (!plans || !Object.values(plans).some((limits) => limits[quota] !== undefined)) return
  const limit = limitOf(plans, await tenantPlan.get()(tx), quota)
  if (limit === null) return
  const [, used] = await tx.inOrder([lockQuota(tx, { quota, tenantId: tx.tenantId }), usedOf(tx, quota)])
  assertFits(quota, { used, limit, wanted })
}

/** How much the tenant has; 0 of what no domain counts. */
export async function usedOf(scope: Scope, quota: Limited): Promise<number> {
  return (
    (await usages
      .all()
      .find(({ of }) => of === quota)
      ?.count(scope)) ?? 0
  )
}
