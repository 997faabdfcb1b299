import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { atOnce, ROUNDS } from '#test/races.ts'
import { openWorld } from '#test/world.ts'
import { numberAll } from '../../../data/events/number-events.ts'
import type { PaymentStatus } from '../../../domains/checkout/checkout.rules.ts'
import { signWebhook } from '../../../util/secrets/standard-webhooks.ts'
import { demoProvider } from '../demo-provider.ts'

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'

const RENEWALS = JSON.stringify({ team: { amountCents: 29_900, days: 30 } })
const world = await openWorld({ env: { PAYMENTS_DEMO_SECRET: SECRET, RENEWALS } })
const callbackUrl = `${await world.app.listen({ port: 0 })}/api/v1/payments/callback/demo`
const provider = demoProvider({ secret: SECRET, callbackUrl })
const tenant = await world.givenTenant()
await world.givenPrices(tenant)
const buyer = await world.givenUser(tenant)

const order = async (): Promise<string> =>
  (await world.as(buyer).post('/payments/checkout', { planId: 2, channel: 'card' })).expect(201).orderNo
const statusOf = async (orderNo: string) =>
  (await world.as(buyer).get(`/payments/orders/${orderNo}`)).expect(200).status
const eventsOf = async (orderNo: string): Promise<string[]> => {
  await numberAll(world.database, tenant.id)
  const events = await world.look.rows<{ type: string }>(
    `select type from events where type in ('order.paid', 'order.expired', 'order.refunded')
        and data ->> 'orderNo' = $1 order by id`,
    [orderNo],
  )
  return events.map(({ type }) => type)
}

/** A callback by hand, with what is wrong about it. */
function call(report: object | string, { path = 'demo', ...headers }: Record<string, string> = {}) {
  const body = typeof report === 'string' ? report : JSON.stringify(report)
  const message = { id: randomUUID(), timestamp: String(Math.floor(Date.now() / 1000)), body: Buffer.from(body) }
  return world.anyone.send({
    method: 'POST',
    url: `/api/v1/payments/callback/${path}`,
    payload: body,
    headers: {
      'content-type': 'application/json',
      'webhook-id': message.id,
      'webhook-timestamp': message.timestamp,
      'webhook-signature': signWebhook([SECRET], message),
      ...headers,
    },
  })
}
const reported = (orderNo: string, status: string) => ({ orderNo, status, occurredAt: new Date().toISOString() })

describe('a report of the payment provider', () => {
  test('marks an order as paid and then as refunded, and leaves an event and a line of the audit', async () => {
    const orderNo = await order()
    ;(await call(reported(orderNo, 'paid'))).expect(200)
    expect(await statusOf(orderNo)).toBe('paid')
    await provider.report(orderNo, ['refunded'])
    expect(await statusOf(orderNo)).toBe('refunded')
    expect(await eventsOf(orderNo)).toEqual(['order.paid', 'order.refunded'])
    const [latest] = (await world.as(tenant.administrator).get('/audit/operations?pageSize=1')).expect(200)
    expect(latest).toMatchObject({ path: '/api/v1/payments/callback/demo', status: 200, userId: null })
  })

  test.each<[PaymentStatus[], string]>([
    [['expired', 'paid'], 'paid'],
    [['paid', 'expired'], 'paid'],
    [['paid', 'refunded'], 'refunded'],
    [['refunded', 'paid'], 'refunded'],
    [['expired', 'refunded', 'paid', 'expired'], 'refunded'],
    [['expired'], 'expired'],
  ])('of %j, each sent late, twice and slowly, ends as %s and counts once', async (reports, status) => {
    const orderNo = await order()
    const outcomes = await provider.report(orderNo, reports, { late: 20, twice: true, slow: 10 })
    expect(outcomes.map((outcome) => outcome.status)).toEqual(Array(reports.length * 2).fill(200))
    expect(await statusOf(orderNo)).toBe(status)
    const events = await eventsOf(orderNo)
    expect(new Set(events).size).toBe(events.length)
    expect(events.at(-1)).toBe(`order.${status}`)
  })

  test('counts for an order whose time is over', async () => {
    const orderNo = await order()
    await world.look.rows(`update payment_orders set expires_at = now() where order_no = $1`, [orderNo])
    expect(await statusOf(orderNo)).toBe('expired')
    ;(await call(reported(orderNo, 'paid'))).expect(200)
    expect(await statusOf(orderNo)).toBe('paid')
  })

  test(`of 32 at the same time counts once, ${ROUNDS} times over`, async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const orderNo = await order()
      const answers = await atOnce((at) => call(reported(orderNo, at % 2 ? 'paid' : 'refunded')), 32)
      for (const answer of answers) answer.expect(200)
      expect(await statusOf(orderNo)).toBe('refunded')
      const events = await eventsOf(orderNo)
      expect(events.filter((type) => type === 'order.refunded')).toHaveLength(1)
      expect(events.filter((type) => type === 'order.paid').length).toBeLessThanOrEqual(1)
    }
  })
})

describe('a callback is refused, and changes nothing,', () => {
  const old = String(Math.floor(Date.now() / 1000) - 301)
  test.each<Record<string, string>>([{ 'webhook-signature': 'v1,x' }, { 'webhook-timestamp': old }])(
    'with %j',
    async (headers) => {
      const orderNo = await order()
      for (const body of [reported(orderNo, 'paid'), 'not JSON'])
        (await call(body, headers)).expect(401, 'INVALID_SIGNATURE')
      expect(await statusOf(orderNo)).toBe('pending')
    },
  )

  test('with a body that is not a report, of an order or of a provider that there is not', async () => {
    const orderNo = await order()
    ;(await call(reported(orderNo, 'lost'))).expect(400, 'VALIDATION_FAILED')
    ;(await call({ ...reported(orderNo, 'paid'), padding: 'x'.repeat(262_144) })).expect(413)
    ;(await call(reported(`FV${'0'.repeat(24)}`, 'paid'))).expect(404, 'NOT_FOUND')
    ;(await call(reported(orderNo, 'paid'), { path: 'stripe' })).expect(404, 'NOT_FOUND')
    expect(await statusOf(orderNo)).toBe('pending')
  })
})
