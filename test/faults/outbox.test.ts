import { expect, test } from 'vitest'
import { outboxWorker } from '../../src/data/outbox/outbox.ts'
import { type Instance, openInstance } from '../support/instance.ts'
import { untilDelivered } from '../support/invariants.ts'
import { startJob } from '../support/jobs.ts'
import { openWorld } from '../support/world.ts'

/** BACKLOG=100000 for the full run. `npm run bench -- backlog` measures what it costs requests. */
const BACKLOG = Number(process.env.BACKLOG ?? 1000)

const world = await openWorld()
const tenant = await world.givenTenant()
const reader = await world.givenUser(tenant)

/** News of a process that was killed between its commit and the delivery; what few of them become is in test/api/notifications.test.ts. */
async function givenNews(title: string, receivers: number[], times = 1) {
  await world.look.rows(
    `insert into outbox (tenant_id, type, title, resource_type, resource_id, receivers)
     select $1, 'TASK_ASSIGNED', $2, 'task', n, $3 from generate_series(1, $4::int) n`,
    [tenant.id, title, receivers, times],
  )
}
const inbox = (title: string) =>
  world.look.rows(
    'select receiver_id::float8 as receiver, resource_id::float8 as n from notifications where title = $1 order by id',
    [title],
  )

test(`news that killed processes have left behind is delivered once, ${BACKLOG} of it, in the order of the events, by three concurrent sweeps`, async () => {
  await givenNews('backlog', [reader.id], BACKLOG)
  const others: Instance[] = []
  while (others.length < 3) others.push(await openInstance(world.databaseUrl))
  await untilDelivered(world.look)
  for (const other of others) await other.close()

  const numbers = (await inbox('backlog')).map(({ n }) => n)
  expect(numbers).toEqual(Array.from({ length: BACKLOG }, (_, at) => at + 1))
})

test('news of which no receiver is left is cleared away in one sweep, however much it is', async () => {
  await givenNews('for nobody', [987_654_321], 500)
  await givenNews('and then for somebody', [reader.id])
  const courier = await startJob(world.database, outboxWorker, 3600_000)
  await untilDelivered(world.look)
  await courier.stop()
  expect(await inbox('and then for somebody')).toEqual([{ receiver: reader.id, n: 1 }])
  expect(await inbox('for nobody')).toEqual([])
})
