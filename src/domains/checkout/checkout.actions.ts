import { randomBytes } from 'node:crypto'
import { type Actor, assertAtHome, type Config, type Language, nameOf, nextId, only, type Tx } from '#atrium'
import { readSection } from '#atrium/portal'
import { getSettings, renewalOf, renewTenant } from '#atrium/tenants'
import { asView, isNews, newOrder, newRenewal, type Order, type PaymentStatus } from './checkout.rules.ts'
import type { CheckoutRequest, OrderView, RenewalRequest } from './checkout.schemas.ts'
import { insertOrder, insertTenantOfOrder, lockOrder, saveReport } from './checkout.store.ts'

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
  insertTenantOfOrder(tx, { orderNo: order.orderNo, tenant: tx.tenantId })
  const data = only(order, ['orderNo', 'amountCents', 'currency', 'planId', 'channel'])
  tx.record({ event: 'order.created', subject: order.id, data })
  return asView({ ...order, userId, userName: nameOf(tx.actor), status: 'pending' as const })
}

/**
 * Marks an order as paid, expired or refunded; the first time that it is paid, an order that renews the tenant extends it.
 * It does so once, however often and in whatever order it is reported. A refund does not shorten a period: that is for the
 * operator to decide.
 * @param assertPaid throws if something else was paid than the order says
 * @returns false if the report changes nothing @throws NOT_FOUND
 */
export async function settleOrder(
  tx: Tx<Actor>,
  orderNo: string,
  status: PaymentStatus,
  assertPaid: (order: { amountCents: number; currency: string }) => void = () => {},
): Promise<boolean> {
  const { id, paidAt, expiredAt, refundedAt, renewalDays, ...order } = await lockOrder(tx, { orderNo })
  if (!isNews({ paidAt, expiredAt, refundedAt }, status)) return false
  if (status === 'paid') assertPaid(order)
  saveReport(tx, { id, [`${status}At` as const]: tx.now })
  tx.record({ event: `order.${status}`, subject: id, data: { orderNo, ...only(order, ['amountCents', 'currency']) } })
  if (status === 'paid' && renewalDays !== null) await renewTenant(tx, renewalDays)
  return true
}
