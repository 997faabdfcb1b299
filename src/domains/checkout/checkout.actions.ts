import { randomBytes } from 'node:crypto'
import { type Actor, assertAtHome, type Config, type Language, nameOf, nextId, only, type Tx } from '#atrium'
import { readSection } from '#atrium/portal'
import { getSettings, renewalOf, renewTenant } from '#atrium/tenants'
import { asView, newOrder, newRenewal, type Order } from './checkout.rules.ts'
import type { CheckoutRequest, OrderView, RenewalRequest } from './checkout.schemas.ts'
import { insertOrder, lockOrder, savePaid } from './checkout.store.ts'

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
  return placeOrder(tx, newOrder(id, plans, request, tx.now, randomBytes(12)))
}

/** Orders another period of the tenant's plan, at the operator's price. @throws NOT_IN_TENANT, PLAN_NOT_PAYABLE */
export async function orderRenewal(
  tx: Tx,
  renewals: Config['renewals'],
  { channel }: RenewalRequest,
): Promise<OrderView> {
  const [settings, id] = await Promise.all([getSettings(tx, { id: tx.tenantId }), nextId(tx, 'paymentOrders')])
  assertAtHome(tx)
  const offer = renewalOf(renewals, settings)
  return placeOrder(tx, newRenewal(id, settings.plan, offer, channel, tx.now, randomBytes(12)))
}

function placeOrder(tx: Tx, order: Order): OrderView {
  const userId = tx.actor.id
  insertOrder(tx, { ...order, userId })
  const data = only(order, ['orderNo', 'amountCents', 'currency', 'planId', 'channel'])
  tx.record({ event: 'order.created', subject: order.id, data })
  return asView({ ...order, userId, userName: nameOf(tx.actor), isPaid: false, expired: false })
}

/**
 * Marks an order as paid; one that renews the tenant extends it. It counts once, however often it is reported, and also
 * after the order's time is over. @returns false if it was paid before @throws NOT_FOUND
 */
export async function markPaid(tx: Tx<Actor>, orderNo: string): Promise<boolean> {
  const { id, paidAt, renewalDays, ...order } = await lockOrder(tx, { orderNo })
  if (paidAt !== null) return false
  savePaid(tx, { id, paidAt: tx.now })
  tx.record({ event: 'order.paid', subject: id, data: { orderNo, ...only(order, ['amountCents', 'currency']) } })
  if (renewalDays !== null) await renewTenant(tx, renewalDays)
  return true
}
