import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openInstance } from '../support/instance.ts'
import { report, untilDelivered } from '../support/invariants.ts'
import { openWorld, type Person, type Tenant, type World } from '../support/world.ts'

/** BACKLOG=100000 for the full run. */
const BACKLOG = Number(process.env.BACKLOG ?? 5000)

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
  await world.look.rows(
    `insert into outbox (tenant_id, type, title, resource_type, resource_id, receivers)
     select $1, 'TASK_ASSIGNED', $2, 'task', n, $3 from generate_series(1, $4::int) n`,
    [tenant.id, title, receivers, times],
  )
}
const inbox = (title: string) =>
  world.look.rows(
    'select receiver_id::int as receiver, resource_id::int as n from notifications where title = $1 order by id',
    [title],
  )

describe('news that a killed process has left behind', () => {
  test('is delivered by whoever comes next, though one of its receivers is gone', async () => {
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

  test(`is delivered once, ${BACKLOG} of it, by three who sweep at once`, {
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
    expect(BACKLOG / seconds).toBeGreaterThan(1000)
  })
})
