import { cold, columnsOf, type From, matches, sql, type Verbs, write, writeReturning } from '#atrium'
import { active } from '#atrium/people'
import type { DeliveryStatus } from './webhooks.schemas.ts'

/**
 * How long a worker has a delivery for itself, unless it says again that it is sending it. A killed worker says nothing, so
 * another one takes the delivery after this time.
 */
const LEASE = sql<string>`statement_timestamp() + interval '15 seconds'`

/** Deliveries that are still to be sent to the same webhook about the same subject. */
export function isOfSubject(other: 'wanted' | 'settled') {
  const named = sql.ref(other)
  return sql<boolean>`webhook_deliveries.due_at is not null and webhook_deliveries.webhook_id = ${named}.webhook_id
    and webhook_deliveries.subject_type = ${named}.subject_type and webhook_deliveries.subject_id = ${named}.subject_id`
}

const isDue = sql<boolean>`webhook_deliveries.due_at <= statement_timestamp()
  and (webhook_deliveries.leased_until is null or webhook_deliveries.leased_until <= statement_timestamp())`

/** In a query over deliveries: those that have to leave before. */
const earlier = (from: From) =>
  cold
    .selectFrom(
      from('webhookDeliveries')
        .select(['webhookDeliveries.webhookId', 'webhookDeliveries.subjectType', 'webhookDeliveries.subjectId'])
        .select('webhookDeliveries.eventId')
        .where('webhookDeliveries.dueAt', 'is not', null)
        .as('earlier'),
    )
    .select(sql`1`.as('one'))
    .where(
      sql<boolean>`earlier.webhook_id = webhook_deliveries.webhook_id
        and earlier.subject_type = webhook_deliveries.subject_type
        and earlier.subject_id = webhook_deliveries.subject_id and earlier.event_id < webhook_deliveries.event_id`,
    )

/**
 * Takes deliveries that are due: of each webhook as many as there is room for, and of each subject the first, so that they
 * leave in order. Other workers skip them. They come with the address and the secrets as they are now, for these may have
 * been replaced since the webhook was read.
 */
export const takeDeliveries = writeReturning(
  ({ update, from }, p: { webhookIds: readonly number[]; rooms: readonly number[]; most: number }) =>
    update('webhookDeliveries')
      .set((eb) => ({ taken: eb('webhookDeliveries.taken', '+', 1), leasedUntil: LEASE }))
      .from('webhooks as receiver')
      .whereRef('receiver.tenantId', '=', 'webhookDeliveries.tenantId')
      .whereRef('receiver.id', '=', 'webhookDeliveries.webhookId')
      .where(
        // As an array, so that they are chosen once; a subquery may be run again, and would exceed its limit.
        sql<boolean>`webhook_deliveries.ctid = any(array(${from('webhooks')
          .innerJoin(
            sql<{
              webhookId: number
              room: number
            }>`unnest(${p.webhookIds}::bigint[], ${p.rooms}::bigint[])`.as<'wanted'>(sql`wanted (webhook_id, room)`),
            'wanted.webhookId',
            'webhooks.id',
          )
          .innerJoinLateral(
            from('webhookDeliveries')
              .select([sql<string>`webhook_deliveries.ctid`.as('place')])
              .select(['webhookDeliveries.dueAt', 'webhookDeliveries.eventId'])
              .where(matches('webhookDeliveries.webhookId', 'webhooks.id'))
              .where(isDue)
              .where(({ not, exists }) => not(exists(earlier(from))))
              .orderBy('webhookDeliveries.dueAt')
              .orderBy('webhookDeliveries.eventId')
              .limit(sql<number>`wanted.room`)
              .forUpdate()
              .skipLocked()
              .as('next'),
            (join) => join.onTrue(),
          )
          .where('webhooks.deletedAt', 'is', null)
          .where('webhooks.isPaused', '=', false)
          .select('next.place')
          .orderBy('next.dueAt')
          .orderBy('next.eventId')
          .limit(p.most)}))`,
      )
      .returning(columnsOf('webhookDeliveries', ['webhookId', 'id', 'eventId', 'attempts', 'taken']))
      .returning(columnsOf('webhookDeliveries', ['subjectType', 'subjectId']))
      .returning(['receiver.url', 'receiver.sealed as sealedSecrets']),
)
export type TakenDelivery = Awaited<ReturnType<typeof takeDeliveries>>['rows'][number]

interface Taken {
  ids: readonly number[]
  takens: readonly number[]
}

/** Only the worker that took a delivery last has it. */
const held = ({ ids, takens }: Taken) =>
  sql<{ id: number }>`unnest(${ids}::bigint[], ${takens}::bigint[])`.as<'held'>(sql`held (id, taken)`)
const isHeld = sql<boolean>`webhook_deliveries.id = held.id and webhook_deliveries.taken = held.taken
  and webhook_deliveries.leased_until is not null`

/** Keeps deliveries that are being sent from other workers. */
export const holdDeliveries = write(({ update }, p: Taken) =>
  update('webhookDeliveries').set({ leasedUntil: LEASE }).from(held(p)).where(isHeld),
)

