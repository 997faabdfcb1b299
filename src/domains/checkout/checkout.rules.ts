import { fault, notFound, type PartOf } from '#atrium'
import type { Plan } from '#atrium/portal'
import type { CheckoutRequest, OrderView } from './checkout.schemas.ts'

export const checkoutFaults = {
  notFound: notFound('Order'),
  planNotPayable: fault('PLAN_NOT_PAYABLE', 400, 'This plan cannot be paid online'),
}

/** A new order as it is stored; whether it has expired depends on the clock. */
export type Order = Omit<OrderView, 'status' | 'checkoutUrl' | 'userId' | 'userName'>

/** What a payment provider, or the operator, can report of an order. */
export type PaymentStatus = 'paid' | 'expired' | 'refunded'
type OrderState = 'pending' | PaymentStatus

/**
 * What a report makes of an order; one that is missing changes nothing. Reports come late, twice and out of order: an order
 * that has expired can still be paid, a paid one does not expire, and a refunded one stays refunded.
 */
const SETTLED: Readonly<Record<OrderState, readonly PaymentStatus[]>> = {
  pending: ['paid', 'expired', 'refunded'],
  expired: ['paid', 'refunded'],
  paid: ['refunded'],
  refunded: [],
}

/** What was reported of an order, with its times. */
export type Reported = PartOf<'paymentOrders', 'paidAt' | 'expiredAt' | 'refundedAt'>

/** Whether a report changes the order. */
export function isNews({ paidAt, expiredAt, refundedAt }: Reported, report: PaymentStatus): boolean {
  const state = refundedAt ? 'refunded' : paidAt ? 'paid' : expiredAt ? 'expired' : 'pending'
  return SETTLED[state].includes(report)
}

const OPEN_MS = 15 * 60_000

/**
 * An order for one of the tenant's plans, at the plan's own price, open for fifteen minutes.
 * @param random 12 unpredictable bytes, which become the order's number
 * @throws PLAN_NOT_PAYABLE for a plan that is unknown, free or negotiable
 */
export function newOrder(
  id: number,
  plans: readonly Plan[],
  { planId, channel }: CheckoutRequest,
  now: string,
  random: Buffer,
): Order {
  const plan = plans.find((each) => each.id === planId)
  if (!plan?.amountCents)
    throw checkoutFaults.planNotPayable([{ path: 'body.planId', message: 'must be a plan with a price' }])
  const { name: planName, amountCents } = plan
  return openOrder({ id, planId, planName, amountCents, renewalDays: null, channel }, now, random)
}

/** An order for another period of the plan that the tenant has from the operator. @throws PLAN_NOT_PAYABLE without an offer */
export function newRenewal(
  id: number,
  plan: string,
  offer: { amountCents: number; days: number } | undefined,
  channel: Order['channel'],
  now: string,
  random: Buffer,
): Order {
  if (!offer)
    throw checkoutFaults.planNotPayable([{ path: 'plan', message: 'the operator offers no renewal of this plan' }])
  const { amountCents, days: renewalDays } = offer
  return openOrder({ id, planId: null, planName: plan, amountCents, renewalDays, channel }, now, random)
}

function openOrder(
  order: Omit<Order, 'orderNo' | 'currency' | 'createdAt' | 'expiresAt'>,
  now: string,
  random: Buffer,
) {
  return {
    ...order,
    orderNo: `FV${random.toString('hex').toUpperCase()}`,
    currency: 'CNY' as const,
    createdAt: now,
    expiresAt: new Date(Date.parse(now) + OPEN_MS).toISOString(),
  }
}

/** An order as people see it. */
export function asView<Stored extends { orderNo: string }>(order: Stored) {
  return { ...order, checkoutUrl: `/payment/demo/${order.orderNo}` }
}
