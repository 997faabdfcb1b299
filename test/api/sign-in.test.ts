import { describe, expect, test } from 'vitest'
import type { Answer } from '../support/client.ts'
import { until } from '../support/patience.ts'
import { givenPassword } from '../support/quick-hash.ts'
import { shifted } from '../support/shifted.ts'
import { openWorld, type Tenant } from '../support/world.ts'

const world = await openWorld()
const tenant = await world.givenTenant()

const PASSWORD = 'correct horse'
let counter = 0

/** Someone who can sign in with the password, which is quick to check. */
async function givenRegistered(where?: Tenant) {
  const user = await world.givenUser(where ?? { id: 1 })
  await givenPassword(world, user, PASSWORD, `${user.username}@example.com`)
  return { id: user.id, username: user.username, tenantCode: where?.code }
}
const signIn = (user: { username: string; tenantCode?: string | undefined }, password = PASSWORD) =>
  world.anyone.post('/auth/login', { username: user.username, password, tenantCode: user.tenantCode })
const bearer = (token: string) => world.as({ token })
const me = (token: string) => bearer(token).get('/auth/me')
const refresh = (refreshToken: string) => world.anyone.post('/auth/refresh', { refreshToken })
/** What two answers have in common when nothing but the request tells them apart. */
const sameForAll = ({ status, body }: Answer) => ({ status, body: { ...body, requestId: '' } })
const claimsOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString())

describe('registration', () => {
  test('makes an active user who holds the role user, in the tenant that was named', async () => {
    const username = `registered-${++counter}`
    await world.setRegistration(tenant, 'open')
    const draft = { username: `  ${username} `, email: 'someone@example.com', password: PASSWORD }
    const answer = await world.anyone.post('/auth/register', { ...draft, tenantCode: ` ${tenant.code} ` })

    const named = { username, nickname: username, email: 'someone@example.com', phone: null, realName: null }
    const standing = { status: 'active', roles: ['user'], selfRegistered: true, lastSignInAt: null, version: 0 }
    const createdAt = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    const made = { id: expect.any(Number), createdAt, updatedAt: expect.any(String) }
    expect(answer.expect(201)).toEqual({ ...named, ...standing, ...made })
    const [row] = await world.look.rows('select tenant_id, password_hash from users where username = $1', [username])
    expect(row).toMatchObject({ tenant_id: String(tenant.id), password_hash: expect.stringMatching(/^\$argon2id\$/) })
  })

  test('is refused if the tenant takes nobody, whoever they say they are, and audited there', async () => {
    const company = await world.givenTenant()
    const known = await world.givenUser(company)
    for (const username of ['somebody', known.username]) {
      const draft = { username, email: 'x@example.com', password: PASSWORD, tenantCode: company.code }
      const { details } = (await world.anyone.post('/auth/register', draft)).expect(403, 'REGISTRATION_CLOSED')
      expect(details).toEqual([])
    }
    expect(await world.look.count('select count(*) from users where tenant_id = $1', [company.id])).toBe(2)
    const audited = () =>
      world.look.rows('select status, user_id from audit_operations where tenant_id = $1', [company.id])
    await expect.poll(audited).toEqual(Array(2).fill({ status: 403, user_id: null }))
  })

  test('gives nobody a role, an id or a tenant that they wish for', async () => {
    const username = `registered-${++counter}`
    const wishes = { roles: ['admin'], role: 'admin', id: 1, tenantId: tenant.id, status: 'disabled' }
    const draft = { username, email: 'x@example.com', password: PASSWORD, isAdministrator: true, ...wishes }
    const made = await world.anyone.create('/auth/register', draft)
    expect(made).toMatchObject({ roles: ['user'], status: 'active' })

    const who = (await me((await signIn({ username })).expect(200).accessToken)).expect(200)
    expect(who).toMatchObject({ tenantId: 1, roles: ['user'] })
  })
})

