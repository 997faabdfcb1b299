import { fault, notFound } from '#atrium'
import type { Plan } from '#atrium/portal'
import type { CheckoutRequest, OrderView } from './checkout.schemas.ts'

export const checkoutFaults = {
  notFound: notFound('Order'),
  planNotPayable: fault('PLAN_NOT_PAYABLE', 400, 'This plan cannot be paid online'),
}

/** An order as it is stored; whether it has expired depends on the clock. */
export type Order = Omit<OrderView, 'status' | 'checkoutUrl'>

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
  return {
    id,
    orderNo: `FV${random.toString('hex').toUpperCase()}`,
    planId,
    planName: plan.name,
    amountCents: plan.amountCents,
    currency: plan.currency,
    channel,
    createdAt: now,
    expiresAt: new Date(Date.parse(now) + OPEN_MS).toISOString(),
  }
}

/** An order as its buyer sees it. */
export function asView<Stored extends Pick<Order, 'orderNo'>>(order: Stored, expired: boolean) {
  const status = expired ? ('expired' as const) : ('pending' as const)
  return { ...order, status, checkoutUrl: `/payment/demo/${order.orderNo}` }
}
