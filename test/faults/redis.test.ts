import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Coordination, openCoordination } from '../../src/data/redis/coordination.ts'
import { cloneDatabase, type Inspector, openInspector } from '../support/database.ts'
import { type Instance, openInstance } from '../support/instance.ts'
import { checkDatabase, checkHistory, expectNoViolation, report, untilDelivered } from '../support/invariants.ts'
import { inTime } from '../support/patience.ts'
import { type RedisServer, redisIsHere, startRedis } from '../support/redis.ts'
import { type ServiceProcess, startProcess } from '../support/service.ts'
import { foundCompanies, latencies, startWorkload, statusesOf, tally, type Workload } from '../support/workload.ts'
import { openWorld, type World } from '../support/world.ts'

/** REDIS_FAULTS=20 for the full run. */
const ROUNDS = Number(process.env.REDIS_FAULTS ?? 1)
/** A command to Redis is given up on after this long, once; then the path is closed for a second. */
const GIVEN_UP_MS = 200
/** What a busy machine with two cores may add to any figure. */
const MARGIN_MS = 500

const here = redisIsHere('the faults of Redis')
let redis: RedisServer
beforeAll(async () => {
  if (here) redis = await startRedis()
})
afterAll(() => redis?.stop())

describe.skipIf(!here)('a Redis that fails under load', () => {
  let service: ServiceProcess | undefined
  let look: Inspector | undefined
  let workload: Workload | undefined
  afterEach(async () => {
    redis.thaw()
    await workload?.stop()
    await service?.end('SIGKILL')
    await look?.close()
  })

  test('costs no request its answer, and no key its meaning', { timeout: 60_000 + ROUNDS * 15_000 }, async () => {
    const databaseUrl = await cloneDatabase()
    look = await openInspector(databaseUrl)
    service = await startProcess({ databaseUrl, redisUrl: redis.url })
    const companies = await foundCompanies(service.remote)
    workload = startWorkload(() => service!.remote, companies, { clients: 32, reads: 0.3, projects: 0.5 })
    const { history, ...seen } = workload
    const phases: Record<string, ReturnType<typeof latencies>> = {}
    async function phase(name: string, work: () => Promise<unknown>) {
      const from = history.length
      await work()
      phases[name] = latencies(history.slice(from).filter(({ ms }) => ms > 0))
    }

    await phase('up', () => sleep(800))
    for (let round = 0; round < ROUNDS; round++) {
      await phase('killed', async () => {
        await redis.kill()
        await sleep(800)
      })
      await redis.start()
      await phase('frozen', async () => {
        await sleep(500)
        redis.freeze()
        await sleep(2000)
        redis.thaw()
      })
      await phase('flushed', async () => {
        for (let time = 0; time < 8; time++) {
          await sleep(100)
          await redis.ask('FLUSHALL')
        }
      })
    }
    await workload.stop()
    await untilDelivered(look)

    expectNoViolation(
      `${ROUNDS} × Redis killed, frozen and flushed`,
      [...(await checkHistory(look, history)), ...(await checkDatabase(look))],
      { outcomes: tally(history), statuses: statusesOf(history), latencyMs: phases },
    )
    expect(seen).toMatchObject({ foreign: [], malformed: [] })
    expect(history.filter(({ outcome }) => outcome === 'unknown' || outcome === 'unsent')).toEqual([])
    expect(latencies(history).most).toBeLessThan(inTime(phases.up!.most + 2 * GIVEN_UP_MS + MARGIN_MS))
    expect(service.isAlive()).toBe(true)
  })
})

