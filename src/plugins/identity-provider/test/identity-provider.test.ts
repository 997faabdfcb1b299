import { beforeEach, describe, expect, test } from 'vitest'
import { CALLBACK, openBrowser } from '#test/browser.ts'
import { givenResetToken } from '#test/links.ts'
import { isHere } from '#test/plugins.ts'
import { lendProvider, openProvider } from '#test/provider.ts'
import { codeIn, PAGE, startAddress } from '#test/provider-steps.ts'
import { givenPassword } from '#test/quick-hash.ts'
import { openWorld, type Tenant } from '#test/world.ts'

const PATH = '/tenant/identity-provider'
let tenant: Tenant
const [world, provider] = await Promise.all([openWorld(), lendProvider()])
beforeEach(async () => {
  tenant = await world.givenTenant()
  provider.account = { sub: 'ada', email: 'ada@example.com', email_verified: true, name: 'Ada Lovelace' }
})

const boss = () => world.as(tenant.administrator)
const save = (more: object = {}) => boss().put(PATH, { ...provider.client, createUsers: true, ...more })
const arrive = (browser = openBrowser(world.app)) => browser.follow(startAddress(tenant.code))
const exchange = (code: string) => world.anyone.post('/auth/oidc/exchange', { code })
/** Signs somebody in at the provider. @returns their client */
async function signIn() {
  const { accessToken } = (await exchange(codeIn(await arrive()))).expect(200)
  const send = (path: string) => world.anyone.get(path, { authorization: `Bearer ${accessToken}` })
  return { accessToken, get: send, me: async () => (await send('/auth/me')).expect(200) }
}

/** To the person who has come from the provider. */
const giveRole = (code: string) =>
  world.look.rows(
    `insert into user_roles (tenant_id, user_id, role_id) select i.tenant_id, i.user_id, r.id
       from provider_identities i join roles r on r.tenant_id = i.tenant_id and r.code = $2 where i.tenant_id = $1`,
    [tenant.id, code],
  )

test('the provider of a tenant is named, read without its secret, changed and taken away', async () => {
  ;(await boss().get(PATH)).expect(404, 'NOT_FOUND')
  const saved = (await save({ groupsClaim: 'groups', groupRoles: { staff: 'user' } })).expect(200)
  expect(saved).toEqual({
    ...{ issuer: provider.issuer, clientId: 'atrium', groupsClaim: 'groups', groupRoles: { staff: 'user' } },
    ...{ createUsers: true, passwordSignIn: 'allowed', ownRedirect: false, version: 1 },
    redirectUri: expect.stringMatching(/\/api\/v1\/auth\/oidc\/callback$/),
  })
  expect((await boss().get(PATH)).expect(200)).toEqual(saved)
  const changed = (await boss().put(PATH, { createUsers: false, version: 1 })).expect(200)
  expect(changed).toEqual({ ...saved, createUsers: false, version: 2 })
  const { details } = (await boss().put(PATH, { createUsers: true, version: 1 })).expect(409, 'VERSION_CONFLICT')
  expect(details).toMatchObject([{ path: 'version', expected: 1, actual: 2 }])
  ;(await boss().put(PATH, { createUsers: true }, { 'if-match': '"1-1"' })).expect(412, 'PRECONDITION_FAILED')
  ;(await boss().delete(PATH)).expect(200)
  ;(await boss().get(PATH)).expect(404, 'NOT_FOUND')
  ;(await boss().delete(PATH)).expect(404, 'NOT_FOUND')
})

