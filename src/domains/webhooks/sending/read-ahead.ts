import type { Database, Scope, System, Tx } from '#atrium'
import { readEvents, type StoredEvent } from '#atrium/events'
import {
  type ActiveWebhook,
  insertDelivery,
  listPutOff,
  lockCursors,
  MOST_AHEAD,
  moveCursors,
} from '../reading.store.ts'
import { isFor } from '../webhooks.rules.ts'

/** Events that are read in one go. */
const PAGE = 500

/** Events that webhooks of a tenant have not read. */
export interface Unread {
  /** the webhooks that read on */
  ids: readonly number[]
  /** up to which event they have read, those that have read least */
  after: number
  /** at least one, in their order */
  events: readonly StoredEvent[]
  /** there are more than these */
  hasMore: boolean
}

/**
 * Reads the event log of a tenant on behalf of its webhooks. No command waits for it. A webhook that is far ahead of its
 * receiver reads on when that has caught up.
 */
export async function readUnread(
  database: Database,
  scope: Scope,
  webhooks: readonly ActiveWebhook[],
): Promise<Unread | undefined> {
  const reading = webhooks.filter(({ ahead }) => ahead < MOST_AHEAD)
  if (reading.length === 0) return undefined
  const after = Math.min(...reading.map(({ lastEventId }) => lastEventId))
  const { rows: events, next } = await readEvents(database, scope, { after, most: PAGE })
  if (events.length === 0) return undefined
  return { ids: reading.map(({ id }) => id), after, events, hasMore: next !== undefined }
}

/** Makes the deliveries of these events. @returns how many */
export async function makeDeliveries(tx: Tx<System>, { ids, after, events }: Unread): Promise<number> {
  const lastEventId = events.at(-1)!.id
  // Another process may have read these events, or a replay may have gone back to events that were not read here.
  const cursors = await lockCursors(tx, { ids })
  const moved = cursors.filter((cursor) => cursor.lastEventId >= after && cursor.lastEventId < lastEventId)
  const pairs = moved.flatMap((cursor) => events.filter(isNewFor(cursor)).map((event) => [cursor.id, event] as const))
  await insertAll(tx, pairs)
  if (moved.length > 0) moveCursors(tx, { ids: moved.map(({ id }) => id), lastEventId })
  return pairs.length
}

/** @param pairs a webhook and an event that it is sent, in the order of the events */
async function insertAll(tx: Tx<System>, pairs: readonly (readonly [number, StoredEvent])[]): Promise<void> {
  if (pairs.length === 0) return
  const keyOf = (webhookId: number, { subjectType, subjectId }: Subject) => `${webhookId} ${subjectType} ${subjectId}`
  const subjects = new Map(pairs.map(([webhookId, event]) => [keyOf(webhookId, event), { webhookId, event }]))
  const wanted = [...subjects.values()]
  const rows = await listPutOff(tx, {
    webhookIds: wanted.map(({ webhookId }) => webhookId),
    subjectTypes: wanted.map(({ event }) => event.subjectType),
    subjectIds: wanted.map(({ event }) => event.subjectId),
    most: wanted.length,
  })
  // An event of a subject that was put off would be looked at in vain before that.
  const putOff = new Map(rows.map(({ webhookId, dueAt, ...subject }) => [keyOf(webhookId, subject), dueAt]))
  for (const [webhookId, { id: eventId, type, subjectType, subjectId }] of pairs) {
    const dueAt = putOff.get(keyOf(webhookId, { subjectType, subjectId })) ?? tx.now
    insertDelivery(tx, { webhookId, eventId, type, subjectType, subjectId, dueAt })
  }
}

type Subject = Pick<StoredEvent, 'subjectType' | 'subjectId'>

function isNewFor(cursor: Awaited<ReturnType<typeof lockCursors>>[number]) {
  return (event: StoredEvent) => event.id > cursor.lastEventId && isFor(cursor, event)
}
