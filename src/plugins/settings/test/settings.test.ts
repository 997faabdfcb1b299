import { beforeEach, describe, expect, test } from 'vitest'
import { runJob } from '#test/jobs.ts'
import { openWorld, type Person, type Tenant } from '#test/world.ts'
import { expiryNotices } from '../expiry-notices.ts'

let tenant: Tenant
let boss: Person
const OFFER = { amountCents: 99_900, days: 365 }
const world = await openWorld({ env: { RENEWALS: JSON.stringify({ gold: OFFER }) } })
beforeEach(async () => {
  tenant = await world.givenTenant()
  boss = tenant.administrator
})

const notifyOfExpiry = () => runJob(world.database, expiryNotices)
const PATH = '/tenant/settings'
const read = async () => (await world.as(boss).get(PATH)).expect(200)
const put = (patch: object, headers: Record<string, string> = {}) => world.as(boss).put(PATH, patch, headers)
const register = (username: string) => {
  const form = { username, email: 'new@example.com', password: 'a long and winding road' }
  return world.anyone.post('/auth/register', { ...form, tenantCode: tenant.code })
}

/** What a tenant has that has set nothing. */
const AT_FIRST = {
  ...{ registration: 'closed', locale: 'en', timeZone: 'UTC', secondFactor: 'optional', renewal: null },
  ...{ firstPassword: 'keep', passwordMinLength: 6, sessionDays: 7, invitationDays: 7 },
}

describe('the settings of a tenant', () => {
  test('are read by its administrators, with the plan and the expiry that the operator has set', async () => {
    expect(await read()).toEqual({ ...AT_FIRST, plan: 'test', expiredAt: null, version: 0 })
    const terms = { plan: 'team', expiredAt: '2099-01-01T00:00:00.000Z' }
    ;(await world.as(world.admin).put(`/tenants/${tenant.id}`, terms)).expect(200)
    expect(await read()).toEqual({ ...AT_FIRST, ...terms, version: 1 })
  })

  test("have the operator's offer for its plan, if it expires, and are still read once it has", async () => {
    const later = '2099-01-01T00:00:00.000Z'
    for (const [plan, expiredAt, renewal] of [
      ['gold', later, OFFER],
      ['gold', '2001-01-01T00:00:00.000Z', OFFER],
      ['gold', null, null],
      ['team', later, null],
    ] as const) {
      ;(await world.as(world.admin).put(`/tenants/${tenant.id}`, { plan, expiredAt })).expect(200)
      expect(await read()).toMatchObject({ plan, expiredAt, renewal })
    }
  })

  test('open and close the tenant to strangers, without the operator', async () => {
    ;(await register('too-early')).expect(403, 'REGISTRATION_CLOSED')

    expect((await put({ registration: 'open' })).expect(200)).toMatchObject({ registration: 'open', version: 1 })
    ;(await register('in-time')).expect(201)
    ;(await put({ registration: 'closed' })).expect(200)
    ;(await register('too-late')).expect(403, 'REGISTRATION_CLOSED')
  })

  test('are changed one by one, each within its bounds', async () => {
    const policy = {
      ...{ locale: 'zh-CN', timeZone: 'Asia/Shanghai', firstPassword: 'change' },
      ...{ passwordMinLength: 12, sessionDays: 30, invitationDays: 14 },
    }
    for (const [name, value] of Object.entries(policy)) (await put({ [name]: value })).expect(200)
    expect(await read()).toMatchObject({ ...AT_FIRST, ...policy, version: 6 })

    const zones = ['Mars/Phobos', '+08:00', 'IST', ''].map((timeZone) => ({ timeZone }))
    const beyond = [{ passwordMinLength: 5 }, { passwordMinLength: 65 }, { sessionDays: 0 }, { sessionDays: 91 }]
    for (const wrong of [...zones, ...beyond, { locale: 'fr' }, { invitationDays: 0.5 }, { invitationDays: 31 }])
      (await put(wrong)).expect(400, 'VALIDATION_FAILED')
    expect(await read()).toMatchObject({ ...policy, version: 6 })
  })

  test('do not require a second factor on the word of somebody who has none', async () => {
    ;(await put({ secondFactor: 'required' })).expect(409, 'SECOND_FACTOR_MISSING')
    ;(await put({ secondFactor: 'required', version: 9 })).expect(409, 'SECOND_FACTOR_MISSING')
    expect(await read()).toMatchObject({ secondFactor: 'optional', version: 0 })
  })

  test('are changed by anyone who has read them last', async () => {
    const etag = String((await world.as(boss).get(PATH)).headers.etag)
    ;(await put({ registration: 'open', version: 0 }, { 'if-match': etag })).expect(200)

    ;(await put({ registration: 'closed' }, { 'if-match': etag })).expect(412, 'PRECONDITION_FAILED')
    expect((await put({ registration: 'closed', version: 0 })).expect(409, 'VERSION_CONFLICT').details).toMatchObject([
      { path: 'version', expected: 0, actual: 1 },
    ])
    const own = String((await world.as(world.admin).get(PATH)).headers.etag)
    ;(await put({ registration: 'closed' }, { 'if-match': own })).expect(412, 'PRECONDITION_FAILED')
    ;(await world.as(world.admin).put(`/tenants/${tenant.id}`, { registration: 'closed' })).expect(200)
    ;(await put({ registration: 'open', version: 1 })).expect(409, 'VERSION_CONFLICT')
    expect(await read()).toMatchObject({ registration: 'closed', version: 2 })
  })

  test('can be read, and not changed, once the tenant has expired', async () => {
    const expiredAt = '2001-01-01T00:00:00.000Z'
    ;(await world.as(world.admin).put(`/tenants/${tenant.id}`, { expiredAt })).expect(200)
    expect(await read()).toMatchObject({ expiredAt })
    ;(await put({ registration: 'open' })).expect(403, 'TENANT_EXPIRED')
  })
})

