import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Actor } from '../../kernel/actor.ts'
import { Fault, faults } from '../../kernel/fault.ts'
import type { Gatekeeper } from '../coordination/coordination.ts'
import { TENANT } from '../sql/compile.ts'
import { writeReturning } from '../sql/verbs.ts'
import type { Tx } from './scope.ts'

/**
 * The claim of an Idempotency-Key is a row that commits with the command, and decides. While another transaction holds
 * the key, or within 24 hours of its success, the claim is refused. A rollback removes the row, so a definite failure
 * frees the key. A gatekeeper, if there is one, is asked first, because it is faster.
 */
const lifetime = sql<string>`interval '24 hours'`

/**
 * The lock is tried before the row, in one statement: two commands with one key would otherwise wait for each other. The
 * command that does not get it inserts a key that nobody asks for, and is rolled back.
 * @param owners what a key belongs to besides its tenant
 */
const claimIn = (table: 'idempotencyKeys' | 'visitorKeys', owners: readonly 'userId'[]) =>
  writeReturning(({ insert }, p: { userId?: number; key: string; lock: string }) => {
    const isAlone = sql<boolean>`pg_try_advisory_xact_lock(${p.lock}::bigint)`
    return insert(table as 'idempotencyKeys', {
      ...(Object.fromEntries(owners.map((owner) => [owner, p[owner]])) as { userId: number }),
      key: sql<string>`case when ${isAlone} then ${p.key} else gen_random_uuid()::text end`,
      expiresAt: sql<string>`clock_timestamp() + ${lifetime}`,
    })
      .onConflict((conflict) =>
        conflict
          .columns(['tenantId', ...owners, 'key'])
          .doUpdateSet({ expiresAt: sql<string>`excluded.expires_at` })
          // Its day is over if the new one ends more than a day later. An index of a shard has no clock to compare with.
          .where(sql<boolean>`excluded.expires_at - ${sql.ref(`${table}.expiresAt`)} > ${lifetime}`)
          .where(`${table}.tenantId` as 'idempotencyKeys.tenantId', '=', TENANT as unknown as number),
      )
      .returning(`${table}.key` as 'idempotencyKeys.key')
  })
const claimOfPerson = claimIn('idempotencyKeys', ['userId'])
const claimOfVisitor = claimIn('visitorKeys', [])

/** A command's claim of a key: for its person in the tenant where they live, or among the visitors of a tenant. */
export interface Claim {
  key: string
  /** undefined if nothing is faster than the database */
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
  const asked = isFree ? claim().then(({ rows }) => rows[0]?.key === key) : Promise.resolve(false)
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
