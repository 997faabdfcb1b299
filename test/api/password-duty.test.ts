import { beforeEach, describe, expect, test } from 'vitest'
import { openWorld, type Person, type Tenant } from '../support/world.ts'

const FIRST = 'set by the boss'
const OWN = 'chosen by oneself'
let tenant: Tenant
let boss: Person
let counter = 0
const world = await openWorld()
beforeEach(async () => {
  tenant = await world.givenTenant()
  boss = tenant.administrator
})

async function givenCreated(more: object = {}) {
  const username = `new-${++counter}`
  const { id } = await world.as(boss).create('/users', { username, password: FIRST, ...more })
  return { id: id as number, username }
}
async function signIn({ id, username }: { id: number; username: string }, password = FIRST): Promise<Person> {
  const form = { username, password, tenantCode: tenant.code }
  const { accessToken } = (await world.anyone.post('/auth/login', form)).expect(200)
  return { id, username, tenantId: tenant.id, token: accessToken }
}
const askForChange = () => world.look.rows(`update tenants set first_password = 'change' where id = $1`, [tenant.id])
const change = (person: Person, currentPassword: string, newPassword: string) =>
  world.as(person).put('/auth/password', { currentPassword, newPassword })
const isFree = async (person: Person) => (await world.as(person).get('/notifications')).status === 200

describe('a person who must change their password', () => {
  test('can do nothing but that and sign out, and then everything at once', async () => {
    const created = await givenCreated({ mustChangePassword: true })
    const person = await signIn(created)
    const me = world.as(person)
    for (const refused of [
      me.get('/notifications'),
      me.get('/projects'),
      me.post('/projects', {}),
      me.put('/users/me', { nickname: 'Ada' }),
      me.get('/payments/orders'),
      me.get('/auth/sessions'),
    ])
      (await refused).expect(403, 'PASSWORD_CHANGE_REQUIRED')
    await me.read('/auth/me')
    ;(await world.as(await signIn(created)).post('/auth/logout')).expect(200)
    expect(await me.read('/users/me')).toMatchObject({ mustChangePassword: true })

    ;(await change(person, 'not the first', OWN)).expect(400, 'WRONG_PASSWORD')
    const same = (await change(person, FIRST, FIRST)).expect(400, 'VALIDATION_FAILED')
    expect(same.details).toMatchObject([{ path: 'body.newPassword' }])
    expect(await isFree(person)).toBe(false)
    ;(await change(person, FIRST, OWN)).expect(200)
    expect(await isFree(person)).toBe(true)
    expect(await me.read('/users/me')).toMatchObject({ mustChangePassword: false })
  })

  test('is free in every process once it is done', async () => {
    const person = await signIn(await givenCreated({ mustChangePassword: true }))
    expect(await isFree(person)).toBe(false)
    // As another process of the service does it, which this one has not heard of yet.
    await world.look.rows('update users set must_change_password = false where id = $1', [person.id])
    expect(await isFree(person)).toBe(true)
  })
})

describe('a password that an administrator sets', () => {
  test('is kept or changed as the tenant has set it, unless the form says so', async () => {
    expect(await isFree(await signIn(await givenCreated()))).toBe(true)
    await askForChange()
    expect(await isFree(await signIn(await givenCreated()))).toBe(false)
    expect(await isFree(await signIn(await givenCreated({ mustChangePassword: false })))).toBe(true)
  })

  test('for somebody who is there already, too, but not the own one', async () => {
    const created = await givenCreated()
    await askForChange()
    ;(await world.as(boss).put(`/users/${created.id}`, { nickname: 'Ada' })).expect(200)
    expect(await isFree(await signIn(created))).toBe(true)
    ;(await world.as(boss).put(`/users/${created.id}`, { password: 'set again by the boss' })).expect(200)
    const person = await signIn(created, 'set again by the boss')
    expect(await isFree(person)).toBe(false)

    const second = await givenCreated({ mustChangePassword: false, roleIds: await administratorRole() })
    const administrator = await signIn(second)
    const own = { password: OWN, currentPassword: FIRST }
    ;(await world.as(administrator).put(`/users/${second.id}`, own)).expect(200)
    expect(await isFree(administrator)).toBe(true)
  })

  test('may be as short as six characters; one that a person chooses is as long as the tenant asks for', async () => {
    await world.look.rows('update tenants set password_min_length = 12 where id = $1', [tenant.id])
    await world.setRegistration(tenant, 'open')
    const person = await signIn(await givenCreated({ password: 'sixsix' }), 'sixsix')

    const refused = (await change(person, 'sixsix', 'elevenchars')).expect(400, 'VALIDATION_FAILED')
    expect(refused.details).toMatchObject([{ path: 'body.newPassword', minimum: 12 }])
    ;(await change(person, 'sixsix', 'twelve chars')).expect(200)

    const registered = { username: `new-${++counter}`, email: 'a@example.com', tenantCode: tenant.code }
    ;(await world.anyone.post('/auth/register', { ...registered, password: 'elevenchars' })).expect(400)
    await world.anyone.create('/auth/register', { ...registered, password: 'twelve chars' })

    const second = await givenCreated({ roleIds: await administratorRole() })
    const own = (password: string) => ({ password, currentPassword: FIRST })
    const administrator = world.as(await signIn(second))
    ;(await administrator.put(`/users/${second.id}`, own('elevenchars'))).expect(400, 'VALIDATION_FAILED')
    ;(await administrator.put(`/users/${second.id}`, own('twelve chars'))).expect(200)
  })
})

async function administratorRole(): Promise<number[]> {
  const { items } = await world.as(boss).read('/roles')
  return items.filter(({ code }: any) => code === 'tenant-admin').map(({ id }: any) => id)
}
