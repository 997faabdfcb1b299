import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { TenantId, UserId } from '../../kernel/actor.ts'
import type { NotificationType } from '../../kernel/words/domain.ts'
import { titleOf } from '../../kernel/words/titles.ts'
import { sharedRuns } from '../../util/shared-runs.ts'
import { cold, compile, TENANT } from '../sql/compile.ts'
import { find, write } from '../sql/verbs.ts'
import type { NotificationEvent, Tx } from '../tx/scope.ts'
import type { Database } from '../wire/database.ts'

/**
 * An event waits in the outbox from its commit on. One transaction removes the row and inserts the notifications, so
 * nothing can be lost or doubled. The events of a killed process are delivered by the sweep of another, or at its own
 * next start.
 */
const insertEvent = write(
  (
    { insert },
    p: {
      type: string
      title: string
      facts: Record<string, string | readonly string[]>
      content: string | null
      resourceType: string
      resourceId: number
      receivers: number[]
      createdAt: string
    },
  ) => insert('outbox', p),
)

/**
 * Puts the event into the transaction's outbox, usually for everyone except the actor. False if it has no receivers.
 */
export function enqueueNotification<T extends NotificationType>(tx: Tx, event: NotificationEvent<T>): boolean {
  const receivers = [...new Set(event.receivers)].filter((id) => event.actorToo || id !== tx.actor.id)
  if (receivers.length === 0) return false
  insertEvent(tx, {
    type: event.type,
    title: titleOf('en', event.type, { ...event.facts, user: 'somebody' })!,
    facts: event.facts,
    content: event.content ?? null,
    resourceType: event.resourceType,
    resourceId: event.resourceId,
    receivers,
    createdAt: tx.now,
  })
  return true
}

/** Whether an event waits to be delivered. */
export const findWaiting = find((from, _: object) => from('outbox').select('outbox.id').limit(sql.lit(1)))

/** events per round; few, because a request may have to wait for them */
const BATCH = 200
/** How often to wait for another process that is delivering in the tenant, and the most ms of each wait. */
const RETRY = { times: 5, ms: 6 }

/** One round of a tenant. The function deliver_notifications says what it does, and what it answers. */
const deliver = compile('write', (p: { batch: number }) =>
  cold
    .selectFrom(
      sql<{ mine: boolean; taken: number; receivers: UserId[] }>`deliver_notifications(${TENANT}, ${p.batch})`.as(
        'round',
      ),
    )
    .select(['round.mine', 'round.taken', 'round.receivers']),
)

/** One round of delivery. True if there is more to deliver than fits into a round. */
async function deliverBatch(database: Database, tenantId: TenantId): Promise<boolean> {
  for (let time = 0; time < RETRY.times; time++) {
    // One flight on a shared connection: entered, delivered and committed in one round trip.
    const calls = [database.entering(tenantId, 'shared'), deliver(tenantId, { batch: BATCH })]
    const [, result] = await database.send(tenantId, calls)
    const { mine, taken, receivers } = result!.rows[0] as { mine: boolean; taken: number; receivers: UserId[] }
    if (receivers.length > 0) database.inboxSignal.publish(tenantId, receivers)
    if (mine) return taken === BATCH
    await sleep(Math.random() * RETRY.ms)
  }
  return true
}

const rounds = new WeakMap<Database, (tenantId: TenantId) => Promise<boolean>>()

/**
 * Turns the waiting events of a tenant into notifications, the oldest first, in one flight. All callers in this process
 * during a round share the next one: their events have committed by then.
 * @returns true if more is waiting than fits into a round; the outbox worker delivers the rest
 */
export async function deliverNotifications(database: Database, tenantId: TenantId): Promise<boolean> {
  const deliverNext = rounds.get(database) ?? sharedRuns((tenantId: TenantId) => deliverBatch(database, tenantId))
  rounds.set(database, deliverNext)
  try {
    return await deliverNext(tenantId)
  } catch (error) {
    database.tally.undelivered++
    throw error
  }
}
