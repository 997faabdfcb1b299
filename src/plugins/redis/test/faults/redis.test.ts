import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Coordination } from '#atrium'
import { endsWithFile } from '#test/clean-up.ts'
import { clientOf } from '#test/client.ts'
import { type Instance, openInstance } from '#test/instance.ts'
import { openTransaction, waitsForLock } from '#test/interleave.ts'
import { openLoad } from '#test/load.ts'
import { expectNothingLost } from '#test/nothing-lost.ts'
import { obeying } from '#test/obedient.ts'
import { inTime, until } from '#test/patience.ts'
import { type RedisServer, redisIsHere, startRedis } from '#test/redis.ts'
import { latencies } from '#test/workload.ts'
import { openWorld, type World } from '#test/world.ts'
import { openRedis } from '../../coordination.ts'

/** REDIS_FAULTS=20 for the full run. */
const ROUNDS = Number(process.env.REDIS_FAULTS ?? 1)
/** Fewer than half of what the service has lines for: nobody waits for one. */
const CLIENTS = 8
/** A command to Redis is given up on after this long, once; then the path is closed for a second. */
const GIVEN_UP_MS = 200
const PAUSE_MS = 1000
/** What a machine with two cores may add to any figure. */
const MARGIN_MS = 500

const here = redisIsHere()
let redis: RedisServer
beforeAll(async () => {
  if (here) redis = await startRedis()
})

describe.skipIf(!here)('a Redis that fails under load', () => {
  test('costs no request its answer, and no key its meaning', async () => {
    // A database that is slow because the machine is would be answered with 503.
    const env = { DATABASE_TIMEOUT_MS: '60000' }
    const clients = { clients: CLIENTS, reads: 0.3, projects: 0.5, restMs: 15 }
    const { look, service, workload } = await openLoad(clients, { redisUrl: redis.url, env })
    const { history, served } = workload
    const isKeyed = ({ kind }: (typeof history)[number]) => kind === 'createProject'
    /** The one who asks is none of the service's. */
    const isInUse = async () => (await redis.ask('CLIENT LIST')).split(' addr=').length > 2

    await served(5 * CLIENTS, isKeyed)
    const steady = history.length
    for (let round = 0; round < ROUNDS; round++) {
      await until(isInUse)
      await redis.kill()
      await served(2 * CLIENTS, isKeyed)
      await redis.start()
      await until(isInUse)
      redis.freeze()
      await served(2 * CLIENTS, isKeyed)
      redis.thaw()
      for (let time = 0; time < 4; time++) {
        await redis.ask('FLUSHALL')
        await served(CLIENTS, isKeyed)
      }
    }
    await expectNothingLost(`${ROUNDS} × Redis killed, frozen and flushed`, look, workload)
    const during = history.slice(steady)
    expect(during.filter(({ outcome }) => outcome === 'unknown' || outcome === 'unsent')).toEqual([])
    const before = latencies(history.slice(0, steady)).most
    expect(latencies(during).most).toBeLessThan(inTime(before + 2 * GIVEN_UP_MS + MARGIN_MS))
    expect(service.isAlive()).toBe(true)
  })
})

describe.skipIf(!here)('an idempotency key', () => {
  let world: World
  let one: Instance
  let two: Instance
  beforeAll(async () => {
    if (!here) return
    world = await openWorld()
    one = await openInstance(world.databaseUrl, { redisUrl: redis.url })
    two = await openInstance(world.databaseUrl, { redisUrl: redis.url })
  })
  afterEach(async () => {
    redis.thaw()
    await redis.ask('PING').catch(() => redis.start())
    await until(() => one.hasRedis() && two.hasRedis())
  })

  let keys = 0
  const newKey = () => `redis-${++keys}`
  const create = (instance: Instance, key: string, code = newKey()) =>
    obeying(() => instance.as(world.admin).post('/projects', { name: 'made', code }, { 'idempotency-key': key }))

  test.each([
    ['forgotten', () => redis.ask('FLUSHALL')],
    ['killed', () => redis.kill()],
    ['frozen', async () => redis.freeze()],
  ])('is still taken when Redis has it %s', async (_, harm) => {
    const key = newKey()
    ;(await create(one, key)).expect(201)

    await harm()

    ;(await create(two, key)).expect(409, 'IDEMPOTENCY_KEY_REUSED')
    ;(await create(one, key)).expect(409, 'IDEMPOTENCY_KEY_REUSED')
  })

  test('of a command that was refused is free again, though Redis heard of it only afterwards, or was away', async () => {
    const [late, away, code, other] = [newKey(), newKey(), newKey(), newKey()]
    ;(await create(one, newKey(), code)).expect(201)
    redis.freeze()
    ;(await create(one, late, code)).expect(409, 'PROJECT_CODE_TAKEN')
    redis.thaw()
    await until(async () => (await create(two, late)).expect(201))

    const release = await givenUncommittedProject(other)
    const running = create(one, away, other)
    await waitsForLock(world, running)
    redis.freeze()
    ;(await create(one, newKey())).expect(201)
    await release()
    ;(await running).expect(409, 'PROJECT_CODE_TAKEN')
    redis.thaw()
    await until(async () => (await create(two, away)).expect(201))
  })

  /** A project of this code that is neither there nor not, until it is released: then it is there. */
  async function givenUncommittedProject(code: string) {
    const { query, commit } = await openTransaction(world.databaseUrl)
    await query(
      `insert into projects (tenant_id, name, code, owner_id, created_at, updated_at)
         values (1, 'x', '${code}', 1, now(), now())`,
    )
    return commit
  }
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
    one = await openInstance(world.databaseUrl, { env, redisUrl: redis.patientUrl })
    other = await openInstance(world.databaseUrl, { env, redisUrl: redis.patientUrl })
  })
  const post = async ({ app }: Instance, url: string, payload: object) =>
    (await obeying(() => clientOf(app, {}).post(url, payload))).status
  const guess = (at: Instance, username: string) => post(at, '/auth/login', { username, password: 'wrong' })

  test('take no more of a burst than one would', async () => {
    const statuses = await Promise.all(
      Array.from({ length: 40 }, (_, at) => post([one, other][at % 2]!, '/public/contact', { email: 'a@example.org' })),
    )
    expect(statuses.sort()).toEqual([...Array(5).fill(201), ...Array(35).fill(429)])
    expect(await world.look.count('select count(*) from contact_messages')).toBe(5)
  })

  test('close for failures wherever they were, and stay closed where they were closed when Redis forgets', async () => {
    expect([await guess(one, 'a'), await guess(other, 'a'), await guess(one, 'a')]).toEqual([401, 401, 401])
    expect([await guess(one, 'a'), await guess(other, 'a')]).toEqual([429, 429])
    for (let time = 0; time < 3; time++) expect(await guess(one, 'b')).toBe(401)
    await redis.ask('FLUSHALL')
    expect(await guess(one, 'b')).toBe(429)
  })

  test('hold while Redis hangs', async () => {
    const impatient = await openInstance(world.databaseUrl, { env, redisUrl: redis.url })
    try {
      expect(await guess(impatient, 'c')).toBe(401)
      redis.freeze()
      expect([await guess(impatient, 'c'), await guess(impatient, 'c')]).toEqual([401, 401])
      expect(await guess(impatient, 'c')).toBe(429)
    } finally {
      redis.thaw()
      await impatient.close()
    }
  })
})

