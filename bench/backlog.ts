import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Member } from './fill.ts'
import { benchInTurns, type Kind } from './in-turns.ts'
import { works } from './works.ts'

const USAGE = `npm run bench -- backlog [options]

Whether requests are slower while a backlog of notifications is delivered, as killed processes leave it behind: reads of one
task, with and without a backlog, in turns, at the same pace. Ends with 1 if the p99 is more than 1.1 times as long.

  --rounds 6  --seconds 10  --every-second 100
`
/** More than are delivered in a turn. */
const BACKLOG = 100_000

let delivered = 0

/** Leaves a backlog, and waits until the service has found it. @returns removes the rest */
async function leave(url: string, { tenant, user }: Member): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const left = async () => Number((await client.query('select count(*) from outbox')).rows[0].count)
  await client.query(
    `insert into outbox (tenant_id, type, title, resource_type, resource_id, receivers)
     select $1, 'TASK_ASSIGNED', 'backlog', 'task', n, array[$2::bigint] from generate_series(1, ${BACKLOG}) n`,
    [tenant, user],
  )
  while ((await left()) === BACKLOG) await sleep(200)
  return async () => {
    delivered += BACKLOG - (await left())
    await client.query('delete from outbox')
    await client.end()
  }
}

await benchInTurns({
  usage: USAGE,
  name: 'backlog',
  most: 1.1,
  everySecond: '100',
  settings: {},
  prepare: async (url, { members, tenantCodes }) => ({
    sendersOf: (_: Kind, connections) =>
      works({ members, connections, blogPages: 1, tenantCodes }).find(({ name }) => name === 'W2')!.senders,
    beside: async (_, kind) => (kind === 'with' ? leave(url, members[0]!) : async () => {}),
  }),
  arrived: () => `${delivered} notifications were delivered`,
  close() {},
})