describe.skipIf(!here)('an idempotency key', () => {
  let world: World
  let one: Instance
  let other: Instance
  beforeAll(async () => {
    if (!here) return
    world = await openWorld()
    one = await openInstance(world.databaseUrl, { redisUrl: redis.url })
    other = await openInstance(world.databaseUrl, { redisUrl: redis.url })
  })
  afterEach(async () => {
    redis.thaw()
    await redis.ask('PING').catch(() => redis.start())
    await eventually(async () => expect([one.hasRedis(), other.hasRedis()]).toEqual([true, true]))
  })
  afterAll(async () => {
    await one?.close()
    await other?.close()
    await world?.close()
  })

  let keys = 0
  const newKey = () => `redis-${++keys}`
  const create = (instance: Instance, key: string, code = newKey()) =>
    instance.as(world.admin).post('/projects', { name: 'made', code }, { 'idempotency-key': key })

  test.each([
    ['forgotten', () => redis.ask('FLUSHALL')],
    ['killed', () => redis.kill()],
    ['frozen', async () => redis.freeze()],
  ])('is still taken when Redis has it %s', async (_, harm) => {
    const key = newKey()
    ;(await create(one, key)).expect(201)

    await harm()

    ;(await create(other, key)).expect(409, 'IDEMPOTENCY_KEY_REUSED')
    ;(await create(one, key)).expect(409, 'IDEMPOTENCY_KEY_REUSED')
  })

  test('of a command that was refused is free again, though Redis heard of it only afterwards', async () => {
    const [key, code] = [newKey(), newKey()]
    ;(await create(one, newKey(), code)).expect(201)

    redis.freeze()
    ;(await create(one, key, code)).expect(409, 'PROJECT_CODE_TAKEN')
    redis.thaw()

    await eventually(async () => (await create(other, key)).expect(201))
  })

  test('of a command that was refused is free again, though Redis was away when it ended', async () => {
    const [key, code] = [newKey(), newKey()]
    const release = await givenUncommittedProject(code)
    const running = create(one, key, code)
    await sleep(100)
    redis.freeze()
    ;(await create(one, newKey())).expect(201)
    await release()
    ;(await running).expect(409, 'PROJECT_CODE_TAKEN')
    redis.thaw()

    await eventually(async () => (await create(other, key)).expect(201))
  })

  test('costs one command in a second the wait for a Redis that hangs, once those at hand have waited', async () => {
    ;(await create(one, newKey())).expect(201)
    redis.freeze()
    const waits: { ms: number }[] = []

    const end = performance.now() + 3500
    await Promise.all(
      Array.from({ length: 8 }, async () => {
        while (performance.now() < end) {
          const start = performance.now()
          ;(await create(one, newKey())).expect(201)
          waits.push({ ms: performance.now() - start })
        }
      }),
    )

    const slow = waits.filter(({ ms }) => ms > GIVEN_UP_MS)
    report('Redis frozen for 3.5 s', [], { commands: waits.length, slow: slow.length, latencyMs: latencies(waits) })
    // Eight together each time would be 32; a busy machine may add some of its own.
    expect(slow.length).toBeLessThanOrEqual(20)
  })

  /** A project of this code that is neither there nor not, until it is released: then it is there. */
  async function givenUncommittedProject(code: string) {
    const client = new pg.Client(world.databaseUrl)
    await client.connect()
    await client.query('begin')
    await client.query(
      `insert into projects (tenant_id, name, code, owner_id, created_at, updated_at) values (1, 'x', $1, 1, now(), now())`,
      [code],
    )
    return async () => {
      await client.query('commit')
      await client.end()
    }
  }
})

describe.skipIf(!here)('a limit on attempts', () => {
  test('holds while Redis is away', async () => {
    const world = await openWorld({ env: { SIGN_IN_LIMIT: '3' }, redisUrl: redis.url })
    const guess = () => world.anyone.post('/auth/login', { username: 'admin', password: 'wrong' })
    try {
      ;(await guess()).expect(401, 'INVALID_CREDENTIALS')
      redis.freeze()
      for (let time = 0; time < 2; time++) (await guess()).expect(401, 'INVALID_CREDENTIALS')

      ;(await guess()).expect(429, 'RATE_LIMITED')
    } finally {
      redis.thaw()
      await world.close()
    }
  })
})

