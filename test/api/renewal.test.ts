import { beforeEach, describe, expect, test } from 'vitest'
import { hashPassword } from '../../src/domains/people/passwords.ts'
import { until } from '../support/patience.ts'
import { listRoutes } from '../support/routes.ts'
import { openWorld, type Person, type Tenant } from '../support/world.ts'

/** Beside signing in and going on with a session. */
const OPEN = [
  'GET /auth/me',
  'GET /payments/orders',
  'GET /payments/orders/:orderNo',
  'GET /public/pricing',
  'GET /tenant/settings',
  'GET /tenant/usage',
  'POST /auth/logout',
  'POST /payments/checkout',
  'POST /tenant/renewals',
]
const PASSWORD = 'a long and winding road'
let tenant: Tenant
let boss: Person
let member: Person
const world = await openWorld({ env: { SIGN_IN_LIMIT: '5' } })
const passwordHash = await hashPassword(PASSWORD)
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
    const chief = world.as({ ...boss, token: accessToken })
    expect((await chief.get('/auth/me')).expect(200)).toMatchObject({ username: boss.username })
    const plans = (await chief.get('/public/pricing')).expect(200)
    const { id: planId, amountCents } = plans.find((plan: any) => plan.amountCents > 0)
    const order = (await chief.post('/payments/checkout', { planId, channel: 'card' })).expect(201)
    expect(order).toMatchObject({ amountCents, status: 'pending' })
    expect((await chief.get(`/payments/orders/${order.orderNo}`)).expect(200)).toEqual(order)
    expect((await chief.get('/payments/orders')).expect(200)).toEqual([order])
    const next = (await world.anyone.post('/auth/refresh', { refreshToken })).expect(200)
    const later = world.as({ ...boss, token: next.accessToken })
    ;(await later.post('/auth/logout')).expect(200)
    ;(await later.get('/auth/me')).expect(401)
  })

  test('does nothing else', async () => {
    await expire()
    const headers = { authorization: `Bearer ${(await signIn(boss)).expect(200).accessToken}` }

    const entered: string[] = []
    // Signing out ends the session, so that comes last.
    const isLast = ({ path }: { path: string }) => (path === '/auth/logout' ? 1 : 0)
    for (const { method, path, access } of (await listRoutes()).toSorted((a, b) => isLast(a) - isLast(b))) {
      if (access === 'anyone' && !path.startsWith('/public/')) continue
      const url = `/api/v1${path.replace(/:\w+/g, '1')}`
      const answer = await world.app.inject({ method, url, headers } as never)
      if (answer.statusCode !== 403 || answer.json().error.type !== 'TENANT_EXPIRED') entered.push(`${method} ${path}`)
    }
    expect(entered.sort()).toEqual(OPEN)
  })

  test('is nobody there once the tenant is disabled as well', async () => {
    const { accessToken, refreshToken } = (await signIn(boss)).expect(200)
    const closing = { expiredAt: '2001-01-01T00:00:00Z', status: 'disabled' }
    ;(await world.as(world.admin).put(`/tenants/${tenant.id}`, closing)).expect(200)

    ;(await signIn(boss)).expect(403, 'TENANT_DISABLED')
    ;(await world.anyone.post('/auth/refresh', { refreshToken })).expect(403, 'TENANT_DISABLED')
    for (const path of ['/auth/me', '/public/pricing', '/payments/orders'])
      (await world.as({ ...boss, token: accessToken }).get(path)).expect(403, 'TENANT_DISABLED')
  })

  test('learns of the expiry, and not of the password, whatever they mistype, and no oftener than others', async () => {
    await expire()
    for (let attempt = 0; attempt < 5; attempt++) (await signIn(boss, 'wrong')).expect(403, 'TENANT_EXPIRED')
    ;(await signIn(boss, 'wrong')).expect(429, 'RATE_LIMITED')
    ;(await signIn(boss)).expect(429, 'RATE_LIMITED')
  })
})

test.each([{ expiredAt: '2001-01-01T00:00:00Z' }, { status: 'disabled' }])(
  'anybody of a tenant that is closed (%o) can still sign out',
  async (closing) => {
    const sessions = [(await signIn(boss)).expect(200), (await signIn(member)).expect(200)]
    ;(await world.as(world.admin).put(`/tenants/${tenant.id}`, closing)).expect(200)

    for (const { accessToken } of sessions) {
      const client = world.as({ ...member, token: accessToken })
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
      (await world.as({ ...member, token: accessToken }).get(path)).expect(403, 'TENANT_EXPIRED')
    ;(await world.anyone.get('/public/pricing', { 'x-tenant-code': tenant.code })).expect(403, 'TENANT_EXPIRED')
    ;(
      await world.anyone.post('/auth/register', {
        username: 'late',
        email: 'late@example.com',
        password: PASSWORD,
        tenantCode: tenant.code,
      })
    ).expect(403, 'TENANT_EXPIRED')
  })

  test('goes on with the session they had once it is renewed: a refusal has not used it up', async () => {
    const { refreshToken } = (await signIn(member)).expect(200)
    await expire()
    ;(await world.anyone.post('/auth/refresh', { refreshToken })).expect(403, 'TENANT_EXPIRED')
    await expire('2099-01-01T00:00:00Z')
    await until(async () => (await world.anyone.post('/auth/refresh', { refreshToken })).expect(200))
  })

  test('and anyone who was an administrator a moment ago, too', async () => {
    const second = await world.givenUser(tenant, 'tenant-admin')
    await world.look.rows('update users set password_hash = $2 where tenant_id = $1', [tenant.id, passwordHash])
    const { refreshToken } = (await signIn(second)).expect(200)
    const [{ id: userRole }] = (await world.as(boss).get('/roles'))
      .expect(200)
      .items.filter((role: any) => role.code === 'user')
    ;(await world.as(boss).put(`/users/${second.id}`, { roleIds: [userRole] })).expect(200)
    await expire()

    ;(await signIn(second)).expect(403, 'TENANT_EXPIRED')
    ;(await world.anyone.post('/auth/refresh', { refreshToken })).expect(403, 'TENANT_EXPIRED')
  })
})
