import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { openWorld, type World } from '../support/world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld({ env: { SIGN_IN_LIMIT: '3', REGISTRATION_LIMIT: '6' } })
  for (const username of ['anna', 'ben', 'cleo', 'dora']) await register(username)
})
afterAll(async () => {
  vi.restoreAllMocks()
  await world.close()
})

const register = (username: string) =>
  world.anyone.post('/auth/register', { username, email: `${username}@example.com`, password: 'correct horse' })
const signIn = (username: string, password: string, extra: object = {}) =>
  world.anyone.send({
    method: 'POST',
    url: '/api/v1/auth/login',
    payload: { username, password },
    remoteAddress: '10.0.0.1',
    ...extra,
  })
/** Windows are measured by the monotonic clock, which cannot be set; so it is put ahead. */
let ahead = 0
const monotonic = performance.now.bind(performance)
vi.spyOn(performance, 'now').mockImplementation(() => monotonic() + ahead)
const secondsPass = (seconds: number) => {
  ahead += seconds * 1000
}

test('three failures close the window, for the right password too, and say when it opens', async () => {
  for (let at = 0; at < 3; at++) (await signIn('anna', 'wrong')).expect(401)

  const answer = await signIn('anna', 'correct horse')

  answer.expect(429, 'RATE_LIMITED')
  const seconds = Number(answer.headers['retry-after'])
  expect(seconds).toBeGreaterThan(30)
  expect(seconds).toBeLessThanOrEqual(60)
})

test('the window slides: it opens by one when the oldest failure leaves it', async () => {
  ;(await signIn('ben', 'wrong')).expect(401)
  secondsPass(30)
  ;(await signIn('ben', 'wrong')).expect(401)
  ;(await signIn('ben', 'wrong')).expect(401)
  secondsPass(25)
  const closed = await signIn('ben', 'correct horse')
  closed.expect(429)
  expect(Number(closed.headers['retry-after'])).toBeLessThanOrEqual(5)

  secondsPass(6)

  ;(await signIn('ben', 'wrong')).expect(401)
  ;(await signIn('ben', 'correct horse')).expect(429)
  secondsPass(60)
  ;(await signIn('ben', 'correct horse')).expect(200)
})

test('successes are not counted', async () => {
  for (let at = 0; at < 6; at++) (await signIn('cleo', 'correct horse')).expect(200)
  ;(await signIn('cleo', 'wrong')).expect(401)
})

test('another address and another user are not locked out with them', async () => {
  for (let at = 0; at < 3; at++) (await signIn('dora', 'wrong')).expect(401)
  ;(await signIn('dora', 'correct horse')).expect(429)
  ;(await signIn('dora', 'correct horse', { remoteAddress: '10.0.0.2' })).expect(200)
  ;(await signIn('cleo', 'correct horse')).expect(200)
})

test('a user who does not exist is limited like one who does', async () => {
  for (let at = 0; at < 3; at++) (await signIn('nobody', 'wrong')).expect(401)
  ;(await signIn('nobody', 'wrong')).expect(429)
})

test('a forged X-Forwarded-For opens no new window', async () => {
  for (let at = 0; at < 3; at++)
    (await signIn('eve', 'wrong', { headers: { 'x-forwarded-for': `1.2.3.${at}` } })).expect(401)
  ;(await signIn('eve', 'wrong', { headers: { 'x-forwarded-for': '9.9.9.9' } })).expect(429)
})

test('registrations are limited by address', async () => {
  ;(await register('fred')).expect(201)
  ;(await register('gina')).expect(201)
  const answer = await register('hans')
  answer.expect(429, 'RATE_LIMITED')
  expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
  secondsPass(601)
  ;(await register('hans')).expect(201)
})