describe.skipIf(!here)('limits that two instances share', () => {
  const env = { SIGN_IN_LIMIT: '3', CONTACT_LIMIT: '5' }
  let world: World
  let one: Instance
  let other: Instance
  beforeAll(async () => {
    if (!here) return
    await redis.ask('PING').catch(() => redis.start())
    await redis.ask('FLUSHALL')
    world = await openWorld()
    one = await openInstance(world.databaseUrl, { env, redisUrl: redis.url })
    other = await openInstance(world.databaseUrl, { env, redisUrl: redis.url })
  })
  afterAll(async () => {
    await one?.close()
    await other?.close()
    await world?.close()
  })
  const post = async ({ app }: Instance, url: string, payload: object) =>
    (await app.inject({ method: 'POST', url: `/api/v1${url}`, payload })).statusCode
  const guess = (at: Instance, username: string) => post(at, '/auth/login', { username, password: 'wrong' })

  test('take no more of a burst than one would', async () => {
    const statuses = await Promise.all(
      Array.from({ length: 40 }, (_, at) => post([one, other][at % 2]!, '/public/contact', { email: 'a@example.org' })),
    )
    expect(statuses.sort()).toEqual([...Array(5).fill(201), ...Array(35).fill(429)])
    expect(await world.look.count('select count(*) from contact_messages')).toBe(5)
  })

  test('close for failures wherever they were', async () => {
    expect([await guess(one, 'a'), await guess(other, 'a'), await guess(one, 'a')]).toEqual([401, 401, 401])
    expect([await guess(one, 'a'), await guess(other, 'a')]).toEqual([429, 429])
  })

  test('stay closed, where they were closed, when Redis forgets', async () => {
    for (let time = 0; time < 3; time++) expect(await guess(one, 'b')).toBe(401)
    await redis.ask('FLUSHALL')
    expect(await guess(one, 'b')).toBe(429)
  })
})

describe.skipIf(!here)('a sliding window in Redis', () => {
  const log = { info() {}, warn() {}, error() {} }
  let instances: Coordination[]
  beforeAll(async () => {
    if (!here) return
    instances = [openCoordination(redis.url, log), openCoordination(redis.url, log)]
    for (const instance of instances) await eventually(async () => expect(instance.up()).toBe(true))
  })
  afterAll(() => Promise.all((instances ?? []).map((instance) => instance.close())))
  const [one, other] = [() => instances[0]!.quotas, () => instances[1]!.quotas]
  const limitOf = (most: number, windowMs = 60_000) => ({ name: 'window', most, windowMs })

  test('looks and counts in one step: of a burst over two instances exactly as many get in as may', async () => {
    const places = await Promise.all(
      Array.from({ length: 200 }, (_, at) => instances[at % 2]!.quotas.take(limitOf(37), 'burst')),
    )
    expect(places.filter((place) => place!.isOpen)).toHaveLength(37)
  })

  test('takes back what was given, counts no look, and keeps keys apart', async () => {
    const limit = limitOf(2)
    const [first] = [await one().take(limit, 'back'), await other().take(limit, 'back')]
    expect(await other().look(limit, 'back')).toMatchObject({ isOpen: false, left: 0 })
    expect((await one().take(limit, 'back'))!.isOpen).toBe(false)
    expect(await one().look(limit, 'forth')).toEqual({ isOpen: true, left: 2, movesIn: 60_000 })
    first!.release()
    await eventually(async () => expect(await other().look(limit, 'back')).toMatchObject({ isOpen: true, left: 1 }))
  })

  test('slides, and leaves nothing behind', async () => {
    const limit = limitOf(1, 300)
    expect((await one().take(limit, 'slide'))!.isOpen).toBe(true)
    const closed = (await one().take(limit, 'slide'))!
    expect(closed).toMatchObject({ isOpen: false, left: 0 })
    expect(closed.movesIn).toBeGreaterThan(0)
    expect(closed.movesIn).toBeLessThanOrEqual(300)
    await eventually(async () => expect((await other().look(limit, 'slide'))!.isOpen).toBe(true))
    expect(await redis.ask('EXISTS atrium:limit:window:slide')).toBe(':0')
  })

  test('is nobody’s to ask while Redis is away', async () => {
    await redis.kill()
    await eventually(async () => expect(await one().take(limitOf(1), 'away')).toBeUndefined())
    await redis.start()
  })
})

async function eventually(attempt: () => Promise<unknown>): Promise<void> {
  for (const end = performance.now() + 5000; ; await sleep(50)) {
    try {
      await attempt()
      return
    } catch (error) {
      if (performance.now() > end) throw error
    }
  }
}
