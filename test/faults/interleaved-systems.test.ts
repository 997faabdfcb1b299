import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { numberEvents } from '../../src/data/events/number-events.ts'
import { openSnapshot } from '../../src/data/lists/snapshot.ts'
import { openSightings } from '../../src/domains/auth/sightings.ts'
import { settleOrder } from '../../src/domains/checkout/checkout.actions.ts'
import { holdRow, interleave, interleaveBehind, openTransaction, waitsForLock } from '../support/interleave.ts'
import { runJob } from '../support/jobs.ts'
import { until } from '../support/patience.ts'
import { expectNoCircle } from '../support/races.ts'
import { holderOf } from '../support/servers.ts'
import { openWorld, type Person, type Tenant } from '../support/world.ts'

/** What other systems cause or receive, by two processes at the same moment, met on purpose, as in interleavings.test.ts. */
let tenant: Tenant
let ann: Person
const world = await openWorld()
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
  const other = await openTransaction(await holderOf(world.databaseUrl, tenant.id))
  await other.query(`delete from sessions where tenant_id = ${tenant.id} and id = ${session!.id}`)
  const sightings = openSightings()
  sightings.note(tenant.id, session!.id)
  const writing = runJob(world.database, sightings.job)
  const waited = await waitsForLock(world, writing)
  await other.commit()
  await writing

  expect(waited).toBe(true)
})

test('sessions that are being noted as seen end behind that, without a circle', async () => {
  const ben = await world.givenUser(tenant)
  const of = (person: Person) => `tenant_id = ${tenant.id} and user_id = ${person.id}`
  // Of three sessions the one in the middle is held, and the last one has not been seen before.
  await world.look.rows(
    `insert into session_sightings (tenant_id, session_id) select tenant_id, id from sessions where ${of(ann)} or ${of(ben)}`,
  )
  await world.look.rows(
    `insert into sessions (tenant_id, user_id, expires_at) select tenant_id, user_id, expires_at from sessions where ${of(ann)}`,
  )
  const sightings = openSightings()
  for (const { id } of await world.look.rows(`select id::float8 from sessions where ${of(ann)} or ${of(ben)}`))
    sightings.note(tenant.id, id)
  const middle = `select 1 from session_sightings where tenant_id = ${tenant.id}
    and session_id in (select id from sessions where ${of(ben)}) for update`
  const note = () => runJob(world.database, sightings.job)
  const signOut = () => world.as(tenant.administrator).put(`/users/${ann.id}`, { password: 'another-1' })

  const { second } = await interleaveBehind(world, { tenant, row: middle }, note, signOut)

  second.expect(200)
  expect(await world.look.count(`select count(*) from sessions where ${of(ann)}`)).toBe(0)
})

test('a payment that is reported twice at the same moment is noted once', async () => {
  await world.givenPrices(tenant)
  const order = (await world.as(ann).post('/payments/checkout', { planId: 2, channel: 'card' })).expect(201)
  const settle = () => world.inTenant(tenant, (tx) => settleOrder(tx, order.orderNo, 'paid'))
  const { first, second } = await interleave(world, settle, settle)

  expect([first, second]).toEqual([true, false])
})

test('a snapshot is open once for each key, until it is closed', async () => {
  const open = (key: string) => openSnapshot(world.database, tenant.id, key, 60_000)
  const first = await open('one')
  const [again, another] = [await open('one'), await open('another')]
  await first!.close()
  const next = await until(() => open('one'))
  await Promise.all([again, another, next].map((snapshot) => snapshot?.close()))
  expect([again, another]).toEqual([undefined, expect.anything()])
})
