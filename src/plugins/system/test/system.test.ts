import { expect, test, vi } from 'vitest'
import { openInstance } from '#test/instance.ts'
import { until } from '#test/patience.ts'
import { openWorld } from '#test/world.ts'

/** The installation, as its administrator sees it. */
// Its samples are taken when a test lets the time pass.
vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] })
const world = await openWorld()

const asAdmin = () => world.as(world.admin)
const seriesIn = (health: any, name: string) => health.series.find((series: any) => series.name === name)

test('the health names what runs, the database and how ready it is', async () => {
  const health = (await asAdmin().get('/system/health')).expect(200)
  const [{ applied }] = (await world.look.rows('select count(*)::int as applied from schema_migrations')) as [any]
  expect(health).toMatchObject({
    version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    migrations: applied,
    database: {
      version: expect.stringMatching(/^\d+/),
      connections: { used: expect.any(Number), most: expect.any(Number) },
    },
    plugins: expect.arrayContaining([{ name: 'system', on: true }]),
    readiness: { status: 'ok', checks: { database: { status: 'ok' }, isolation: { status: 'ok' } } },
  })
  expect(health.database.bytes).toBeGreaterThan(1_000_000)
  expect(health.database.connections.used).toBeGreaterThan(0)
  expect(Date.parse(health.startedAt)).toBeLessThanOrEqual(Date.now())
})

test('after ten seconds the hour has its first points, with what was asked and refused', async () => {
  const names = ['requests', 'refusals', 'failures', 'p50', 'p99', 'eventLoop', 'connections', 'memory']
  if (world.app.plugins.some(({ name }) => name === 'console')) names.push('outbox')
  await asAdmin().get('/tasks')
  await world.anyone.get('/tasks')
  // A request is counted a moment after its answer.
  await until(() => world.app.lifetime.inHand === 0)
  await until(async () => {
    // A sample that the database was too slow for is followed by the next.
    vi.advanceTimersByTime(11_000)
    const health = (await asAdmin().get('/system/health')).expect(200)
    for (const name of names) expect(seriesIn(health, name).points.length, name).toBeGreaterThan(0)
    for (const name of ['requests', 'refusals'])
      expect(seriesIn(health, name).points.some(([, rate]: [string, number]) => rate > 0)).toBe(true)
  })
  vi.useRealTimers()
})

test('the jobs are all there, and one that has run says so', async () => {
  const jobs = await until(async () => {
    const jobs = (await asAdmin().get('/system/jobs')).expect(200)
    return jobs.some(({ name, lastRunAt }: any) => name === 'the outbox' && lastRunAt) && jobs
  })
  expect(jobs).toContainEqual(
    expect.objectContaining({ name: 'the outbox', lastResult: 'ok', lastDurationMs: expect.any(Number) }),
  )
  expect(jobs.map(({ name }: any) => name)).toEqual(expect.arrayContaining(['expired rows', 'the events', 'the files']))
})

test('the findings are those of the doctor', async () => {
  const findings = (await asAdmin().get('/system/findings')).expect(200)
  expect(findings).toEqual(
    expect.arrayContaining([
      { name: 'isolation', state: 'ok', message: expect.any(String), cure: null },
      { name: 'migrations', state: 'ok', message: expect.stringMatching(/applied/), cure: null },
    ]),
  )
  await world.look.rows('alter table comments no force row level security')
  const worse = (await asAdmin().get('/system/findings')).expect(200)
  expect(worse).toContainEqual({
    name: 'isolation',
    state: 'failed',
    message: expect.stringMatching(/comments/),
    cure: expect.any(String),
  })
  await world.look.rows('alter table comments force row level security')
})

test('a process that ends is no longer counted, and one without a doctor finds nothing', async () => {
  const other = await openInstance(world.databaseUrl)
  const health = (await other.as(world.admin).get('/system/health')).expect(200)
  // It may have counted itself by now.
  expect(seriesIn(health, 'processes').points.filter(([, processes]: [string, number]) => processes > 1)).toEqual([])
  expect((await other.as(world.admin).get('/system/findings')).expect(200)).toEqual([])
  await other.close()
})
