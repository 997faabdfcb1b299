import { sql } from 'kysely'
import { countUnnumbered } from '../events/unnumbered.ts'
import { tenantsTogether } from '../jobs/every-tenant.ts'
import { find } from '../sql/verbs.ts'
import type { Database } from '../wire/database.ts'

/** What waits in all tenants together. */
export interface Waiting {
  pending: number
  oldestSeconds: number
}

export interface Backlogs {
  /** notifications to be delivered */
  outbox: Waiting
  /** events without ids */
  events: Waiting
}

const countWaiting = find((from, _: object) =>
  from('outbox').select((eb) => [
    eb.fn.countAll<number>().as('pending'),
    sql<number>`coalesce(extract(epoch from clock_timestamp() - min(outbox.created_at)), 0)::float8`.as('oldest'),
  ]),
)

/** Looks into the outbox and at the events without ids, tenant by tenant, because row security shows no role all of them. */
export async function measureBacklogs(database: Database): Promise<Backlogs> {
  const found: Backlogs = { outbox: { pending: 0, oldestSeconds: 0 }, events: { pending: 0, oldestSeconds: 0 } }
  for await (const group of tenantsTogether(database))
    await Promise.all(
      group.map(async (scope) => {
        const [outbox, events] = await Promise.all([countWaiting(scope, {}), countUnnumbered(scope, {})])
        add(found.outbox, outbox!)
        add(found.events, events!)
      }),
    )
  return found
}

function add(to: Waiting, { pending, oldest }: { pending: number; oldest: number }): void {
  to.pending += pending
  to.oldestSeconds = Math.max(to.oldestSeconds, oldest)
}
