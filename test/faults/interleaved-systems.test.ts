import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { numberEvents } from '../../src/data/events/number-events.ts'
import { transact } from '../../src/data/tx/transact.ts'
import { openSightings } from '../../src/domains/auth/sightings.ts'
import { settleOrder } from '../../src/domains/checkout/checkout.actions.ts'
import { system } from '../../src/kernel/actor.ts'
import { holdRow, interleave, waitsForLock } from '../support/interleave.ts'
import { startJob } from '../support/jobs.ts'
import { until } from '../support/patience.ts'
import { expectNoCircle } from '../support/races.ts'
import { holderOf } from '../support/servers.ts'
import { openWorld, type Person, type Tenant, type World } from '../support/world.ts'

/** What other systems cause or receive, by two processes at the same moment, met on purpose, as in interleavings.test.ts. */
let world: World
let tenant: Tenant
let ann: Person
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => expectNoCircle(world))
beforeEach(async () => {
  tenant = await world.givenTenant()
  ann = await world.givenUser(tenant)
})

const count = (sql: string) => world.look.count(sql, [tenant.id])

describe('events', () => {
  const hold = (query: string) => holdRow(world, tenant, query)
  const holdTurn = () => hold(`select pg_advisory_xact_lock(hashtextextended('events', ${tenant.id}))`)
  const waiting = () => count('select count(*) from unnumbered_events where tenant_id = $1')

  test('get their ids from one process at a time, so that they are in order', async () => {
    const release = await holdTurn()
    await world.givenProject(ann)

    const isMore = await numberEvents(world.database, tenant.id)
    const early = await waiting()
    await release()
    while (await numberEvents(world.database, tenant.id));

    expect(isMore).toBe(true)
    expect(early).toBeGreaterThan(0)
    expect(await waiting()).toBe(0)
  })

  test('that are being removed keep no other waiting', async () => {
    const turn = await holdTurn()
    await world.givenProject(ann)
    const held = await hold(`select 1 from unnumbered_events where tenant_id = ${tenant.id} for update`)
    await turn()

    const numbering = numberEvents(world.database, tenant.id)
    const waited = await waitsForLock(world, numbering)
    await held()
    await numbering
    expect(waited).toBe(false)
  })
})

test('a session that ends while it is being noted as seen is passed over', async () => {
  const sql = 'select id::float8 from sessions where tenant_id = $1 and user_id = $2'
  const [session] = await world.look.rows(sql, [tenant.id, ann.id])
  const other = new pg.Client(await holderOf(world.databaseUrl, tenant.id))
  await other.connect()
  await other.query(`begin; delete from sessions where tenant_id = ${tenant.id} and id = ${session!.id}`)
  const sightings = openSightings()
  sightings.note(tenant.id, session!.id)
  const writing = await startJob(world.database, sightings.job, 20)
  const result = until(() => {
    const run = world.database.jobs.list().findLast(({ name }) => name === 'sightings of sessions')!
    return run.lastResult ?? false
  })
  const waited = await waitsForLock(world, result)
  await other.query('commit')
  await Promise.all([other.end(), result])
  await writing.stop()

  expect([waited, await result]).toEqual([true, 'ok'])
})

test('a payment that is reported twice at the same moment is noted once', async () => {
  await world.givenPrices(tenant)
  const order = (await world.as(ann).post('/payments/checkout', { planId: 2, channel: 'card' })).expect(201)
  const command = { tenantId: tenant.id, actor: system, requestId: 'test' }
  const settle = () => transact(world.database, command, (tx) => settleOrder(tx, order.orderNo, 'paid'))
  const { first, second } = await interleave(world, settle, settle)

  expect([first, second]).toEqual([true, false])
})
