import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openTenantRows } from '../../src/data/archive/tenant-rows.ts'
import { numberEvents } from '../../src/data/events/number-events.ts'
import { openScope } from '../../src/data/tx/open-scope.ts'
import type { Tx } from '../../src/data/tx/scope.ts'
import { transact } from '../../src/data/tx/transact.ts'
import type { Database } from '../../src/data/wire/database.ts'
import { openSightings } from '../../src/domains/auth/sightings.ts'
import { settleOrder } from '../../src/domains/checkout/checkout.actions.ts'
import { type System, system } from '../../src/kernel/actor.ts'
import { loadDomains } from '../../src/load-domains.ts'
import { takeMails } from '../../src/plugins/mail/mail.store.ts'
import { takeDigests } from '../../src/plugins/mail/news.store.ts'
import { listActive } from '../../src/plugins/webhooks/reading.store.ts'
import { makeDeliveries, readUnread } from '../../src/plugins/webhooks/sending/read-ahead.ts'
import { takeDeliveries } from '../../src/plugins/webhooks/sending.store.ts'
import { testConfig } from '../support/config.ts'
import { cloneDatabase, openInspector } from '../support/database.ts'
import { holdRow, interleave, type Place, waitsForLock } from '../support/interleave.ts'
import { startJob } from '../support/jobs.ts'
import { openLayer } from '../support/layer.ts'
import { until } from '../support/patience.ts'
import { holderOf } from '../support/servers.ts'
import { openWorld, type Person, type Tenant, type World } from '../support/world.ts'

/** What other systems cause or receive, by two processes at the same moment, met on purpose, as in interleavings.test.ts. */
let world: World
let tenant: Tenant
let boss: Person
let ann: Person
const kinds = (await loadDomains(testConfig())).flatMap(({ sealed = [] }) => sealed)
beforeAll(async () => {
  world = await openWorld({ env: { PLANS: JSON.stringify({ test: { projects: 1 } }) } })
})
afterAll(() => world?.close())
beforeEach(async () => {
  tenant = await world.givenTenant()
  boss = tenant.administrator
  ann = await world.givenUser(tenant)
})

const inTenant = <T>(action: (tx: Tx<System>) => Promise<T>) =>
  transact(world.database, { tenantId: tenant.id, actor: system, requestId: 'test' }, action)
const given = (sql: string, ...values: unknown[]) => world.look.rows(sql, [tenant.id, ...values])
const count = (sql: string) => world.look.count(sql, [tenant.id])
/** Whether it waits for what somebody else holds meanwhile. */
async function waitsFor(held: string, work: () => Promise<unknown>): Promise<boolean> {
  const release = await holdRow(world, tenant, held)
  const done = work()
  const waited = await waitsForLock(world, done)
  await release()
  await done
  return waited
}

describe('events', () => {
  const waiting = () => count('select count(*) from unnumbered_events where tenant_id = $1')

  test('get their ids from one process at a time, so that they are in order', async () => {
    const release = await holdRow(
      world,
      tenant,
      `select pg_advisory_xact_lock(hashtextextended('events', ${tenant.id}))`,
    )
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
    const turn = await holdRow(world, tenant, `select pg_advisory_xact_lock(hashtextextended('events', ${tenant.id}))`)
    await world.givenProject(ann)
    const held = await holdRow(
      world,
      tenant,
      `select 1 from unnumbered_events where tenant_id = ${tenant.id} for update`,
    )
    await turn()

    const numbering = numberEvents(world.database, tenant.id)
    const waited = await waitsForLock(world, numbering)
    await held()
    await numbering

    expect(waited).toBe(false)
  })
})

test('a tenant is exported once at a time', async () => {
  const first = await openTenantRows(world.database, tenant.id)
  const second = await openTenantRows(world.database, tenant.id)
  await first!.close()
  const third = await openTenantRows(world.database, tenant.id)
  await third?.close()

  expect([second, third]).toEqual([undefined, expect.anything()])
})

test('a session that ends while it is being noted as seen is passed over', async () => {
  const [session] = await given('select id::float8 from sessions where tenant_id = $1 and user_id = $2', ann.id)
  const other = new pg.Client(await holderOf(world.databaseUrl, tenant.id))
  await other.connect()
  await other.query('begin')
  await other.query('delete from sessions where tenant_id = $1 and id = $2', [tenant.id, session!.id])
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
  const settle = () => inTenant((tx) => settleOrder(tx, order.orderNo, 'paid'))
  const { first, second } = await interleave(world, settle, settle)

  expect([first, second]).toEqual([true, false])
})

test('a mail that was given up is revived once', async () => {
  const id = await world.givenDeadMail(tenant)
  const retry = () => world.as(boss).post(`/mails/${id}/retry`)
  const { first, second } = await interleave(world, retry, retry)

  first.expect(200)
  expect(second.expect(200)).toMatchObject({ status: 'waiting', attempts: 0 })
})

test('a webhook is changed once by two changes of one version', async () => {
  const draft = { url: 'https://example.com/', types: ['*'], status: 'paused' }
  const { id, version } = (await world.as(boss).post('/webhooks', draft)).expect(201)
  const change = (description: string) => () => world.as(boss).put(`/webhooks/${id}`, { version, description })
  const { first, second } = await interleave(world, change('one'), change('two'))

  first.expect(200)
  second.expect(409, 'VERSION_CONFLICT')
})

