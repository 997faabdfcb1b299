import type { Database, Scope, System, Tx } from '#atrium'
import { readEvents, type StoredEvent } from '#plugins/events'
import {
  type ActiveWebhook,
  insertDelivery,
  listPutOff,
  lockCursors,
  MOST_AHEAD,
  moveCursors,
} from '../reading.store.ts'
import { isFor } from '../webhooks.rules.ts'

const PAGE = 500
/** Deliveries of one transaction, unless a single event makes more. It has to end in time, on a slow database too. */
const MOST_MADE = 4000

export interface Unread {
  /** those that read on */
  webhooks: readonly ActiveWebhook[]
  /** after which event these begin; each of them has read at least as far */
  after: number
  /** at least one, in their order */
  events: readonly StoredEvent[]
  /** there may be more than these */
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
  const open = webhooks.filter(({ ahead }) => ahead < MOST_AHEAD)
  if (open.length === 0) return undefined
  const places = [...new Set(open.map(({ lastEventId }) => lastEventId))]
  const least = Math.min(...places)
  // Chosen by chance, so that one that is far behind keeps no other waiting.
  const chosen = places[Math.floor(Math.random() * places.length)]!
  for (const after of new Set([chosen, least])) {
    const { rows, next } = await readEvents(database, scope, { after, most: PAGE })
    const reading = open.filter(({ lastEventId }) => lastEventId >= after)
    const events = beginningOf(rows, reading)
    const hasMore = next !== undefined || events.length < rows.length || after > least
    if (events.length > 0) return { webhooks: reading, after, events, hasMore }
  }
  return undefined
}

/** The first of these events, at least one, and no more of them than a transaction can make deliveries of. */
function beginningOf(events: readonly StoredEvent[], webhooks: readonly ActiveWebhook[]): StoredEvent[] {
  let made = 0
  return events.filter((event, at) => {
    made += webhooks.filter((webhook) => isUnread(webhook, event)).length
    return at === 0 || made <= MOST_MADE
  })
}

type Pair = readonly [number, StoredEvent]

/** Makes the deliveries of these events. @returns how many */
export async function makeDeliveries(tx: Tx<System>, { webhooks, after, events }: Unread): Promise<number> {
  const lastEventId = events.at(-1)!.id
  const [cursors, rows] = await tx.inOrder([
    lockCursors(tx, { ids: webhooks.map(({ id }) => id) }),
    listPutOff(tx, subjectsOf(webhooks.flatMap(pairsFor(events)))),
  ])
  // Another process may have read these events, or a replay may have gone back to events that were not read here.
  const moved = cursors.filter((cursor) => cursor.lastEventId >= after && cursor.lastEventId < lastEventId)
  // An event of a subject that was put off would be looked at in vain before that.
  const putOff = new Map(rows.map(({ webhookId, dueAt, ...subject }) => [keyOf(webhookId, subject), dueAt]))
  // Rounded to milliseconds, `now` may be ahead of the statement that takes what is due.
  const due = new Date(Date.parse(tx.now) - 1).toISOString()
  const pairs = moved.flatMap(pairsFor(events))
  for (const [webhookId, { id: eventId, type, subjectType, subjectId }] of pairs) {
    const dueAt = putOff.get(keyOf(webhookId, { subjectType, subjectId })) ?? due
    insertDelivery(tx, { webhookId, eventId, type, subjectType, subjectId, dueAt })
  }
  if (moved.length > 0) moveCursors(tx, { ids: moved.map(({ id }) => id), lastEventId })
  return pairs.length
}

type Reader = Pick<ActiveWebhook, 'id' | 'types' | 'lastEventId'>

/** The events that a webhook has not read and is sent, in their order. */
function pairsFor(events: readonly StoredEvent[]) {
  return (webhook: Reader): Pair[] =>
    events.filter((event) => isUnread(webhook, event)).map((event) => [webhook.id, event] as const)
}

function isUnread(webhook: Reader, event: StoredEvent): boolean {
  return event.id > webhook.lastEventId && isFor(webhook, event)
}

function subjectsOf(pairs: readonly Pair[]) {
  const subjects = new Map(pairs.map((pair) => [keyOf(pair[0], pair[1]), pair]))
  const each = [...subjects.values()]
  return {
    webhookIds: each.map(([webhookId]) => webhookId),
    subjectTypes: each.map(([, event]) => event.subjectType),
    subjectIds: each.map(([, event]) => event.subjectId),
    most: each.length,
  }
}

function keyOf(webhookId: number, { subjectType, subjectId }: Pick<StoredEvent, 'subjectType' | 'subjectId'>): string {
  return `${webhookId} ${subjectType} ${subjectId}`
}
