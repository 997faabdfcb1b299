import { beforeAll, describe, expect, test } from 'vitest'
import type { Answer } from '../support/client.ts'
import { formOf } from '../support/form.ts'
import { slowClock } from '../support/move-clock.ts'
import { obeying } from '../support/obedient.ts'
import { quickHash } from '../support/quick-hash.ts'
import { shifted } from '../support/shifted.ts'
import { openWorld, type Person, type World } from '../support/world.ts'

/** GUESSES=10000 for the full run. */
const GUESSES = Number(process.env.GUESSES ?? 20)

const clock = slowClock()
let world: World
/** With a limit of one. */
let strict: World
beforeAll(async () => {
  strict = await openWorld({ env: { SIGN_IN_LIMIT: '1' } })
  for (const username of ['noa', 'mia', 'ben', 'cleo', 'dora', 'hugo', 'ines', 'kai']) await employ(strict, username)
  world = await openWorld({
    env: {
      SIGN_IN_LIMIT: '3',
      REGISTRATION_LIMIT: '2',
      UPLOAD_LIMIT: '3',
      CHECKOUT_LIMIT: '2',
      REFRESH_LIMIT: '120',
      COMMENT_LIMIT: '3',
      TRUST_PROXY: '10.9.0.0/16, fd00::/8',
    },
  })
  for (const username of ['anna', 'cleo', 'mia']) await employ(world, username)
})

const PASSWORD = 'correct horse'
const passwordHash = quickHash(PASSWORD)
async function employ({ givenUser, look }: World, username: string) {
  const { id } = await givenUser({ id: 1 })
  const known = [username, await passwordHash, id]
  await look.rows('update users set username = $1, look = $1, password_hash = $2 where id = $3', known)
}

const register = (username: string) =>
  world.anyone.post('/auth/register', { username, email: `${username}@example.com`, password: 'correct horse' })
const from = (remoteAddress: string) => ({ remoteAddress })
const signInto = ({ anyone }: World, username: string, password: string, extra: object = {}) => {
  const payload = { username, password }
  return anyone.send({ method: 'POST', url: '/api/v1/auth/login', payload, ...from('10.0.0.1'), ...extra })
}
const signIn = (username: string, password: string, extra: object = {}) => signInto(world, username, password, extra)
const secondsPass = (seconds: number) => clock.secondsPass(seconds, [world, strict])

test('three failures close the window, for the right password too, and say when it opens', async () => {
  for (let at = 0; at < 3; at++) (await signIn('anna', 'wrong')).expect(401)

  const answer = await signIn('anna', 'correct horse')

  answer.expect(429, 'RATE_LIMITED')
  const seconds = Number(answer.headers['retry-after'])
  expect(seconds).toBeGreaterThan(30)
  expect(seconds).toBeLessThanOrEqual(60)
})

test('registrations are limited by address: each one that is tried counts, and a burst does not slip through', async () => {
  const burst = await Promise.all(Array.from({ length: 6 }, (_, at) => register(at < 3 ? 'twin' : `twin-${at}`)))
  const statuses = burst.map(({ status }) => status)
  expect(statuses.filter((status) => status === 429)).toHaveLength(4)
  // The queue of passwords may be too slow for one, which has been tried then too.
  expect(statuses.filter((status) => [201, 409, 503].includes(status))).toHaveLength(2)
  const answer = await register('hans')
  answer.expect(429, 'RATE_LIMITED')
  expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
  await secondsPass(601)
  ;(await register('hans')).expect(201)
})

describe('of many concurrent sign-ins', () => {
  const together = (username: string, passwords: string[]) =>
    Promise.all(passwords.map((password) => obeying(() => signIn(username, password))))

  test('as many wrong ones are refused as one after the other, and the right one among them comes too late', async () => {
    const answers = await together('mia', [...Array(20).fill('wrong'), 'correct horse'])
    const statuses = answers.map(({ status }) => status).sort()
    expect(statuses).toEqual([...Array(3).fill(401), ...Array(18).fill(429)])
    expect(answers.at(-1)!.status).toBe(429)
  })

  test('right ones all go through, for they are not counted', async () => {
    const answers = await together('cleo', Array(12).fill('correct horse'))
    expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(200))
  })
})

