import type { Language } from '#atrium'
import { told } from '#atrium/notifications'
import type { Cursor } from './cursor.ts'
import type { StreamMessage } from './event-stream.ts'
import type { listArrivals } from './live.store.ts'

export type Arrival = Awaited<ReturnType<typeof listArrivals>>[number]

/** How many a returning listener is sent; one that missed more loads the list. */
export const MOST_MISSED = 1000
const MOST_MISSED_CHARACTERS = 500_000

/** The notifications in the listener's language, or a reset if they are too many or too long. */
export function messagesOf(arrivals: readonly Arrival[], cursor: Cursor, language: Language): StreamMessage[] {
  const messages = arrivals.map((arrival) => messageOf(arrival, language))
  const characters = messages.reduce((sum, { data }) => sum + data!.length, 0)
  const isTooMuch = messages.length > MOST_MISSED || characters > MOST_MISSED_CHARACTERS
  return isTooMuch ? [reset(cursor)] : messages
}

function messageOf({ oldest: _, next: __, ...row }: Arrival, language: Language): StreamMessage {
  return { id: row.id, event: 'notification', data: JSON.stringify(told(row, language)) }
}

export function unreadCount(count: number, { floor }: Cursor): StreamMessage {
  return { id: floor, event: 'unread-count', data: JSON.stringify({ count }) }
}

export function reset({ floor }: Cursor): StreamMessage {
  return { id: floor, event: 'reset', data: JSON.stringify({ most: MOST_MISSED }) }
}
