import { expect, test } from 'vitest'
import { until } from '#test/patience.ts'
import { openWorld } from '#test/world.ts'
import { lockIndex, moveCursor } from '../../indexing.store.ts'
import { indexNext } from '../../indexing.ts'
import { indexed } from '../indexed.ts'

/** Two processes that take the same events into an index, met on purpose, as in test/faults/interleavings.test.ts. */
const world = await openWorld()

test('events that another process is taking are not taken again, with what was read before', async () => {
  const tenant = await world.givenTenant()
  const rows = (sql: string) => world.look.rows(sql, [tenant.id])
  await world.givenProject(tenant.administrator)
  await indexed(world, tenant)
  // Its own job would take them before us.
  await world.app.close()
  await rows('update search_cursors set last_event_id = last_event_id - 1 where tenant_id = $1')
  await rows('delete from search_entries where tenant_id = $1')

  const begun = Promise.withResolvers<void>()
  const opened = Promise.withResolvers<void>()
  const other = world.inTenant(tenant, async (tx) => {
    const { lastEventId, built } = (await lockIndex(tx, {}))!
    begun.resolve()
    await opened.promise
    moveCursor(tx, { lastEventId: lastEventId + 1, built })
  })
  await begun.promise
  const ours = indexNext(world.database, tenant.id)
  await until(async () => (await world.look.countEverywhere(WAITING)) > 0)
  opened.resolve()
  await Promise.all([other, ours])

  expect(await rows('select from search_entries where tenant_id = $1')).toEqual([])
})

const WAITING = `
  select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
    and query like '%search_cursors%'`
