import { countUpTo, find, list, lockAll, matches, type PartOf, sql, write } from '#atrium'
import { isOfSubject } from './sending.store.ts'

/** A webhook that reads no further than this many deliveries ahead of its receiver. */
export const MOST_AHEAD = 2000

/** The webhooks of a tenant that are sent something, and how many deliveries of each are still to be sent. */
export const listActive = list((from, _: object) =>
  from('webhooks')
    .select(['webhooks.id', 'webhooks.types', 'webhooks.isPaused', 'webhooks.failures', 'webhooks.lastEventId'])
    .select(
      countUpTo(
        MOST_AHEAD,
        from('webhookDeliveries')
          .where(matches('webhookDeliveries.webhookId', 'webhooks.id'))
          .where('webhookDeliveries.dueAt', 'is not', null),
      ).as('ahead'),
    )
    .where('webhooks.deletedAt', 'is', null)
    .where('webhooks.isPaused', '=', false)
    .where('webhooks.sealed', 'is not', null)
    .orderBy('webhooks.id'),
)
export type ActiveWebhook = Awaited<ReturnType<typeof listActive>>[number]

/** Whether a tenant has a webhook that is sent something. */
export const findActive = find((from, _: object) =>
  from('webhooks')
    .select('webhooks.id')
    .where('webhooks.deletedAt', 'is', null)
    .where('webhooks.isPaused', '=', false)
    .where('webhooks.sealed', 'is not', null)
    .orderBy('webhooks.id')
    .limit(1),
)

/** How far these have read, those that are still sent something. */
export const lockCursors = lockAll((from, p: { ids: readonly number[] }) =>
  from('webhooks')
    .select(['webhooks.id', 'webhooks.types', 'webhooks.lastEventId'])
    .where('webhooks.id', '=', sql<number>`any(${p.ids}::bigint[])`)
    .where('webhooks.deletedAt', 'is', null)
    .where('webhooks.isPaused', '=', false)
    .where('webhooks.sealed', 'is not', null)
    .orderBy('webhooks.id')
    .forNoKeyUpdate(),
)

export const moveCursors = write(({ update }, p: { ids: readonly number[]; lastEventId: number }) =>
  update('webhooks')
    .set({ lastEventId: p.lastEventId })
    .where('webhooks.id', '=', sql<number>`any(${p.ids}::bigint[])`),
)

/** Of each of these subjects, until when the last delivery to a webhook is put off; they are lists of the same length. */
export const listPutOff = list(
  (
    from,
    p: { webhookIds: readonly number[]; subjectTypes: readonly string[]; subjectIds: readonly number[]; most: number },
  ) =>
    from('webhookDeliveries')
      .innerJoin(
        sql<PartOf<'webhookDeliveries', 'webhookId' | 'subjectType' | 'subjectId'>>`unnest(
          ${p.webhookIds}::bigint[], ${p.subjectTypes}::text[], ${p.subjectIds}::bigint[])`.as<'wanted'>(
          sql`wanted (webhook_id, subject_type, subject_id)`,
        ),
        (join) => join.on(isOfSubject('wanted')),
      )
      .select(['wanted.webhookId', 'wanted.subjectType', 'wanted.subjectId'])
      .select(sql<string>`max(webhook_deliveries.due_at)`.as('dueAt'))
      .groupBy(['wanted.webhookId', 'wanted.subjectType', 'wanted.subjectId'])
      .orderBy('wanted.webhookId')
      .orderBy('wanted.subjectType')
      .orderBy('wanted.subjectId')
      .limit(p.most),
)

/** Inserts a delivery. One that is there already, because the log is read again, is sent again. */
export const insertDelivery = write(
  (
    { insert },
    p: PartOf<'webhookDeliveries', 'webhookId' | 'eventId' | 'type' | 'subjectType' | 'subjectId'> & { dueAt: string },
  ) =>
    insert('webhookDeliveries', p).onConflict((conflict) =>
      conflict.columns(['tenantId', 'webhookId', 'eventId']).doUpdateSet((eb) => ({
        status: 'waiting',
        attempts: 0,
        dueAt: eb.ref('excluded.dueAt'),
        taken: sql<number>`webhook_deliveries.taken + 1`,
        leasedUntil: null,
        endedAt: null,
      })),
    ),
)
