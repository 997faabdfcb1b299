import { sql } from 'kysely'
import type { CleanupJob } from './cleanup.ts'
import { removeOldest } from './remove-oldest.ts'

/** Claims whose day is over. One that is being claimed again is left alone. */
const removeOfPeople = removeOldest('idempotencyKeys', 'expiresAt', sql<string>`now()`)
const removeOfVisitors = removeOldest('visitorKeys', 'expiresAt', sql<string>`now()`)

export const expiredClaims: CleanupJob = {
  what: 'expired idempotency keys',
  remove: async (tx, most) => (await removeOfPeople(tx, { most })).affected,
}

export const expiredVisitorClaims: CleanupJob = {
  what: 'expired idempotency keys of visitors',
  remove: async (tx, most) => (await removeOfVisitors(tx, { most })).affected,
}
