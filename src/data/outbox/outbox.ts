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
 * An event waits in the outbox from its commit on. One statement removes the row and inserts the notifications, so
 * nothing can be lost or doubled. The events of a killed process are delivered by the sweep of another, or at its own
 * next start.
 */
const insertEvent = write(
  (
    { insert },
    p: {
      type: string
      title: string
      facts: Record<string, string>
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
    title: titleOf('en', event.type, event.facts),
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

const tenant = TENANT as unknown as TenantId

/**
 * Removes the oldest events and inserts the notifications. Only one transaction at a time may do so in a tenant, so
 * that every inbox keeps the order of the events. `mine` says whether it was this one, `taken` how many events it took,
 * and `receivers` who got some.
 */
const deliver = compile('write', (p: { batch: number }) =>
  cold
    .with('turn', (db) =>
      db.selectNoFrom(sql<boolean>`pg_try_advisory_xact_lock(hashtextextended('outbox', ${tenant}))`.as('mine')),
    )
    .with('taken', (db) =>
      db
        .deleteFrom('outbox')
        .where('outbox.tenantId', '=', tenant)
        .where((eb) => {
          const oldest = eb
            .selectFrom('outbox as waiting')
            .select('waiting.id')
            .where('waiting.tenantId', '=', tenant)
            .where(sql<boolean>`(select mine from turn)`)
            .orderBy('waiting.id')
            .limit(p.batch)
            // Not for the locks: this skips what was delivered since the statement began.
            .forUpdate()
            .skipLocked()
          // As an array, so that they are chosen once; a subquery may be run again, and would exceed its limit.
          return sql<boolean>`outbox.id = any(array(${oldest}))`
        })
        .returning([
          'outbox.tenantId',
          'outbox.id',
          'outbox.type',
          'outbox.title',
          'outbox.facts',
          'outbox.content',
          'outbox.resourceType',
          'outbox.resourceId',
          'outbox.receivers',
          'outbox.createdAt',
        ]),
    )
    .with('delivered', (db) =>
      db
        .insertInto('notifications')
        .columns([
          'tenantId',
          'receiverId',
          'eventId',
          'type',
          'title',
          'facts',
          'content',
          'resourceType',
          'resourceId',
          'createdAt',
        ])
        .expression((eb) =>
          eb
            .selectFrom('taken')
            // A receiver who has been deleted has no inbox any more, and must not block the events of the others.
            .innerJoin('users', (join) =>
              join
                .on('users.tenantId', '=', tenant)
                .on('users.deletedAt', 'is', null)
                .on(sql<boolean>`users.id = any(taken.receivers)`),
            )
            .select([
              'taken.tenantId',
              'users.id as receiver',
              'taken.id',
              'taken.type',
              'taken.title',
              'taken.facts',
              'taken.content',
              'taken.resourceType',
              'taken.resourceId',
              'taken.createdAt',
            ])
            .orderBy('taken.id'),
        )
        .onConflict((conflict) => conflict.columns(['tenantId', 'receiverId', 'eventId']).doNothing())
        .returning('notifications.receiverId'),
    )
    .selectFrom('turn')
    .select('turn.mine')
    .select((eb) => eb.selectFrom('taken').select(eb.fn.countAll<number>().as('events')).as('taken'))
    .select(sql<UserId[]>`array(select distinct receiver_id from delivered)`.as('receivers')),
)

/** One round of delivery. True if there is more to deliver than fits into a round. */
async function deliverBatch(database: Database, tenantId: TenantId): Promise<boolean> {
  for (let time = 0; time < RETRY.times; time++) {
    // One flight on a shared connection: entered, delivered and committed in one round trip.
    const calls = [database.entering(tenantId, 'shared'), deliver(tenantId, { batch: BATCH })]
    const [, result] = await database.send(tenantId, calls)
    const { mine, taken, receivers } = result!.rows[0] as { mine: boolean; taken: number; receivers: UserId[] }
    database.inboxSignal.publish(tenantId, receivers)
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