test('one account, tried from a thousand addresses, closes for strangers and not for its owner, and tells nobody whether it exists (H18)', async () => {
  const owner = { username: 'noa', password: PASSWORD }
  const enter = (payload: object, remoteAddress: string, token?: string) => {
    const headers = token ? { authorization: `Bearer ${token}` } : {}
    return strict.anyone.send({ method: 'POST', url: '/api/v1/auth/login', payload, remoteAddress, headers })
  }
  const session = (await enter(owner, '10.0.7.7')).expect(200)
  const stranger = (await enter({ ...owner, username: 'mia' }, '10.0.7.7')).expect(200)

  for (const username of ['noa', 'nobody']) {
    const statuses: number[] = []
    for (let at = 0; at < GUESSES; at++) {
      const address = `10.1.${(at % 1000) >> 8}.${(at % 1000) & 255}`
      statuses.push((await enter({ username, password: 'wrong' }, address)).status)
    }
    expect(statuses, username).toEqual([...Array(10).fill(401), ...Array(GUESSES - 10).fill(429)])
  }

  ;(await enter(owner, '10.0.7.8')).expect(429, 'RATE_LIMITED')
  ;(await enter(owner, '10.0.7.8', stranger.accessToken)).expect(429, 'RATE_LIMITED')
  ;(await enter(owner, '10.0.7.8', session.accessToken)).expect(200)
  ;(await strict.anyone.post('/auth/refresh', { refreshToken: session.refreshToken })).expect(200)
})

describe('one client has one window, however it writes itself (H19)', () => {
  const behindProxy = (forwarded: string) => ({ ...from('10.9.0.1'), headers: { 'x-forwarded-for': forwarded } })

  /** As many failures as are allowed, each in another disguise; then the plain one. */
  test.each<[string, string, object[], object]>([
    [
      'letters of the path that are written in another way',
      'gus',
      ['/api/v1/%61uth/login', '/%61pi/v1/auth/login/?x=1', '/api/v1/auth/log%69n'].map((url) => ({ url })),
      {},
    ],
    [
      'headers that nobody but a proxy may send',
      'ida',
      ['x-forwarded-for', 'x-real-ip', 'forwarded'].map((name) => ({ headers: { [name]: 'for=1.2.3.4' } })),
      { headers: { 'x-forwarded-for': '9.9.9.9' } },
    ],
    [
      'what it adds before the proxy adds its address',
      'jan',
      ['6.6.6.6', '10.9.9.9, 7.7.7.7', 'unknown'].map((forged) => behindProxy(`${forged}, 203.0.113.7`)),
      behindProxy('203.0.113.7'),
    ],
    [
      'the addresses of its own network',
      'kim',
      ['2001:db8:1:2::1', '2001:DB8:1:2:ffff::9', '2001:db8:1:2:0:0:0:7'].map(from),
      behindProxy('2001:db8:1:2:3:4:5:6'),
    ],
  ])('by %s', async (_, username, disguises, plain) => {
    for (const disguise of disguises) (await signIn(username, 'wrong', disguise)).expect(401)
    ;(await signIn(username, 'wrong', plain)).expect(429, 'RATE_LIMITED')
  })

  test('or by another address without a route', async () => {
    for (const url of ['/API/v1/auth/login', '//api/v1/auth/login', '/api/v1//auth/login', '/api/v1/auth%2flogin'])
      (await signIn('hal', 'wrong', { url })).expect(404, 'ROUTE_NOT_FOUND')
  })

  test('while another one behind the same proxy has its own', async () => {
    ;(await signIn('jan', 'wrong', behindProxy('203.0.113.8'))).expect(401)
    ;(await signIn('kim', 'wrong', from('2001:db8:1:3::1'))).expect(401)
  })
})

