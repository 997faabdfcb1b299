import { beforeEach, describe, expect, test } from 'vitest'
import { transact } from '../../src/data/tx/transact.ts'
import { settleOrder } from '../../src/domains/checkout/checkout.actions.ts'
import { system } from '../../src/kernel/actor.ts'
import { until } from '../support/patience.ts'
import { quickHash } from '../support/quick-hash.ts'
import { listRoutes } from '../support/routes.ts'
import { openWorld, type Person, type Tenant } from '../support/world.ts'

/** Of the core, beside signing in and going on with a session. */
const OPEN = [
  ...['GET /auth/me', 'GET /payments/orders', 'GET /payments/orders/:orderNo', 'GET /public/pricing'],
  ...['POST /auth/logout', 'POST /payments/checkout', 'POST /tenant/renewals'],
]
const PASSWORD = 'a long and winding road'
let tenant: Tenant
let boss: Person
let member: Person
const DAY_MS = 86_400_000
const OFFER = { amountCents: 99_900, days: 365 }
const world = await openWorld({ env: { SIGN_IN_LIMIT: '5', RENEWALS: JSON.stringify({ team: OFFER }) } })
const passwordHash = await quickHash(PASSWORD)
beforeEach(async () => {
  tenant = await world.givenTenant()
  boss = tenant.administrator
  member = await world.givenUser(tenant)
  await world.look.rows('update users set password_hash = $2 where tenant_id = $1', [tenant.id, passwordHash])
})

const expire = async (expiredAt = '2001-01-01T00:00:00Z') => {
  ;(await world.as(world.admin).put(`/tenants/${tenant.id}`, { expiredAt })).expect(200)
}
const signIn = (person: Person, password = PASSWORD) =>
  world.anyone.post('/auth/login', { username: person.username, password, tenantCode: tenant.code })

describe('an administrator of a tenant that has expired', () => {
  test('signs in, reads the prices, pays, and signs out', async () => {
    await world.givenPrices(tenant)
    await expire()

    const { accessToken, refreshToken } = (await signIn(boss)).expect(200)
    const chief = world.as({ token: accessToken })
    expect(await chief.read('/auth/me')).toMatchObject({ username: boss.username })
    const plans = await chief.read('/public/pricing')
    const { id: planId, amountCents } = plans.find((plan: any) => plan.amountCents > 0)
    const order = await chief.create('/payments/checkout', { planId, channel: 'card' })
    expect(order).toMatchObject({ amountCents, status: 'pending' })
    expect(await chief.read(`/payments/orders/${order.orderNo}`)).toEqual(order)
    expect(await chief.read('/payments/orders')).toEqual([order])
    const next = (await world.anyone.post('/auth/refresh', { refreshToken })).expect(200)
    const later = world.as({ token: next.accessToken })
    ;(await later.post('/auth/logout')).expect(200)
    ;(await later.get('/auth/me')).expect(401)
  })

  test('does nothing else', async () => {
    await expire()
    const headers = { authorization: `Bearer ${(await signIn(boss)).expect(200).accessToken}` }

    const routes = await listRoutes()
    const ofPlugins = routes.filter(({ domain, beside }) => domain && beside.includes('renews'))
    const entered: string[] = []
    // Signing out ends the session, so that comes last.
    const isLast = ({ path }: { path: string }) => (path === '/auth/logout' ? 1 : 0)
    for (const { method, path, access } of routes.toSorted((a, b) => isLast(a) - isLast(b))) {
      if (access === 'anyone' && !path.startsWith('/public/')) continue
      const url = `/api/v1${path.replace(/:\w+/g, '1')}`
      const answer = await world.app.inject({ method, url, headers } as never)
      if (answer.statusCode !== 403 || answer.json().error.type !== 'TENANT_EXPIRED') entered.push(`${method} ${path}`)
    }
    expect(entered.sort()).toEqual([...OPEN, ...ofPlugins.map(({ method, path }) => `${method} ${path}`)].sort())
  })

  test('learns of the expiry, and not of the password, whatever they mistype, and no oftener than others', async () => {
    await expire()
    for (let attempt = 0; attempt < 5; attempt++) (await signIn(boss, 'wrong')).expect(403, 'TENANT_EXPIRED')
    // Of those that lie a minute back none counts.
    await until(async () => (await signIn(boss, 'wrong')).expect(429, 'RATE_LIMITED'))
    ;(await signIn(boss)).expect(429, 'RATE_LIMITED')
  })
})

test.each([{ expiredAt: '2001-01-01T00:00:00Z' }, { status: 'disabled' }])(
  'anybody of a tenant that is closed (%o) can still sign out',
  async (closing) => {
    const sessions = [(await signIn(boss)).expect(200), (await signIn(member)).expect(200)]
    ;(await world.as(world.admin).put(`/tenants/${tenant.id}`, closing)).expect(200)

    for (const { accessToken } of sessions) {
      const client = world.as({ token: accessToken })
      ;(await client.post('/auth/logout')).expect(200)
      ;(await client.post('/auth/logout')).expect(401)
    }
  },
)

