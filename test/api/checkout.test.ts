import { beforeEach, describe, expect, test } from 'vitest'
import { obeying } from '../support/obedient.ts'
import { openWorld, type Person, type Tenant } from '../support/world.ts'

let tenant: Tenant
let buyer: Person
const world = await openWorld()
beforeEach(async () => {
  tenant = await world.givenTenant()
  await world.givenPrices(tenant)
  buyer = await world.givenUser(tenant)
})

const order = (body: object, person = buyer, headers: Record<string, string> = {}) =>
  world.as(person).post('/payments/checkout', body, headers)

describe('an order', () => {
  test('is for a plan of the tenant, at the price of the plan', async () => {
    const answer = await order({ planId: 2, channel: 'alipay', amountCents: 1, currency: 'USD', status: 'paid' })
    const made = answer.expect(201)
    expect(made).toEqual({
      id: expect.any(Number),
      orderNo: expect.stringMatching(/^FV[0-9A-F]{24}$/),
      planId: 2,
      planName: 'Team',
      amountCents: 29_900,
      currency: 'CNY',
      channel: 'alipay',
      renewalDays: null,
      status: 'pending',
      userId: buyer.id,
      userName: expect.stringMatching(/^Person \d+$/),
      checkoutUrl: `/payment/demo/${made.orderNo}`,
      createdAt: expect.any(String),
      expiresAt: new Date(Date.parse(made.createdAt) + 15 * 60_000).toISOString(),
    })
    expect(answer.headers.location).toBe(`/api/v1/payments/orders/${made.orderNo}`)
    expect((await world.as(buyer).get(`/payments/orders/${made.orderNo}`)).expect(200)).toEqual(made)
    expect((await world.as(buyer).get('/payments/orders')).expect(200)).toEqual([made])
  })

  test("follows the tenant's own prices, and keeps the one it was made at", async () => {
    const boss = world.as(tenant.administrator)
    const plans = (await boss.get('/public/pricing')).expect(200)
    const set = async (amountCents: number | null) =>
      (await boss.put('/content/portal/pricing', [{ ...plans[0], id: 7, name: 'Own', amountCents }])).expect(200)
    await set(5)
    const made = (await order({ planId: 7, channel: 'card' })).expect(201)
    expect(made).toMatchObject({ planName: 'Own', amountCents: 5 })
    ;(await order({ planId: 2, channel: 'card' })).expect(400, 'PLAN_NOT_PAYABLE')
    await set(null)
    ;(await order({ planId: 7, channel: 'card' })).expect(400, 'PLAN_NOT_PAYABLE')
    expect((await world.as(buyer).get(`/payments/orders/${made.orderNo}`)).expect(200).amountCents).toBe(5)
    const elsewhere = await world.givenUser(await world.givenTenant())
    ;(await order({ planId: 7, channel: 'card' }, elsewhere)).expect(400, 'PLAN_NOT_PAYABLE')
  })

  test('is refused for the default plans while the public page does not show them', async () => {
    const fresh = await world.givenTenant()
    const somebody = await world.givenUser(fresh)
    const shown = async () => (await world.anyone.get('/public/pricing', { 'x-tenant-code': fresh.code })).expect(200)

    expect(await shown()).toEqual([])
    for (const planId of [2, 3]) (await order({ planId, channel: 'card' }, somebody)).expect(400, 'PLAN_NOT_PAYABLE')

    await world.givenPrices(fresh)
    expect(await shown()).toHaveLength(4)
    ;(await order({ planId: 2, channel: 'card' }, somebody)).expect(201)
  })

  test('is refused for a plan that is free, for negotiation or unknown', async () => {
    for (const planId of [1, 4, 99])
      expect((await order({ planId, channel: 'wechat' })).expect(400, 'PLAN_NOT_PAYABLE').details).toMatchObject([
        { path: 'body.planId' },
      ])
    for (const body of [
      {},
      { planId: 2 },
      { planId: '2', channel: 'card' },
      { planId: 2, channel: 'cash' },
      { planId: 0 },
    ])
      (await order(body)).expect(400, 'VALIDATION_FAILED')
    expect((await world.as(buyer).get('/payments/orders')).expect(200)).toEqual([])
  })

  test('needs somebody who makes it', async () => {
    ;(await world.anyone.post('/payments/checkout', { planId: 2, channel: 'card' })).expect(401, 'UNAUTHENTICATED')
    ;(await world.anyone.post('/payments/checkout', {})).expect(401, 'UNAUTHENTICATED')
    ;(await world.anyone.get('/payments/orders')).expect(401, 'UNAUTHENTICATED')
  })

  test('expires after fifteen minutes', async () => {
    const { orderNo } = (await order({ planId: 3, channel: 'wechat' })).expect(201)
    await world.look.rows(`update payment_orders set expires_at = now() where order_no = $1`, [orderNo])
    expect((await world.as(buyer).get(`/payments/orders/${orderNo}`)).expect(200).status).toBe('expired')
    expect((await world.as(buyer).get('/payments/orders')).expect(200)).toMatchObject([{ status: 'expired' }])
  })

  test('is seen by its maker, and by those who set the prices of the tenant', async () => {
    const made = (await order({ planId: 2, channel: 'card' })).expect(201)
    const colleague = await world.givenUser(tenant)
    const stranger = await world.givenUser(await world.givenTenant())
    expect((await world.as(tenant.administrator).get(`/payments/orders/${made.orderNo}`)).expect(200)).toEqual(made)
    expect((await world.as(tenant.administrator).get('/payments/orders')).expect(200)).toEqual([made])
    for (const person of [colleague, stranger, (await world.givenTenant()).administrator]) {
      ;(await world.as(person).get(`/payments/orders/${made.orderNo}`)).expect(404, 'NOT_FOUND')
      expect((await world.as(person).get('/payments/orders')).expect(200)).toEqual([])
    }
    ;(await world.as(buyer).get(`/payments/orders/FV${'0'.repeat(24)}`)).expect(404, 'NOT_FOUND')
    for (const orderNo of ['1', made.orderNo.toLowerCase(), `${made.orderNo}0`])
      (await world.as(buyer).get(`/payments/orders/${orderNo}`)).expect(400, 'VALIDATION_FAILED')
  })

  test('of many is listed newest first, by windows', async () => {
    const numbers: string[] = []
    for (let n = 0; n < 3; n++) numbers.unshift((await order({ planId: 2, channel: 'card' })).expect(201).orderNo)
    const list = async (query: string) =>
      (await world.as(buyer).get(`/payments/orders${query}`)).expect(200).map(({ orderNo }: any) => orderNo)
    expect([await list(''), await list('?pageSize=2&page=2')]).toEqual([numbers, [numbers[2]]])
    expect(new Set(numbers).size).toBe(3)
  })
})

