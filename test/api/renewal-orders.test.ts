import { beforeEach, describe, expect, test } from 'vitest'
import { transact } from '../../src/data/tx/transact.ts'
import { settleOrder } from '../../src/domains/checkout/checkout.actions.ts'
import { system } from '../../src/kernel/actor.ts'
import { openWorld, type Person, type Tenant } from '../support/world.ts'

const DAY_MS = 86_400_000
const OFFER = { amountCents: 99_900, days: 365 }
let tenant: Tenant
let boss: Person
const world = await openWorld({ env: { RENEWALS: JSON.stringify({ team: OFFER }) } })
beforeEach(async () => {
  tenant = await world.givenTenant()
  boss = tenant.administrator
})

const terms = async (patch: object) =>
  (await world.as(world.admin).put(`/tenants/${tenant.id}`, { plan: 'team', ...patch })).expect(200)
const settings = async () => (await world.as(boss).get('/tenant/settings')).expect(200)
const order = (person = boss, body: object = { channel: 'card' }) => world.as(person).post('/tenant/renewals', body)
const pay = (orderNo: string, tenantId = tenant.id) =>
  transact(world.database, { tenantId, actor: system, requestId: 'test' }, (tx) => settleOrder(tx, orderNo, 'paid'))

describe('a tenant that has expired', () => {
  test("orders another period at the operator's price, whatever its own price list says, and goes on once it is paid", async () => {
    await world.givenPrices(tenant)
    await terms({ expiredAt: '2001-01-01T00:00:00.000Z' })
    expect(await settings()).toMatchObject({ plan: 'team', renewal: OFFER })

    const answer = await order(boss, { channel: 'card', amountCents: 1, planId: 2 })
    const made = answer.expect(201)
    expect(made).toMatchObject({
      planId: null,
      planName: 'team',
      amountCents: OFFER.amountCents,
      renewalDays: OFFER.days,
      status: 'pending',
      userId: boss.id,
    })
    expect(answer.headers.location).toBe(`/api/v1/payments/orders/${made.orderNo}`)
    expect((await world.as(boss).get(`/payments/orders/${made.orderNo}`)).expect(200)).toEqual(made)

    expect(await pay(made.orderNo)).toBe(true)

    const { expiredAt } = await settings()
    expect(Date.parse(expiredAt) - Date.now()).toBeGreaterThan(364 * DAY_MS)
    expect(Date.parse(expiredAt) - Date.now()).toBeLessThanOrEqual(365 * DAY_MS)
    ;(await world.as(boss).get('/users')).expect(200)
    expect((await world.as(boss).get(`/payments/orders/${made.orderNo}`)).expect(200).status).toBe('paid')
  })
})

describe('the payment of a renewal', () => {
  test('extends the tenant from the end of the period that it has, once, however often it is reported', async () => {
    const expiredAt = new Date(Date.now() + 10 * DAY_MS).toISOString()
    await terms({ expiredAt })
    const { orderNo } = (await order()).expect(201)
    expect((await settings()).expiredAt).toBe(expiredAt)

    const reports = await Promise.all([pay(orderNo), pay(orderNo), pay(orderNo)])

    expect(reports.sort()).toEqual([false, false, true])
    const renewed = new Date(Date.parse(expiredAt) + OFFER.days * DAY_MS).toISOString()
    expect((await settings()).expiredAt).toBe(renewed)
  })

  test('counts in its own tenant only, and an order of another kind extends nothing', async () => {
    await world.givenPrices(tenant)
    const expiredAt = new Date(Date.now() + 10 * DAY_MS).toISOString()
    await terms({ expiredAt })
    const { orderNo } = (await order()).expect(201)
    const plan = (await world.as(boss).post('/payments/checkout', { planId: 2, channel: 'card' })).expect(201)

    await expect(pay(orderNo, (await world.givenTenant()).id)).rejects.toMatchObject({ type: 'NOT_FOUND' })
    expect(await pay(plan.orderNo)).toBe(true)

    expect((await settings()).expiredAt).toBe(expiredAt)
  })
})

test('without an offer for its plan, or without an expiry, there is nothing to order', async () => {
  await terms({ plan: 'gold', expiredAt: '2099-01-01T00:00:00.000Z' })
  expect(await settings()).toMatchObject({ renewal: null })
  ;(await order()).expect(400, 'PLAN_NOT_PAYABLE')
  await terms({ plan: 'team', expiredAt: null })
  expect(await settings()).toMatchObject({ renewal: null })
  ;(await order()).expect(400, 'PLAN_NOT_PAYABLE')
})

test('only those who manage the settings order it', async () => {
  await terms({ expiredAt: '2099-01-01T00:00:00.000Z' })
  const employee = await world.givenUser(tenant)
  ;(await order(employee)).expect(403, 'PERMISSION_DENIED')
  ;(await order(boss, { channel: 'cash' })).expect(400, 'VALIDATION_FAILED')
  ;(await world.as(world.admin).post('/tenant/renewals', { channel: 'card' }, { 'x-tenant-code': tenant.code })).expect(
    409,
    'NOT_IN_TENANT',
  )
})
