import { expect, test } from 'vitest'
import { meet, openTransaction, passesOver, waitsForLock, waitsForSecret } from '#test/interleave.ts'
import { holderOf } from '#test/servers.ts'
import { openWorld } from '#test/world.ts'
import { openScope } from '../../../../data/tx/open-scope.ts'
import { listActive } from '../../reading.store.ts'
import { makeDeliveries, readUnread } from '../../sending/read-ahead.ts'
import { takeDeliveries } from '../../sending.store.ts'

/** What two processes do with webhooks at the same moment, met on purpose, as in test/faults/interleavings.test.ts. */
const world = await openWorld()

test('a webhook is changed once by two changes of one version', async () => {
  const boss = world.as((await world.givenTenant()).administrator)
  const draft = { url: 'https://example.com/', types: ['*'], status: 'paused' }
  const { id, version } = (await boss.post('/webhooks', draft)).expect(201)
  const change = (description: string) => () => boss.put(`/webhooks/${id}`, { version, description })
  await meet(world, [change('one'), 200], [change('two'), 409, 'VERSION_CONFLICT'])
})

test('events that two processes read for a webhook are sent once', async () => {
  const tenant = await world.givenTenant()
  const given = (sql: string, ...values: unknown[]) => world.look.rows(sql, [tenant.id, ...values])
  // Later than those of how the tenant was made, which may have their numbers already, or get them meanwhile.
  const event = 1000
  const [{ id }] = (await given(
    `insert into webhooks (tenant_id, url, types, sealed, last_event_id) values ($1, 'https://example.com', '{*}', 'x', $2) returning id::float8`,
    event - 1,
  )) as [{ id: number }]
  const other = await openTransaction(await holderOf(world.databaseUrl, tenant.id))
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
  const reading = world.inTenant(tenant, (tx) => makeDeliveries(tx, unread))
  const waited = await waitsForLock(world, reading)
  await other.commit()
  await reading

  expect(waited).toBe(true)
  // One that is inserted again is counted as taken.
  const sent = 'select taken::int from webhook_deliveries where tenant_id = $1 and webhook_id = $2 and event_id = $3'
  expect(await given(sent, id, event)).toEqual([{ taken: 0 }])
})

test('a worker passes over a delivery of a webhook that another has', async () => {
  const made = {
    table: 'webhook_deliveries',
    statements: [
      `insert into webhooks (tenant_id, id, url, types, last_event_id) values (1, 1, 'https://example.com', '{*}', 0)`,
      `insert into webhook_deliveries (tenant_id, webhook_id, event_id, type, subject_type, subject_id) values (1, 1, 1, 'task.created', 'task', 1)`,
    ],
  }
  const take = { webhookIds: [1], rooms: [10], most: 10 }
  expect(await passesOver(world, made, (tx) => takeDeliveries(tx, take))).toBe(true)
})

test('a change of the sealing key waits for a change of the secret', async () => {
  const insert = `insert into webhooks (tenant_id, url, types, sealed, is_paused, last_event_id) values ($1, 'https://example.com', '{*}', 'x', true, 0)`
  expect(await waitsForSecret(world, 'webhooks.sealed', insert)).toBe(true)
})
