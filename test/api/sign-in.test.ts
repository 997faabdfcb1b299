import { afterEach, describe, expect, test, vi } from 'vitest'
import { hashPassword } from '../../src/domains/people/passwords.ts'
import type { Answer } from '../support/client.ts'
import { until } from '../support/patience.ts'
import { shifted } from '../support/shifted.ts'
import { openWorld, type Tenant } from '../support/world.ts'

const world = await openWorld()
const tenant = await world.givenTenant()
afterEach(() => void vi.useRealTimers())

const PASSWORD = 'correct horse'
const passwordHash = hashPassword(PASSWORD)
let counter = 0

/** Someone who can sign in with the password, without hashing it again. */
async function givenRegistered(where?: Tenant) {
  const user = await world.givenUser(where ?? { id: 1 })
  await world.look.rows('update users set password_hash = $1, email = $2, email_key = lower($2) where id = $3', [
    await passwordHash,
    `${user.username}@example.com`,
    user.id,
  ])
  return { id: user.id, username: user.username, tenantCode: where?.code }
}
const signIn = (user: { username: string; tenantCode?: string | undefined }, password = PASSWORD) =>
  world.anyone.post('/auth/login', { username: user.username, password, tenantCode: user.tenantCode })
const bearer = (token: string) => world.as({ ...world.admin, token })
const me = (token: string) => bearer(token).get('/auth/me')
const refresh = (refreshToken: string) => world.anyone.post('/auth/refresh', { refreshToken })
/** What two answers have in common when nothing but the request tells them apart. */
const sameForAll = ({ status, body }: Answer) => ({ status, body: { ...body, requestId: '' } })
const claimsOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString())

describe('registration', () => {
  test('makes an active user who holds the role user, in the tenant that was named', async () => {
    const username = `registered-${++counter}`
    await world.setRegistration(tenant, 'open')
    const answer = await world.anyone.post('/auth/register', {
      username: `  ${username} `,
      email: 'someone@example.com',
      password: PASSWORD,
      tenantCode: ` ${tenant.code} `,
    })

    expect(answer.expect(201)).toEqual({
      id: expect.any(Number),
      username,
      nickname: username,
      email: 'someone@example.com',
      phone: null,
      realName: null,
      status: 'active',
      roles: ['user'],
      selfRegistered: true,
      lastSignInAt: null,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updatedAt: expect.any(String),
      version: 0,
    })
    const [row] = await world.look.rows('select tenant_id, password_hash from users where username = $1', [username])
    expect(row).toMatchObject({ tenant_id: String(tenant.id), password_hash: expect.stringMatching(/^\$argon2id\$/) })
  })

  test('refuses a user name that is taken in this tenant, and in no other', async () => {
    const { username } = await givenRegistered()
    const draft = { username, email: 'x@example.com', password: PASSWORD }
    ;(await world.anyone.post('/auth/register', draft)).expect(409, 'USERNAME_TAKEN')
    ;(await world.anyone.post('/auth/register', { ...draft, tenantCode: tenant.code })).expect(201)
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
      world.look.rows(`select status, user_id from audit_operations where tenant_id = $1`, [company.id])
    await expect.poll(audited).toEqual(Array(2).fill({ status: 403, user_id: null }))
  })

  test('is refused if it was closed a moment ago, though another replica remembers it as open', async () => {
    const company = await world.givenTenant()
    await world.setRegistration(company, 'open')
    const draft = { username: 'early', email: 'x@example.com', password: PASSWORD, tenantCode: company.code }
    ;(await world.anyone.post('/auth/register', draft)).expect(201)
    // Past the service, so that it does not hear of it.
    await world.look.rows(`update tenants set registration = 'closed' where id = $1`, [company.id])
    ;(await world.anyone.post('/auth/register', { ...draft, username: 'late' })).expect(403, 'REGISTRATION_CLOSED')
  })

  test.each([
    ['body.username', { username: ' ' }],
    ['body.username', { username: 'x'.repeat(65) }],
    ['body.email', { email: 'nobody' }],
    ['body.email', { email: `${'x'.repeat(120)}@example.com` }],
    ['body.password', { password: '12345' }],
    ['body.password', { password: 'x'.repeat(129) }],
  ])('names %s when it is not valid', async (path, wrong) => {
    const draft = { username: 'somebody', email: 'somebody@example.com', password: PASSWORD, ...wrong }
    const { details } = (await world.anyone.post('/auth/register', draft)).expect(400, 'VALIDATION_FAILED')
    expect(details.map((detail: any) => detail.path)).toEqual([path])
  })

  test('gives nobody a role, an id or a tenant that they wish for', async () => {
    const username = `registered-${++counter}`
    const wishes = {
      roles: ['admin'],
      role: 'admin',
      id: 1,
      tenantId: tenant.id,
      status: 'disabled',
      isAdministrator: true,
    }
    const draft = { username, email: 'x@example.com', password: PASSWORD, ...wishes }

    expect((await world.anyone.post('/auth/register', draft)).expect(201)).toMatchObject({
      roles: ['user'],
      status: 'active',
    })

    expect((await me((await signIn({ username })).expect(200).accessToken)).expect(200)).toMatchObject({
      tenantId: 1,
      roles: ['user'],
    })
  })
})

