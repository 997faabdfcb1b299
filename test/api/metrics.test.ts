import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { inTime } from '../support/patience.ts'
import { openMailhost } from '../support/smtp.ts'
import type { Tenant } from '../support/world.ts'
import { openWorld, type Person, type World } from '../support/world.ts'

const secrets = ['Umbrella-Canary', 'canary-user-name']
let world: World
let tenant: Tenant
let person: Person
beforeAll(async () => {
  world = await openWorld({ env: { METRICS_PORT: '9464', REGISTRATION_LIMIT: '1' } })
  tenant = await world.givenTenant()
  await world.givenPrices(tenant)
  person = await world.givenUser(tenant)
})
afterAll(() => world?.close())

/** A scrape: each series with its value, by its name and labels as they are written. */
async function scrape(): Promise<Map<string, number>> {
  const lines = (await world.app.metrics!.metrics()).split('\n').filter((line) => line && !line.startsWith('#'))
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
    const series = (await scrape()).size

    const grown = await growth(() =>
      Promise.all(
        Array.from({ length: 300 }, (_, at) =>
          world.anyone.send({ method: 'GET', url: `/wp-admin/${at}.php?x=${at}` }),
        ),
      ),
    )

    expect(grown['http_requests_total{method="GET",route="none",status="404"}']).toBe(300)
    expect((await scrape()).size - series).toBeLessThan(20)
  })

  test('leave nothing of tenants and people in the metrics', async () => {
    const { code } = await world.givenTenant()
    await world.look.rows(`update tenants set name = $1 where code = $2`, [secrets[0], code])
    await world.anyone.post('/auth/login', { username: secrets[1], password: 'wrong-password', tenantCode: code })

    const text = await world.app.metrics!.metrics()

    for (const secret of [...secrets, code, 'wrong-password', person.username, person.token])
      expect(text).not.toContain(secret)
  })
})

test('refusals are counted by their kind', async () => {
  const project = await world.givenProject(person)
  const stranger = (n: number) => ({ username: `stranger-${n}`, password: 'a password', email: 's@example.com' })

  const grown = await growth(async () => {
    await world.as(person).put(`/projects/${project.id}`, { version: 0, name: 'first' })
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
  })
})

test('what succeeded is counted by what it meant', async () => {
  const grown = await growth(async () => {
    const project = await world.givenProject(person)
    const task = await world.givenTask(person, project)
    await world.as(person).post(`/tasks/${task.id}/comments`, { content: 'Well done' })
    await world.as(person).post(`/projects/${project.id}/tasks`, { title: '' })
    await world.as(person).post('/payments/checkout', { planId: 2, channel: 'card' })
  })

  expect(Object.fromEntries(Object.entries(grown).filter(([name]) => name.startsWith('business')))).toEqual({
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

test('news that cannot be delivered is seen waiting, with how long it has waited', async () => {
  const own = await openWorld({ env: { METRICS_PORT: '9464' } })
  await own.look.rows(`create function refuse(title text) returns boolean language plpgsql as $$
    begin raise exception 'no inbox today'; end $$`)
  await own.look.rows('alter table notifications add constraint refused check (refuse(title)) not valid')
  const boss = (await own.givenTenant()).administrator
  const colleague = await own.givenUser({ id: boss.tenantId })
  const project = await own.givenProject(boss)
  await own.givenMember(boss, project, colleague)
  await own.givenTask(boss, project, { assigneeId: colleague.id })

  const read = async (name: string) =>
    Number(new RegExp(`^${name} (.*)$`, 'm').exec(await own.app.metrics!.metrics())?.[1])
  expect(await read('outbox_pending')).toBeGreaterThanOrEqual(1)
  expect(await read('outbox_oldest_seconds')).toBeGreaterThan(0)
  expect(await read('outbox_failed_total')).toBeGreaterThanOrEqual(1)
  await own.close()
})

test('mail is reported as it waits, is sent and is given up', async () => {
  const host = await openMailhost()
  host.refuse = (address) => ({ 'bad@example.org': 550, 'late@example.org': 450 })[address]
  const own = await openWorld({
    env: { METRICS_PORT: '9464', MAIL_URL: host.url, MAIL_FROM: 'no-reply@example.com' },
  })
  const tenant = await own.givenTenant()
  for (const name of ['ada', 'bad', 'late']) await own.sendMail(tenant, { to: `${name}@example.org` })
  for (const end = Date.now() + inTime(10_000); Date.now() < end; await sleep(20))
    if ((await own.look.count(`select count(*) from mails where status <> 'waiting' or last_error is not null`)) === 3)
      break

  const text = await own.app.metrics!.metrics()
  for (const line of ['mail_waiting 1', 'mail_dead 1'].concat(
    ['sent', 'later', 'refused'].map((outcome) => `mail_attempts_total{outcome="${outcome}"} 1`),
    'mail_attempts_total{outcome="server"} 0',
  ))
    expect(text.split('\n')).toContain(line)
  expect(text).toMatch(/^mail_oldest_seconds \d/m)
  await own.close()
  await host.close()
})

test('a scrape answers while the database is away, and leaves out what only that could tell', async () => {
  const own = await openWorld({ env: { METRICS_PORT: '9464' } })
  await own.database.close()

  const start = performance.now()
  const text = await own.app.metrics!.metrics()

  expect(performance.now() - start).toBeLessThan(inTime(2000))
  expect(text).toMatch(/^db_lines 0$/m)
  expect(text).not.toMatch(/^outbox_(pending|oldest_seconds) /m)
  await own.app.close()
  await own.look.close()
})

test('nothing is counted if no one asks', async () => {
  const own = await openWorld()
  expect(own.app.metrics).toBeUndefined()
  await vi.waitFor(async () => expect((await own.anyone.get('/public/home')).status).toBe(200), 10_000)
  await own.close()
})