describe.skipIf(!here)('a sliding window in Redis', () => {
  let instances: Coordination[]
  beforeAll(async () => {
    if (!here) return
    instances = [1, 2].map(() => openRedis(redis.patientUrl, log))
    for (const instance of instances) endsWithFile(() => instance.close())
    await until(() => instances.every((instance) => instance.up()))
  })
  const [one, other] = [() => instances[0]!.quotas, () => instances[1]!.quotas]
  const limitOf = (most: number, windowMs = 60_000) => ({ name: 'window', most, windowMs })

  test('takes back what was given, counts no look, and keeps keys apart', async () => {
    const limit = limitOf(2)
    const [first] = [await one().take(limit, 'back'), await other().take(limit, 'back')]
    expect(await other().look(limit, 'back')).toMatchObject({ isOpen: false, left: 0 })
    expect((await one().take(limit, 'back'))!.isOpen).toBe(false)
    expect(await one().look(limit, 'forth')).toEqual({ isOpen: true, left: 2, movesIn: 60_000 })
    first!.release()
    await until(async () => expect(await other().look(limit, 'back')).toMatchObject({ isOpen: true, left: 1 }))
  })

  test('slides, and leaves nothing behind', async () => {
    const [limit, key] = [limitOf(1), 'atrium:limit:window:slide']
    expect((await one().take(limit, 'slide'))!.isOpen).toBe(true)
    const closed = (await one().take(limit, 'slide'))!
    expect(closed).toMatchObject({ isOpen: false, left: 0 })
    expect(closed.movesIn).toBeGreaterThan(0)
    expect(closed.movesIn).toBeLessThanOrEqual(limit.windowMs)
    expect(Number((await redis.ask(`PTTL ${key}`)).slice(1))).toBeGreaterThan(0)

    const earlier = `for _, place in ipairs(redis.call('ZRANGE', KEYS[1], 0, -1)) do
      redis.call('ZINCRBY', KEYS[1], -${limit.windowMs}, place) end`
    await redis.ask(`EVAL "${earlier.replace(/\s+/g, ' ')}" 1 ${key}`)
    expect((await other().look(limit, 'slide'))!.isOpen).toBe(true)
    expect(await redis.ask(`EXISTS ${key}`)).toBe(':0')
  })

  test('is nobody’s to ask while Redis is away', async () => {
    await redis.kill()
    await until(async () => expect(await one().take(limitOf(1), 'away')).toBeUndefined())
    await redis.start()
  })
})

test.skipIf(!here)(
  'of the commands to a Redis that hangs one in a second is sent, once those at hand were given up',
  async () => {
    const coordination = openRedis(redis.url, log)
    const ask = (key: string) => coordination.quotas.take({ name: 'hang', most: 100, windowMs: 60_000 }, key)
    const eightAtOnce = (name: string) => Promise.all(Array.from({ length: 8 }, (_, at) => ask(`${name}-${at}`)))
    await until(async () => (await ask('up')) !== undefined)
    await redis.ask('FLUSHALL')
    let now = performance.now()
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now)
    redis.freeze()
    try {
      for (const name of ['at hand', 'in the pause']) await eightAtOnce(name)
      for (const name of ['after a second', 'after two']) {
        now += PAUSE_MS
        await eightAtOnce(name)
        await eightAtOnce(name)
      }
      redis.thaw()
      // What it was sent meanwhile it carries out now.
      await expect.poll(() => redis.ask('DBSIZE')).toBe(`:${8 + 1 + 1}`)
      await until(async () => {
        now += PAUSE_MS
        await ask('up')
        return (await eightAtOnce('when it is back')).every((slot) => slot !== undefined)
      })
    } finally {
      clock.mockRestore()
      redis.thaw()
      await coordination.close()
    }
  },
)

const log = { info() {}, warn() {}, error() {} }
