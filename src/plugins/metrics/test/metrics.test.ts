import { afterAll, describe, expect, inject, onTestFinished, test } from 'vitest'
import { until } from '#test/patience.ts'
import { isHere } from '#test/plugins.ts'
import { openMailhost } from '#test/smtp.ts'
import { openWorld } from '#test/world.ts'

const secrets = ['Umbrella-Canary', 'canary-user-name']
const world = await openWorld({ env: { METRICS_PORT: '9464', REGISTRATION_LIMIT: '1' } })
const tenant = await world.givenTenant()
await world.givenPrices(tenant)
const person = await world.givenUser(tenant)
/** Without its database a service says goodbye for some seconds. */
let farewell: Promise<unknown>
afterAll(() => farewell)

/** A scrape: each series with its value, by its name and labels as they are written. */
async function scrape({ app } = world): Promise<Map<string, number>> {
  const lines = (await app.metrics!.page()).text.split('\n').filter((line) => line && !line.startsWith('#'))
  return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]))
}

/** How much series have grown by what was done. */
async function growth(work: () => Promise<unknown>): Promise<Record<string, number>> {
  const before = await scrape()
  await work()
  const after = await scrape()
  const grown = [...after].filter(
    ([name, value]) => value > (before.get(name) ?? 0) && !/^(nodejs|process)_/.test(name),
  )
  return Object.fromEntries(grown.map(([name, value]) => [name, value - (before.get(name) ?? 0)]))
}

describe('requests', () => {
  test('are counted and timed by the pattern of their route', async () => {
    const project = await world.givenProject(person)
    const tasks = await Promise.all(Array.from({ length: 5 }, () => world.givenTask(person, project)))

    const grown = await growth(async () => {
      for (const { id } of tasks) await world.as(person).get(`/tasks/${id}`)
      await world.as(person).get('/tasks/999999')
    })

    const route = 'method="GET",route="/api/v1/tasks/:id"'
    expect(grown).toMatchObject({
      [`http_requests_total{${route},status="200"}`]: 5,
      [`http_requests_total{${route},status="404"}`]: 1,
      [`http_request_duration_seconds_count{${route}}`]: 6,
      [`http_request_duration_seconds_bucket{le="10",${route}}`]: 6,
    })
  })

  test('to addresses that no route matches are one series, however many they are', async () => {
    const series = async () => [...(await scrape()).keys()].filter((name) => name.startsWith('http_')).length
    const before = await series()

    const grown = await growth(() =>
      Promise.all(
        Array.from({ length: 30 }, (_, at) => world.anyone.send({ method: 'GET', url: `/wp-admin/${at}.php?x=${at}` })),
      ),
    )

    expect(grown['http_requests_total{method="GET",route="none",status="404"}']).toBe(30)
    expect((await series()) - before).toBeLessThan(20)
  })

  test('leave nothing of tenants and people in the metrics', async () => {
    const { code } = await world.givenTenant()
    await world.look.rows(`update tenants set name = $1 where code = $2`, [secrets[0], code])
    await world.anyone.post('/auth/login', { username: secrets[1], password: 'wrong-password', tenantCode: code })

    const text = (await world.app.metrics!.page()).text

    for (const secret of [...secrets, code, 'wrong-password', person.username, person.token])
      expect(text).not.toContain(secret)
  })
})

