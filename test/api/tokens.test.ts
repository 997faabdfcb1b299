import { createHmac } from 'node:crypto'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { TEST_SECRET } from '../support/config.ts'
import { openWorld } from '../support/world.ts'

const world = await openWorld()
const tenant = await world.givenTenant()
const user = await world.givenUser(tenant)
const other = await world.givenUser(tenant)

const encode = (value: unknown) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')
const decode = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString())
const claims = (person = user) => decode(person.token.split('.')[1]!)
const digests = { HS256: 'sha256', HS384: 'sha384', HS512: 'sha512' } as const

function sign(
  payload: unknown,
  { header = {} as object, secret = TEST_SECRET, alg = 'HS256' as keyof typeof digests } = {},
) {
  const head = `${encode({ alg, typ: 'JWT', ...header })}.${encode(payload)}`
  return `${head}.${createHmac(digests[alg], secret).update(head).digest('base64url')}`
}

test('a token that we could have signed lets its bearer in: the attacks below fail for their own reason', async () => {
  await world.as({ token: sign(claims()) }).read('/auth/me')
  await world.anyone.read('/auth/me', { authorization: `bearer ${user.token}` })
})

test('a changed key signs what is new, and what the former one has signed stays valid', async () => {
  const former = 'the-secret-that-signed-until-now-and-is-known'
  const rotated = await openWorld({ env: { JWT_SECRET: `${TEST_SECRET}, ${former}` } })
  const { token } = rotated.admin
  const payload = decode(token.split('.')[1]!)
  const as = (token: string) => rotated.as({ ...rotated.admin, token }).get('/auth/me')

  expect(token).toBe(sign(payload))
  for (const good of [token, sign(payload, { secret: former })]) (await as(good)).expect(200)
  for (const bad of [
    sign(payload, { secret: `${former}?` }),
    sign({ ...payload, exp: 1 }, { secret: former }),
    sign(payload, { secret: former, alg: 'HS512' }),
  ])
    (await as(bad)).expect(401)
})

test('a token names its audience; one for another lets nobody in', async () => {
  expect(claims().aud).toBe('atrium')
  const { aud, ...older } = claims()
  const as = (payload: object) => world.as({ token: sign(payload) }).get('/auth/me')
  ;(await as({ ...older, aud: 'another' })).expect(401)
  ;(await as({ ...older, aud: ['another'] })).expect(401)
  // Signed by a release that named none.
  ;(await as(older)).expect(200)
})

