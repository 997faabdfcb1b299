import { setTimeout as sleep } from 'node:timers/promises'
import type { Actor, TenantId, User } from '../../kernel/actor.ts'
import type { Log } from '../../kernel/log.ts'
import type { NotificationType } from '../../kernel/words/domain.ts'
import { deliverNotifications, enqueueNotification } from '../outbox/outbox.ts'
import type { Database } from '../wire/database.ts'
import type { FlightError } from '../wire/flight.ts'
import { OutcomeUnknown } from '../wire/unavailable.ts'
import { recordActivity } from './activities.ts'
import { collectAnnouncements } from './announced.ts'
import { type Flights, Overtaken, transactionFlights } from './flights.ts'
import { type Claim, ClaimUnanswered, underClaim } from './idempotency.ts'
import { type Activity, EXECUTOR, type Executor, type NotificationEvent, type Outcome, type Tx } from './scope.ts'

export interface Command<Who extends Actor> {
  tenantId: TenantId
  actor: Who
  requestId: string
  /** what a person's command claims before it counts */
  claim?: Claim | undefined
  /** Fixes `tx.now`, for seeding a history. */
  at?: string | undefined
  /** Called when the action is through: the last chance to write something that commits with it. */
  beforeCommit?: (tx: Tx<Who>) => void
}

const MOST_ATTEMPTS = 4
const SERIALIZATION_FAILURE = '40001'
/** 23503: what a row points at was deleted since it was looked up; the next attempt does not find it, and says so. */
const STARTS_OVER = new Set([SERIALIZATION_FAILURE, '40P01', '26000', '0A000', '23503'])

/**
 * Runs an action in one transaction: all of it commits, or nothing does. There are three kinds of command.
 *
 * 1. It locks what it decides on. Locks first, and in one order everywhere; what is read behind them, in the same flight,
 *    is true until the commit. For decisions on many rows, and where others may not go on meanwhile. It leases a
 *    connection from its first lock on: two flights.
 *
 *      const [, category] = await tx.inOrder([lockCategory(tx, { id }), findCategory(tx, { id })])
 *      const { articleCount } = category ?? fail(contentFaults.categoryNotFound())
 *      if (articleCount > 0) throw contentFaults.categoryNotEmpty()
 *      removeCategory(tx, { id })
 *
 * 2. It decides on what it has read, and names that at its commit: the version of the row it changes, the rows it relies
 *    on. Nobody waits for it. Where one of them has changed, all of it starts over. For the frequent commands on one row.
 *    It travels on shared connections: two flights.
 *
 *      const task = (await findTask(tx, { id })) ?? fail(taskFaults.notFound())
 *      const revised = reviseTask(task, patch, tx.now)
 *      stillMember(tx, { projectId: task.projectId, userId })   // requireAtCommit
 *      saveTask(tx, { ...revised, was: task.version })          // updateIfUnchanged
 *
 *    Where nothing of what is read goes into what is written, it need not be read either: the command may expect it, and
 *    is one flight, behind an id that is drawn together with others'. Disappointed, it starts over at once, and looks.
 *
 *      const look = tx.mayExpect() ? undefined : assertTakesTask(tx, projectId)
 *      const [id] = await Promise.all([nextId(tx, 'tasks'), look])
 *      if (look) stillActive(tx, { id: projectId })
 *      else activeSince(tx, { id: projectId, ...visible, moment: tx.now })
 *
 * 3. It needs no decision in JavaScript: the statement itself says which rows it changes. One flight; or two, where the
 *    answer depends on what was touched.
 *
 *      await req.transact(async (tx) => {
 *        markAllRead(tx, { receiverId: tx.actor.id })
 *      })
 *      const { affected } = await removeArticle(tx, { id })     // writeReturning
 *
 * In each of them the last flight carries the changes, their records and the commit. A serialization failure, a deadlock,
 * and what was overtaken start over, up to three times, on a connection that is leased with the first statement.
 *
 * @throws the action's fault; IDEMPOTENCY_KEY_REUSED; Unavailable when the database is away; OutcomeUnknown when the connection broke in the commit
 */
