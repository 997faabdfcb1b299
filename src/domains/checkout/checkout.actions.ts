import { randomBytes } from 'node:crypto'
import type { Gatekeeper } from '../../data/redis/coordination.ts'
import { claim } from '../../data/tx/idempotency.ts'
import { nextId } from '../../data/tx/ids.ts'
import type { Tx } from '../../data/tx/scope.ts'
import { readSection } from '../portal/portal.actions.ts'
import { asView, newOrder } from './checkout.rules.ts'
import type { CheckoutRequest, OrderView } from './checkout.schemas.ts'
import { insertOrder } from './checkout.store.ts'

/** Orders a plan. An Idempotency-Key, where there is one, works once. @throws IDEMPOTENCY_KEY_REUSED, PLAN_NOT_PAYABLE */
export async function checkOut(
  tx: Tx,
  request: CheckoutRequest,
  gatekeeper: Gatekeeper | undefined,
): Promise<OrderView> {
  const [id, plans] = await Promise.all([
    nextId(tx, 'paymentOrders'),
    readSection(tx, 'pricing'),
    tx.idempotencyKey ? claim(tx, gatekeeper) : undefined,
  ])
  const order = newOrder(id, plans, request, tx.now, randomBytes(12))
  insertOrder(tx, { ...order, userId: tx.actor.id })
  return asView(order, false)
}
