import { setTimeout as sleep } from 'node:timers/promises'
import type { Actor, TenantId, User } from '../../kernel/actor.ts'
import type { Log } from '../../kernel/log.ts'
import type { NotificationType } from '../../kernel/words/domain.ts'
import { recordHappening } from '../events/record-event.ts'
import { deliverNotifications, enqueueNotification } from '../outbox/outbox.ts'
import type { Database } from '../wire/database.ts'
import { type FlightError, SERIALIZATION_FAILURE } from '../wire/flight.ts'
import { OutcomeUnknown } from '../wire/unavailable.ts'
import { announceAll, writeAnnounced } from './announced.ts'
import { type Claim, ClaimUnanswered, underClaim } from './idempotency.ts'
import { EXECUTOR, type Happening, type NotificationEvent, type Outcome, type Tx } from './scope.ts'
import { Overtaken, openTransaction, type Transaction } from './transaction.ts'

export interface Command<Who extends Actor> {
  tenantId: TenantId
  actor: Who
  requestId: string
  /** what a person's command claims before it counts */
  claim?: Claim | undefined
  /** Fixes `tx.now`, for seeding a history. */
  at?: string | undefined
  /**
   * For marks of background work that are made again if they are missing. The commit does not wait for the disk: if the
   * machine of PostgreSQL loses power, what was committed in the last second may not have happened.
   */
  mayBeLost?: boolean
  /** Called when the action has succeeded: the last chance to write something that commits with it. */
  beforeCommit?: (tx: Tx<Who>) => void
}

const MOST_TRIES = 4
/** 23503: a referenced row was deleted since it was looked up; the next try does not find it, and says so. */
const STARTS_OVER = new Set([SERIALIZATION_FAILURE, '40P01', '26000', '0A000', '23503'])

/**
 * Runs an action in one transaction: either all of it commits, or none of it. There are three kinds of command.
 *
 * 1. It locks what it decides on. Locks come first, and everywhere in the same order; what is read after them, in the same
 *    flight, is true until the commit. This is for decisions on many rows, and for changes that others have to wait for.
 *    It leases a connection from its first lock on: two flights.
 *
 *      const [, category] = await tx.inOrder([lockCategory(tx, { id }), getCategory(tx, { id })])
 *      if (category.articleCount > 0) throw contentFaults.categoryNotEmpty()
 *      removeCategory(tx, { id })
 *
 * 2. It decides on what it has read, and names that at its commit: the version of the row it changes, the rows it relies
 *    on. Nobody waits for it. If one of them has changed, all of it starts over. This is for the frequent commands on one
 *    row. It travels on shared connections: two flights.
 *
 *      const task = await getTask(tx, { id })
 *      const revised = reviseTask(task, patch, tx.now)
 *      stillMember(tx, { projectId: task.projectId, userId })   // requireAtCommit
 *      saveTask(tx, { ...revised, was: task.version })          // updateIfUnchanged
 *
 * 3. It needs no decision in JavaScript: the statement itself says which rows it changes. One flight; or two, if the
 *    answer depends on what was touched.
 *
 *      await req.transact(async (tx) => {
 *        markAllRead(tx, { receiverId: tx.actor.id })
 *      })
 *      const { affected } = await removeArticle(tx, { id })     // writeReturning
 *
 * In each of them the last flight carries the changes, their records and the commit. After a serialization failure, a
 * deadlock, or a wait that is too long for a shared connection, the action starts over, up to three times, on a connection
 * that it leases with its first statement. docs/transactions.md shows how statements travel.
 *
 * @throws the action's fault; IDEMPOTENCY_KEY_REUSED; Unavailable if the database is away; OutcomeUnknown if the connection broke during the commit
 */
export async function transact<Who extends Actor, T>(
  database: Database,
  command: Command<Who>,
  action: (tx: Tx<Who>) => Promise<T>,
): Promise<T> {
  let act = action
  for (let tries = 1; ; ) {
    const { tenantId, at, mayBeLost = false } = command
    const transaction = openTransaction(database, { tenantId, at, leases: tries > 1, mayBeLost })
    try {
      return await runOnce(database, command, act, transaction)
    } catch (error) {
      if (error instanceof ClaimUnanswered) {
        act = () => Promise.reject(error.fault)
        continue
      }
      const { code = '' } = error as FlightError
      if (!(error instanceof Overtaken) && !STARTS_OVER.has(code)) throw error
      if (tries === MOST_TRIES) throw error
      await sleep(Math.random() * 20 * tries++)
    }
  }
}