describe('signing in', () => {
  test('answers a pair of tokens, of which the access token says who and where but not what they may', async () => {
    const user = await givenRegistered(tenant)

    const pair = (await signIn(user)).expect(200)

    expect(pair).toEqual({
      accessToken: expect.any(String),
      refreshToken: expect.any(String),
      expiresIn: 7200,
      tokenType: 'Bearer',
    })
    const claims = claimsOf(pair.accessToken)
    expect(claims).toEqual({
      sub: String(user.id),
      username: user.username,
      tenantId: tenant.id,
      sid: expect.any(Number),
      type: 'access',
      jti: expect.any(String),
      aud: 'atrium',
      iss: 'atrium',
      iat: expect.any(Number),
      exp: claims.iat + 7200,
    })
  })

  test('says who one is, with current roles and permissions', async () => {
    const user = await givenRegistered(tenant)
    const { accessToken } = (await signIn(user)).expect(200)

    expect((await me(accessToken)).expect(200)).toEqual({
      id: user.id,
      tenantId: tenant.id,
      tenant: { code: tenant.code, name: expect.any(String) },
      username: user.username,
      nickname: expect.stringMatching(/^Person/),
      email: `${user.username}@example.com`,
      roles: ['user'],
      permissions: expect.arrayContaining(['project:create', 'file:upload']),
    })
  })

  test.each(['', '   ', null, undefined])('takes the tenant code %j for default', async (tenantCode) => {
    const user = await givenRegistered()
    const { accessToken } = (
      await world.anyone.post('/auth/login', { username: user.username, password: PASSWORD, tenantCode })
    ).expect(200)
    expect(claimsOf(accessToken).tenantId).toBe(1)
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

  test('is impossible for somebody of another tenant', async () => {
    const user = await givenRegistered(tenant)
    ;(await signIn({ username: user.username })).expect(401, 'INVALID_CREDENTIALS')
  })

  test('is impossible for a user whose password nobody can know', async () => {
    ;(await signIn({ username: tenant.administrator.username, tenantCode: tenant.code }, '-')).expect(
      401,
      'INVALID_CREDENTIALS',
    )
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

  test('ignores a token that is stale: clients send them', async () => {
    const user = await givenRegistered()
    const pair = (await signIn(user)).expect(200)
    for (const authorization of ['Bearer not.a.token', 'Bearer ', 'Basic YTpi', `Bearer ${'x'.repeat(5000)}`]) {
      const stale = { authorization }
      ;(await world.anyone.post('/auth/login', { username: user.username, password: PASSWORD }, stale)).expect(200)
      ;(await world.anyone.post('/auth/refresh', { refreshToken: pair.refreshToken }, stale)).expect(200)
      ;(await world.anyone.post('/auth/login', { username: user.username, password: 'wrong' }, stale)).expect(
        401,
        'INVALID_CREDENTIALS',
      )
    }
  })
})

describe('continuing a session', () => {
  test('gives a new pair of the same session, whose tokens both work', async () => {
    const first = (await signIn(await givenRegistered())).expect(200)

    const second = (await refresh(first.refreshToken)).expect(200)

    expect(second.refreshToken).not.toBe(first.refreshToken)
    expect(claimsOf(second.accessToken)).toMatchObject({
      sid: claimsOf(first.accessToken).sid,
      sub: claimsOf(first.accessToken).sub,
    })
    for (const { accessToken } of [first, second]) (await me(accessToken)).expect(200)
    ;(await refresh(second.refreshToken)).expect(200)
  })

  test('works again within ten seconds, for the tab that asked at the same moment', async () => {
    const { refreshToken } = (await signIn(await givenRegistered())).expect(200)

    const answers = await Promise.all(Array.from({ length: 8 }, () => refresh(refreshToken)))

    const pairs = answers.map((answer) => answer.expect(200))
    expect(new Set(pairs.map(({ accessToken }) => claimsOf(accessToken).sid)).size).toBe(1)
    for (const pair of pairs) {
      ;(await me(pair.accessToken)).expect(200)
      ;(await refresh(pair.refreshToken)).expect(200)
    }
  })

  test('with a token that was used longer ago ends the whole session', async () => {
    const first = (await signIn(await givenRegistered())).expect(200)
    const second = (await refresh(first.refreshToken)).expect(200)
    await elevenSecondsPass()

    ;(await refresh(first.refreshToken)).expect(401, 'INVALID_REFRESH_TOKEN')

    ;(await refresh(second.refreshToken)).expect(401, 'INVALID_REFRESH_TOKEN')
    for (const { accessToken } of [first, second]) (await me(accessToken)).expect(401, 'UNAUTHENTICATED')
  })

  test('with a token used eleven seconds ago is audited as the refusal that it was', async () => {
    const first = (await signIn(await givenRegistered())).expect(200)
    ;(await refresh(first.refreshToken)).expect(200)
    await elevenSecondsPass()

    const answer = await world.anyone.post(
      '/auth/refresh',
      { refreshToken: first.refreshToken },
      { 'x-request-id': 'copied-token' },
    )

    answer.expect(401, 'INVALID_REFRESH_TOKEN')
    const rows = () => world.look.rows(`select status from audit_operations where request_id = 'copied-token'`)
    await until(async () => expect(await rows()).toEqual([{ status: 401 }]))
  })

  test('of one user leaves the sessions of others alone', async () => {
    const [one, other] = [
      (await signIn(await givenRegistered())).expect(200),
      (await signIn(await givenRegistered())).expect(200),
    ]
    ;(await refresh(one.refreshToken)).expect(200)
    await elevenSecondsPass()
    ;(await refresh(one.refreshToken)).expect(401)
    ;(await me(other.accessToken)).expect(200)
    ;(await refresh(other.refreshToken)).expect(200)
  })

  test('is over with the time of its token, and for a disabled user', async () => {
    const [late, disabled] = [await givenRegistered(), await givenRegistered()]
    const lateToken = (await signIn(late)).expect(200).refreshToken
    const disabledToken = (await signIn(disabled)).expect(200).refreshToken
    await world.look.rows(
      `update refresh_tokens set expires_at = now() where session_id in (select id from sessions where user_id = $1)`,
      [late.id],
    )
    await world.look.rows(`update users set status = 'disabled' where id = $1`, [disabled.id])

    ;(await refresh(lateToken)).expect(401, 'INVALID_REFRESH_TOKEN')
    ;(await refresh(disabledToken)).expect(401, 'INVALID_REFRESH_TOKEN')
  })

  test('in a tenant that is disabled is refused with 403, and noted there', async () => {
    const closing = await world.givenTenant()
    const { accessToken, refreshToken } = (await signIn(await givenRegistered(closing))).expect(200)
    await world.look.rows(`update tenants set status = 'disabled' where id = $1`, [closing.id])
    await until(async () => (await me(accessToken)).expect(403, 'TENANT_DISABLED'))

    ;(await world.anyone.post('/auth/refresh', { refreshToken }, { 'x-request-id': 'closed-tenant' })).expect(
      403,
      'TENANT_DISABLED',
    )

    const rows = () =>
      world.look.rows(`select tenant_id, status from audit_operations where request_id = 'closed-tenant'`)
    await until(async () => expect(await rows()).toEqual([{ tenant_id: String(closing.id), status: 403 }]))
  })

  test('takes nothing for a refresh token that is none', async () => {
    const { accessToken, refreshToken } = (await signIn(await givenRegistered())).expect(200)
    const [tenantId, secret] = refreshToken.split('.')
    const others = [
      accessToken,
      secret,
      `${tenant.id}.${secret}`,
      `0.${secret}`,
      `${'9'.repeat(16)}.${secret}`,
      `${tenantId}.${secret.slice(1)}A`,
      `${refreshToken} `,
      `${tenantId}.${'%'.repeat(43)}`,
    ]
    for (const other of others) (await refresh(other)).expect(401, 'INVALID_REFRESH_TOKEN')
    ;(await refresh(refreshToken)).expect(200)
  })

  test('stores no token, only its hash', async () => {
    const { refreshToken } = (await signIn(await givenRegistered())).expect(200)
    const hits = await world.look.count('select count(*) from refresh_tokens where token_hash like $1', [
      `%${refreshToken.split('.')[1]}%`,
    ])
    expect(hits).toBe(0)
  })
})

describe('signing out', () => {
  test('ends this session immediately, both its tokens, and no other session', async () => {
    const user = await givenRegistered()
    const [here, there] = [(await signIn(user)).expect(200), (await signIn(user)).expect(200)]

    expect(
      (await bearer(here.accessToken).post('/auth/logout', { refreshToken: here.refreshToken })).expect(200),
    ).toBeNull()

    ;(await me(here.accessToken)).expect(401, 'UNAUTHENTICATED')
    ;(await refresh(here.refreshToken)).expect(401, 'INVALID_REFRESH_TOKEN')
    ;(await me(there.accessToken)).expect(200)
  })

  test.each([undefined, {}, { refreshToken: null }, { refreshToken: '' }])('works with the body %j', async (body) => {
    const { accessToken } = (await signIn(await givenRegistered())).expect(200)
    ;(await bearer(accessToken).post('/auth/logout', body)).expect(200)
    ;(await me(accessToken)).expect(401)
  })

  test('ends the session of the system administrator too when another tenant is named', async () => {
    const [known] = await world.look.rows('select password_hash from users where id = $1', [
      (await givenRegistered()).id,
    ])
    await world.look.rows('update users set password_hash = $1 where id = 1', [known!.password_hash])
    const { accessToken, refreshToken } = (await signIn({ username: 'admin' })).expect(200)

    ;(await bearer(accessToken).post('/auth/logout', {}, { 'x-tenant-code': tenant.code })).expect(200)

    ;(await me(accessToken)).expect(401)
    ;(await refresh(refreshToken)).expect(401)
  })
})

describe('changing the password', () => {
  test('wants the current one, ends the other sessions, and keeps this one', async () => {
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

  test.each(['12345', 'x'.repeat(129)])('refuses the new password %s', async (newPassword) => {
    const { accessToken } = (await signIn(await givenRegistered())).expect(200)
    const answer = await bearer(accessToken).put('/auth/password', { currentPassword: PASSWORD, newPassword })
    expect(answer.expect(400, 'VALIDATION_FAILED').details).toEqual([
      expect.objectContaining({ path: 'body.newPassword' }),
    ])
  })
})

/** For every refresh token that was used. */
async function elevenSecondsPass() {
  await world.look.rows(`update refresh_tokens set used_at = ${shifted('used_at', '-11 seconds')}`)
}
