import { fault, notFound } from '#atrium'
import type { Plan } from '#atrium/portal'
import type { CheckoutRequest, OrderView } from './checkout.schemas.ts'

export const checkoutFaults = {
  notFound: notFound('Order'),
  planNotPayable: fault('PLAN_NOT_PAYABLE', 400, 'This plan cannot be paid online'),
}

/** A new order as it is stored; whether it has expired depends on the clock. */
export type Order = Omit<OrderView, 'status' | 'checkoutUrl' | 'userId' | 'userName'>

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
export function asView<Stored extends { orderNo: string; isPaid: boolean; expired: boolean }>({
  isPaid,
  expired,
  ...order
}: Stored) {
  const status = isPaid ? ('paid' as const) : expired ? ('expired' as const) : ('pending' as const)
  return { ...order, status, checkoutUrl: `/payment/demo/${order.orderNo}` }
}