/**
 * The named door into another tenant within one transaction: the system administrator makes a tenant and fills it.
 * The derived Tx shares the transaction; the reason is for the reader, and for the contract test that lists the uses.
 */
export function enterTenant<Who extends Actor>(tx: Tx<Who>, tenantId: TenantId, _reason: string): Tx<Who> {
  return Object.create(tx, { tenantId: { value: tenantId, enumerable: true } }) as Tx<Who>
}

/** The same into a tenant that the transaction makes. Wait for it before the first row of the tenant is written. */
export async function enterNewTenant<Who extends Actor>(
  tx: Tx<Who>,
  tenantId: TenantId,
  reason: string,
): Promise<Tx<Who>> {
  await tx.prepareFor(tenantId)
  return enterTenant(tx, tenantId, reason)
}

async function runOnce<Who extends Actor, T>(
  database: Database,
  { claim, beforeCommit, ...command }: Command<Who>,
  action: (tx: Tx<Who>) => Promise<T>,
  transaction: Transaction,
): Promise<T> {
  const { tx, committed, ended } = openTx(database, command, transaction)
  let outcome: Outcome = 'rolled back'
  try {
    const result = await (claim ? underClaim(homeOf(tx), claim, () => action(tx)) : action(tx))
    writeAnnounced(tx, transaction.announced())
    beforeCommit?.(tx)
    await transaction.commit()
    outcome = 'committed'
    return result
  } catch (error) {
    if (error instanceof OutcomeUnknown) outcome = 'unknown'
    else await transaction.rollback()
    throw error
  } finally {
    transaction.release()
    const announce = { label: 'announce', run: () => announceAll(database, transaction.announced()) }
    if (outcome !== 'rolled back') await runAll([announce], outcome, database.log)
    if (outcome === 'committed') await runAll(committed, outcome, database.log)
    await runAll(ended, outcome, database.log)
  }
}

/** Keys belong to their person, whichever tenant they act in. */
function homeOf(tx: Tx<Actor>): Tx<Actor> {
  const { actor, tenantId } = tx
  if (actor.kind !== 'user' || actor.tenantId === tenantId) return tx
  return enterTenant(tx, actor.tenantId, 'a key is claimed where its person lives')
}

interface Effect {
  label: string
  run(outcome: Outcome): unknown
}

function openTx<Who extends Actor>(database: Database, command: Command<Who>, transaction: Transaction) {
  const committed: Effect[] = []
  const ended: Effect[] = []
  const notified = new Set<TenantId>()
  const happened = new Set<TenantId>()
  const tx: Tx<Who> = {
    tenantId: command.tenantId,
    [EXECUTOR]: transaction.executor,
    actor: command.actor,
    requestId: command.requestId,
    plans: database.plans,
    mailLimit: database.mailLimit,
    get sealer() {
      if (!database.sealer) throw new Error('this database was opened without keys for stored secrets')
      return database.sealer
    },
    get now() {
      return transaction.now()
    },
    record(happening: Happening<any>) {
      recordHappening(this as Tx<User>, happening, transaction.knownNow())
      if (happened.has(this.tenantId)) return
      happened.add(this.tenantId)
      committed.push({ label: 'announce events', run: () => database.eventSignal.publish(this.tenantId) })
    },
    notify<T extends NotificationType>(news: NotificationEvent<T>) {
      if (!enqueueNotification(this as Tx<User>, news) || notified.has(this.tenantId)) return
      notified.add(this.tenantId)
      committed.push({ label: 'deliver notifications', run: () => deliverNotifications(database, this.tenantId) })
    },
    prepareFor: (tenantId) => database.prepareFor(tenantId, command.tenantId),
    inOrder: (steps) => Promise.all(steps) as never,
    afterCommit: (label, run) => void committed.push({ label, run: () => run() }),
    onEnd: (label, run) => void ended.push({ label, run }),
  }
  return { tx, committed, ended }
}

/** Effects run in order, independently: the command has ended, so a failure is logged and never answered. */
async function runAll(effects: Effect[], outcome: Outcome, log: Log) {
  for (const { label, run } of effects) {
    try {
      await run(outcome)
    } catch (error) {
      log.error({ err: error, label }, 'an effect after the transaction failed')
    }
  }
}
