import { randomBytes } from 'node:crypto'
import { assertAtHome, type Language, nextId, type Tx } from '#atrium'
import { readSection } from '#atrium/portal'
import { asView, newOrder } from './checkout.rules.ts'
import type { CheckoutRequest, OrderView } from './checkout.schemas.ts'
import { insertOrder } from './checkout.store.ts'

/**
 * Orders one of the tenant's public plans, under the name that the buyer sees. The default plans of a tenant that has not
 * set its prices are only examples and cannot be ordered. @throws NOT_IN_TENANT, PLAN_NOT_PAYABLE
 */
export async function checkOut(tx: Tx, request: CheckoutRequest, language: Language): Promise<OrderView> {
  const [plans, id] = await Promise.all([
    readSection(tx, 'pricing', { language, isMember: false }),
    nextId(tx, 'paymentOrders'),
  ])
  assertAtHome(tx)
  const order = newOrder(id, plans, request, tx.now, randomBytes(12))
  insertOrder(tx, { ...order, userId: tx.actor.id })
  return asView(order, false)
}
