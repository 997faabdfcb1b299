import { beforeEach, describe, expect, test } from 'vitest'
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
    expect(await world.as(buyer).read(`/payments/orders/${made.orderNo}`)).toEqual(made)
    expect(await world.as(buyer).read('/payments/orders')).toEqual([made])
  })

  test("follows the tenant's own prices, and keeps the one it was made at", async () => {
    const boss = world.as(tenant.administrator)
    const plans = await boss.read('/public/pricing')
    const set = async (amountCents: number | null) =>
      (await boss.put('/content/portal/pricing', [{ ...plans[0], id: 7, name: 'Own', amountCents }])).expect(200)
    await set(5)
    const made = (await order({ planId: 7, channel: 'card' })).expect(201)
    expect(made).toMatchObject({ planName: 'Own', amountCents: 5 })
    const { details } = (await order({ planId: 2, channel: 'card' })).expect(400, 'PLAN_NOT_PAYABLE')
    expect(details).toMatchObject([{ path: 'body.planId' }])
    await set(null)
    ;(await order({ planId: 7, channel: 'card' })).expect(400, 'PLAN_NOT_PAYABLE')
    expect((await world.as(buyer).read(`/payments/orders/${made.orderNo}`)).amountCents).toBe(5)
  })

  test('is refused for the default plans while the public page does not show them', async () => {
    const fresh = await world.givenTenant()
    const shown = await world.anyone.get('/public/pricing', { 'x-tenant-code': fresh.code })
    expect(shown.expect(200)).toEqual([])
    const somebody = await world.givenUser(fresh)
    for (const planId of [2, 3]) (await order({ planId, channel: 'card' }, somebody)).expect(400, 'PLAN_NOT_PAYABLE')
  })

  test('expires after fifteen minutes', async () => {
    const { orderNo } = (await order({ planId: 3, channel: 'wechat' })).expect(201)
    await world.look.rows(`update payment_orders set expires_at = now() where order_no = $1`, [orderNo])
    expect((await world.as(buyer).read(`/payments/orders/${orderNo}`)).status).toBe('expired')
    expect(await world.as(buyer).read('/payments/orders')).toMatchObject([{ status: 'expired' }])
  })

  test('is seen by its maker, and by those who set the prices of the tenant, newest first', async () => {
    const made = (await order({ planId: 2, channel: 'card' })).expect(201)
    const [colleague, boss] = [await world.givenUser(tenant), tenant.administrator]
    const list = (person: Person, query = '') => world.as(person).read(`/payments/orders${query}`)
    expect(await world.as(boss).read(`/payments/orders/${made.orderNo}`)).toEqual(made)
    ;(await world.as(colleague).get(`/payments/orders/${made.orderNo}`)).expect(404, 'NOT_FOUND')
    expect([await list(boss), await list(buyer), await list(colleague)]).toEqual([[made], [made], []])
    const later = (await order({ planId: 2, channel: 'card' })).expect(201)
    expect([await list(buyer), await list(buyer, '?pageSize=1&page=2')]).toEqual([[later, made], [made]])
    for (const orderNo of ['1', made.orderNo.toLowerCase(), `${made.orderNo}0`])
      (await world.as(buyer).get(`/payments/orders/${orderNo}`)).expect(400, 'VALIDATION_FAILED')
  })
})

test('the system administrator, from outside, orders nothing: it would be nobody’s', async () => {
  const inside = { 'x-tenant-code': tenant.code }
  ;(await order({ planId: 2, channel: 'card' }, world.admin, inside)).expect(409, 'NOT_IN_TENANT')
  ;(await order({ planId: 2, channel: 'card' }, world.admin)).expect(201)
})
