import { sql } from 'kysely'
import { writeReturning } from '../sql/verbs.ts'
import type { CleanupJob } from './cleanup.ts'

/** Claims that refuse nothing any more, their day being over. One that is claimed anew at this moment is left alone. */
const removeExpired = writeReturning(({ remove, from }, p: { most: number }) =>
  remove('idempotencyKeys').where(
    // As an array, so that the rows are chosen once; a subquery may be run again, and would go past its limit.
    sql<boolean>`idempotency_keys.ctid = any(array(${from('idempotencyKeys')
      .select(sql`idempotency_keys.ctid`.as('place'))
      .where('idempotencyKeys.expiresAt', '<', sql<string>`now()`)
      .orderBy('idempotencyKeys.expiresAt')
      .limit(p.most)
      .forUpdate()
      .skipLocked()}))`,
  ),
)

export const expiredClaims: CleanupJob = {
  what: 'expired idempotency keys',
  remove: async (tx, most) => (await removeExpired(tx, { most })).affected,
}
