import {
  columnsOf,
  type From,
  find,
  lock,
  onKey,
  type PartOf,
  paginate,
  removeOldest,
  sql,
  write,
  writeReturning,
} from '#atrium'
import { webhookFaults } from './webhooks.rules.ts'
import type { DeliveryStatus } from './webhooks.schemas.ts'

const CLOCK = sql<string>`statement_timestamp()`

const webhooks = (from: From) => from('webhooks').where('webhooks.deletedAt', 'is', null)

const columns = [
  ...columnsOf('webhooks', ['id', 'url', 'types', 'description', 'isPaused', 'failures', 'createdAt', 'version']),
  'webhooks.sealed as sealedSecrets',
] as const

export const listWebhooks = paginate((from, _: object) => webhooks(from).select(columns), 'webhooks.id')

export const getWebhook = find((from, p: { id: number }) =>
  webhooks(from).select(columns).where('webhooks.id', '=', p.id),
).or(webhookFaults.notFound)

export const lockWebhook = lock((from, p: { id: number }) =>
  webhooks(from)
    .select([...columns, 'webhooks.lastEventId'])
    .where('webhooks.id', '=', p.id)
    .forUpdate(),
).or(webhookFaults.notFound)

export const insertWebhook = writeReturning(
  (
    { insert },
    p: PartOf<'webhooks', 'id' | 'url' | 'types' | 'description' | 'isPaused' | 'sealed' | 'madeBy' | 'lastEventId'>,
  ) => insert('webhooks', p).returning(columns),
  { announces: 'webhooks' },
)

export const saveWebhook = write(
  ({ update }, p: PartOf<'webhooks', 'id' | 'url' | 'types' | 'description' | 'isPaused' | 'version' | 'sealed'>) =>
    update('webhooks')
      .set({ url: p.url, sealed: p.sealed, types: p.types, description: p.description })
      .set({ isPaused: p.isPaused, version: p.version })
      .where('webhooks.id', '=', p.id),
  { announces: 'webhooks' },
)

/** Reads the event log again from there on. */
export const rewind = write(
  ({ update }, p: { id: number; afterEventId: number }) =>
    update('webhooks')
      .set({ lastEventId: sql<number>`least(webhooks.last_event_id, ${p.afterEventId}::bigint)` })
      .where('webhooks.id', '=', p.id),
  { announces: 'webhooks' },
)

/** Its deliveries go later, in small batches, and then it does. */
export const retireWebhook = write(({ update }, p: { id: number }) =>
  update('webhooks')
    .set({ deletedAt: CLOCK, isPaused: true, sealed: null, description: null })
    .where('webhooks.id', '=', p.id),
)

const shown = [
  ...columnsOf('webhookDeliveries', ['id', 'eventId', 'type', 'status', 'attempts']),
  ...columnsOf('webhookDeliveries', ['responseStatus', 'durationMs', 'createdAt']),
  'webhookDeliveries.dueAt as nextAttemptAt',
] as const

export const listDeliveries = paginate(
  (from, p: { webhookId: number; status?: DeliveryStatus }) =>
    from('webhookDeliveries')
      .select(shown)
      .where('webhookDeliveries.webhookId', '=', p.webhookId)
      .$if(p.status !== undefined, (query) => query.where('webhookDeliveries.status', '=', p.status!)),
  'webhookDeliveries.id',
)

export const getDelivery = find((from, p: { webhookId: number; id: number }) =>
  from('webhookDeliveries')
    .select(shown)
    .select(['webhookDeliveries.lastError', 'webhookDeliveries.responseBody'])
    .where('webhookDeliveries.webhookId', '=', p.webhookId)
    .where('webhookDeliveries.id', '=', p.id),
).or(webhookFaults.deliveryNotFound)

/** Sends it again from the first attempt; the outcome of an attempt that is under way does not count any more. */
export const reviveDelivery = writeReturning(
  ({ update }, p: { webhookId: number; id: number }) =>
    update('webhookDeliveries')
      .set((eb) => ({
        status: 'waiting',
        attempts: 0,
        dueAt: CLOCK,
        taken: eb('webhookDeliveries.taken', '+', 1),
        leasedUntil: null,
        endedAt: null,
      }))
      .where('webhookDeliveries.webhookId', '=', p.webhookId)
      .where('webhookDeliveries.id', '=', p.id)
      .returning(shown),
  { announces: 'webhooks' },
)

/** A delivery that is still to be sent has no end. */
export const removeEnded = removeOldest('webhookDeliveries', 'endedAt', sql<string>`now() - interval '30 days'`)

/** Removes deliveries of webhooks that were deleted. */
export const removeOrphans = writeReturning(({ remove, from }, p: { most: number }) =>
  remove('webhookDeliveries').where(
    sql<boolean>`webhook_deliveries.ctid = any(array(${from('webhooks')
      .innerJoin('webhookDeliveries', onKey('webhookDeliveries.webhookId', 'webhooks.id'))
      .select(sql`webhook_deliveries.ctid`.as('place'))
      .where('webhooks.deletedAt', 'is not', null)
      .limit(p.most)}))`,
  ),
)

/** Removes deleted webhooks that have no deliveries any more. */
export const removeRetired = writeReturning(({ remove, from }, p: { most: number }) =>
  remove('webhooks').where(
    sql<boolean>`webhooks.id = any(array(${from('webhooks')
      .select('webhooks.id')
      .where('webhooks.deletedAt', 'is not', null)
      .where((eb) =>
        eb.not(
          eb.exists(
            from('webhookDeliveries')
              .select(sql`1`.as('one'))
              .where(sql<boolean>`webhook_deliveries.webhook_id = webhooks.id`),
          ),
        ),
      )
      .orderBy('webhooks.id')
      .limit(p.most)}))`,
  ),
)

/** What waits to be sent, and for how many seconds longer than it should; what failed; what was given up. */
export const countDeliveries = find((from, _: object) =>
  from('webhookDeliveries')
    .innerJoin('webhooks', onKey('webhooks.id', 'webhookDeliveries.webhookId'))
    .select([
      sql<number>`count(*) filter (where webhook_deliveries.due_at is not null)`.as('waiting'),
      sql<number>`count(*) filter (where webhook_deliveries.status = 'failed')`.as('failed'),
      sql<number>`count(*) filter (where webhook_deliveries.status = 'dead')`.as('dead'),
      sql<number>`greatest(coalesce(max(extract(epoch from (clock_timestamp() - webhook_deliveries.due_at)))
        filter (where not webhooks.is_paused), 0), 0)::float8`.as('oldest'),
    ])
    .where('webhooks.deletedAt', 'is', null)
    .where('webhookDeliveries.status', 'in', ['waiting', 'failed', 'dead']),
)

export const countWebhooks = find((from, _: object) =>
  webhooks(from).select(({ fn }) => fn.countAll<number>().as('count')),
)
