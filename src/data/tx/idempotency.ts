import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Actor, TenantId } from '../../kernel/actor.ts'
import { Fault, faults } from '../../kernel/fault.ts'
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
const isAlone = (lock: string) => sql<boolean>`pg_try_advisory_xact_lock(${lock}::bigint)`
const expiry = sql<string>`clock_timestamp() + interval '24 hours'`.as('expiresAt')
const tenant = sql<number>`${TENANT}::bigint`.as('tenantId')

const claimOfPerson = writeReturning((_, p: { userId: number; key: string; lock: string }) =>
  cold
    .insertInto('idempotencyKeys')
    .columns(['tenantId', 'userId', 'key', 'expiresAt'])
    .expression(
      cold
        .selectNoFrom([tenant, sql<number>`${p.userId}::bigint`.as('userId'), sql<string>`${p.key}`.as('key'), expiry])
        .where(isAlone(p.lock)),
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

const claimOfVisitor = writeReturning((_, p: { key: string; lock: string }) =>
  cold
    .insertInto('visitorKeys')
    .columns(['tenantId', 'key', 'expiresAt'])
    .expression(cold.selectNoFrom([tenant, sql<string>`${p.key}`.as('key'), expiry]).where(isAlone(p.lock)))
    .onConflict((conflict) =>
      conflict
        .columns(['tenantId', 'key'])
        .doUpdateSet({ expiresAt: sql<string>`excluded.expires_at` })
        .where('visitorKeys.expiresAt', '<', now)
        .where('visitorKeys.tenantId', '=', TENANT as unknown as TenantId),
    )
    .returning('visitorKeys.key'),
)

/** A command's claim of a key: for its person in the tenant where they live, or among the visitors of a tenant. */
export interface Claim {
  key: string
  /** undefined where there is no Redis */
  gatekeeper: Gatekeeper | undefined
}

/** Refusals of rights, which the contract puts before the claim. All others depend on the state, and come behind it. */
const OF_RIGHTS = new Set([401, 403, 404])

/** The claim left with a statement that hit its constraint, and its answer was lost: it has to be asked anew, alone. */
export class ClaimUnanswered extends Error {
  readonly fault: Fault
  constructor(fault: Fault) {
    super('the flight of the claim failed')
    this.fault = fault
  }
}

/**
 * Runs an action under the claim of a key. The claim travels with what the action asks first, and costs no round trip.
 * Where it is refused, the action is run all the same: it may refuse for want of rights, which comes first. Whatever
 * else it comes to, the key was used already.
 *
 * @param home the transaction in the tenant that the key belongs to
 * @throws the action's fault, IDEMPOTENCY_KEY_REUSED; ClaimUnanswered
 */
export async function underClaim<T>(home: Tx<Actor>, { key, gatekeeper }: Claim, action: () => Promise<T>): Promise<T> {
  const userId = home.actor.kind === 'user' ? home.actor.id : undefined
  const name = createHash('sha256')
    .update(`${home.tenantId}:${userId ?? 'visitor'}:${key}`)
    .digest()
  const isFree = gatekeeper === undefined || (await gatekeeper.enter(home, name.toString('base64url')))
  const lock = String(name.readBigInt64BE())
  const claim = () =>
    userId === undefined ? claimOfVisitor(home, { key, lock }) : claimOfPerson(home, { userId, key, lock })
  const asked = isFree ? claim().then(({ affected }) => affected > 0) : Promise.resolve(false)
  asked.catch(() => {})

  const [ended] = await Promise.allSettled([action()])
  const refusal = ended.status === 'rejected' ? (ended.reason as Error) : undefined
  if (refusal && (!(refusal instanceof Fault) || OF_RIGHTS.has(refusal.status))) throw refusal
  const isClaimed = await asked.catch((error) => {
    throw error instanceof Fault ? new ClaimUnanswered(error) : error
  })
  if (!isClaimed) throw faults.keyReused()
  if (ended.status === 'rejected') throw ended.reason
  return ended.value
}
