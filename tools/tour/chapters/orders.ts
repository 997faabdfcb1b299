import { randomUUID } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import type { Atrium } from '../../../client/index.ts'
import { readOwnConfig } from '../../../src/config/own-config.ts'
import { lines, type Tour } from '../cast.ts'

/** An order, how the payment provider reports it, and what the plan allows. */
export async function tellOrders(tour: Tour, neighbour: Atrium, tenant: string, guest: Atrium): Promise<void> {
  const { chapter, tell, refused, visitor, visit, run, baseUrl } = tour
  const reader = visitor(tenant)

  chapter('An order')
  const examples = await neighbour.listPublicPlans()
  const price = () => neighbour.replacePortalSection({ section: 'pricing', body: examples })
  await tell('The neighbour takes the example prices over as their own.', price, 200, { length: examples.length })
  const plans = await tell(
    'What does it cost?',
    () => reader.listPublicPlans(),
    200,
    (plans) =>
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

  const report = await openProvider(baseUrl, visit)
  if (report) {
    chapter('A payment')
    const pay = (status: string) => () => report(orderNo, status)
    const now = () => neighbour.getOrder({ orderNo })
    await tell('The provider of development reports the payment, signed.', pay('paid'), 200, () => 'received')
    await tell('The order is paid.', now, 200, { status: 'paid' })
    await tell('The money goes back,', pay('refunded'), 200, () => 'received')
    await tell('… and a report that comes late', pay('paid'), 200, () => 'received')
    await tell('… changes nothing.', now, 200, { status: 'refunded' })
    const forged = () => report(orderNo, 'paid', 'whsec_bm90IHRoZSBzZWNyZXQ=')
    await tell('A report with another signature is refused.', forged, 401, () => 'refused')
  }

  chapter('What the plan allows')
  const usage = () => neighbour.getTenantUsage()
  await tell('What the tenant uses, beside the limits of its plan:', usage, 200, ({ plan, ...counts }) =>
    lines(Object.entries(counts), ([what, { used, limit }]) => `${what.padEnd(18)}${used} of ${limit ?? 'any number'}`),
  )
}

type Report = (orderNo: string, status: string, secret?: string) => Promise<Response>

/** The provider of development; undefined if the service has another secret than the configuration of this folder. */
async function openProvider(baseUrl: string, visit: Tour['visit']): Promise<Report | undefined> {
  const { paymentsDemoSecret } = readOwnConfig(process.env)
  if (!paymentsDemoSecret) return undefined
  const send =
    (through: typeof visit): Report =>
    (orderNo, status, secret = paymentsDemoSecret) => {
      const [id, now] = [`msg_${randomUUID()}`, new Date()]
      const body = JSON.stringify({ orderNo, status, occurredAt: now.toISOString() })
      const headers = {
        'content-type': 'application/json',
        'webhook-id': id,
        'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
        'webhook-signature': new Webhook(secret).sign(id, now, body),
      }
      return through('/api/v1/payments/callback/demo', { method: 'POST', headers, body })
    }
  const unknown = await send((path, init) => fetch(`${baseUrl}${path}`, init))(`FV${'0'.repeat(24)}`, 'paid')
  return unknown.status === 404 ? send(visit) : undefined
}
