import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { TenantId } from '../../kernel/actor.ts'
import { faults } from '../../kernel/fault.ts'
import type { CleanupJob } from '../jobs/cleanup.ts'
import type { Gatekeeper } from '../redis/coordination.ts'
import { cold, TENANT } from '../sql/compile.ts'
import { writeReturning } from '../sql/verbs.ts'
import type { Tx } from './scope.ts'

/**
 * The claim of an Idempotency-Key is a row that commits with the command: the final word. While another transaction
 * holds the key, or within 24 hours of its success, the claim is refused. A rollback takes the row along, so a definite
 * failure frees the key by itself. Redis, where configured, is the fast gate in front: its loss changes only speed.
 */
const now = sql<string>`clock_timestamp()`

/** The lock is tried before the row, in one statement: two commands with one key would otherwise wait for each other. */
const claimRow = writeReturning((_, p: { userId: number; key: string; lock: string }) =>
  cold
    .insertInto('idempotencyKeys')
    .columns(['tenantId', 'userId', 'key', 'expiresAt'])
    .expression(
      cold
        .selectNoFrom([
          sql<number>`${TENANT}::bigint`.as('tenantId'),
          sql<number>`${p.userId}::bigint`.as('userId'),
          sql<string>`${p.key}`.as('key'),
          sql<string>`clock_timestamp() + interval '24 hours'`.as('expiresAt'),
        ])
        .where(sql<boolean>`pg_try_advisory_xact_lock(${p.lock}::bigint)`),
    )
    .onConflict((conflict) =>
      conflict
        .columns(['tenantId', 'userId', 'key'])
        .doUpdateSet({ expiresAt: sql<string>`excluded.expires_at` })
        .where('idempotencyKeys.expiresAt', '<', now)
        .where('idempotencyKeys.tenantId', '=', TENANT as unknown as TenantId),
    )
    .returning('idempotencyKeys.key'),
)

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

/**
 * Claims the request's key for this command. Call it where the contract says: behind validation and rights, before state.
 * @throws IDEMPOTENCY_KEY_REQUIRED, IDEMPOTENCY_KEY_REUSED
 */
export async function claim(tx: Tx, gatekeeper?: Gatekeeper): Promise<void> {
  const key = tx.idempotencyKey
  if (!key) throw faults.keyRequired()
  const name = createHash('sha256').update(`${tx.tenantId}:${tx.actor.id}:${key}`).digest()
  if (gatekeeper && !(await gatekeeper.enter(tx, name.toString('base64url')))) throw faults.keyReused()
  const claimed = await claimRow(tx, { userId: tx.actor.id, key, lock: String(name.readBigInt64BE()) })
  if (claimed.affected === 0) throw faults.keyReused()
}