test('one address that tries all names is stopped, those who have signed in there before are not, nor is anybody elsewhere; if it goes on, nothing is looked up for it', async () => {
  const here = from('10.7.1.1')
  ;(await signInto(strict, 'dora', 'correct horse', here)).expect(200)
  for (let at = 0; at < 30; at++) (await signInto(strict, `goes-on-${at}`, 'wrong', here)).expect(401)
  for (let at = 30; at < 35; at++) (await signInto(strict, `goes-on-${at}`, 'wrong', here)).expect(429)
  ;(await signInto(strict, 'cleo', 'correct horse', here)).expect(429, 'RATE_LIMITED')
  ;(await signInto(strict, 'dora', 'correct horse', here)).expect(200)
  ;(await signInto(strict, 'cleo', 'correct horse', from('10.7.1.2'))).expect(200)

  const start = clock.monotonic()
  const payload = { username: 'goes-on', password: 'wrong', tenantCode: 'no-such-tenant' }
  const deaf = await signInto(strict, 'goes-on', 'wrong', { ...here, payload })

  deaf.expect(429, 'RATE_LIMITED')
  expect(clock.monotonic() - start).toBeGreaterThan(900)
  expect(deaf.headers['retry-after']).toBe('60')
  await secondsPass(61)
  ;(await signInto(strict, 'goes-on', 'wrong', { ...here, payload })).expect(404, 'TENANT_NOT_FOUND')
  ;(await signInto(strict, 'ben', 'correct horse', here)).expect(429)
  await secondsPass(600)
  ;(await signInto(strict, 'ben', 'correct horse', here)).expect(200)
})

describe('sessions that are continued', () => {
  const refresh = (refreshToken: string, remoteAddress: string) =>
    world.anyone.send({ method: 'POST', url: '/api/v1/auth/refresh', payload: { refreshToken }, remoteAddress })
  /** The database measures the grace of a used token. */
  const moveUses = (by: string) => world.look.rows(`update refresh_tokens set used_at = ${shifted('used_at', by)}`)

  test('are limited by token and by address; each refusal of a token is audited, and the first of a minute for an address', async () => {
    const { refreshToken } = (await signIn('cleo', 'correct horse', from('10.6.0.3'))).expect(200)
    const ofToken = [(await refresh(refreshToken, '10.6.1.0')).status]
    await moveUses('1 hour')
    for (let at = 1; at < 4; at++) ofToken.push((await refresh(refreshToken, `10.6.1.${at}`)).status)
    expect(ofToken).toEqual([200, 200, 429, 429])
    const forged = (at: number) => `1.${'A'.repeat(40)}${100 + at}`
    const ofAddress = []
    for (let at = 0; at < 123; at++) ofAddress.push((await refresh(forged(at), '10.6.1.4')).status)
    expect(ofAddress).toEqual([...Array(120).fill(401), 429, 429, 429])
    ;(await refresh(forged(0), '10.6.1.5')).expect(401)

    const refused = `select ip from audit_operations where status = 429 and route like '%refresh' and ip like '10.6.1.%'`
    await expect
      .poll(async () => (await world.look.rows(refused)).map(({ ip }) => ip))
      .toEqual(['10.6.1.2', '10.6.1.3', '10.6.1.4'])
  })

  test('of a token that was copied its first use after the grace ends the session, limit or not', async () => {
    const { refreshToken } = (await signIn('cleo', 'correct horse', from('10.6.2.1'))).expect(200)
    const next = (await refresh(refreshToken, '10.6.2.1')).expect(200)
    await moveUses('1 hour')
    ;(await refresh(refreshToken, '10.6.2.1')).expect(200)
    ;(await refresh(refreshToken, '10.6.2.1')).expect(429, 'RATE_LIMITED')
    await moveUses('-61 minutes')

    ;(await refresh(refreshToken, '10.6.2.2')).expect(401, 'INVALID_REFRESH_TOKEN')

    ;(await refresh(next.refreshToken, '10.6.2.1')).expect(401, 'INVALID_REFRESH_TOKEN')
  })
})