describe('signing in', () => {
  test('answers a pair of tokens, of which the access token says who and where but not what they may', async () => {
    const user = await givenRegistered(tenant)

    const pair = (await signIn(user)).expect(200)

    const tokens = { accessToken: expect.any(String), refreshToken: expect.any(String) }
    expect(pair).toEqual({ ...tokens, expiresIn: 7200, tokenType: 'Bearer' })
    const claims = claimsOf(pair.accessToken)
    const who = { sub: String(user.id), username: user.username, tenantId: tenant.id, sid: expect.any(Number) }
    const token = { type: 'access', jti: expect.any(String), aud: 'atrium', iss: 'atrium', iat: expect.any(Number) }
    expect(claims).toEqual({ ...who, ...token, exp: claims.iat + 7200 })
  })

  test('with an unknown user, a wrong password or a disabled user is answered alike, to the byte', async () => {
    const user = await givenRegistered()
    const disabled = await givenRegistered()
    await world.look.rows(`update users set status = 'disabled' where id = $1`, [disabled.id])

    const answers = [await signIn(user, 'wrong'), await signIn({ username: 'nobody-here' }), await signIn(disabled)]

    for (const answer of answers) {
      answer.expect(401, 'INVALID_CREDENTIALS')
      expect(sameForAll(answer)).toEqual(sameForAll(answers[0]!))
      expect(Object.keys(answer.headers).sort()).toEqual(Object.keys(answers[0]!.headers).sort())
    }
  })

  test('is impossible for somebody of another tenant, and for a user whose password nobody can know', async () => {
    const { username } = await givenRegistered(tenant)
    ;(await signIn({ username })).expect(401, 'INVALID_CREDENTIALS')
    const unknown = { username: tenant.administrator.username, tenantCode: tenant.code }
    ;(await signIn(unknown, '-')).expect(401, 'INVALID_CREDENTIALS')
  })

  test('into a tenant that does not exist, is disabled or has expired says so', async () => {
    const [disabled, expired] = [await world.givenTenant(), await world.givenTenant()]
    await world.look.rows(`update tenants set status = 'disabled' where id = $1`, [disabled.id])
    await world.look.rows(`update tenants set expired_at = now() - interval '1 second' where id = $1`, [expired.id])

    for (const path of ['/auth/login', '/auth/register']) {
      const attempt = (tenantCode: string) =>
        world.anyone.post(path, { username: 'boss', email: 'x@example.com', password: PASSWORD, tenantCode })
      ;(await attempt('no-such-tenant')).expect(404, 'TENANT_NOT_FOUND')
      ;(await attempt(disabled.code)).expect(403, 'TENANT_DISABLED')
      ;(await attempt(expired.code)).expect(403, 'TENANT_EXPIRED')
    }
  })
})