describe('before a tenant expires', () => {
  const DAY_MS = 86_400_000
  const expiresIn = async (days: number) => {
    const expiredAt = new Date(Date.now() + days * DAY_MS).toISOString()
    ;(await world.as(world.admin).put(`/tenants/${tenant.id}`, { expiredAt })).expect(200)
    return expiredAt
  }
  const inbox = async (person = boss, language = 'en') =>
    (await world.as(person).get('/notifications', { 'accept-language': language }))
      .expect(200)
      .filter(({ type }: any) => type === 'TENANT_EXPIRES')
      .map(({ title, resourceType, resourceId }: any) => [title, resourceType, resourceId])

  test('its administrators are notified, and nobody else, once for each notice, in their language', async () => {
    const second = await world.givenUser(tenant, 'tenant-admin')
    const employee = await world.givenUser(tenant)
    ;(await put({ timeZone: 'Pacific/Kiritimati' })).expect(200)
    const expiredAt = await expiresIn(14.5)
    const date = new Date(Date.parse(expiredAt) + 14 * 3_600_000).toISOString().slice(0, 10)

    // Two processes look at the same moment, and one of them once more.
    await Promise.all([notifyOfExpiry(), notifyOfExpiry()])
    await notifyOfExpiry()

    const notice = [[`Your subscription ends on ${date}`, 'tenant', tenant.id]]
    expect([await inbox(), await inbox(second), await inbox(employee)]).toEqual([notice, notice, []])
    expect((await inbox(boss, 'zh-CN'))[0][0]).toBe(`订阅将于 ${date} 到期`)
  })

  test('they are notified again of each date, and not while there is time', async () => {
    await expiresIn(15.5)
    await notifyOfExpiry()
    expect(await inbox()).toEqual([])
    for (const [days, count] of [
      [10, 1],
      [2, 2],
      [0.5, 3],
    ] as const) {
      await expiresIn(days)
      await notifyOfExpiry()
      expect(await inbox()).toHaveLength(count)
    }
    await expiresIn(-1)
    await notifyOfExpiry()
    ;(await world.as(world.admin).put(`/tenants/${tenant.id}`, { expiredAt: null })).expect(200)
    expect(await inbox()).toHaveLength(3)
  })
})
