import type { Atrium } from '../../../client/index.ts'
import { lines, type Tour } from '../cast.ts'

/** An order, at a price that the buyer does not state. @returns its number */
export async function tellOrders(tour: Tour, neighbour: Atrium, tenant: string, guest: Atrium): Promise<string> {
  const { chapter, tell, refused, visitor, run } = tour
  const reader = visitor(tenant)

  chapter('An order')
  const examples = await neighbour.listPublicPlans()
  const price = () => neighbour.replacePortalSection({ section: 'pricing', body: examples })
  await tell('The neighbour takes the example prices over as their own.', price, 200, { length: examples.length })
  const ask = () => reader.listPublicPlans()
  const plans = await tell('What does it cost?', ask, 200, (plans) =>
    lines(plans, (plan) => `${String(plan.id).padEnd(4)}${plan.name.padEnd(12)}${plan.price} ${plan.period}`),
  )
  const plan = plans.find(({ amountCents }) => amountCents !== null && amountCents > 0)!
  const buy = (planId: number) => () =>
    neighbour.checkout(
      // @ts-expect-error what it costs is not for the buyer to say
      { body: { amountCents: 1, planId, channel: 'card' } },
      { idempotencyKey: `order-${run}-${planId}` },
    )
  const priced = { amountCents: plan.amountCents!, status: 'pending' } as const
  const order = await tell('The neighbour orders, at the price of the plan.', buy(plan.id), 201, priced)
  const { orderNo } = order
  await tell('The order can be looked up by its number,', () => neighbour.getOrder({ orderNo }), 200, { id: order.id })
  await refused('… by its buyer alone.', () => guest.getOrder({ orderNo }), [404, 'NOT_FOUND'])
  const free = plans.find(({ amountCents }) => amountCents === 0)
  if (free) await refused('What is free cannot be bought.', buy(free.id), [400, 'PLAN_NOT_PAYABLE'])
  return orderNo
}