test('refusals are counted by their kind, and what succeeded by what it meant', async () => {
  const project = await world.givenProject(person)
  const stranger = (n: number) => ({ username: `stranger-${n}`, password: 'a password', email: 's@example.com' })

  const grown = await growth(async () => {
    await world.as(person).put(`/projects/${project.id}`, { version: 0, name: 'first' })
    const task = await world.givenTask(person, project)
    await world.as(person).post(`/tasks/${task.id}/comments`, { content: 'Well done' })
    await world.as(person).post('/payments/checkout', { planId: 2, channel: 'card' })
    await world.as(person).put(`/projects/${project.id}`, { version: 0, name: 'second' })
    const key = { 'idempotency-key': 'one-key' }
    await world.as(person).post('/projects', { name: 'A', code: 'KEY-A' }, key)
    await world.as(person).post('/projects', { name: 'B', code: 'KEY-B' }, key)
    await world.anyone.get('/auth/me')
    await world.anyone.get('/auth/me', { authorization: 'Bearer forged' })
    await world.anyone.post('/auth/login', { username: 'nobody', password: 'nothing' })
    await world.anyone.post('/auth/refresh', { refreshToken: 'stale' })
    await world.anyone.post('/auth/register', stranger(1))
    await world.anyone.post('/auth/register', stranger(2))
  })

  expect(grown).toMatchObject({
    version_conflicts_total: 1,
    idempotency_conflicts_total: 1,
    'auth_failures_total{reason="missing_token"}': 1,
    'auth_failures_total{reason="invalid_token"}': 1,
    'auth_failures_total{reason="invalid_credentials"}': 1,
    'auth_failures_total{reason="invalid_refresh_token"}': 1,
    'rate_limited_total{bucket="registration"}': 1,
    'business_events_total{event="project_created"}': 1,
    'business_events_total{event="task_created"}': 1,
    'business_events_total{event="task_commented"}': 1,
    'business_events_total{event="order_made"}': 1,
  })
})

test('the connections to the database are reported, and Redis only if there is one', async () => {
  const told = await scrape()

  expect(told.get('db_lines')).toBe(4 * inject('servers').length)
  expect(told.get('db_pool_waiting')).toBe(0)
  expect(told.get('db_pool_connections')).toBeGreaterThan(0)
  expect(told.get('db_flights_total')).toBeGreaterThan(10)
  expect(told.get('http_requests_in_flight')).toBe(0)
  expect([...told.keys()]).toContain('nodejs_eventloop_lag_p99_seconds')
  expect([...told.keys()]).not.toContain('redis_up')
})

test.skipIf(!isHere('mail'))(
  'what waits is reported: mail, with how much of it is sent and given up, and news that cannot be delivered',
  async () => {
    const host = await openMailhost()
    onTestFinished(() => host.close())
    host.refuse = (address) => ({ 'bad@example.org': 550, 'late@example.org': 450 })[address]
    const own = await openWorld({
      env: { METRICS_PORT: '9464', MAIL_URL: host.url, MAIL_FROM: 'no-reply@example.com' },
    })
    onTestFinished(() => own.close())
    const tenant = await own.givenTenant()
    for (const name of ['ada', 'bad', 'late']) await own.sendMail(tenant, { to: `${name}@example.org` })
    await own.look.rows(`create function refuse(title text) returns boolean language plpgsql as $$
    begin raise exception 'no inbox today'; end $$`)
    await own.look.rows('alter table notifications add constraint refused check (refuse(title)) not valid')
    const colleague = await own.givenUser(tenant)
    const project = await own.givenProject(tenant.administrator)
    await own.givenMember(tenant.administrator, project, colleague)
    await until(() => own.database.tally.undelivered > 0)

    const attempts = (outcome: string) => `mail_attempts_total{outcome="${outcome}"}`
    const exactly = { [attempts('sent')]: 1, [attempts('refused')]: 1, [attempts('server')]: 0 }
    // A scrape leaves out what the database does not tell in time.
    await until(async () => {
      const told = await scrape(own)
      expect(Object.fromEntries(told)).toMatchObject({ mail_waiting: 1, mail_dead: 1, ...exactly })
      for (const name of [attempts('later'), 'outbox_pending', 'outbox_failed_total'])
        expect(told.get(name)).toBeGreaterThanOrEqual(1)
      expect(told.get('mail_oldest_seconds')).toBeGreaterThanOrEqual(0)
      expect(told.get('outbox_oldest_seconds')).toBeGreaterThan(0)
    })
  },
)

test('a scrape answers while the database is away, and leaves out what only that could tell', async () => {
  const own = await openWorld({ env: { METRICS_PORT: '9464' } })
  await own.database.close()

  const text = (await own.app.metrics!.page()).text

  expect(text).toMatch(/^db_lines 0$/m)
  expect(text).not.toMatch(/^outbox_(pending|oldest_seconds) /m)
  farewell = own.app.close()
  await own.look.close()
})