describe('everybody else of a tenant that has expired', () => {
  test('stays out, with the right password and with the session they have', async () => {
    const { accessToken, refreshToken } = (await signIn(member)).expect(200)
    await expire()

    ;(await signIn(member)).expect(403, 'TENANT_EXPIRED')
    ;(await world.anyone.post('/auth/refresh', { refreshToken })).expect(403, 'TENANT_EXPIRED')
    for (const path of ['/auth/me', '/public/pricing', '/payments/orders'])
      (await world.as({ token: accessToken }).get(path)).expect(403, 'TENANT_EXPIRED')
    ;(await world.anyone.get('/public/pricing', { 'x-tenant-code': tenant.code })).expect(403, 'TENANT_EXPIRED')
  })

  test('goes on with the session they had once it is renewed: a refusal has not used it up', async () => {
    const { refreshToken } = (await signIn(member)).expect(200)
    await expire()
    ;(await world.anyone.post('/auth/refresh', { refreshToken })).expect(403, 'TENANT_EXPIRED')
    await expire('2099-01-01T00:00:00Z')
    await until(async () => (await world.anyone.post('/auth/refresh', { refreshToken })).expect(200))
  })
})

const terms = async (patch: object) =>
  (await world.as(world.admin).put(`/tenants/${tenant.id}`, { plan: 'team', ...patch })).expect(200)
const expiry = async () => (await world.as(world.admin).read(`/tenants/${tenant.id}`)).expiredAt
const order = (person = boss, body: object = { channel: 'card' }) => world.as(person).post('/tenant/renewals', body)
const pay = (orderNo: string, tenantId = tenant.id) =>
  transact(world.database, { tenantId, actor: system, requestId: 'test' }, (tx) => settleOrder(tx, orderNo, 'paid'))

test("a tenant that has expired and renews orders another period at the operator's price, whatever its own price list says, and goes on once it is paid", async () => {
  await world.givenPrices(tenant)
  await terms({ expiredAt: '2001-01-01T00:00:00.000Z' })

  const answer = await order(boss, { channel: 'card', amountCents: 1, planId: 2 })
  const made = answer.expect(201)
  const offered = { planId: null, planName: 'team', amountCents: OFFER.amountCents, renewalDays: OFFER.days }
  expect(made).toMatchObject({ ...offered, status: 'pending', userId: boss.id })
  expect(answer.headers.location).toBe(`/api/v1/payments/orders/${made.orderNo}`)
  expect(await world.as(boss).read(`/payments/orders/${made.orderNo}`)).toEqual(made)

  expect(await pay(made.orderNo)).toBe(true)

  const expiredAt = await expiry()
  expect(Date.parse(expiredAt) - Date.now()).toBeGreaterThan(364 * DAY_MS)
  expect(Date.parse(expiredAt) - Date.now()).toBeLessThanOrEqual(365 * DAY_MS)
  await world.as(boss).read('/users')
  expect((await world.as(boss).read(`/payments/orders/${made.orderNo}`)).status).toBe('paid')
})

describe('the payment of a renewal', () => {
  test('extends the tenant from the end of the period that it has, once, however often it is reported', async () => {
    const expiredAt = new Date(Date.now() + 10 * DAY_MS).toISOString()
    await terms({ expiredAt })
    const { orderNo } = (await order()).expect(201)
    expect(await expiry()).toBe(expiredAt)

    const reports = await Promise.all([pay(orderNo), pay(orderNo), pay(orderNo)])

    expect(reports.sort()).toEqual([false, false, true])
    const renewed = new Date(Date.parse(expiredAt) + OFFER.days * DAY_MS).toISOString()
    expect(await expiry()).toBe(renewed)
  })

  test('counts in its own tenant only, and an order of another kind extends nothing', async () => {
    await world.givenPrices(tenant)
    const expiredAt = new Date(Date.now() + 10 * DAY_MS).toISOString()
    await terms({ expiredAt })
    const { orderNo } = (await order()).expect(201)
    const plan = await world.as(boss).create('/payments/checkout', { planId: 2, channel: 'card' })

    await expect(pay(orderNo, (await world.givenTenant()).id)).rejects.toMatchObject({ type: 'NOT_FOUND' })
    expect(await pay(plan.orderNo)).toBe(true)

    expect(await expiry()).toBe(expiredAt)
  })
})

test('without an offer for its plan, or without an expiry, there is nothing to order', async () => {
  for (const without of [{ plan: 'gold', expiredAt: '2099-01-01T00:00:00.000Z' }, { expiredAt: null }]) {
    await terms(without)
    ;(await order()).expect(400, 'PLAN_NOT_PAYABLE')
  }
})

test('a renewal is ordered through a known channel, and by nobody of another tenant', async () => {
  await terms({ expiredAt: '2099-01-01T00:00:00.000Z' })
  ;(await order(boss, { channel: 'cash' })).expect(400, 'VALIDATION_FAILED')
  const there = { 'x-tenant-code': tenant.code }
  const foreign = await world.as(world.admin).post('/tenant/renewals', { channel: 'card' }, there)
  foreign.expect(409, 'NOT_IN_TENANT')
})
