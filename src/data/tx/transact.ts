import { setTimeout as sleep } from 'node:timers/promises'
import type { Actor, TenantId, User } from '../../kernel/actor.ts'
import { recordActivity } from './activities.ts'
import { cold } from '../sql/compile.ts'
import type { Database, Held, Log } from '../wire/database.ts'
import type { Call, FlightError, Landing } from '../wire/connection.ts'
import { CLOCK } from './ids.ts'
import { announce, deliverNews } from '../outbox/outbox.ts'
import { type Activity, CARRIER, type Carrier, type News, type Outcome, type Scope, type Tx } from './scope.ts'
import type { Conflicts } from '../sql/verbs.ts'
import { LostInFlight, OutcomeUnknown, Unavailable } from '../wire/unavailable.ts'

/** Opens the read handle of a tenant. Each batch of reads is one flight: enter the tenant, then the statements. */
export function openScope(database: Database, tenantId: TenantId): Scope {
  return { tenantId, [CARRIER]: readCarrier(database) }
}

/** A handle of no tenant, for the shared tables; row security shows it nothing else. */
export function nowhere(database: Database): Scope {
  return openScope(database, 0)
}

export interface Command<Who extends Actor> {
  tenantId: TenantId
  actor: Who
  requestId: string
  idempotencyKey?: string | undefined
  /** Fixes `tx.now`, for seeding a history. */
  at?: string | undefined
  /** Called when the action is through: the last chance to write something that commits with it. */
  lastWords?: (tx: Tx<Who>) => void
}

const MOST_ATTEMPTS = 4
/** 23503: what a row points at was deleted since it was looked up; the next attempt does not find it, and says so. */
const STARTS_OVER = new Set(['40001', '40P01', '26000', '0A000', '23503'])

/**
 * Runs an action in one transaction: all of it commits, or nothing does. A write is at most two flights: one that
 * loads, one that carries the changes, the records and the commit. An action that locks what it loads holds a line from
 * then on; one that only reads, and says with its changes what has to be `still` so, travels on the lines that all
 * requests share, and so does one that awaits nothing. What was overtaken, a serialization failure or a deadlock, starts
 * over, up to three times, and then holds a line of its own from the first statement.
 *
 * @throws the action's fault; Unavailable when the database is away; OutcomeUnknown when the line broke in the commit
 */
