import type { Limited } from '../data/tx/plans.ts'
import type { Scope, Tx } from '../data/tx/scope.ts'
import { fault } from '../kernel/fault.ts'
import { port, ports } from './port.ts'

/** How much a tenant has of something that plans can limit. */
export interface Usage {
  readonly of: Limited
  /** The exact number, by an index: it is counted while others wait for the lock of the quota. */
  count(scope: Scope): Promise<number>
}
export const usages = ports<Usage>('how much a tenant has of what plans limit')

/** Makes sure that the plan of the tenant has room for so much more. @throws QUOTA_EXCEEDED */
export type Quotas = (tx: Tx<any>, quota: Limited, wanted: number) => Promise<void>
export const quotas = port<Quotas>('what the plan of a tenant has room for', async () => {})

export const quotaFaults = {
  exceeded: fault('QUOTA_EXCEEDED', 409, 'The plan of this tenant has no room for this'),
}

/**
 * Makes sure that the plan of the tenant has room for what this transaction adds. Those who add the same thing to a tenant
 * with a limit wait for each other until the commit; a tenant without one neither waits nor counts. It comes after the
 * transaction's other locks.
 * @throws QUOTA_EXCEEDED
 */
export function takeRoom(tx: Tx<any>, quota: Limited, wanted = 1): Promise<void> {
  return quotas.get()(tx, quota, wanted)
}
