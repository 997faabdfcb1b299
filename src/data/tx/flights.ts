import type { TenantId } from '../../kernel/actor.ts'
import { cold } from '../sql/compile.ts'
import type { Database, Lease } from '../wire/database.ts'
import { type Call, changes, type FlightError, isTimeout, type Prepared, type Result } from '../wire/flight.ts'
import { ConnectionLost, OutcomeUnknown, Unavailable } from '../wire/unavailable.ts'
import { drawTogether } from './draws.ts'
import { CLOCK } from './ids.ts'
import type { Executor, Terms } from './scope.ts'

const bare = (name: string, text = name): Call => ({ prepared: { name, text }, values: [] })
const begin = bare('begin')
const commit = bare('commit')
const rollback = bare('rollback')
const clock: Call = bare('clock', cold.selectNoFrom(CLOCK.as('now')).compile().sql)

interface Waiting {
  tenantId: TenantId
  call: Call
  terms: Terms | undefined
  /** position in the flight it left with */
  at?: number
  resolve?: (result: Result) => void
  reject?: (error: Error) => void
}

/** The flights of one transaction. */
export interface Flights {
  executor: Executor
  now(): string
  /** Sends what is left together with the commit. Without an open transaction the whole command is one flight. */
  commit(): Promise<void>
  rollback(): Promise<void>
  release(): void
}

/** It took too long for a connection that others wait for, as a rule behind another transaction's lock. */
export class Overtaken extends Error {}
const LOCK_TIMEOUT = '55P03'
const DIVISION_BY_ZERO = '22012'
const SERIALIZATION_FAILURE = '40001'

/**
 * Collects the statements of one transaction and sends them in as few flights as the action allows.
 * @param leaseAtOnce leases a connection with the first statement
 */