/** Gives back deliveries that were not sent. */
export const releaseDeliveries = write(({ update }, p: Taken) =>
  update('webhookDeliveries').set({ leasedUntil: null }).from(held(p)).where(isHeld),
)

/** Removes deliveries whose event is no longer kept. */
export const dropDeliveries = write(({ remove }, p: Taken) => remove('webhookDeliveries').using(held(p)).where(isHeld))

/** In a statement on deliveries: others to the same webhook that nobody has taken yet. */
const waiting = (from: From) =>
  cold
    .selectFrom(
      from('webhookDeliveries')
        .select(['webhookDeliveries.webhookId', 'webhookDeliveries.id'])
        .where('webhookDeliveries.dueAt', 'is not', null)
        .where('webhookDeliveries.leasedUntil', 'is', null)
        .as('waiting'),
    )
    .select(sql`1`.as('one'))
    .where(sql<boolean>`waiting.webhook_id = webhook_deliveries.webhook_id and waiting.id <> webhook_deliveries.id`)

interface Settling {
  id: number
  taken: number
  status: DeliveryStatus
  responseStatus: number | null
  responseBody: string | null
  durationMs: number
  lastError: string | null
  /** ms until the next attempt; null if this was the last one */
  pauseMs: number | null
}

/** One at a time: PostgreSQL would plan a statement for several each time again, which takes longer than running it. */
export const settleDelivery = writeReturning(({ update, from }, { id, taken, pauseMs, ...answer }: Settling) =>
  update('webhookDeliveries')
    .set({
      ...answer,
      attempts: sql<number>`webhook_deliveries.attempts + 1`,
      dueAt: pauseMs === null ? null : sql<string>`statement_timestamp() + make_interval(secs => ${pauseMs} / 1000.0)`,
      endedAt: pauseMs === null ? sql<string>`statement_timestamp()` : null,
      leasedUntil: null,
    })
    .where('webhookDeliveries.id', '=', id)
    .where('webhookDeliveries.taken', '=', taken)
    .where('webhookDeliveries.leasedUntil', 'is not', null)
    .returning(['webhookDeliveries.webhookId', 'webhookDeliveries.id', 'webhookDeliveries.status'])
    .returning(({ exists }) => exists(waiting(from)).as('hasNext')),
)

const laterThan = (update: Verbs['update'], ids: readonly number[]) =>
  update('webhookDeliveries')
    .from('webhookDeliveries as settled')
    .whereRef('settled.tenantId', '=', 'webhookDeliveries.tenantId')
    .where('settled.id', '=', sql<number>`any(${ids}::bigint[])`)
    .where(isOfSubject('settled'))
    .where(sql<boolean>`webhook_deliveries.event_id > settled.event_id`)

/** Later deliveries of a subject are due when the one is that they wait for: so workers do not look at them in vain. */
export const putOffLater = write(({ update }, p: { ids: readonly number[] }) =>
  laterThan(update, p.ids)
    .set({ dueAt: sql<string>`settled.due_at` })
    .where(sql<boolean>`webhook_deliveries.due_at <> settled.due_at`),
)

/** Those that were put off are due now, because the one that they waited for has ended. */
export const bringForwardLater = write(({ update }, p: { ids: readonly number[] }) =>
  laterThan(update, p.ids)
    .set({ dueAt: sql<string>`statement_timestamp()` })
    .where('settled.dueAt', 'is', null)
    .where(sql<boolean>`webhook_deliveries.due_at > statement_timestamp()`),
)

/** What attempts say about their webhooks, as columns: whether one was delivered, and how many failed since then. */
interface Health {
  webhookIds: readonly number[]
  delivered: readonly boolean[]
  failed: readonly number[]
}

export const saveHealth = write(({ update }, p: Health) =>
  update('webhooks')
    .set({
      failures: sql<number>`case when health.delivered then 0 else webhooks.failures end + health.failed`,
      isReported: sql<boolean>`webhooks.is_reported and not health.delivered`,
    })
    .from(
      sql<{
        id: number
      }>`unnest(${p.webhookIds}::bigint[], ${p.delivered}::boolean[], ${p.failed}::bigint[])`.as<'health'>(
        sql`health (webhook_id, delivered, failed)`,
      ),
    )
    .where(sql<boolean>`webhooks.id = health.webhook_id`)
    .where(sql<boolean>`(health.failed > 0 or webhooks.failures > 0 or webhooks.is_reported)`),
)

/** Says that the maker is notified, unless they were since something was last delivered. `maker` is null if they may not work. */
export const report = writeReturning(({ update, from }, p: { ids: readonly number[] }) =>
  update('webhooks')
    .set({ isReported: true })
    .where('webhooks.id', '=', sql<number>`any(${p.ids}::bigint[])`)
    .where('webhooks.isReported', '=', false)
    .where('webhooks.deletedAt', 'is', null)
    .returning(['webhooks.id', 'webhooks.url'])
    .returning(active(from).select('users.id').where(matches('users.id', 'webhooks.madeBy')).as('maker')),
)
