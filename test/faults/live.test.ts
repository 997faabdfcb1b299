import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { openInspector } from '../support/database.ts'
import { report } from '../support/invariants.ts'
import { type Listener, type ListenerOptions, listen } from '../support/listener.ts'
import { inTime } from '../support/patience.ts'
import { type RedisServer, redisIsHere, startRedis } from '../support/redis.ts'
import { holderOf } from '../support/servers.ts'
import { type ServiceProcess, startProcess } from '../support/service.ts'
import { openWorld, type Person, type Tenant, type World } from '../support/world.ts'

/** LIVE_KILLS=20 for the full run. */
const KILLS = Number(process.env.LIVE_KILLS ?? 1)
/** Without a ring the poll finds it; the rest is what a busy machine may add. */
const BY_POLL_MS = 4000

let world: World
let tenant: Tenant
let author: Person
let port: number
let service: ServiceProcess | undefined
const listeners: Listener[] = []
afterEach(async () => {
  for (const listener of listeners.splice(0)) listener.leave()
  await service?.end('SIGKILL')
  service = undefined
})

async function openHere(redisUrl?: string) {
  world = await openWorld(redisUrl ? { redisUrl } : {})
  await world.app.listen({ port: 0, host: '127.0.0.1' })
  port = (world.app.server.address() as { port: number }).port
  tenant = await world.givenTenant()
  author = await world.givenUser(tenant)
}
async function givenTab(at: number, person: Person, options: ListenerOptions = {}): Promise<Listener> {
  const listener = await listen(at, person.token, options)
  listeners.push(listener)
  await listener.until('a greeting', ({ heard }) => heard.some(({ event }) => event === 'unread-count'))
  return listener
}
/** Someone who is notified of each comment on a task. */
async function givenReader() {
  const reader = await world.givenUser(tenant)
  const project = await world.givenProject(author)
  await world.givenMember(author, project, reader)
  const task = await world.givenTask(reader, project)
  return { reader, task }
}
/** What is in the inbox, by its ids, in their order. */
const idsOf = async (reader: Person) =>
  (await world.look.rows('select id::float8 from notifications where receiver_id = $1 order by id', [reader.id])).map(
    ({ id }: any) => id,
  )
const sorted = (ids: Iterable<number>) => [...ids].sort((a, b) => a - b)

/** A comment here, until the tab hears of it. @returns after how many ms */
async function hearComment(tab: Listener, task: { id: number }, within: number): Promise<number> {
  const before = tab.ids().length
  const begun = performance.now()
  ;(await world.as(author).post(`/tasks/${task.id}/comments`, { content: 'x' })).expect(201)
  await tab.until('the comment', () => tab.ids().length > before, within)
  return Math.round(performance.now() - begun)
}