describe('who somebody is', () => {
  test('a person whom only the provider knows becomes a person, and is the same one the next time', async () => {
    ;(await save()).expect(200)
    const ada = await signIn()
    const first = await ada.me()
    const made = { username: 'ada', nickname: 'Ada Lovelace', email: 'ada@example.com', roles: ['user'] }
    expect(first).toMatchObject(made)
    expect((await ada.get('/users/me')).expect(200).lastSignInAt).toMatch(/Z$/)
    provider.account = { sub: 'ada', email: 'somebody@else.example', name: 'Another Name' }
    expect((await (await signIn()).me()).id).toBe(first.id)
  })

  test('neither a user name nor an address makes somebody a person who is there already', async () => {
    ;(await save()).expect(200)
    const namesake = await world.givenUser(tenant)
    await world.look.rows(
      `update users set email = 'ada@example.com', email_key = 'ada@example.com', email_verified_at = now() where id = $1`,
      [namesake.id],
    )
    provider.account = { ...provider.account, preferred_username: namesake.username }
    const me = await (await signIn()).me()
    expect(me.id).not.toBe(namesake.id)
    expect(me.username).toBe(`${namesake.username}-2`)
  })

  test('a stranger is refused where people are not made, and an unverified address binds no invitation', async () => {
    ;(await save({ createUsers: false })).expect(200)
    expect(await arrive()).toMatch(/#error=ACCOUNT_NOT_FOUND$/)
    ;(await boss().post('/invitations', { email: 'ada@example.com' })).expect(201)
    provider.account = { ...provider.account, email_verified: false }
    expect(await arrive()).toMatch(/#error=ACCOUNT_NOT_FOUND$/)
  })

  test('a verified address binds an invitation: the person gets its roles, and it is accepted', async () => {
    ;(await save({ createUsers: false })).expect(200)
    const code = await world.givenRole(tenant, ['project:list'])
    const draft = { email: 'Ada@Example.com', roleIds: [await world.roleId(tenant, code)] }
    const invited = (await boss().post('/invitations', draft)).expect(201)
    const me = await (await signIn()).me()
    expect(me).toMatchObject({ email: 'Ada@Example.com', roles: [code] })
    expect((await boss().get(`/invitations/${invited.id}`)).expect(200)).toMatchObject({ status: 'accepted' })
    expect((await (await signIn()).me()).id).toBe(me.id)
  })

  test('an invitation to the verified address of a person links that person, unless the inviter could not give their roles', async () => {
    ;(await save({ createUsers: false })).expect(200)
    const person = await world.givenUser(tenant)
    const verify = `update users set email = 'ada@example.com', email_key = 'ada@example.com', email_verified_at = now() where id = $1`
    await world.look.rows(verify, [person.id])
    ;(await boss().post('/invitations', { email: 'ada@example.com' })).expect(201)
    expect((await (await signIn()).me()).id).toBe(person.id)

    const other = await world.givenTenant()
    await world.look.rows(verify, [other.administrator.id])
    tenant = other
    ;(await save({ createUsers: false })).expect(200)
    const inviter = await world.givenUser(other, await world.givenRole(other, ['user:invite', 'project:list']))
    const roleIds = [await world.roleId(other, await world.givenRole(other, ['project:list']))]
    ;(await world.as(inviter).post('/invitations', { email: 'ada@example.com', roleIds })).expect(201)
    expect((await (await signIn()).me()).id).not.toBe(other.administrator.id)
  })

  test('a disabled person stays out, a deleted one comes as somebody new, and sign-out ends the session', async () => {
    ;(await save()).expect(200)
    const first = await signIn()
    const { id } = await first.me()
    const authorization = { authorization: `Bearer ${first.accessToken}` }
    const [session] = (await first.get('/auth/sessions')).expect(200)
    expect(session).toMatchObject({ current: true, openedWith: 'provider' })
    ;(await world.anyone.post('/auth/logout', {}, authorization)).expect(200)
    ;(await first.get('/auth/me')).expect(401)
    const code = codeIn(await arrive())
    ;(await boss().put(`/users/${id}`, { status: 'disabled' })).expect(200)
    ;(await exchange(code)).expect(401, 'INVALID_SIGN_IN_CODE')
    expect(await arrive()).toMatch(/#error=ACCOUNT_DISABLED$/)
    ;(await boss().delete(`/users/${id}`)).expect(200)
    expect(await world.look.rows('select 1 from provider_identities where user_id = $1', [id])).toEqual([])
    expect((await (await signIn()).me()).id).not.toBe(id)
  })

  test('six browsers of somebody new make one person', async () => {
    ;(await save()).expect(200)
    const codes = await Promise.all(Array.from({ length: 6 }, async () => codeIn(await arrive())))
    const answers = await Promise.all(codes.map(exchange))
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200))
    const sql = 'select user_id from provider_identities where tenant_id = $1'
    expect(await world.look.rows(sql, [tenant.id])).toHaveLength(1)
  })

  test('in an expired tenant, its administrators enter and nobody else does', async () => {
    ;(await save()).expect(200)
    await signIn()
    const expire = `update tenants set expired_at = now() - interval '1 day' where id = $1`
    await world.look.rows(expire, [tenant.id])
    await expect.poll(() => arrive()).toMatch(/#error=TENANT_EXPIRED$/)
    await giveRole('tenant-admin')
    codeIn(await arrive())
  })
})

describe('groups', () => {
  const rolesNow = async () => (await (await signIn()).me()).roles.toSorted()
  const named = { groupsClaim: 'groups', groupRoles: { bosses: 'tenant-admin', staff: 'user' } }

  test('give and take the roles that they are named for at each sign-in, and no other', async () => {
    ;(await save(named)).expect(200)
    const manual = await world.givenRole(tenant, ['project:list'])
    provider.account = { ...provider.account, groups: ['bosses', 'staff', 'unknown'] }
    expect(await rolesNow()).toEqual(['tenant-admin', 'user'])
    await giveRole(manual)
    provider.account = { ...provider.account, groups: ['staff'] }
    expect(await rolesNow()).toEqual([manual, 'user'].toSorted())
    provider.account = { ...provider.account, groups: undefined }
    expect(await rolesNow()).toEqual([manual])
  })

  test('never take the last administrator of a tenant', async () => {
    ;(await save(named)).expect(200)
    provider.account = { ...provider.account, groups: ['bosses'] }
    await rolesNow()
    await world.look.rows(`update users set status = 'disabled' where id = $1`, [tenant.administrator.id])
    provider.account = { ...provider.account, groups: [] }
    expect(await rolesNow()).toEqual(['tenant-admin'])
  })

  test('are named for roles by those who hold their rights, and for roles that there are', async () => {
    const role = await world.givenRole(tenant, ['settings:manage'])
    const weak = world.as(await world.givenUser(tenant, role))
    const draft = { ...provider.client, groupsClaim: 'groups' }
    ;(await weak.put(PATH, { ...draft, groupRoles: { g: 'tenant-admin' } })).expect(403, 'PERMISSION_DENIED')
    ;(await weak.put(PATH, { ...draft, createUsers: true })).expect(403, 'PERMISSION_DENIED')
    ;(await weak.put(PATH, { ...draft, groupRoles: { g: role } })).expect(200)
    ;(await boss().put(PATH, { groupRoles: { g: 'no-such-role' } })).expect(404, 'NOT_FOUND')
    ;(await save(named)).expect(200)
    ;(await weak.put(PATH, draft)).expect(403, 'PERMISSION_DENIED')
  })
})

describe('the secret', () => {
  test('is sealed, is in no answer, no event and no audit, and goes to no other provider', async () => {
    ;(await save()).expect(200)
    const secret = provider.client.clientSecret
    const [row] = await world.look.rows<{ client_secret: string }>(
      'select client_secret from identity_providers where tenant_id = $1',
      [tenant.id],
    )
    expect(row!.client_secret).toMatch(/^s1\./)
    for (const table of ['events', 'unnumbered_events', 'audit_operations'])
      expect(JSON.stringify(await world.look.rows(`select * from ${table}`))).not.toContain(secret)
    const other = await openProvider(CALLBACK)
    ;(await boss().put(PATH, { issuer: other.issuer })).expect(400, 'VALIDATION_FAILED')
    ;(await boss().put(PATH, { clientId: 'another' })).expect(400, 'VALIDATION_FAILED')
    ;(await boss().put(PATH, { issuer: other.issuer, clientSecret: 'new' })).expect(200)
    await other.close()
  })

  test('goes to no issuer of a private network, nor to what is none', async () => {
    for (const issuer of ['http://169.254.169.254/', 'https://u:p@a', 'nonsense'])
      (await boss().put(PATH, { ...provider.client, issuer })).expect(400)
  })
})

describe('passwords that are forbidden', () => {
  const PASSWORD = 'a long and winding road'
  const login = (username: string, password = PASSWORD) =>
    world.anyone.post('/auth/login', { username, password, tenantCode: tenant.code })
  const forbid = () =>
    save({ passwordSignIn: 'forbidden', groupsClaim: 'groups', groupRoles: { bosses: 'tenant-admin' } })

  test('let nobody in, except administrators until one of them has signed in at the provider', async () => {
    const person = await givenPassword(world, await world.givenUser(tenant), PASSWORD)
    const root = await givenPassword(world, tenant.administrator, PASSWORD)
    ;(await login(person.username)).expect(200)
    ;(await forbid()).expect(200)
    for (const [name, password] of [[person.username], [person.username, 'wrong'], ['nobody at all']] as const)
      (await login(name, password)).expect(403, 'PASSWORD_SIGN_IN_FORBIDDEN')
    ;(await login(root.username)).expect(200)
    provider.account = { ...provider.account, groups: ['bosses'] }
    await signIn()
    ;(await login(root.username)).expect(403, 'PASSWORD_SIGN_IN_FORBIDDEN')
    ;(await boss().put(PATH, { passwordSignIn: 'allowed' })).expect(200)
    ;(await login(person.username)).expect(200)
  })

  test('are neither changed nor set by a link, and make no person', async () => {
    const person = await givenPassword(world, await world.givenUser(tenant), PASSWORD)
    const token = isHere('account') && (await givenResetToken(world, tenant.id, person.id))
    const invited = (await boss().post('/invitations', { email: 'guest@example.com' })).expect(201)
    await world.setRegistration(tenant, 'open')
    ;(await forbid()).expect(200)
    const newPassword = 'a better battery staple'
    const own = await world.as(person).put('/auth/password', { currentPassword: PASSWORD, newPassword })
    own.expect(403, 'PASSWORD_SIGN_IN_FORBIDDEN')
    if (token)
      (await world.anyone.post('/auth/password-resets/confirm', { token, newPassword })).expect(404, 'RESET_NOT_FOUND')
    const accepted = { token: invited.acceptUrl.split('#token=')[1], username: 'guest', password: newPassword }
    ;(await world.anyone.post('/auth/invitations/accept', accepted)).expect(403, 'PASSWORD_SIGN_IN_FORBIDDEN')
    const stranger = { username: 'stranger', email: 's@example.com', password: newPassword, tenantCode: tenant.code }
    ;(await world.anyone.post('/auth/register', stranger)).expect(403, 'REGISTRATION_CLOSED')
  })

  test('a form learns how people sign in, and nothing of tenants that there are not', async () => {
    const methods = async (code: string) =>
      (await world.anyone.get(`/auth/sign-in-methods?tenantCode=${code}`)).expect(200)
    expect(await methods(tenant.code)).toEqual({ password: true, identityProvider: false })
    expect(await methods('no-such-tenant')).toEqual({ password: true, identityProvider: false })
    ;(await forbid()).expect(200)
    expect(await methods(tenant.code)).toEqual({ password: false, identityProvider: true })
    const none = await openBrowser(world.app).follow(startAddress('no-such-tenant'))
    expect(none).toMatch(/#error=PROVIDER_NOT_CONFIGURED$/)
  })

  test('what the tenant asks of passwords is not asked of who comes from the provider', async () => {
    ;(await save()).expect(200)
    await world.look.rows(`update tenants set second_factor = 'required' where id = $1`, [tenant.id])
    const { get } = await signIn()
    ;(await get('/projects')).expect(200)
  })
})

test('each kind of request of a sign-in is limited by itself', async () => {
  const limited = await openWorld({ env: { REFRESH_LIMIT: '1' } })
  const ask = [
    () => limited.anyone.get('/auth/sign-in-methods'),
    () => limited.anyone.get(`/auth/oidc/start?returnTo=${encodeURIComponent(PAGE)}`),
    () => limited.anyone.get('/auth/oidc/callback?state=x'),
    () => limited.anyone.post('/auth/oidc/exchange', { code: 'x' }),
  ]
  for (const status of [
    [200, 302, 400, 401],
    [429, 429, 429, 429],
  ])
    expect((await Promise.all(ask.map((one) => one()))).map((answer) => answer.status)).toEqual(status)
})