export async function transact<Who extends Actor, T>(
  database: Database,
  command: Command<Who>,
  action: (tx: Tx<Who>) => Promise<T>,
): Promise<T> {
  let act = action
  let attempt = 1
  // Under a key there is a flight in front of the commit anyway: the claim's.
  let expectation: Expectation | undefined = command.claim ? undefined : { taken: false }
  for (;;) {
    try {
      return await attemptOnce(database, command, act, { leaseAtOnce: attempt > 1, expectation })
    } catch (error) {
      const wasDisappointed = expectation?.taken && (error as FlightError).code === SERIALIZATION_FAILURE
      expectation = undefined
      if (wasDisappointed) continue
      if (error instanceof ClaimUnanswered) act = () => Promise.reject(error.fault)
      const mayStartOver =
        error instanceof Overtaken ||
        error instanceof ClaimUnanswered ||
        STARTS_OVER.has((error as FlightError).code ?? '')
      if (attempt === MOST_ATTEMPTS || !mayStartOver) throw error
      await sleep(Math.random() * 20 * attempt)
      attempt++
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

/** What an action has taken for granted without a look at it. */
interface Expectation {
  taken: boolean
}

interface Attempt {
  leaseAtOnce: boolean
  expectation: Expectation | undefined
}

async function attemptOnce<Who extends Actor, T>(
  database: Database,
  command: Command<Who>,
  action: (tx: Tx<Who>) => Promise<T>,
  { leaseAtOnce, expectation }: Attempt,
): Promise<T> {
  const flights = transactionFlights(database, command.at, leaseAtOnce)
  const announced = collectAnnouncements(flights.executor)
  const { tx, committed, ended } = openTx(database, flights, announced.executor, command, expectation)
  let outcome: Outcome = 'rolled back'
  try {
    const { claim } = command
    const result = await (claim ? underClaim(homeOf(tx), claim, () => action(tx)) : action(tx))
    announced.raiseContentVersions(tx)
    command.beforeCommit?.(tx)
    await flights.commit()
    outcome = 'committed'
    return result
  } catch (error) {
    if (error instanceof OutcomeUnknown) outcome = 'unknown'
    else await flights.rollback()
    throw error
  } finally {
    flights.release()
    if (outcome !== 'rolled back') await runAll([announced.effectOn(database)], outcome, database.log)
    if (outcome === 'committed') await runAll(committed, undefined, database.log)
    await runAll(ended, outcome, database.log)
  }
}

/** Keys are their person's, in whatever tenant they act. */
function homeOf(tx: Tx<Actor>): Tx<Actor> {
  const { actor, tenantId } = tx
  if (actor.kind !== 'user' || actor.tenantId === tenantId) return tx
  return enterTenant(tx, actor.tenantId, 'a key is claimed where its person lives')
}

interface Effect {
  label: string
  run(outcome: any): unknown
}

function openTx<Who extends Actor>(
  database: Database,
  flights: Flights,
  executor: Executor,
  command: Command<Who>,
  expectation: Expectation | undefined,
) {
  const committed: Effect[] = []
  const ended: Effect[] = []
  const notified = new Set<TenantId>()
  const tx: Tx<Who> = {
    tenantId: command.tenantId,
    [EXECUTOR]: executor,
    actor: command.actor,
    requestId: command.requestId,
    get now() {
      return flights.now()
    },
    mayExpect() {
      if (expectation) expectation.taken = true
      return expectation !== undefined
    },
    record(activity: Activity) {
      recordActivity(this as Tx<User>, activity)
    },
    notify<T extends NotificationType>(news: NotificationEvent<T>) {
      if (!enqueueNotification(this as Tx<User>, news) || notified.has(this.tenantId)) return
      notified.add(this.tenantId)
      committed.push({
        label: 'deliver notifications',
        run: () => deliverNotifications(database, this.tenantId),
      })
    },
    inOrder: (steps) => Promise.all(steps) as never,
    afterCommit: (label, run) => void committed.push({ label, run }),
    onEnd: (label, run) => void ended.push({ label, run }),
  }
  return { tx, committed, ended }
}

/** Effects run in order, each for itself: the command has ended, so a failure here is logged and never answered. */
async function runAll(effects: Effect[], outcome: Outcome | undefined, log: Log) {
  for (const { label, run } of effects) {
    try {
      await run(outcome)
    } catch (error) {
      log.error({ err: error, label }, 'an effect after the transaction failed')
    }
  }
}