describe('two replicas without Redis', () => {
  beforeAll(() => openHere())
  afterAll(() => world?.close())

  test('what is done in one is heard in the other by its next poll, and what is read in one is read in the other', async () => {
    const { reader, task } = await givenReader()
    service = await startProcess({ databaseUrl: world.databaseUrl })
    const tab = await givenTab(service.port, reader)

    const after = await hearComment(tab, task, BY_POLL_MS)
    expect(tab.unread()).toBe(2)
    ;(await world.as(reader).put('/notifications/read-all')).expect(200)
    await tab.until('all is read', () => tab.unread() === 0, BY_POLL_MS)

    report('without Redis', [], { heardAfterMs: after })
  })

  test(`a replica that is killed ${KILLS} times loses no listener a notification, and doubles none`, {
    timeout: 30_000 + KILLS * 20_000,
  }, async () => {
    const { reader, task } = await givenReader()
    service = await startProcess({ databaseUrl: world.databaseUrl })
    const { port: thatPort } = service
    const heard: number[] = []
    let lastEventId: string | number = 0
    let isTalking = true
    const talk = async (say: () => Promise<unknown>) => {
      while (isTalking) await say().catch(() => sleep(20))
    }
    const comment = { content: 'x' }
    const talking = [
      talk(() => world.as(author).post(`/tasks/${task.id}/comments`, comment)),
      talk(() => service!.remote.as(author.token).post(`/tasks/${task.id}/comments`, comment)),
      talk(() => service!.remote.as(author.token).post(`/tasks/${task.id}/comments`, comment)),
    ]

    for (let kill = 0; kill < KILLS; kill++) {
      const there = await givenTab(thatPort, reader, { lastEventId })
      await there.until('some comments', () => there.ids().length > 20, 20_000)
      await service.end('SIGKILL')
      await there.ended
      const here = await givenTab(port, reader, { lastEventId: there.lastEventId })
      service = await startProcess({ databaseUrl: world.databaseUrl, port: thatPort })
      here.leave()
      await here.ended
      heard.push(...there.ids(), ...here.ids())
      lastEventId = here.lastEventId
    }
    isTalking = false
    await Promise.all(talking)
    const all = await idsOf(reader)
    const last = await givenTab(port, reader, { lastEventId })
    await last.until('everything', () => new Set([...heard, ...last.ids()]).size === all.length, BY_POLL_MS)
    heard.push(...last.ids())

    const distinct = new Set(heard)
    report('kills under listeners', [], {
      kills: KILLS,
      notifications: all.length,
      again: heard.length - distinct.size,
    })
    expect(sorted(distinct)).toEqual(all)
    // What was under way when the connection broke may come again: a handful, not all.
    expect(heard.length - distinct.size).toBeLessThan(20 * (2 * KILLS + 1))
  })

  test('a reader who does not read is cut off, and the others hear on', async () => {
    const { reader } = await givenReader()
    const [slow, quick] = [await givenTab(port, reader), await givenTab(port, reader)]
    slow.stall()
    const before = process.memoryUsage.rss()

    // The ids rise if the server of the tenant draws them, as it does for the service.
    const holder = await openInspector(await holderOf(world.databaseUrl, tenant.id))
    let sent = 0
    for (; world.app.streams.count() === 2 && sent < 100; sent++) {
      await holder.rows(
        `insert into notifications (tenant_id, receiver_id, event_id, type, title, content, created_at)
         select $1, $2::bigint, 800000000 + $3::int * 20 + n, 'TASK_ASSIGNED', 'long', repeat('x', 20000), now()
         from generate_series(1, 20) n`,
        [tenant.id, reader.id, sent],
      )
      world.database.inboxSignal.publish(tenant.id, [reader.id])
      await quick.until('this volley', () => quick.ids().length === (sent + 1) * 20)
    }
    await holder.close()

    report('slow reader', [], { cutAfterMB: sent * 0.4, rssMB: (process.memoryUsage.rss() - before) / 1e6 })
    await expect.poll(() => world.app.streams.count()).toBe(1)
    expect(sent).toBeLessThan(100)
    expect(quick.isOpen).toBe(true)
  })

  test('a service that is stopped says goodbye to its listeners, and does not wait for them', async () => {
    const { reader } = await givenReader()
    service = await startProcess({ databaseUrl: world.databaseUrl, env: { SHUTDOWN_DELAY_MS: '500' } })
    const others = await Promise.all(Array.from({ length: 8 }, () => world.givenUser(tenant)))
    const tabs = await Promise.all(
      [reader, ...others].flatMap((person) => [1, 2, 3, 4].map(() => givenTab(service!.port, person))),
    )
    tabs[0]!.stall()

    const ending = service.end('SIGTERM')
    await expect.poll(async () => (await service!.remote.probe('/readyz')).status).toBe(503)
    const stillOpen = tabs.filter((tab) => tab.isOpen).length
    const ended = await ending

    report('stop', [], { streams: tabs.length, endedAfterMs: Math.round(ended.after) })
    expect(ended).toMatchObject({ code: 0, signal: null })
    expect(ended.after).toBeLessThan(inTime(500 + 3000))
    // Not ready comes first, while the streams are still served; then each gets its own time to come again.
    expect(stillOpen).toBe(tabs.length)
    await Promise.all(tabs.slice(1).map((tab) => tab.ended))
    const retries = tabs.slice(1).map((tab) => tab.retry!)
    expect(Math.max(...retries)).toBeLessThanOrEqual(3000)
    expect(new Set(retries).size).toBeGreaterThan(tabs.length / 2)
  })
})

const here = redisIsHere('live notifications through Redis')

describe.skipIf(!here)('two replicas with Redis', () => {
  let redis: RedisServer
  beforeAll(async () => {
    redis = await startRedis()
    await openHere(redis.url)
  })
  afterAll(async () => {
    await world?.close()
    await redis?.stop()
  })

  test('hear each other immediately; and by the poll while Redis is killed or hangs', { timeout: 60_000 }, async () => {
    const { reader, task } = await givenReader()
    service = await startProcess({ databaseUrl: world.databaseUrl, redisUrl: redis.url })
    const tab = await givenTab(service.port, reader)
    const after: Record<string, number> = {}
    const rungFor = async (name: string) => {
      // The first ones may fall into the moment before the channel is open.
      for (let tries = 0; tries < 20; tries++) {
        after[name] = await hearComment(tab, task, BY_POLL_MS)
        if (after[name] < 300) return
      }
      throw new Error(`${name}: no ring was ever heard; the last comment after ${after[name]} ms`)
    }

    await rungFor('up')
    await redis.kill()
    after.killed = await hearComment(tab, task, BY_POLL_MS)
    await redis.start()
    await rungFor('back')
    redis.freeze()
    after.frozen = await hearComment(tab, task, BY_POLL_MS + 5000)
    redis.thaw()
    await rungFor('thawed')
    ;(await world.as(reader).put('/notifications/read-all')).expect(200)
    await tab.until('all is read', () => tab.unread() === 0, BY_POLL_MS)

    report('through Redis', [], { heardAfterMs: after })
    expect(sorted(tab.ids())).toEqual((await idsOf(reader)).slice(1))
  })

  test('a message that is none of ours is nothing', async () => {
    const { reader, task } = await givenReader()
    const tab = await givenTab(port, reader)
    for (const text of [
      'x',
      '{}',
      '[]',
      'null',
      '{"tenant":"1","users":[1]}',
      `{"tenant":${tenant.id},"users":["a",null]}`,
    ])
      await redis.ask(`PUBLISH atrium:bell ${JSON.stringify(text)}`)
    await hearComment(tab, task, BY_POLL_MS)
    expect(tab.isOpen).toBe(true)
  })
})
