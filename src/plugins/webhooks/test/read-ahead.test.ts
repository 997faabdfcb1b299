import { expect, test } from 'vitest'
import { until } from '#test/patience.ts'
import { openWorld } from '#test/world.ts'
import { numberAll } from '../../../data/events/number-events.ts'
import { openScope } from '../../../data/tx/open-scope.ts'
import { readUnread } from '../sending/read-ahead.ts'

/** Webhooks that are nowhere stored, so that the worker of this service does not read for them. */
const world = await openWorld()
const { id: tenantId } = await world.givenTenant()
const scope = openScope(world.database, tenantId)
const EVENTS = 700
await world.look.rows(
  `insert into unnumbered_events (tenant_id, type, subject_type, subject_id, actor_kind, data, occurred_at)
   select $1, 'task.updated', 'task', n, 'system', '{}', clock_timestamp() from generate_series(1, $2::integer) n`,
  [tenantId, EVENTS],
)
await until(async () => {
  await numberAll(world.database, tenantId)
  return (await world.look.count('select count(*) from unnumbered_events')) === 0
})
const webhook = (id: number, lastEventId = 0, types = ['*']) => ({
  ...{ id, types, lastEventId },
  ...{ isPaused: false, failures: 0, ahead: 0 },
})
const read = async (webhooks: ReturnType<typeof webhook>[]) => (await readUnread(world.database, scope, webhooks))!

test('many webhooks read no more events than a transaction can make deliveries of, but one at least', async () => {
  const given = (count: number, types?: string[]) => Array.from({ length: count }, (_, at) => webhook(at + 1, 0, types))
  const lengthOf = async (webhooks: ReturnType<typeof webhook>[]) => {
    const { events, hasMore } = await read(webhooks)
    expect(hasMore).toBe(true)
    return events.length
  }

  expect(await lengthOf(given(1000))).toBe(4)
  expect(await lengthOf(given(5000))).toBe(1)
  expect(await lengthOf(given(8))).toBe(500)
  expect(await lengthOf(given(1000, ['order.paid']))).toBe(500)
})

test('webhooks that have read to different places read on, whichever is far behind', async () => {
  const last = (await read([webhook(1, EVENTS - 1)])).events.at(-1)!.id
  const [behind, ahead] = [webhook(1), webhook(2, last - 1)]
  const found = new Map<number, object>()
  await until(async () => {
    const { after, webhooks, events, hasMore } = await read([behind, ahead])
    found.set(after, { ids: webhooks.map(({ id }) => id), length: events.length, hasMore })
    return found.size === 2
  })

  expect(found.get(behind.lastEventId)).toEqual({ ids: [1, 2], length: 500, hasMore: true })
  expect(found.get(ahead.lastEventId)).toEqual({ ids: [2], length: 1, hasMore: true })
  // One that has read everything leaves its turn.
  expect(await read([behind, webhook(2, last)])).toMatchObject({ after: 0, hasMore: true })
  expect(await read([ahead, webhook(2, last)])).toMatchObject({ after: ahead.lastEventId, hasMore: false })
})
