import { sql } from 'kysely'
import type { TenantId } from '../../kernel/actor.ts'
import { directory, find } from '../sql/verbs.ts'
import type { Scope } from '../tx/scope.ts'

/** Events that wait in the outboxes of all tenants. */
export interface Waiting {
  pending: number
  oldestSeconds: number
}

const AT_ONCE = 32

const listTenantIds = directory.list((from, _: object) => from('tenants').select('tenants.id'))

const countWaiting = find((from, _: object) =>
  from('outbox').select((eb) => [
    eb.fn.countAll<number>().as('pending'),
    sql<number>`coalesce(extract(epoch from clock_timestamp() - min(outbox.created_at)), 0)::float8`.as('oldest'),
  ]),
)

/** Looks into the outbox of one tenant after the other, because row security shows no role all of them. */
export async function measureOutbox(scopeOf: (tenantId: TenantId) => Scope): Promise<Waiting> {
  const ids = (await listTenantIds(scopeOf(0), {})).map(({ id }) => id)
  const found: Waiting = { pending: 0, oldestSeconds: 0 }
  for (let at = 0; at < ids.length; at += AT_ONCE)
    for (const row of await Promise.all(ids.slice(at, at + AT_ONCE).map((id) => countWaiting(scopeOf(id), {})))) {
      found.pending += row!.pending
      found.oldestSeconds = Math.max(found.oldestSeconds, row!.oldest)
    }
  return found
}
