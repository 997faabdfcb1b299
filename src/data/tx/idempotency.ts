import { createHash } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type { Actor } from '../../kernel/actor.ts'
import { Fault, faults } from '../../kernel/fault.ts'
import type { Gatekeeper } from '../redis/coordination.ts'
import { cold, TENANT } from '../sql/compile.ts'
import { writeReturning } from '../sql/verbs.ts'
import type { Tx } from './scope.ts'

/**
 * The claim of an Idempotency-Key is a row that commits with the command, and decides. While another transaction holds
 * the key, or within 24 hours of its success, the claim is refused. A rollback removes the row, so a definite failure
 * frees the key. Redis, if configured, is asked first, because it is faster.
 */
const now = sql<string>`clock_timestamp()`

/** The lock is tried before the row, in one statement: two commands with one key would otherwise wait for each other. */
const isAlone = (lock: string) => sql<boolean>`pg_try_advisory_xact_lock(${lock}::bigint)`
const expiry = sql<string>`clock_timestamp() + interval '24 hours'`.as('expiresAt')
const tenant = sql<number>`${TENANT}::bigint`.as('tenantId')

/** @param owners what a key belongs to besides its tenant */
const claimIn = (table: 'idempotencyKeys' | 'visitorKeys', owners: readonly 'userId'[]) =>
  writeReturning((_, p: { userId?: number; key: string; lock: string }) => {
    const values = [...owners.map(() => sql`${p.userId}::bigint`.as('userId')), sql`${p.key}`.as('key')]
    return (cold as unknown as Kysely<Record<string, any>>)
      .insertInto(table)
      .columns(['tenantId', ...owners, 'key', 'expiresAt'])
      .expression(cold.selectNoFrom([tenant, ...values, expiry]).where(isAlone(p.lock)))
      .onConflict((conflict) =>
        conflict
          .columns(['tenantId', ...owners, 'key'])
          .doUpdateSet({ expiresAt: sql`excluded.expires_at` })
          .where(`${table}.expiresAt`, '<', now)
          .where(`${table}.tenantId`, '=', TENANT),
      )
      .returning(`${table}.key`)
  })
const claimOfPerson = claimIn('idempotencyKeys', ['userId'])
const claimOfVisitor = claimIn('visitorKeys', [])

/** A command's claim of a key: for its person in the tenant where they live, or among the visitors of a tenant. */
export interface Claim {
  key: string
  /** undefined without Redis */
  gatekeeper: Gatekeeper | undefined
}

/** Refusals of rights, which the contract puts before the claim. All others depend on the state, and come after it. */
const OF_RIGHTS = new Set([401, 403, 404])

/** The claim left with a statement that hit a constraint, so its answer was lost: it has to be asked again, alone. */
export class ClaimUnanswered extends Error {
  readonly fault: Fault
  constructor(fault: Fault) {
    super('the flight of the claim failed')
    this.fault = fault
  }
}

/**
 * Runs an action under the claim of a key. The claim travels with what the action asks first, and costs no round trip.
 * If it is refused, the action still runs: it may refuse because of missing rights, which comes first. With any other
 * outcome, the answer is that the key was used.
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
