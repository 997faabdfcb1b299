/**
 * What one listener has been sent. Ids are drawn before the insert commits, so a lower id can become visible after a
 * higher one was sent already; a listener that only remembered its highest id would never see it.
 *
 * So a cursor knows two things: the floor, below which nothing can come any more, and the ids above it that were sent.
 * The floor rises to the highest id that was sent once every transaction has ended that was under way when that id was
 * seen: whatever drew a lower id was one of them. PostgreSQL shows it with each look, by its snapshot: all transactions
 * before `oldest` have ended, those from `next` on have not begun. In a database at rest that is at once.
 * @see https://www.postgresql.org/docs/18/functions-info.html#FUNCTIONS-INFO-SNAPSHOT
 */
export interface Cursor {
  floor: number
  sent: Set<number>
  /** the floor that is to be, once `until` is no longer under way */
  next: { floor: number; until: number } | undefined
}

/** An id, and the snapshot of the look that has seen it. */
export interface Seen {
  id: number
  oldest: number
  next: number
}

/**
 * The cursor of a listener who comes now. `latest`: the last ids, newest first, at most `most`, which count as sent. A
 * notification can be overtaken by so many others before it is missed.
 */
export function cursorBehind(latest: readonly Seen[], most: number): Cursor {
  const floor = latest.length < most ? 0 : latest.at(-1)!.id
  const cursor: Cursor = { floor, sent: new Set(), next: undefined }
  takeNew(cursor, latest)
  return cursor
}

/**
 * What is new to the listener; from now on it counts as sent.
 * @param rows everything above the floor, as one look has seen it
 */
export function takeNew<Row extends Seen>(cursor: Cursor, rows: readonly Row[]): Row[] {
  const fresh = rows.filter(({ id }) => id > cursor.floor && !cursor.sent.has(id))
  noteTold(cursor, fresh)
  if (rows[0]) settle(cursor, rows[0])
  return fresh
}

/** Counts these as sent; they need not be all that there is. */
export function noteTold(cursor: Cursor, rows: readonly { id: number }[]): void {
  for (const { id } of rows) if (id > cursor.floor) cursor.sent.add(id)
}

/** Whether everything sent lies below the floor: nothing has to be looked at again. */
export function isSettled(cursor: Cursor): boolean {
  return cursor.sent.size === 0
}

function settle(cursor: Cursor, { oldest, next }: Seen) {
  raise(cursor, oldest)
  if (cursor.sent.size && !cursor.next) cursor.next = { floor: Math.max(...cursor.sent), until: next }
  raise(cursor, oldest)
}

function raise(cursor: Cursor, oldest: number) {
  if (!cursor.next || oldest < cursor.next.until) return
  cursor.floor = cursor.next.floor
  cursor.next = undefined
  for (const id of cursor.sent) if (id <= cursor.floor) cursor.sent.delete(id)
}