export async function transact<Who extends Actor, T>(
  database: Database,
  command: Command<Who>,
  action: (tx: Tx<Who>) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await attemptOnce(database, command, action, attempt > 1)
    } catch (error) {
      const mayStartOver = error instanceof Overtaken || STARTS_OVER.has((error as FlightError).code ?? '')
      if (attempt === MOST_ATTEMPTS || !mayStartOver) throw error
      await sleep(Math.random() * 20 * attempt)
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

async function attemptOnce<Who extends Actor, T>(
  database: Database,
  command: Command<Who>,
  action: (tx: Tx<Who>) => Promise<T>,
  patient: boolean,
): Promise<T> {
  const flights = transactionFlights(database, command.at, patient)
  const { tx, committed, ended } = openTx(database, flights, command)
  let outcome: Outcome = 'rolled back'
  try {
    const result = await action(tx)
    command.lastWords?.(tx)
    await flights.commit()
    outcome = 'committed'
    return result
  } catch (error) {
    if (error instanceof OutcomeUnknown) outcome = 'unknown'
    else await flights.rollback()
    throw error
  } finally {
    flights.release()
    if (outcome === 'committed') await runAll(committed, undefined, database.log)
    await runAll(ended, outcome, database.log)
  }
}

interface Effect {
  label: string
  run(outcome: any): unknown
}

function openTx<Who extends Actor>(database: Database, flights: Flights, command: Command<Who>) {
  const committed: Effect[] = []
  const ended: Effect[] = []
  const told = new Set<TenantId>()
  const tx: Tx<Who> = {
    tenantId: command.tenantId,
    [CARRIER]: flights.carrier,
    actor: command.actor,
    requestId: command.requestId,
    idempotencyKey: command.idempotencyKey,
    get now() {
      return flights.now()
    },
    record(activity: Activity) {
      recordActivity(this as Tx<User>, activity)
    },
    tell(news: News) {
      if (!announce(this as Tx<User>, news) || told.has(this.tenantId)) return
      told.add(this.tenantId)
      committed.push({ label: 'deliver news', run: () => deliverNews(database, openScope(database, this.tenantId)) })
    },
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

interface Waiting {
  tenantId: TenantId
  call: Call
  conflicts: Conflicts | undefined
  /** position in the flight it left with */
  at?: number
  resolve?: (landing: Landing) => void
  reject?: (error: Error) => void
}

const bare = (name: string, text = name): Call => ({ prepared: { name, text }, values: [] })
const begin = bare('begin')
const commit = bare('commit')
const rollback = bare('rollback')
const clock: Call = bare('clock', cold.selectNoFrom(CLOCK.as('now')).compile().sql)

function readCarrier(database: Database): Carrier {
  let batch: Waiting[] = []
  let tenant = 0

  function send() {
    const leaving = batch
    batch = []
    const calls = [database.entering(tenant, 'shared line')]
    for (const waiting of leaving) calls.push(waiting.call)
    database.fly(calls).then(
      (landings) => {
        for (let at = 0; at < leaving.length; at++) leaving[at]!.resolve!(landings[at + 1]!)
      },
      (error) => {
        for (const waiting of leaving) waiting.reject!(error)
      },
    )
  }

  return {
    ask(tenantId, call, conflicts) {
      tenant = tenantId
      return new Promise((resolve, reject) => {
        if (batch.push({ tenantId, call, conflicts, resolve, reject }) === 1) queueMicrotask(send)
      })
    },
    later() {
      throw new Error('a read handle does not write')
    },
  }
}

interface Flights {
  carrier: Carrier
  now(): string
  /** Sends what is left together with the commit. Without an open transaction the whole command is one flight. */
  commit(): Promise<void>
  rollback(): Promise<void>
  release(): void
}

/** Too long behind another transaction's lock for a line that others wait for. */
class Overtaken extends Error {}
const LOCK_TIMEOUT = '55P03'

/**
 * Collects the statements of one transaction and sends them in as few flights as the action allows.
 * @param patient holds a line from the first statement on
 */
function transactionFlights(database: Database, at: string | undefined, patient: boolean): Flights {
  let queue: Waiting[] = []
  let opening: Promise<Held> | undefined
  let held: Held | undefined
  let tenant: TenantId | undefined
  let now = at
  let asksClock = at === undefined
  let scheduled = false
  let broken = false
  let ended = false
  /** what the transaction failed of; it cannot be committed any more, whoever caught it */
  let failure: Error | undefined
  let inTheAir: Promise<unknown> = Promise.resolve()

  function enqueue(waiting: Waiting) {
    if (ended) throw new Error('the transaction has ended; a statement came too late')
    queue.push(waiting)
  }

  /** One turn of the loop later, so that what is asked together leaves together. */
  function schedule() {
    if (scheduled) return
    scheduled = true
    const before = inTheAir
    inTheAir = Promise.allSettled([before, Promise.resolve().then(() => sendAsked(before))])
  }

  /**
   * Statements in the middle of the action. The first that lock or change open the transaction, on a line of its own.
   * @param before what left earlier, on shared lines
   */
  async function sendAsked(before: Promise<unknown>) {
    scheduled = false
    const leaving = takeQueue()
    const calls: Call[] = []
    if (patient || opening || leaving.some(({ call }) => call.prepared.changes)) await open(calls, leaving, before)
    load(calls, leaving)
    const first = asksClock
    asksClock = false
    // The clock comes last, behind the locks; an id that is drawn last tells the time as well.
    if (first && !calls.at(-1)!.tellsTime) calls.push(clock)
    const landings = await fly(calls, leaving)
    if (first) now = landings.at(-1)!.rows[0]!.now as string
    for (const waiting of leaving) waiting.resolve?.(landings[waiting.at!]!)
  }

  /** Only when what left before has landed: where a pooler lends few connections, those that are held might keep it from landing. */
  async function open(calls: Call[], leaving: Waiting[], before: Promise<unknown>) {
    if (!opening) {
      calls.push(begin)
      // What was entered on a shared line was left with that flight.
      tenant = undefined
    }
    try {
      opening ??= before.then(() => database.hold())
      held = await opening
    } catch (error) {
      refuse(leaving, error as Error)
    }
  }

  /** Puts the statements on the flight, entering their tenant where it changes: on shared lines, at the start of each. */
  function load(calls: Call[], leaving: Waiting[]) {
    if (!held) tenant = undefined
    for (const waiting of leaving) {
      if (waiting.tenantId !== tenant)
        calls.push(database.entering(waiting.tenantId, held ? 'held line' : 'shared line'))
      tenant = waiting.tenantId
      waiting.at = calls.length
      calls.push(waiting.call)
    }
  }

  async function fly(calls: Call[], leaving: Waiting[]): Promise<Landing[]> {
    try {
      return await (held ? held.line.fly(calls) : database.fly(calls))
    } catch (error) {
      if (error instanceof Unavailable) broken = true
      return refuse(leaving, asFault(error as FlightError, leaving))
    }
  }

  function refuse(leaving: Waiting[], reason: Error): never {
    failure ??= reason
    for (const waiting of leaving) waiting.reject?.(reason)
    throw reason
  }

  function takeQueue(): Waiting[] {
    const taken = queue
    queue = []
    return taken
  }

  return {
    carrier: {
      ask: (tenantId, call, conflicts) =>
        new Promise((resolve, reject) => {
          enqueue({ tenantId, call, conflicts, resolve, reject })
          schedule()
        }),
      later: (tenantId, call, conflicts) => enqueue({ tenantId, call, conflicts }),
    },
    now() {
      if (now === undefined) throw new Error('tx.now is known only after a statement has been awaited')
      return now
    },
    async commit() {
      ended = true
      await inTheAir
      if (failure) throw failure
      const leaving = takeQueue()
      if (!held && leaving.length === 0) return
      const calls: Call[] = []
      if (patient && !held) await open(calls, leaving, inTheAir)
      load(calls, leaving)
      if (held) calls.push(commit)
      try {
        await fly(calls, leaving)
      } catch (error) {
        if (error instanceof LostInFlight) throw new OutcomeUnknown(error.message, { cause: error })
        if (!held && (error as FlightError).code === LOCK_TIMEOUT)
          throw new Overtaken('a row is locked', { cause: error })
        throw error
      }
    },
    async rollback() {
      ended = true
      await inTheAir
      if (!held || broken) return
      await held.line.fly([rollback]).catch(() => {
        broken = true
      })
    },
    release() {
      held?.release(broken)
      held = undefined
    },
  }
}

/** A constraint that a statement declared becomes its fault; everything else stays what it is. */
function asFault(error: FlightError, leaving: Waiting[]): Error {
  if (error.statement === undefined || !error.constraint) return error
  const failed = leaving.find((waiting) => waiting.at === error.statement)
  return failed?.conflicts?.[error.constraint]?.() ?? error
}