describe('a worker passes over what another has', () => {
  /** On a database on which no service runs, whose workers would be faster. */
  let place: Place
  let layer: Database
  beforeAll(async () => {
    const databaseUrl = await cloneDatabase()
    place = { databaseUrl, look: await openInspector(databaseUrl), gate: world.gate }
    layer = await openLayer(databaseUrl)
  })
  afterAll(() => Promise.all([place?.look.close(), layer?.close()]))

  test.each<[string, string, string[], (tx: Tx<System>) => Promise<{ rows: readonly unknown[] }>]>([
    [
      'a mail',
      'mails',
      [
        `insert into mails (tenant_id, key, kind, recipient, locale, sealed) values (1, 'k', 'MAIL_TEST', 'a@example.com', 'en', 'x')`,
      ],
      (tx) => takeMails(tx, { most: 10 }),
    ],
    [
      'a daily mail',
      'mail_digests',
      [`insert into mail_digests (tenant_id, user_id, news_from, news_to, due_at) values (1, 1, 1, 1, now())`],
      (tx) => takeDigests(tx, { most: 10 }),
    ],
    [
      'a delivery of a webhook',
      'webhook_deliveries',
      [
        `insert into webhooks (tenant_id, id, url, types, last_event_id) values (1, 1, 'https://example.com', '{*}', 0)`,
        `insert into webhook_deliveries (tenant_id, webhook_id, event_id, type, subject_type, subject_id) values (1, 1, 1, 'task.created', 'task', 1)`,
      ],
      (tx) => takeDeliveries(tx, { webhookIds: [1], rooms: [10], most: 10 }),
    ],
  ])('%s', async (_, table, statements, takeSome) => {
    for (const sql of statements) await place.look.rows(sql)
    const take = async () => {
      const { rows } = await transact(layer, { tenantId: 1, actor: system, requestId: 'test' }, takeSome)
      return rows.length
    }
    const release = await holdRow(place, { id: 1 }, `select 1 from ${table} where tenant_id = 1 for update`)
    const taking = take()
    const waited = await waitsForLock(place, taking)
    await release()

    expect([waited, await taking, await take()]).toEqual([false, 0, 1])
  })
})

test('events that two processes read for a webhook are sent once', async () => {
  // Later than those of how the tenant was made, which may have their numbers already, or get them meanwhile.
  const event = 1000
  const [{ id }] = (await given(
    `insert into webhooks (tenant_id, url, types, sealed, last_event_id) values ($1, 'https://example.com', '{*}', 'x', $2) returning id::float8`,
    event - 1,
  )) as [{ id: number }]
  const other = new pg.Client(await holderOf(world.databaseUrl, tenant.id))
  await other.connect()
  await other.query('begin')
  // Before there is an event, so that the worker of this service cannot be faster.
  await other.query('update webhooks set last_event_id = $3 where tenant_id = $1 and id = $2', [tenant.id, id, event])
  await given(
    `insert into events (tenant_id, id, type, subject_type, subject_id, actor_kind, data, occurred_at)
     values ($1, $2, 'task.created', 'task', 1, 'system', '{}', now())`,
    event,
  )
  await given(
    `insert into event_counters (tenant_id, last_number) values ($1, $2)
       on conflict (tenant_id) do update set last_number = excluded.last_number`,
    event,
  )
  const scope = openScope(world.database, tenant.id)
  const unread = (await readUnread(world.database, scope, await listActive(scope, {})))!
  await other.query(
    `insert into webhook_deliveries (tenant_id, webhook_id, event_id, type, subject_type, subject_id, due_at)
     values ($1, $2, $3, 'task.created', 'task', 1, now() + interval '1 day')`,
    [tenant.id, id, event],
  )
  const reading = inTenant((tx) => makeDeliveries(tx, unread))
  const waited = await waitsForLock(world, reading)
  await other.query('commit')
  await Promise.all([reading, other.end()])

  expect(waited).toBe(true)
  // One that is inserted again is counted as taken.
  const sent = 'select taken::int from webhook_deliveries where tenant_id = $1 and webhook_id = $2 and event_id = $3'
  expect(await given(sent, id, event)).toEqual([{ taken: 0 }])
})

test('the last place that a plan leaves is taken once', async () => {
  const make = (code: string) => () =>
    world.as(ann).post('/projects', { name: code, code }, { 'idempotency-key': `${code}-${tenant.id}` })
  const { first, second } = await interleave(world, make('one'), make('two'))

  first.expect(201)
  second.expect(409, 'QUOTA_EXCEEDED')
})

describe('a change of the sealing key waits for a change of the secret', () => {
  const SECRETS: Record<string, { table: string; insert: string }> = {
    mails: {
      table: 'mails',
      insert: `insert into mails (tenant_id, key, kind, recipient, locale, sealed, due_at) values ($1, 'k', 'MAIL_TEST', 'a@example.com', 'en', 'x', now() + interval '1 day')`,
    },
    'secrets of webhooks': {
      table: 'webhooks',
      insert: `insert into webhooks (tenant_id, url, types, sealed, is_paused, last_event_id) values ($1, 'https://example.com', '{*}', 'x', true, 0)`,
    },
    'second factors': {
      table: 'second_factors',
      insert: `insert into second_factors (tenant_id, user_id, secret) select $1, id, 'x' from users where tenant_id = $1 limit 1`,
    },
    'secrets of identity providers': {
      table: 'identity_providers',
      insert: `insert into identity_providers (tenant_id, issuer, client_id, client_secret, create_users, password_sign_in, named_by_administrator) values ($1, 'https://example.com', 'x', 'x', false, 'allowed', true)`,
    },
  }

  test.each(kinds)('$what', async ({ what, lockSome }) => {
    const { table, insert } = SECRETS[what]!
    await given(insert)
    const read = () => inTenant((tx) => lockSome(tx, { after: 0, most: 10 }))
    expect(await waitsFor(`select 1 from ${table} where tenant_id = ${tenant.id} for update`, read)).toBe(true)
    expect(await read()).toHaveLength(1)
  })
})
