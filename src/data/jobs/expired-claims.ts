import { sql } from 'kysely'
import { writeReturning } from '../sql/verbs.ts'
import type { CleanupJob } from './cleanup.ts'

/**
 * Claims that refuse nothing any more, their day being over. One that is claimed anew at this moment is left alone. The
 * rows are named by an array, so that they are chosen once; a subquery may be run again, and would go past its limit.
 */
const removeOfPeople = writeReturning(({ remove, from }, p: { most: number }) =>
  remove('idempotencyKeys').where(
    sql<boolean>`idempotency_keys.ctid = any(array(${from('idempotencyKeys')
      .select(sql`idempotency_keys.ctid`.as('place'))
      .where('idempotencyKeys.expiresAt', '<', sql<string>`now()`)
      .orderBy('idempotencyKeys.expiresAt')
      .limit(p.most)
      .forUpdate()
      .skipLocked()}))`,
  ),
)

const removeOfVisitors = writeReturning(({ remove, from }, p: { most: number }) =>
  remove('visitorKeys').where(
    sql<boolean>`visitor_keys.ctid = any(array(${from('visitorKeys')
      .select(sql`visitor_keys.ctid`.as('place'))
      .where('visitorKeys.expiresAt', '<', sql<string>`now()`)
      .orderBy('visitorKeys.expiresAt')
      .limit(p.most)
      .forUpdate()
      .skipLocked()}))`,
  ),
)

export const expiredClaims: CleanupJob = {
  what: 'expired idempotency keys',
  remove: async (tx, most) => (await removeOfPeople(tx, { most })).affected,
}

export const expiredVisitorClaims: CleanupJob = {
  what: 'expired idempotency keys of visitors',
  remove: async (tx, most) => (await removeOfVisitors(tx, { most })).affected,
}