describe('continuing a session', () => {
  test('gives a new pair of the same session, whose tokens both work', async () => {
    const first = (await signIn(await givenRegistered())).expect(200)

    const second = (await refresh(first.refreshToken)).expect(200)

    expect(second.refreshToken).not.toBe(first.refreshToken)
    const { sid, sub } = claimsOf(first.accessToken)
    expect(claimsOf(second.accessToken)).toMatchObject({ sid, sub })
    for (const { accessToken } of [first, second]) (await me(accessToken)).expect(200)
    ;(await refresh(second.refreshToken)).expect(200)
  })

  test('with a token that was used longer ago ends the whole session and no other, and is audited as a refusal', async () => {
    const robbed = await givenRegistered()
    const first = (await signIn(robbed)).expect(200)
    const other = (await signIn(await givenRegistered())).expect(200)
    const second = (await refresh(first.refreshToken)).expect(200)
    await world.look.rows(`update refresh_tokens set used_at = ${shifted('used_at', '-11 seconds')}`)

    const copied = { refreshToken: first.refreshToken }
    const answer = await world.anyone.post('/auth/refresh', copied, { 'x-request-id': 'copied-token' })

    answer.expect(401, 'INVALID_REFRESH_TOKEN')
    ;(await refresh(second.refreshToken)).expect(401, 'INVALID_REFRESH_TOKEN')
    for (const { accessToken } of [first, second]) (await me(accessToken)).expect(401, 'UNAUTHENTICATED')
    const rows = () =>
      world.look.rows(`select status, username from audit_operations where request_id = 'copied-token'`)
    await until(async () => expect(await rows()).toEqual([{ status: 401, username: robbed.username }]))
    ;(await me(other.accessToken)).expect(200)
    ;(await refresh(other.refreshToken)).expect(200)
  })

  test('is over with the time of its token, and for a disabled user', async () => {
    const [late, disabled] = [await givenRegistered(), await givenRegistered()]
    const lateToken = (await signIn(late)).expect(200).refreshToken
    const disabledToken = (await signIn(disabled)).expect(200).refreshToken
    const sessions = 'select id from sessions where user_id = $1'
    await world.look.rows(`update refresh_tokens set expires_at = now() where session_id in (${sessions})`, [late.id])
    await world.look.rows(`update users set status = 'disabled' where id = $1`, [disabled.id])

    ;(await refresh(lateToken)).expect(401, 'INVALID_REFRESH_TOKEN')
    ;(await refresh(disabledToken)).expect(401, 'INVALID_REFRESH_TOKEN')
  })

  test('takes nothing for a refresh token that is none', async () => {
    const { accessToken, refreshToken } = (await signIn(await givenRegistered())).expect(200)
    const [tenantId, secret] = refreshToken.split('.')
    const ofTenants = [tenant.id, 0, '9'.repeat(16)].map((id) => `${id}.${secret}`)
    const altered = [`${tenantId}.${secret.slice(1)}A`, `${refreshToken} `, `${tenantId}.${'%'.repeat(43)}`]
    const others = [accessToken, secret, ...ofTenants, ...altered]
    for (const other of others) (await refresh(other)).expect(401, 'INVALID_REFRESH_TOKEN')
    ;(await refresh(refreshToken)).expect(200)
  })

  test('stores no token, only its hash', async () => {
    const { refreshToken } = (await signIn(await givenRegistered())).expect(200)
    const [, secret] = refreshToken.split('.')
    const hits = await world.look.count('select count(*) from refresh_tokens where token_hash like $1', [`%${secret}%`])
    expect(hits).toBe(0)
  })
})

describe('signing out', () => {
  test('ends this session immediately, both its tokens, and no other session', async () => {
    const user = await givenRegistered()
    const [here, there] = [(await signIn(user)).expect(200), (await signIn(user)).expect(200)]
    // A blank code is that of the default tenant, and a body need not come along.
    const third = (await signIn({ ...user, tenantCode: '  ' })).expect(200)
    ;(await bearer(third.accessToken).post('/auth/logout')).expect(200)
    ;(await me(third.accessToken)).expect(401)

    const out = await bearer(here.accessToken).post('/auth/logout', { refreshToken: here.refreshToken })
    expect(out.expect(200)).toBeNull()

    ;(await me(here.accessToken)).expect(401, 'UNAUTHENTICATED')
    ;(await refresh(here.refreshToken)).expect(401, 'INVALID_REFRESH_TOKEN')
    ;(await me(there.accessToken)).expect(200)
  })

  test('ends the session of the system administrator too when another tenant is named', async () => {
    await givenPassword(world, world.admin, PASSWORD)
    const { accessToken, refreshToken } = (await signIn({ username: 'admin' })).expect(200)

    ;(await bearer(accessToken).post('/auth/logout', {}, { 'x-tenant-code': tenant.code })).expect(200)

    ;(await me(accessToken)).expect(401)
    ;(await refresh(refreshToken)).expect(401)
  })
})

test('changing the password wants the current one, ends the other sessions, and keeps this one', async () => {
  const user = await givenRegistered()
  const [here, there] = [(await signIn(user)).expect(200), (await signIn(user)).expect(200)]
  const change = (currentPassword: string) =>
    bearer(here.accessToken).put('/auth/password', { currentPassword, newPassword: 'battery staple' })

  ;(await change('wrong')).expect(400, 'WRONG_PASSWORD')
  expect((await change(PASSWORD)).expect(200)).toBeNull()

  ;(await signIn(user)).expect(401, 'INVALID_CREDENTIALS')
  ;(await signIn(user, 'battery staple')).expect(200)
  ;(await me(here.accessToken)).expect(200)
  ;(await refresh(here.refreshToken)).expect(200)
  ;(await me(there.accessToken)).expect(401)
  ;(await refresh(there.refreshToken)).expect(401)
})
