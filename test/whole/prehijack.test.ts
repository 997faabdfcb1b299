import { beforeEach, describe, expect, test } from 'vitest'
import type { Answer, Client } from '#test/client.ts'
import { holdRow, waitsForLock } from '#test/interleave.ts'
import { givenResetToken, mailsTo } from '#test/links.ts'
import { until } from '#test/patience.ts'
import { arriveAt, codeIn, saveProvider, startAddress } from '#test/provider-steps.ts'
import { openRogueProvider, type RogueProvider } from '#test/rogue-provider.ts'
import { givenFactor } from '#test/second-factor.ts'
import { openWorld, type Person, type Tenant } from '#test/world.ts'
import { grantsOf, type Permission } from '../../src/kernel/access.ts'

/**
 * Account pre-hijacking: somebody makes an account with the address of a person who is not here yet, keeps a way into it,
 * and waits until that person comes and is taken for its owner.
 */
const PASSWORD = 'a long and winding road'
const OTHER = 'another long and winding road'
const ALWAYS = { from: '2026-01-01', until: '2999-12-31' }
let tenant: Tenant
let email: string
let counter = 0
/** the provider of the tenant, and one that an attacker runs */
const [world, honest, evil] = await Promise.all([openWorld(), openRogueProvider(), openRogueProvider()])
beforeEach(async () => {
  tenant = await world.givenTenant()
  email = `grace-${++counter}@example.com`
  sits(honest, { sub: 'grace', email })
  sits(evil, { sub: 'mallory', email })
})

/** Who sits before the browser, as a provider says it: with a verified address. */
function sits(provider: RogueProvider, account: object): void {
  provider.claims = (usual) => ({ ...usual, ...account })
}

const boss = () => world.as(tenant.administrator)
/** Somebody of the tenant who holds what users hold, and these. */
const givenAttacker = async (...more: Permission[]): Promise<Person> =>
  world.givenUser(tenant, [...grantsOf('user'), ...more])
const name = (by: Client, { client }: RogueProvider, more: object = {}) => saveProvider(by, { ...client, ...more })
const invite = (by: Client, more: object = {}) => by.create('/invitations', { email, ...more })
const tokenOf = ({ acceptUrl }: { acceptUrl: string }) => acceptUrl.split('#token=')[1]!
/** The token of the newest mail whose link leads to this page. */
const mailedTo = (page: 'invitation' | 'email') =>
  until(async () => (await mailsTo(world, email)).findLast(({ link }) => link.includes(`/account/${page}#`))!.token)
const administration = async () => ({ roleIds: [await world.roleId(tenant, 'tenant-admin')] })

type Session = ReturnType<typeof sessionOf>
function sessionOf(username: string, { accessToken, refreshToken }: any) {
  const client = world.as({ token: accessToken })
  const read = (path: string) => () => client.read(path)
  return { username, refreshToken, client, me: read('/auth/me'), profile: read('/users/me') }
}
async function accept(token: string): Promise<Session> {
  const username = `guest-${++counter}`
  const body = { token, username, password: PASSWORD }
  return sessionOf(username, await world.anyone.create('/auth/invitations/accept', body))
}
const arrive = () => arriveAt(world.app, startAddress(tenant.code))
async function comeFromProvider(): Promise<Session> {
  const answer = await world.anyone.post('/auth/oidc/exchange', { code: codeIn(await arrive()) })
  return sessionOf('', answer.expect(200))
}

