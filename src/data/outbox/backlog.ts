import { sql } from 'kysely'
import type { TenantId } from '../../kernel/actor.ts'
import { countUnnumbered } from '../events/unnumbered.ts'
import { directory, find } from '../sql/verbs.ts'
import type { Scope } from '../tx/scope.ts'

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

const AT_ONCE = 32

const listTenantIds = directory.list((from, _: object) => from('tenants').select('tenants.id'))

const countWaiting = find((from, _: object) =>
  from('outbox').select((eb) => [
    eb.fn.countAll<number>().as('pending'),
    sql<number>`coalesce(extract(epoch from clock_timestamp() - min(outbox.created_at)), 0)::float8`.as('oldest'),
  ]),
)

/**
 * Looks into the outbox and at the events without ids of one tenant after the other, because row security shows no role
 * all of them.
 */
export async function measureBacklogs(scopeOf: (tenantId: TenantId) => Scope): Promise<Backlogs> {
  const ids = (await listTenantIds(scopeOf(0), {})).map(({ id }) => id)
  const found: Backlogs = { outbox: { pending: 0, oldestSeconds: 0 }, events: { pending: 0, oldestSeconds: 0 } }
  for (let at = 0; at < ids.length; at += AT_ONCE)
    await Promise.all(
      ids.slice(at, at + AT_ONCE).map(async (id) => {
        const scope = scopeOf(id)
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
