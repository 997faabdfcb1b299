import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { PRODUCTION } from '#test/config.ts'
import { startJob } from '#test/jobs.ts'
import { mailsTo, nthMailTo, resetsAnswered } from '#test/links.ts'
import { isHere } from '#test/plugins.ts'
import { givenPassword } from '#test/quick-hash.ts'
import { shifted } from '#test/shifted.ts'
import { openWorld, type Person } from '#test/world.ts'
import { unansweredResets } from '../reset-answers.ts'

const OLD = 'a long and winding road'
const NEW = 'another long and winding road'
let counter = 0
const world = await openWorld({ env: { RESET_LIMIT: '3', SIGN_IN_LIMIT: '3' } })
const tenant = await world.givenTenant()
// A request is answered up to 400 ms after its response.
beforeAll(() => void vi.spyOn(Math, 'random').mockReturnValue(0))

interface Known extends Person {
  email: string
}
let me: Known
beforeEach(async () => {
  me = await givenPerson()
})
async function givenPerson(email = `person-${++counter}@example.com`): Promise<Known> {
  return { ...(await givenPassword(world, await world.givenUser(tenant), OLD, email)), email }
}
let address = 0
/** From a network of its own, unless the test is about networks. */
const ask = (
  body: object,
  headers: Record<string, string> = {},
  remoteAddress = `10.9.${++address >> 8}.${address & 255}`,
) => {
  const payload = { tenantCode: tenant.code, ...body }
  return world.anyone.send({ method: 'POST', url: '/api/v1/auth/password-resets', payload, headers, remoteAddress })
}
/** The link that somebody has asked for. */
async function linkFor({ username, email }: Known) {
  ;(await ask({ username })).expect(200)
  return nthMailTo(world, email)
}
const confirm = (token: string, newPassword = NEW) =>
  world.anyone.post('/auth/password-resets/confirm', { token, newPassword })
const login = (username: string, password: string, headers = {}) =>
  world.anyone.post('/auth/login', { username, password, tenantCode: tenant.code }, headers)

