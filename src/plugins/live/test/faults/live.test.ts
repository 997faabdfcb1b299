import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import { openInspector } from '#test/database.ts'
import { report, untilDelivered } from '#test/invariants.ts'
import { nginxIsHere, startNginx } from '#test/nginx.ts'
import { inTime, SLOWNESS, until } from '#test/patience.ts'
import { type RedisServer, redisIsHere, startRedis } from '#test/redis.ts'
import { holderOf } from '#test/servers.ts'
import { type ServiceProcess, startProcess } from '#test/service.ts'
import { openWorld, type Person, type Tenant, type World } from '#test/world.ts'
import { givenTab, type Listener } from '../listener.ts'

/** LIVE_KILLS=20 for the full run. */
const KILLS = Number(process.env.LIVE_KILLS ?? 1)
/** So many ms a service that is stopped still serves. */
const DELAY_MS = Math.min(60_000, Math.round(5000 * SLOWNESS))

/** Two replicas: one here, on a port, and one in a process of its own. */
let world: World
let tenant: Tenant
let author: Person
let port: number
let service: ServiceProcess

async function openHere(redisUrl?: string) {
  world = await openWorld(redisUrl ? { redisUrl } : {})
  port = await world.listen()
  tenant = await world.givenTenant()
  author = await world.givenUser(tenant)
  service = await startThere({ redisUrl })
}
const startThere = (options: { redisUrl?: string | undefined; port?: number }) =>
  startProcess({ databaseUrl: world.databaseUrl, ...options, env: { SHUTDOWN_DELAY_MS: `${DELAY_MS}` } })
/** Someone who is notified of each comment on a task. */
async function givenReader() {
  const reader = await world.givenUser(tenant)
  const project = await world.givenProject(author)
  await world.givenMember(author, project, reader)
  const task = await world.givenTask(reader, project)
  return { reader, task }
}
const there = { as: (person: Person) => service.remote.as(person.token) } as Pick<World, 'as'>
/** What is in the inbox, by its ids, in their order. */
const idsOf = async (reader: Person) =>
  (await world.look.rows('select id::float8 from notifications where receiver_id = $1 order by id', [reader.id])).map(
    ({ id }: any) => id,
  )
const sorted = (ids: Iterable<number>) => [...ids].sort((a, b) => a - b)

/** A comment at the replica, until the tab has heard of it. */
async function hearComment(tab: Listener, task: { id: number }, at: Pick<World, 'as'>) {
  const before = tab.ids().length
  ;(await at.as(author).post(`/tasks/${task.id}/comments`, { content: 'x' })).expect(201)
  await tab.until('the comment', () => tab.ids().length > before)
}