export function transactionFlights(database: Database, at: string | undefined, leaseAtOnce: boolean): Flights {
  let queue: Waiting[] = []
  let opening: Promise<Lease> | undefined
  let lease: Lease | undefined
  let tenant: TenantId | undefined
  let now = at
  let asksClock = at === undefined
  let scheduled = false
  let broken = false
  let ended = false
  /** what the transaction failed of; it cannot be committed any more, whoever caught it */
  let failure: Error | undefined
  let pending: Promise<unknown> = Promise.resolve()

  function enqueue(waiting: Waiting) {
    if (ended) throw new Error('the transaction has ended; a statement came too late')
    if (waiting.call.prepared.intent === 'lock') assertReadsNothingBefore(waiting)
    queue.push(waiting)
  }

  /** A lock may wait. What stands before it in its flight has then read what was, and decides on it. */
  function assertReadsNothingBefore({ call }: Waiting) {
    const read = queue.find((before) => before.call.prepared.intent === 'read')
    if (!read) return
    failure ??= new Error(
      `This flight reads before it locks, so what it reads may be old when the lock is granted: lock first in tx.inOrder, or declare the read with peek. It reads ${read.call.prepared.text} and locks ${call.prepared.text}`,
    )
    throw failure
  }

  /** One turn of the loop later, so that statements of one turn travel together. */
  function schedule() {
    if (scheduled) return
    scheduled = true
    const before = pending
    pending = Promise.allSettled([before, Promise.resolve().then(() => sendAsked(before))])
  }

  /**
   * Statements in the middle of the action. The first that lock or change open the transaction, on a leased connection.
   * @param before flights that left earlier, on shared connections
   */
  async function sendAsked(before: Promise<unknown>) {
    scheduled = false
    const batch = takeQueue()
    const drawn = batch.length === 1 && !leaseAtOnce && !opening && asksClock && batch[0]!.call.drawn
    if (drawn) return takeDrawn(batch, drawn)
    const calls: Call[] = []
    if (leaseAtOnce || opening || batch.some(({ call }) => changes(call))) await takeLease(calls, batch, before)
    addTo(calls, batch)
    const first = asksClock
    asksClock = false
    // The clock comes last, behind the locks; an id that is drawn last reads the clock as well.
    if (first && !calls.at(-1)!.readsClock) calls.push(clock)
    const results = await send(calls, batch)
    if (first) now = results.at(-1)!.rows[0]!.now as string
    for (const waiting of batch) waiting.resolve?.(results[waiting.at!]!)
  }

  /** What is asked first, and is nobody's in particular, is asked for together with others. */
  async function takeDrawn(batch: Waiting[], drawn: Prepared) {
    asksClock = false
    const result = await answerTo(batch, drawTogether(database, drawn))
    now = result.rows[0]!.now as string
    batch[0]!.resolve?.(result)
  }

  /** Only when the flights before have been answered: behind a pooler with few connections, leased ones could starve them. */
  async function takeLease(calls: Call[], batch: Waiting[], before: Promise<unknown>) {
    if (!opening) {
      calls.push(begin)
      // The tenant entered on a shared connection was left with that flight.
      tenant = undefined
    }
    try {
      opening ??= before.then(() => database.acquire())
      lease = await opening
    } catch (error) {
      refuse(batch, error as Error)
    }
  }

  /** Adds the statements to the flight, entering their tenant where it changes; on a shared connection at the start of each flight. */
  function addTo(calls: Call[], batch: Waiting[]) {
    if (!lease) tenant = undefined
    for (const waiting of batch) {
      if (waiting.tenantId !== tenant) calls.push(database.entering(waiting.tenantId, lease ? 'leased' : 'shared'))
      tenant = waiting.tenantId
      waiting.at = calls.length
      calls.push(waiting.call)
    }
  }

  function send(calls: Call[], batch: Waiting[]): Promise<Result[]> {
    return answerTo(batch, lease ? lease.connection.send(calls) : database.send(calls))
  }

  async function answerTo<T>(batch: Waiting[], sent: Promise<T>): Promise<T> {
    try {
      return await sent
    } catch (error) {
      if (error instanceof Unavailable) broken = true
      sayWhatHasChanged(error as FlightError)
      // Too long for a connection that others wait for; a leased one has more time.
      if (!lease && isTimeout(error as FlightError))
        return refuse(batch, new Overtaken('a read took long', { cause: error }))
      return refuse(batch, asFault(error as FlightError, batch))
    }
  }

  function refuse(batch: Waiting[], reason: Error): never {
    failure ??= reason
    for (const waiting of batch) waiting.reject?.(reason)
    throw reason
  }

  function takeQueue(): Waiting[] {
    const taken = queue
    queue = []
    return taken
  }

  return {
    executor: {
      run: (tenantId, call, terms) =>
        new Promise((resolve, reject) => {
          enqueue({ tenantId, call, terms, resolve, reject })
          schedule()
        }),
      queue: (tenantId, call, terms) => enqueue({ tenantId, call, terms }),
    },
    now() {
      if (now === undefined) throw new Error('tx.now is known only after a statement has been awaited')
      return now
    },
    async commit() {
      ended = true
      await pending
      if (failure) throw failure
      const batch = takeQueue()
      if (!lease && batch.length === 0) return
      const calls: Call[] = []
      if (leaseAtOnce && !lease) await takeLease(calls, batch, pending)
      addTo(calls, batch)
      if (lease) calls.push(commit)
      try {
        await send(calls, batch)
      } catch (error) {
        if (error instanceof ConnectionLost) throw new OutcomeUnknown(error.message, { cause: error })
        if (!lease && (error as FlightError).code === LOCK_TIMEOUT)
          throw new Overtaken('a row is locked', { cause: error })
        throw error
      }
    },
    async rollback() {
      ended = true
      await pending
      if (!lease || broken) return
      await lease.connection.send([rollback]).catch(() => {
        broken = true
      })
    },
    release() {
      lease?.release(broken)
      lease = undefined
    },
  }
}

/** What had to be there at the commit was counted, and divided by: its absence is what others call a serialization failure. */
function sayWhatHasChanged(error: FlightError): void {
  if (error.code === DIVISION_BY_ZERO) error.code = SERIALIZATION_FAILURE
}

/** A constraint that a statement declared becomes its fault; everything else stays what it is. */
function asFault(error: FlightError, batch: Waiting[]): Error {
  if (error.statement === undefined || !error.constraint) return error
  const failed = batch.find((waiting) => waiting.at === error.statement)
  return failed?.terms?.conflicts?.[error.constraint]?.() ?? error
}
