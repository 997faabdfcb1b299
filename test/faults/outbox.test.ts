import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { startOutboxWorker } from '../../src/data/outbox/outbox-worker.ts'
import { cloneDatabase, type Inspector, openInspector } from '../support/database.ts'
import { openInstance } from '../support/instance.ts'
import { report, untilDelivered } from '../support/invariants.ts'
import type { RemoteClient } from '../support/remote.ts'
import { type ServiceProcess, startProcess } from '../support/service.ts'
import { type Company, foundCompanies, latencies } from '../support/workload.ts'
import { openWorld, type Person, type Tenant, type World } from '../support/world.ts'

/** BACKLOG=100000 for the full run. */
const BACKLOG = Number(process.env.BACKLOG ?? 3000)
const CLIENTS = 8
const WARM_UP_MS = BACKLOG < 20_000 ? 0 : 2000

let world: World
let tenant: Tenant
let reader: Person
beforeAll(async () => {
  world = await openWorld()
  tenant = await world.givenTenant()
  reader = await world.givenUser(tenant)
})
afterAll(() => world?.close())

/** News of a process that was killed between its commit and the delivery. */
async function givenNews(title: string, receivers: number[], times = 1) {
  await world.look.rows(NEWS, [tenant.id, title, receivers, times])
}
const NEWS = `insert into outbox (tenant_id, type, title, resource_type, resource_id, receivers)
  select $1, 'TASK_ASSIGNED', $2, 'task', n, $3 from generate_series(1, $4::int) n`
const inbox = (title: string) =>
  world.look.rows(
    'select receiver_id::float8 as receiver, resource_id::float8 as n from notifications where title = $1 order by id',
    [title],
  )

describe('news that a killed process has left behind', () => {
  test('is delivered by the next process, though one of its receivers is gone', async () => {
    const gone = 987_654_321
    await givenNews('for the dead and the living', [gone, reader.id])
    await givenNews('for the living', [reader.id])

    const next = await openInstance(world.databaseUrl)
    await untilDelivered(world.look)
    await next.close()

    expect(await inbox('for the living')).toEqual([{ receiver: reader.id, n: 1 }])
    expect(await inbox('for the dead and the living')).toEqual([{ receiver: reader.id, n: 1 }])
    expect(await world.look.count('select count(*) from outbox')).toBe(0)
  })

  test(`is delivered once, ${BACKLOG} of it, by three concurrent sweeps`, {
    timeout: 30_000 + BACKLOG,
  }, async () => {
    await givenNews('backlog', [reader.id], BACKLOG)
    const start = performance.now()

    const others = await Promise.all([1, 2, 3].map(() => openInstance(world.databaseUrl)))
    await untilDelivered(world.look, 10_000 + BACKLOG)
    const seconds = (performance.now() - start) / 1000
    for (const other of others) await other.close()

    report('outbox', [], { backlog: BACKLOG, eventsPerSecond: Math.round(BACKLOG / seconds) })
    const delivered = await inbox('backlog')
    expect(new Set(delivered.map(({ n }) => n)).size).toBe(BACKLOG)
    expect(delivered).toHaveLength(BACKLOG)
    expect(BACKLOG / seconds).toBeGreaterThan(BACKLOG < 100_000 ? 300 : 2000)
  })

  test('reaches every inbox in the order of the events, whichever process sweeps', async () => {
    const numbers = (await inbox('backlog')).map(({ n }) => n)
    expect(numbers).toEqual([...numbers].sort((a, b) => a - b))
  })
})

test('news of which no receiver is left is cleared away in one sweep, however much it is', async () => {
  await givenNews('for nobody', [987_654_321], 1500)
  await givenNews('and then for somebody', [reader.id])
  const courier = startOutboxWorker(world.database, 3600_000)
  await untilDelivered(world.look)
  await courier.stop()
  expect(await world.look.count('select count(*) from outbox')).toBe(0)
  expect(await inbox('and then for somebody')).toEqual([{ receiver: reader.id, n: 1 }])
  expect(await inbox('for nobody')).toEqual([])
})

describe('a backlog that is being delivered', () => {
  let service: ServiceProcess | undefined
  let look: Inspector | undefined
  afterEach(async () => {
    await service?.end('SIGKILL')
    await look?.close()
  })

  test(`of ${BACKLOG} does not slow requests down by more than a tenth`, { timeout: 60_000 + BACKLOG }, async () => {
    const databaseUrl = await cloneDatabase()
    look = await openInspector(databaseUrl)
    service = await startProcess({ databaseUrl })
    const { port } = service
    const [company] = await foundCompanies(service.remote, 1)
    const [boss, reader] = company!.people
    const waiting = () => look!.count('select count(*) from outbox')
    await service.end('SIGTERM')
    await look.rows(NEWS, [company!.tenant, 'under load', [reader!.id], BACKLOG])
    service = await startProcess({ databaseUrl, port })
    const client = service.remote.as(boss!.token)

    await requests(client, company!, () => sleep(WARM_UP_MS))
    const found = await waiting()
    const start = performance.now()
    const during = await requests(client, company!, async () => {
      // To count them all, again and again, would slow the requests down more than the delivery does.
      while (await look!.count('select exists (select 1 from outbox)::int')) await sleep(50)
    })
    const seconds = (performance.now() - start) / 1000
    const after = await requests(client, company!, () => sleep(1000 * seconds))

    const share = Number((during.perSecond / after.perSecond).toFixed(2))
    report('requests beside a backlog', [], { eventsPerSecond: Math.round(found / seconds), during, after, share })
    // In a small run the window is short and the machine busy with other tests: then only a standstill is a mistake.
    expect(share).toBeGreaterThan(BACKLOG < 100_000 ? 0.4 : 0.8)
  })

  /** Reads and writes one after the other on each of some connections, until the wait is over. */
  async function requests(client: RemoteClient, { shared: [task] }: Company, wait: () => Promise<unknown>) {
    let going = true
    const done: { ms: number }[] = []
    const start = performance.now()
    const clients = Array.from({ length: CLIENTS }, async (_, at) => {
      for (let turn = at; going; turn++) {
        const start = performance.now()
        if (turn % 2) (await client.get(`/tasks/${task!.id}`)).expect(200)
        else (await client.put('/notifications/read-all')).expect(200)
        done.push({ ms: performance.now() - start })
      }
    })
    await wait()
    going = false
    await Promise.all(clients)
    return { perSecond: Math.round(done.length / ((performance.now() - start) / 1000)), ...latencies(done) }
  }
})