describe('a forged token lets nobody in', () => {
  const now = Math.floor(Date.now() / 1000)
  const [head, payload, signature] = user.token.split('.') as [string, string, string]
  const unsigned = ['none', 'None', 'NONE', 'nOnE', '', 'HS256 ', 'hs256', 'RS256', 'ES256', 'EdDSA', null]
  const { sid: otherSession } = claims(other)
  /** Each signed with one claim replaced. */
  const claiming = (claim: string, values: unknown[]) => values.map((value) => sign({ ...claims(), [claim]: value }))
  /** Each with claims that were changed behind the signature. */
  const rewritten = (changes: object[]) =>
    changes.map((change) => `${head}.${encode({ ...claims(), ...change })}.${signature}`)

  const forgeries: Record<string, string[]> = {
    'without a signature, whatever its algorithm': unsigned.flatMap((alg) =>
      ['', 'x', encode('x')].map((signature) => `${encode({ alg, typ: 'JWT' })}.${encode(claims())}.${signature}`),
    ),
    'under another key': [
      ...['', ' ', 'secret', 'changeme', TEST_SECRET.slice(1), `${TEST_SECRET} `, TEST_SECRET.toUpperCase()],
    ].map((secret) => sign(claims(), { secret })),
    'by another algorithm under the right key': (['HS384', 'HS512'] as const).map((alg) => sign(claims(), { alg })),
    'with an algorithm in its header that is not the one it was signed with': unsigned.map((alg) =>
      sign(claims(), { header: { alg } }),
    ),
    'with a header that points at a key': [
      { kid: '../../../../dev/null' },
      { kid: "x' union select 'secret" },
      { kid: '/proc/sys/kernel/randomize_va_space' },
      { jku: 'https://evil.example/keys' },
      { x5u: 'https://evil.example/cert' },
      { jwk: { kty: 'oct', k: encode('secret') } },
      { crit: ['exp'], b64: false },
    ].flatMap((header) => ['', 'secret', '0', '2'].map((secret) => sign(claims(), { header, secret }))),
    'with claims that were changed behind the signature': rewritten([
      { tenantId: 1 },
      { sub: '1', sid: 1 },
      { tenantId: tenant.id + 1 },
      { exp: now + 10 ** 9 },
      { type: 'access', roles: ['admin'] },
      { sid: otherSession },
    ]),
    'with any letter changed': lettersChanged(user.token),
    'that has expired': claiming('exp', [now - 1, now - 7200, 0, -1, 1.5]),
    'without a proper end': claiming('exp', [undefined, null, '', `${now + 100}`, 'never', [now + 100], true]),
    'that begins later': claiming('nbf', [now + 3600, 1e12]),
    'that was signed in times to come, or at no time': claiming('iat', [now + 7200, 1e12, undefined]),
    'whose signature is written in another way': otherSpellings(user.token),
    'of another issuer': claiming('iss', [
      ...['evil', 'Atrium', 'atrium ', '', undefined, null, ['atrium', 'evil'], { $ne: 1 }],
    ]),
    'of another type': claiming('type', [undefined, null, '', 'refresh', 'ACCESS', 'access ', ['access'], true]),
    'for nobody': claiming('sub', [
      ...[undefined, null, '', '0', '-1', '1.0', '0x1', ' 1', '1 ', '1e1', `${user.id}\u0000`, '٣', '9'.repeat(30)],
      ...[user.id, [`${user.id}`], {}],
    ]),
    'of a tenant that is none': claiming('tenantId', [
      ...[undefined, null, '', `${tenant.id}`, 0, -1, 1.5, 2 ** 53, 1e308, [tenant.id], {}, tenant.id + 1, 1],
    ]),
    'of a session that is not theirs': claiming('sid', [
      ...[undefined, null, `${claims().sid}`, 0, -1, 2 ** 53, otherSession, 10 ** 9],
    ]),
    'of somebody else in this session': claiming('sub', [`${other.id}`, '1', '1000000000']),
    'whose payload is no claims': ['', 'null', '[]', '"text"', '1', 'true', '{', '{}'].map((text) => sign(text)),
    'that is no token': [
      ...['', '.', '..', '...', 'a.b.c', head, `${head}.${payload}`, `${head}.${payload}.`, `.${payload}.${signature}`],
      ...[`${user.token}.`, `${user.token}.x`, `.${user.token}`, `${user.token}=`, ` ${user.token}`],
      ...[`${head}..${signature}`, encode(user.token), user.token.toUpperCase()],
    ],
    'that is huge': [4_097, 100_000, 1_048_576].flatMap((length) => [
      'a'.repeat(length),
      `${'a'.repeat(length)}.b.c`,
      sign({ ...claims(), pad: 'x'.repeat(length) }),
    ]),
  }

  test.each(Object.entries(forgeries))('%s', async (_, tokens) => {
    for (const token of tokens) {
      const answer = await world.anyone.get('/auth/me', { authorization: `Bearer ${token}` })
      expect(answer.status, describeToken(token)).toBe(401)
      answer.expect(401, 'UNAUTHENTICATED')
      expect(answer.headers['www-authenticate']).toBe('Bearer')
    }
  })
})

test.each<Record<string, string>>([
  ...['', 'Bearer', 'Bearer  ', 'Basic YWRtaW46YWRtaW4xMjM=', 'Token x', 'BearerX y', 'Bearer\tx', 'Ｂearer x'].map(
    (authorization) => ({ authorization }),
  ),
  { authorization: `Bearer x, Bearer ${user.token}` },
  { cookie: `token=${user.token}`, 'x-access-token': user.token },
])('nobody gets in by %j', async (headers) => {
  const path = `/auth/me?access_token=${user.token}&token=${user.token}`
  ;(await world.anyone.get(path, headers)).expect(401, 'UNAUTHENTICATED')
})

test('a token that was good once is forgotten when it expires', async () => {
  // Somebody of their own: the forgeries above have named the session of the other, and that is remembered for a second.
  const person = await world.givenUser({ id: user.tenantId })
  const exp = Math.ceil(Date.now() / 1000) + 1800
  const short = world.as({ ...person, token: sign({ ...claims(person), exp }) })
  await short.read('/auth/me')
  vi.useFakeTimers({ toFake: ['Date'], now: exp * 1000 - 1 })
  onTestFinished(() => void vi.useRealTimers())
  await short.read('/auth/me')
  vi.setSystemTime(exp * 1000 + 1000)
  ;(await short.get('/auth/me')).expect(401)
})

function describeToken(token: string): string {
  const parts = token.split('.').slice(0, 2)
  return parts.map((part) => Buffer.from(part, 'base64url').toString().slice(0, 300)).join(' . ')
}

/** The last letter of the signature with those of its bits changed that mean nothing. */
function otherSpellings(token: string): string[] {
  const last = token.at(-1)!
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  const same = letters.slice(letters.indexOf(last) & ~3).slice(0, 4)
  return [...same].filter((letter) => letter !== last).map((letter) => token.slice(0, -1) + letter)
}

/** Every fourth letter, but for the very last of the signature: of that one some bits mean nothing. */
function lettersChanged(token: string): string[] {
  const tokens: string[] = []
  for (let at = 0; at < token.length - 1; at += 4)
    if (token[at] !== '.') tokens.push(`${token.slice(0, at)}${token[at] === 'A' ? 'B' : 'A'}${token.slice(at + 1)}`)
  return tokens
}
