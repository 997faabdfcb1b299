import { afterEach, describe, expect, test, vi } from 'vitest'
import { until } from '../support/patience.ts'
import { shifted } from '../support/shifted.ts'
import { openWorld } from '../support/world.ts'

/**
 * Which clock decides what: access tokens and the expiry of tenants go by the clock of the process, everything that is
 * stored (sessions, refresh tokens, claims, instants) by the database's, limits and remembered rights by the monotonic
 * one. So a process whose clock is set wrong goes on, and what it stores is right.
 */
const HOUR = 3_600_000
const world = await openWorld({ env: { SIGN_IN_LIMIT: '3' } })
const user = await world.givenUser(await world.givenTenant())
afterEach(() => void vi.useRealTimers())

function setClock(hours: number) {
  vi.useRealTimers()
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + hours * HOUR })
}
let counter = 0
async function register() {
  const account = { username: `clock-${++counter}`, email: 'person@company.example', password: 'correct horse' }
  await world.anyone.create('/auth/register', account)
  return account
}
const signIn = async (account: object) => (await world.anyone.post('/auth/login', account)).expect(200)
const me = ({ accessToken }: { accessToken: string }) =>
  world.anyone.get('/auth/me', { authorization: `Bearer ${accessToken}` })
const createProject = (key: string) =>
  world.as(user).post('/projects', { name: 'Apollo', code: `C-${++counter}` }, { 'idempotency-key': key })

describe.each([
  ['an hour ahead', 1],
  ['an hour behind', -1],
])('a process whose clock is %s', (_, hours) => {
  test('keeps those signed in who are, and signs in others, for good', async () => {
    const account = await register()
    const before = await signIn(account)
    setClock(hours)
    const meanwhile = await signIn(account)
    for (const pair of [before, meanwhile]) (await me(pair)).expect(200)
    setClock(0)
    for (const pair of [before, meanwhile]) (await me(pair)).expect(200)
  })

  test('stores instants, and the day of a key, by the clock of the database', async () => {
    const key = `key-${++counter}`
    setClock(hours)
    const project = (await createProject(key)).expect(201)
    ;(await createProject(key)).expect(409, 'IDEMPOTENCY_KEY_REUSED')
    ;(await world.as(user).put(`/projects/${project.id}`, { version: 0, name: 'Gemini' })).expect(200)

    const [row] = await world.look.rows(
      `select abs(extract(epoch from now() - created_at)) < 1800 and abs(extract(epoch from now() - updated_at)) < 1800 as project,
              (select bool_and(abs(extract(epoch from now() - created_at)) < 1800) from activities a where a.tenant_id = p.tenant_id and project_id = p.id) as history,
              (select abs(extract(epoch from expires_at - now()) - 86400) < 1800 from idempotency_keys k where k.tenant_id = p.tenant_id and key = $2) as claim
         from projects p where tenant_id = $3 and id = $1`,
      [project.id, key, user.tenantId],
    )
    expect(row).toEqual({ project: true, history: true, claim: true })
    const odd = `select count(*) from audit_operations where duration < 0 or duration > 1800000 or abs(extract(epoch from now() - created_at)) > 1800`
    expect(await world.look.count(odd)).toBe(0)
  })

  test('continues sessions, with the ten seconds of grace that two tabs have', async () => {
    const { refreshToken } = await signIn(await register())
    setClock(hours)
    const refresh = () => world.anyone.post('/auth/refresh', { refreshToken })
    const useLater = (by: string) =>
      world.look.rows(`update refresh_tokens set used_at = ${shifted('used_at', by)} where used_at is not null`)
    ;(await refresh()).expect(200)
    // However long this machine takes for the next request.
    await useLater('1 hour')
    ;(await refresh()).expect(200)
    await useLater('-1 hour -11 seconds')
    ;(await refresh()).expect(401, 'INVALID_REFRESH_TOKEN')
  })
})

test('an access token ends with its time on the clock of the process, its session on the clock of the database', async () => {
  const account = await register()
  const [one, other] = [await signIn(account), await signIn(account)]
  setClock(2.01)
  ;(await me(one)).expect(401)
  ;(await world.anyone.post('/auth/refresh', { refreshToken: one.refreshToken })).expect(200)

  setClock(0)
  await world.look.rows(
    `update sessions set expires_at = now() - interval '1 second' where user_id = (select id from users where username = $1)`,
    [account.username],
  )
  await expect.poll(async () => (await me(other)).status).toBe(401)
})

test('a clock that is set back locks nobody out for longer than the window', async () => {
  const account = await register()
  const guess = () => world.anyone.post('/auth/login', { ...account, password: 'wrong' })
  await until(async () => (await guess()).status !== 401)

  setClock(-1)

  const closed = await world.anyone.post('/auth/login', account)
  closed.expect(429, 'RATE_LIMITED')
  expect(Number(closed.headers['retry-after'])).toBeLessThanOrEqual(60)
})

test('a clock that jumps to and fro makes no request last less than no time', async () => {
  const real = Date.now.bind(Date)
  vi.spyOn(Date, 'now').mockImplementation(() => real() + (Math.random() - 0.5) * 2 * HOUR)
  await Promise.all(Array.from({ length: 30 }, (_, at) => createProject(`jump-${at}`)))
  vi.restoreAllMocks()
  const odd = 'select count(*) from audit_operations where duration < 0 or duration > 1800000'
  expect(await world.look.count(odd)).toBe(0)
})