describe('a forgotten password', () => {
  test('is replaced with the link that was mailed, and every session of the person ends', async () => {
    const mail = await linkFor(me)
    expect(mail.text).toContain(`the account ${me.username} in ${tenant.code}`)
    expect(mail.link).toMatch(/^http:\/\/localhost:\d+\/account\/password#token=\d+\.[\w-]{43}$/)
    ;(await world.as(me).get('/auth/me')).expect(200)
    expect((await confirm(mail.token)).expect(200)).toBeNull()
    ;(await world.as(me).get('/auth/me')).expect(401, 'UNAUTHENTICATED')
    ;(await login(me.username, OLD)).expect(401, 'INVALID_CREDENTIALS')
    ;(await login(me.username, NEW)).expect(200)
    ;(await confirm(mail.token, 'a third long and winding road')).expect(404, 'RESET_NOT_FOUND')
  })

  test('that must be changed is not replaced with itself, nor with a bad one, and the link still works', async () => {
    await world.look.rows('update users set must_change_password = true where id = $1', [me.id])
    const { token } = await linkFor(me)
    for (const bad of ['password', me.email, 'abc']) (await confirm(token, bad)).expect(400, 'VALIDATION_FAILED')
    expect((await confirm(token, OLD)).expect(400, 'VALIDATION_FAILED').details).toMatchObject([
      { path: 'body.newPassword', message: 'must not be the current password' },
    ])
    ;(await confirm(token)).expect(200)
    const { accessToken } = (await login(me.username, NEW)).expect(200)
    ;(await world.as({ ...me, token: accessToken }).get('/projects')).expect(200)
  })

  test('can be asked for with an address in any case, verified or not, for everybody who has it', async () => {
    const other = await givenPerson(me.email)
    await world.look.rows('update users set email_verified_at = now() where id = $1', [other.id])
    ;(await ask({ email: me.email.toUpperCase() })).expect(200)
    await nthMailTo(world, me.email, 2, me.username)
    ;(await confirm((await nthMailTo(world, me.email, 2, other.username)).token)).expect(200)
    ;(await login(other.username, NEW)).expect(200)
    ;(await login(me.username, OLD)).expect(200)
  })

  test('is not for those who cannot sign in or have no address', async () => {
    const disabled = await givenPerson()
    ;(await world.as(tenant.administrator).put(`/users/${disabled.id}`, { status: 'disabled' })).expect(200)
    const gone = await givenPerson()
    ;(await world.as(tenant.administrator).delete(`/users/${gone.id}`)).expect(200)
    const silent = await givenPerson('')
    for (const { username } of [disabled, gone, silent]) (await ask({ username })).expect(200)
    for (const { email } of [disabled, gone]) (await ask({ email })).expect(200)
    await resetsAnswered(world)
    for (const { email } of [disabled, gone, silent]) expect(await mailsTo(world, email)).toEqual([])
  })

  test('ends a lock-out', async () => {
    for (let guess = 0; guess < 3; guess++) (await login(me.username, 'wrong')).expect(401, 'INVALID_CREDENTIALS')
    ;(await login(me.username, OLD)).expect(429, 'RATE_LIMITED')
    ;(await confirm((await linkFor(me)).token)).expect(200)
    ;(await login(me.username, NEW)).expect(200)
  })

  test('is asked for in a tenant: another, or none of that name, gives no mail', async () => {
    ;(await ask({ username: me.username, tenantCode: 'default' })).expect(200)
    ;(await ask({ username: me.username, tenantCode: 'no-such-tenant' })).expect(404, 'TENANT_NOT_FOUND')
    ;(await ask({ tenantCode: tenant.code })).expect(400, 'VALIDATION_FAILED')
    await resetsAnswered(world)
    expect(await mailsTo(world, me.email)).toEqual([])
    ;(await ask({ username: me.username, tenantCode: '' }, { 'x-tenant-code': tenant.code })).expect(200)
    await nthMailTo(world, me.email)
  })
})

describe('a link for a new password', () => {
  const changed = async (patch: object) =>
    (await world.as(tenant.administrator).put(`/users/${me.id}`, patch)).expect(200)
  const waysToDie: Record<string, (token: string) => Promise<unknown>> = {
    'after half an hour': () =>
      world.look.rows(`update password_resets set expires_at = ${shifted('expires_at', '-30 minutes')}`),
    'when a newer one is made': async () => {
      ;(await ask({ username: me.username })).expect(200)
      await nthMailTo(world, me.email, 2)
    },
    'when the password changes in another way': async () => {
      const body = { currentPassword: OLD, newPassword: 'a third long and winding road' }
      ;(await world.as(me).put('/auth/password', body)).expect(200)
    },
    'when an administrator changes the address': () => changed({ email: 'new@example.com' }),
    'when the person is disabled': () => changed({ status: 'disabled' }),
    'when the person is deleted': async () =>
      (await world.as(tenant.administrator).delete(`/users/${me.id}`)).expect(200),
  }
  for (const [when, happen] of Object.entries(waysToDie))
    test(`dies ${when}`, async () => {
      const { token } = await linkFor(me)
      await happen(token)
      ;(await confirm(token)).expect(404, 'RESET_NOT_FOUND')
    })

  test('does not lead to the Host of the request', async () => {
    ;(await ask({ username: me.username }, { host: 'evil.example', 'x-forwarded-host': 'evil.example' })).expect(200)
    expect((await nthMailTo(world, me.email)).link).toMatch(/^http:\/\/localhost:/)
  })

  test('is of no use elsewhere, and nonsense is not found', async () => {
    const { token } = await linkFor(me)
    const foreign = `1.${token.split('.')[1]}`
    for (const wrong of [foreign, `${token}x`, 'nonsense', `0.${'A'.repeat(43)}`])
      (await confirm(wrong)).expect(404, 'RESET_NOT_FOUND')
    ;(await world.anyone.post('/auth/email/confirm', { token })).expect(404, 'EMAIL_TOKEN_NOT_FOUND')
    if (isHere('invitations'))
      (await world.anyone.post('/auth/invitations/preview', { token })).expect(404, 'INVITATION_NOT_FOUND')
    ;(await confirm(token)).expect(200)
  })

  test('is stored as a hash, and nothing else holds it', async () => {
    const secret = (await linkFor(me)).token.split('.')[1]!
    for (const table of ['password_resets', 'mails', 'audit_operations'])
      expect(JSON.stringify(await world.look.rows(`select * from ${table}`))).not.toContain(secret)
  })
})

describe('nobody is told who exists', () => {
  test('the answer and the work are the same for everybody', async () => {
    const [known, strange] = [me.username, 'nobody@example.com']
    const bodies = [
      { email: me.email },
      { username: 'nobody-here' },
      { email: strange },
      { username: known, email: strange },
    ]
    const answers = []
    for (const body of [{ username: known }, ...bodies]) {
      const before = await countRequests()
      const { status, headers, body: text } = await ask(body)
      const { 'x-request-id': _, date: __, ...same } = headers
      answers.push({ status, headers: same, text })
      // The request does the same work for everybody: what differs happens after the response.
      expect((await countRequests()) - before).toBe(1)
    }
    for (const answer of answers) expect(answer).toEqual(answers[0])
    expect(answers[0]).toMatchObject({ status: 200, text: { code: 0, data: null } })
    expect(Object.keys(answers[0]!.headers).join(' ')).not.toMatch(/ratelimit|retry/i)
  })

  test('too many requests look like any other, and give no mail: three an hour for an account', async () => {
    const first = await ask({ username: me.username })
    for (let time = 1; time < 5; time++) expect((await ask({ username: me.username })).body).toEqual(first.body)
    await resetsAnswered(world)
    expect(await mailsTo(world, me.email)).toHaveLength(3)
    ;(await confirm((await mailsTo(world, me.email)).at(-1)!.token)).expect(200)
    await world.look.rows("update password_resets set window_started_at = now() - interval '61 minutes'")
    ;(await ask({ username: me.username })).expect(200)
    await nthMailTo(world, me.email, 4)
  })

  test('nor can a network ask for more than twenty an hour', async () => {
    const before = await countRequests()
    for (let time = 0; time < 22; time++)
      expect((await ask({ username: `nobody-${time}` }, {}, '10.77.0.1')).expect(200)).toBeNull()
    expect((await countRequests()) - before).toBe(20)
  })

  /** Requests that were ever made; the sequences of the nodes of a cluster take large steps. */
  const countRequests = () =>
    world.look.countEverywhere(
      `select coalesce(sum(last_value / increment_by), 0)::bigint from pg_sequences
        where sequencename = 'password_reset_requests_id_seq'`,
    )
})

test('a request that a killed process left is answered by a sweep', async () => {
  await world.look.rows('insert into password_reset_requests (tenant_id, username) values ($1, $2)', [
    tenant.id,
    me.username,
  ])
  const worker = await startJob(world.database, unansweredResets)
  await nthMailTo(world, me.email)
  await worker.stop()
})

test('a service that cannot mail a link says so, whoever asks', async () => {
  const mail = { MAIL_URL: 'smtp://localhost:1', MAIL_FROM: 'no-reply@example.com' }
  for (const [env, type] of [
    [{}, 'MAIL_NOT_CONFIGURED'],
    [mail, 'ADDRESS_NOT_CONFIGURED'],
  ] as const) {
    const quiet = await openWorld({ env: { ...PRODUCTION, ...env } })
    const ask = (username: string) => quiet.anyone.post('/auth/password-resets', { username })
    const [known, unknown] = [await ask('admin'), await ask('nobody-here')]
    known.expect(409, type)
    expect(unknown.body).toEqual({ ...known.body, requestId: unknown.body.requestId })
    await quiet.close()
  }
})