describe('an Idempotency-Key', () => {
  const key = { 'idempotency-key': 'one-order' }

  test('that comes along works once, and nothing is replayed', async () => {
    ;(await order({ planId: 2, channel: 'card' }, buyer, key)).expect(201)
    ;(await order({ planId: 2, channel: 'card' }, buyer, key)).expect(409, 'IDEMPOTENCY_KEY_REUSED')
    ;(await order({ planId: 2, channel: 'card' })).expect(201)
    ;(await order({ planId: 2, channel: 'card' }, await world.givenUser(tenant), key)).expect(201)
    expect((await world.as(buyer).get('/payments/orders')).expect(200)).toHaveLength(2)
  })

  test('of many concurrent ones lets one through', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => obeying(() => order({ planId: 2, channel: 'card' }, buyer, key))),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(409)])
  })

  test('is free again after a refusal', async () => {
    ;(await order({ planId: 1, channel: 'card' }, buyer, key)).expect(400, 'PLAN_NOT_PAYABLE')
    ;(await order({ planId: 2 }, buyer, key)).expect(400, 'VALIDATION_FAILED')
    ;(await order({ planId: 2, channel: 'card' }, buyer, key)).expect(201)
    ;(await order({ planId: 2, channel: 'card' }, buyer, { 'idempotency-key': ' ' })).expect(
      400,
      'IDEMPOTENCY_KEY_REQUIRED',
    )
  })
})

test('the system administrator, from outside, orders nothing: it would be nobody’s', async () => {
  const inside = { 'x-tenant-code': tenant.code }
  ;(await order({ planId: 2, channel: 'card' }, world.admin, inside)).expect(409, 'NOT_IN_TENANT')
  ;(await order({ planId: 2, channel: 'card' }, world.admin)).expect(201)
})