describe('what a signed-in person does often', () => {
  let person: Person
  let other: Person
  beforeAll(async () => {
    person = await world.givenUser({ id: 1 })
    other = await world.givenUser({ id: 1 })
  })
  const upload = (who: Person, content = 'text') =>
    world.as(who).send({ method: 'POST', url: '/api/v1/files', ...formOf([{ filename: 'a.txt', content }]) })
  const order = (who: Person, planId = 2) => world.as(who).post('/payments/checkout', { planId, channel: 'card' })

  test('uploads count by person, refused ones too, and report how many are left', async () => {
    const answer = await upload(person)
    answer.expect(201)
    expect(answer.headers['ratelimit-policy']).toBe('"upload";q=3;w=60')
    expect(answer.headers.ratelimit).toBe('"upload";r=2;t=60')
    ;(await upload(person, '')).expect(400, 'FILE_REJECTED')
    expect((await upload(person)).headers.ratelimit).toMatch(/^"upload";r=0;t=\d+$/)

    const refused = await upload(person)

    refused.expect(429, 'RATE_LIMITED')
    expect(refused.headers.ratelimit).toMatch(/^"upload";r=0;t=\d+$/)
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(50)
    ;(await upload(other)).expect(201)
    await secondsPass(61)
    ;(await upload(person)).expect(201)
  })

  test('orders count by person; a burst of them as one after the other', async () => {
    const burst = await Promise.all(Array.from({ length: 8 }, () => obeying(() => order(person))))
    expect(burst.map(({ status }) => status).sort()).toEqual([201, 201, ...Array(6).fill(429)])
    ;(await order(other, 99)).expect(400, 'PLAN_NOT_PAYABLE')
    ;(await order(other)).expect(201)
    ;(await order(other)).expect(429, 'RATE_LIMITED')
  })

  test('comments count by person, on posts and on tasks together', async () => {
    const project = await world.givenProject(person)
    const task = await world.givenTask(person, project)
    const say = (who: Person, path: string) => world.as(who).post(`${path}/comments`, { content: 'Well said.' })
    ;(await say(person, '/blog/1')).expect(201)
    ;(await say(person, `/tasks/${task.id}`)).expect(201)
    ;(await say(person, '/blog/1')).expect(201)
    ;(await say(person, `/tasks/${task.id}`)).expect(429, 'RATE_LIMITED')
    ;(await say(person, '/blog/1')).expect(429, 'RATE_LIMITED')
    ;(await say(other, '/blog/1')).expect(201)
  })

  test('a refused person gets the refusal, and does not count', async () => {
    for (let at = 0; at < 5; at++) (await world.anyone.post('/payments/checkout', {})).expect(401, 'UNAUTHENTICATED')
    const { headers } = await world.as(person).get('/payments/orders')
    for (const name of ['ratelimit', 'ratelimit-policy']) expect(headers).not.toHaveProperty(name)
  })
})

test('a sign-in reports how its own limit stands, and no header differs for a name that somebody here has', async () => {
  const here = from('10.0.0.9')
  ;(await signIn('cleo', 'correct horse', here)).expect(200)
  const told = (headers: object) =>
    Object.entries(headers).filter(([name]) => !['x-request-id', 'date', 'content-length'].includes(name))

  const [known, elsewhere, nobody] = [
    await signIn('cleo', 'wrong', here),
    await signIn('mia', 'wrong', here),
    await signIn('lea', 'wrong', here),
  ]

  expect(nobody.headers['ratelimit-policy']).toBe('"sign-in";q=3;w=60')
  expect(nobody.headers.ratelimit).toBe('"sign-in";r=2;t=60')
  expect(told(known.headers)).toEqual(told(nobody.headers))
  expect(told(elsewhere.headers)).toEqual(told(nobody.headers))
})

