import { type Insertable, sql } from 'kysely'
import type { TenantId, UserId } from '../../kernel/actor.ts'
import type { NotificationType } from '../../kernel/words/domain.ts'
import { titleOf } from '../../kernel/words/titles.ts'
import type { Job } from '../jobs/job.ts'
import { type Round, roundsOf } from '../jobs/rounds.ts'
import { cold, compile, TENANT } from '../sql/compile.ts'
import type { DB } from '../sql/schema.ts'
import { find, write } from '../sql/verbs.ts'
import type { NotificationEvent, Scope, Tx } from '../tx/scope.ts'
import type { Database } from '../wire/database.ts'

/**
 * An event waits in the outbox from its commit on. One transaction removes the row and inserts the notifications, so
 * nothing can be lost or doubled. The events of a killed process are delivered by the sweep of another, or at its own
 * next start.
 */
const insertEvent = write(({ insert }, p: Omit<Insertable<DB['outbox']>, 'tenantId'>) => insert('outbox', p))

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

/** What the function deliver_notifications answers, which says what it does. */
interface Delivery extends Round {
  receivers: UserId[]
}

const deliver = compile('write', (p: { batch: number }) =>
  cold
    .selectFrom(sql<Delivery>`deliver_notifications(${TENANT}, ${p.batch})`.as('round'))
    .select(['round.mine', 'round.taken', 'round.receivers']),
)

/** events per round; few, because a request may have to wait for them */
const BATCH = 200

const deliverNext = roundsOf<Delivery>(deliver, BATCH, { times: 5, ms: 6 }, (database, tenantId, { receivers }) => {
  if (receivers.length > 0) database.inboxSignal.publish(tenantId, receivers)
})

/**
 * Turns the waiting events of a tenant into notifications, the oldest first: one round.
 * @returns true if more is waiting than fits into a round; the outbox worker delivers the rest
 */
export async function deliverNotifications(database: Database, tenantId: TenantId): Promise<boolean> {
  try {
    return await deliverNext(database, tenantId)
  } catch (error) {
    database.tally.undelivered++
    throw error
  }
}

/** After each batch of a backlog, requests have the database to themselves for this many times its duration. */
const REST = 11

const hasWaiting = async (scope: Scope) => (await findWaiting(scope, {})) !== undefined

/**
 * Empties every tenant's outbox immediately and then every few seconds, for the events of processes that were killed
 * between commit and delivery. Other processes do so at their start: the successor of a killed one delivers immediately
 * what that one has left.
 */
export const outboxWorker: Job = {
  name: 'the outbox',
  every: 5000,
  elsewhere: 3600_000,
  inTenants: { failed: 'the outbox could not be emptied', where: hasWaiting, rest: REST },
  work: ({ tenantId }, { database }) => deliverNotifications(database, tenantId),
}