describe('whoever waits in an account with the address of somebody else is not that person', () => {
  /** The person comes, with the rights of an administrator. The account that waits has no part in it. */
  async function expectNothingFor(sleeper: Session) {
    const [real, waiting] = [await (await comeFromProvider()).me(), await sleeper.me()]
    expect(real).toMatchObject({ email, roles: expect.arrayContaining(['tenant-admin']) })
    expect(waiting.id).not.toBe(real.id)
    expect(waiting.roles).not.toContain('tenant-admin')
    expect((await sleeper.profile()).emailVerified).toBe(false)
  }

  test('who invites them and accepts it for them, with the link that was shown', async () => {
    await name(boss(), honest)
    const attacker = world.as(await givenAttacker('user:invite'))
    const sleeper = await accept(tokenOf(await invite(attacker)))
    await invite(boss(), await administration())
    await expectNothingFor(sleeper)
  })

  test('who invites them twice, where groups give rights and passwords are forbidden', async () => {
    const attacker = world.as(await givenAttacker('user:invite'))
    const sleeper = await accept(tokenOf(await invite(attacker)))
    await name(boss(), honest, {
      ...{ passwordSignIn: 'forbidden', groupsClaim: 'groups', groupRoles: { bosses: 'tenant-admin' } },
    })
    await invite(attacker)
    sits(honest, { sub: 'grace', email, groups: ['bosses'] })
    await expectNothingFor(sleeper)
  })

  test("who sends an administrator's invitation again, and takes the link that this shows", async () => {
    await name(boss(), honest)
    const attacker = world.as(await givenAttacker('user:invite'))
    const made = await invite(boss())
    const first = await mailedTo('invitation')
    const again = (await attacker.post(`/invitations/${made.id}/resend`)).expect(200)
    expect(await until(async () => (await mailedTo('invitation')) !== first && mailedTo('invitation'))).not.toBe(
      tokenOf(again),
    )
    ;(await world.anyone.post('/auth/invitations/preview', { token: first })).expect(404, 'INVITATION_NOT_FOUND')
    const sleeper = await accept(tokenOf(again))
    await invite(boss(), await administration())
    await expectNothingFor(sleeper)
  })

  test('who comes from a provider of their own, which says that the address is verified', async () => {
    const attacker = world.as(await givenAttacker('settings:manage'))
    await name(attacker, evil, { createUsers: true })
    const sleeper = await comeFromProvider()
    expect((await sleeper.profile()).email).toBe(email)
    await name(boss(), honest)
    await invite(boss(), await administration())
    await expectNothingFor(sleeper)
  })

  test('also not when an administrator has changed something else about that provider', async () => {
    const attacker = world.as(await givenAttacker('settings:manage'))
    await name(attacker, evil, { createUsers: true })
    // What a form sends back: it has read the issuer, and not the secret.
    const { clientSecret: _, ...read } = evil.client
    ;(await boss().put('/tenant/identity-provider', { ...read, createUsers: false })).expect(200)
    await invite(boss(), await administration())
    expect(await arrive()).toMatch(/#error=ACCOUNT_NOT_FOUND$/)
    ;(await boss().put('/tenant/identity-provider', { createUsers: true })).expect(200)
    const sleeper = await comeFromProvider()
    await name(boss(), honest)
    await expectNothingFor(sleeper)
  })
})

test('an address whose letters become those of another one in lower case is not that address', async () => {
  await name(boss(), honest)
  email = `grake-${counter}@example.com`
  await invite(boss())
  sits(honest, { sub: 'mallory', email: email.replace('k', '\u212a') })
  expect(await arrive()).toMatch(/#error=ACCOUNT_NOT_FOUND$/)
  sits(honest, { sub: 'grake', email: email.toUpperCase() })
  expect(await (await comeFromProvider()).profile()).toMatchObject({ email, emailVerified: true })
})

describe('an account that turns out to be the one of a person at the provider', () => {
  test('is theirs alone: nobody comes in as before, nobody reads along, and nobody decides for them', async () => {
    const attacker = await givenAttacker('user:invite')
    const sleeper = await accept(tokenOf(await invite(world.as(attacker))))
    const { id } = await sleeper.me()
    await invite(boss(), await administration())
    // The person is led to confirm the address of an account that is not theirs.
    ;(await sleeper.client.put('/users/me', { email, currentPassword: PASSWORD })).expect(200)
    const confirmed = await world.anyone.post('/auth/email/confirm', { token: await mailedTo('email') })
    confirmed.expect(200)
    expect((await sleeper.profile()).emailVerified).toBe(true)
    const { url } = await sleeper.client.create('/users/me/calendar-key', {})
    ;(await sleeper.client.put('/users/me/substitute', { userId: attacker.id, ...ALWAYS })).expect(200)
    await givenFactor(world, id)
    await world.look.rows(
      'insert into provider_identities (tenant_id, user_id, issuer, subject) values ($1, $2, $3, $4)',
      [tenant.id, id, evil.issuer, 'mallory'],
    )
    const reset = await givenResetToken(world, tenant.id, id)
    await name(boss(), honest)

    const real = await comeFromProvider()
    expect(await real.me()).toMatchObject({ id, roles: expect.arrayContaining(['user', 'tenant-admin']) })
    expect(await real.profile()).toMatchObject({ email, emailVerified: true, secondFactor: false, substitute: null })
    await until(async () => (await sleeper.client.get('/auth/me')).status === 401)
    const { username, refreshToken } = sleeper
    ;(await world.anyone.post('/auth/refresh', { refreshToken })).expect(401, 'INVALID_REFRESH_TOKEN')
    const login = { username, password: PASSWORD, tenantCode: tenant.code }
    ;(await world.anyone.post('/auth/login', login)).expect(401, 'INVALID_CREDENTIALS')
    const form = { token: reset, newPassword: 'a better battery staple' }
    ;(await world.anyone.post('/auth/password-resets/confirm', form)).expect(404, 'RESET_NOT_FOUND')
    ;(await world.anyone.get(new URL(url).pathname.slice('/api/v1'.length))).expect(404, 'NOT_FOUND')
    const inbox = await world.as(attacker).read('/notifications')
    expect(inbox.map(({ type }: any) => type)).toContain('SUBSTITUTE_DISMISSED')

    await name(world.as(await givenAttacker('settings:manage')), evil)
    expect(await arrive()).toMatch(/#error=ACCOUNT_NOT_FOUND$/)
    await until(async () => {
      const events = await boss().read('/events?types=user.updated&limit=1000')
      const seen = events.filter(({ subject }: any) => subject.id === id)
      const fields = seen.map(({ data }: any) => data.changes.map(({ field }: any) => field))
      expect(fields).toContainEqual(['password', 'sessions', 'secondFactor'])
    })
  })
})

/** Requests that were under way when the person came: the session that sent them was alive when they arrived. */
test.each<[string, (sleeper: Session) => Promise<Answer>]>([
  ['a password', ({ client }) => client.put('/auth/password', { currentPassword: PASSWORD, newPassword: OTHER })],
  ['the address of a calendar', ({ client }) => client.post('/users/me/calendar-key', {})],
  [
    'another address',
    ({ client }) => client.put('/users/me', { email: 'evil@example.com', currentPassword: PASSWORD }),
  ],
  ['a substitute', ({ client }) => client.put('/users/me/substitute', { userId: tenant.administrator.id, ...ALWAYS })],
])('%s that is on its way into such an account does not arrive there', async (_, plant) => {
  await name(boss(), honest)
  const sleeper = await accept(tokenOf(await invite(boss())))
  const { id } = await sleeper.me()
  await invite(boss())
  await world.look.rows('update users set email_verified_at = now() where tenant_id = $1 and id = $2', [tenant.id, id])
  const release = await holdRow(
    world,
    tenant,
    `select 1 from users where tenant_id = ${tenant.id} and id = ${id} for update`,
  )
  const coming = comeFromProvider()
  expect(await waitsForLock(world, coming)).toBe(true)
  const planted = plant(sleeper)
  expect(await waitsForLock(world, planted, 2)).toBe(true)
  await release()
  expect((await (await coming).me()).id).toBe(id)
  ;(await planted).expect(401, 'UNAUTHENTICATED')
})

test('a person who is restored gets no secret of their former life back', async () => {
  const person = await world.givenUser(tenant)
  const { url } = await world.as(person).create('/users/me/calendar-key', {})
  const read = () => world.anyone.get(new URL(url).pathname.slice('/api/v1'.length))
  ;(await read()).expect(200)
  ;(await boss().delete(`/users/${person.id}`)).expect(200)
  const again = { username: person.username, password: PASSWORD }
  await boss().create(`/users/${person.id}/restore`, again)
  ;(await read()).expect(404, 'NOT_FOUND')
})

describe('the honest ways', () => {
  test('who comes from a provider that an administrator has named is verified, whether they are invited or not', async () => {
    await name(boss(), honest, { createUsers: true })
    expect(await (await comeFromProvider()).profile()).toMatchObject({ email, emailVerified: true })
    email = `grace-${++counter}@example.com`
    sits(honest, { sub: 'hopper', email })
    await invite(boss(), await administration())
    const invited = await comeFromProvider()
    expect(await invited.profile()).toMatchObject({ email, emailVerified: true, roles: ['tenant-admin'] })
  })

  test('an account that is linked to nobody stays as it is', async () => {
    await name(boss(), honest)
    const guest = await accept(tokenOf(await invite(boss())))
    await invite(boss())
    const { id } = await (await comeFromProvider()).me()
    expect((await guest.me()).id).not.toBe(id)
    const login = { username: guest.username, password: PASSWORD, tenantCode: tenant.code }
    ;(await world.anyone.post('/auth/login', login)).expect(200)
  })
})