test('somebody who shares an address with a guesser gets in with the right password, and refusals do not say whom they know', async () => {
  const enter = (username: string, password: string) => signInto(strict, username, password, from('10.7.2.1'))
  const shown = ({ status, headers, body }: Answer) => ({
    status,
    message: body.message,
    limits: ['retry-after', 'ratelimit', 'ratelimit-policy'].map((name) => headers[name]),
  })
  for (const regular of ['hugo', 'ines', 'kai']) (await enter(regular, 'correct horse')).expect(200)
  for (let at = 0; at < 30; at++) (await enter(`guess-${at}`, 'wrong')).expect(401)

  ;(await enter('hugo', 'correct horse')).expect(200)
  expect(shown(await enter('hugo', 'wrong'))).toEqual(shown(await enter('nobody-2', 'wrong')))
  expect(shown(await enter('mia', 'correct horse'))).toEqual(shown(await enter('nobody-3', 'wrong')))

  for (let at = 0; at < 2; at++)
    (await enter(`more-${at}`, 'wrong')).expect(429)
    // From here on refusals are late.
  ;(await enter('kai', 'correct horse')).expect(200)
  const [known, unknown] = await Promise.all([enter('ines', 'wrong'), enter('nobody-4', 'wrong')])
  expect(shown(known)).toEqual(shown(unknown))
  expect(shown(known)).toMatchObject({ status: 429, limits: ['60', undefined, undefined] })
})

describe('requests of all kinds', () => {
  let limited: World
  beforeAll(async () => {
    limited = await openWorld({ env: { REQUEST_LIMIT: '5' } })
  })

  test('of one person are limited wherever they come from and whatever they ask for', async () => {
    const who = await limited.givenUser({ id: 1 })
    const person = limited.as(who)
    const asks = ['/projects', '/tasks/987654321', '/nothing', '/users', '/auth/me?x=1']
    for (const [at, path] of asks.entries()) {
      const answer = await person.send({ method: 'GET', url: `/api/v1${path}`, remoteAddress: `10.0.0.${at}` })
      expect(answer.status).not.toBe(429)
      expect(answer.headers['ratelimit-policy']).toBe('"general";q=5;w=60')
      expect(answer.headers.ratelimit).toMatch(new RegExp(`^"general";r=${4 - at};t=(60|5\\d)$`))
    }

    const urls = ['/api/v1/projects', '/%61pi/v1/projects', '//api/v1/projects', '/api/v1/projects/']
    const methods = ['HEAD', 'POST'] as const
    for (const asked of [...urls.map((url) => ({ url })), ...methods.map((method) => ({ method, url: urls[0]! }))]) {
      const { status, headers } = await person.send(asked)
      expect({ asked, status }).toEqual({ asked, status: 429 })
      expect(Number(headers['retry-after'])).toBeGreaterThan(50)
    }
    await limited.as(await limited.givenUser({ id: 1 })).read('/projects')

    // They are audited where the person lives.
    ;(await person.post('/projects', {}, { 'x-request-id': 'one-too-many' })).expect(429, 'RATE_LIMITED')
    const rows = () =>
      limited.look.rows(`select tenant_id, user_id, status from audit_operations where request_id = 'one-too-many'`)
    await expect.poll(rows).toEqual([{ tenant_id: '1', user_id: String(who.id), status: 429 }])
  })

  test('of one address are limited without a token; what is outside the API is not', async () => {
    const read = (url: string, address = '10.0.1.1', headers = {}) =>
      limited.app.inject({ method: 'GET', url, headers, remoteAddress: address })
    for (let at = 0; at < 5; at++) expect((await read('/api/v1/public/home')).statusCode).toBe(200)
    expect((await read('/api/v1/public/home')).statusCode).toBe(429)
    expect((await read('/api/v1/public/home', '10.0.1.1', { 'x-tenant-code': 'nobody' })).statusCode).toBe(429)
    expect((await read('/api/v1/public/home', '10.0.1.2')).statusCode).toBe(200)
    for (const url of ['/livez', '/readyz', '/openapi.json']) {
      const answer = await read(url)
      expect(answer.statusCode).toBe(200)
      expect(answer.headers).not.toHaveProperty('ratelimit')
    }
  })
})
