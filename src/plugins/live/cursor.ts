/**
 * What one listener has been sent. Ids are drawn before the insert commits, so a lower id can become visible after a
 * higher one was sent. A listener that only remembered its highest id would never see it.
 *
 * So a cursor stores the floor, below which nothing new can appear, and the ids above it that were sent. The floor rises
 * to the highest sent id when every transaction that was running when that id was read has ended, because any lower id
 * was drawn by one of them. Each read returns PostgreSQL's snapshot: all transactions before `oldest` have ended, and
 * those from `next` on have not begun. In an idle database the floor rises immediately.
 *
 * Each server numbers its transactions by itself. A tenant moves to another one between its transactions, and its ids
 * rise, so all that was running has ended then. Numbers that fall show it.
 * @see https://www.postgresql.org/docs/18/functions-info.html#FUNCTIONS-INFO-SNAPSHOT
 */
export interface Cursor {
  floor: number
  sent: Set<number>
  /** the next floor, valid when all transactions before `until` have ended */
  next: { floor: number; until: number } | undefined
  /** of the last read */
  oldest: number
}

/** An id, and the snapshot of the read that returned it. */
export interface Seen {
  id: number
  oldest: number
  next: number
}

/**
 * The cursor of a new listener. `latest`: the last ids, newest first, at most `most`, which count as sent. A
 * notification is missed only if more than `most` others overtake it.
 */
export function cursorBehind(latest: readonly Seen[], most: number): Cursor {
  const floor = latest.length < most ? 0 : latest.at(-1)!.id
  const cursor: Cursor = { floor, sent: new Set(), next: undefined, oldest: 0 }
  takeNew(cursor, latest)
  return cursor
}

/**
 * Returns what is new to the listener and counts it as sent.
 * @param rows everything above the floor, from one read
 */
export function takeNew<Row extends Seen>(cursor: Cursor, rows: readonly Row[]): Row[] {
  const fresh = rows.filter(({ id }) => id > cursor.floor && !cursor.sent.has(id))
  noteTold(cursor, fresh)
  if (rows[0]) settle(cursor, rows[0])
  return fresh
}

/** Counts these as sent; they may be only some. */
export function noteTold(cursor: Cursor, rows: readonly { id: number }[]): void {
  for (const { id } of rows) if (id > cursor.floor) cursor.sent.add(id)
}

/** Whether everything sent is below the floor, so that nothing has to be read again. */
export function isSettled(cursor: Cursor): boolean {
  return cursor.sent.size === 0
}

function settle(cursor: Cursor, { oldest, next }: Seen) {
  raise(cursor, oldest)
  if (cursor.sent.size && !cursor.next) cursor.next = { floor: Math.max(...cursor.sent), until: next }
  raise(cursor, oldest)
}

function raise(cursor: Cursor, oldest: number) {
  const hasMoved = oldest < cursor.oldest
  cursor.oldest = oldest
  if (!cursor.next || (oldest < cursor.next.until && !hasMoved)) return
  cursor.floor = cursor.next.floor
  cursor.next = undefined
  for (const id of cursor.sent) if (id <= cursor.floor) cursor.sent.delete(id)
}
