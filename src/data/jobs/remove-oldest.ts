import { type RawBuilder, sql } from 'kysely'
import type { DB, Protected } from '../sql/schema.ts'
import { writeReturning } from '../sql/verbs.ts'
import { removing } from './cleanup.ts'

/**
 * Removes at most `most` expired rows of a table, the oldest first, skipping locked ones. An array names the rows, so
 * that they are chosen once; a subquery may be run again, and would exceed its limit.
 * @param time the column
 */
export function removeOldest<Table extends Protected>(
  table: Table,
  time: keyof DB[Table] & string,
  before: RawBuilder<string>,
) {
  const place = sql.ref(`${table}.ctid`)
  const at = sql.ref<string>(`${table}.${time}`)
  return writeReturning(({ remove, from }, p: { most: number }) =>
    remove(table as 'sessions').where(
      sql<boolean>`${place} = any(array(${from(table as 'sessions')
        .select(place.as('place'))
        .where(at, '<', before)
        .orderBy(at)
        .limit(p.most)
        .forUpdate()
        .skipLocked()}))`,
    ),
  )
}

/** Claims whose day is over. One that is being claimed again is left alone. */
const removeOfPeople = removeOldest('idempotencyKeys', 'expiresAt', sql<string>`now()`)
const removeOfVisitors = removeOldest('visitorKeys', 'expiresAt', sql<string>`now()`)
export const expiredClaims = removing('expired idempotency keys', removeOfPeople)
export const expiredVisitorClaims = removing('expired idempotency keys of visitors', removeOfVisitors)