describe('two replicas without Redis', () => {
  beforeAll(() => openHere())

  test('what is done in one is heard in the other by its next poll, and what is read in one is read in the other', async () => {
    const { reader, task } = await givenReader()
    const tab = await givenTab(service.port, reader)

    await hearComment(tab, task, world)
    // The count comes behind the comment.
    await tab.until('both are unread', () => tab.unread() === 2)
    ;(await world.as(reader).put('/notifications/read-all')).expect(200)
    await tab.until('all is read', () => tab.unread() === 0)
  })

  test(`a replica that is killed ${KILLS} times loses no listener a notification, and doubles none`, async () => {
    const { reader, task } = await givenReader()
    const { port: thatPort } = service
    const heard: number[] = []
    let lastEventId: string | number = 0
    let isTalking = true
    const talk = async (say: () => Promise<unknown>) => {
      for (; isTalking; await sleep(20)) await say().catch(() => {})
    }
    const comment = { content: 'x' }
    const talking = [
      talk(() => world.as(author).post(`/tasks/${task.id}/comments`, comment)),
      talk(() => service.remote.as(author.token).post(`/tasks/${task.id}/comments`, comment)),
    ]

    for (let kill = 0; kill < KILLS; kill++) {
      const there = await givenTab(thatPort, reader, { lastEventId })
      await there.until('some comments', () => there.ids().length > 8)
      await service.end('SIGKILL')
      await there.ended
      const here = await givenTab(port, reader, { lastEventId: there.lastEventId })
      service = await startThere({ port: thatPort })
      here.leave()
      await here.ended
      heard.push(...there.ids(), ...here.ids())
      lastEventId = here.lastEventId
    }
    isTalking = false
    await Promise.all(talking)
    await untilDelivered(world.look)
    const all = await idsOf(reader)
    const last = await givenTab(port, reader, { lastEventId })
    await last.until('everything', () => new Set([...heard, ...last.ids()]).size === all.length)

    expect(sorted(new Set([...heard, ...last.ids()]))).toEqual(all)
    // What was under way when the connection broke may come again, until the listener has passed it.
    await until(async () => {
      const again = await givenTab(port, reader, { lastEventId: last.lastEventId })
      // With too many of them open, the listener itself would be cut off before it has passed anything.
      again.leave()
      await again.ended
      return again.ids().length === 0
    })
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
    const people = await Promise.all(Array.from({ length: 4 }, () => world.givenUser(tenant)))
    const tabs = await Promise.all(people.flatMap((person) => [1, 2, 3, 4].map(() => givenTab(service.port, person))))
    tabs[0]!.stall()

    const ending = service.end('SIGTERM')
    await until(async () => (await service.remote.probe('/readyz')).status === 503)
    // Not ready comes first, while the streams are still served; then each gets its own time to come again.
    expect(tabs.filter((tab) => tab.isOpen)).toHaveLength(tabs.length)
    const ended = await ending

    expect(ended).toMatchObject({ code: 0, signal: null })
    expect(ended.after).toBeLessThan(inTime(DELAY_MS + 3000))
    await Promise.all(tabs.slice(1).map((tab) => tab.ended))
    const retries = tabs.slice(1).map((tab) => tab.retry!)
    expect(Math.max(...retries)).toBeLessThanOrEqual(3000)
    expect(new Set(retries).size).toBeGreaterThan(tabs.length / 2)
  })
})

const here = redisIsHere()

describe.skipIf(!here)('two replicas with Redis', () => {
  let redis: RedisServer
  beforeAll(async () => {
    redis = await startRedis()
    await openHere(redis.url)
  })

  test('hear each other immediately; and by the poll while Redis is killed or hangs', async () => {
    const { reader, task } = await givenReader()
    const tab = await givenTab(port, reader)
    let rings = 0
    const stopListening = world.database.inboxSignal.subscribe(() => void rings++)
    /** The first ones may fall into the moment before the channel is open. */
    const rung = () =>
      until(async () => {
        const before = rings
        await hearComment(tab, task, there)
        return rings > before
      })

    await rung()
    // A message that is none of ours is nothing.
    for (const text of ['x', '[]', 'null', '{"tenant":"1","users":[1]}', `{"tenant":${tenant.id},"users":["a",null]}`])
      await redis.ask(`PUBLISH atrium:bell ${JSON.stringify(text)}`)
    await rung()
    await redis.kill()
    await hearComment(tab, task, there)
    await redis.start()
    await rung()
    redis.freeze()
    await hearComment(tab, task, there)
    redis.thaw()
    await rung()
    ;(await there.as(reader).put('/notifications/read-all')).expect(200)
    await tab.until('all is read', () => tab.unread() === 0)

    stopListening()
    expect(sorted(tab.ids())).toEqual((await idsOf(reader)).slice(1))
  })

  test.skipIf(!nginxIsHere())('are heard through nginx immediately, whichever of them was told', async () => {
    const { reader, task } = await givenReader()
    const nginx = await startNginx([port, service.port])
    const tab = await givenTab(nginx.port, reader)
    for (const at of [world, there, world]) await hearComment(tab, task, at)
  })
})
