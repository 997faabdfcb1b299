import type { TenantId } from '../../kernel/actor.ts'
import type { Lease } from '../connections/leases.ts'
import { cold } from '../sql/compile.ts'
import type { Database } from '../wire/database.ts'
import { type Call, changes, type FlightError, isTimeout, SERIALIZATION_FAILURE } from '../wire/flight.ts'
import { ConnectionLost, OutcomeUnknown, Unavailable } from '../wire/unavailable.ts'
import { CLOCK } from './ids.ts'
import { flightOf, openQueue, type Queued, refuse } from './queue.ts'
import type { Announced, TxExecutor } from './scope.ts'

const bare = (name: string, text = name): Call => ({ prepared: { name, text }, values: [] })
const BEGIN = bare('begin')
const COMMIT = bare('commit')
const ROLLBACK = bare('rollback')
/** Alone, because all that commits with it would not wait for the disk either. */
const COMMIT_ASYNCHRONOUSLY: Call = {
  prepared: { name: 'asynchronous', text: "select set_config('synchronous_commit', 'off', true)", alone: true },
  values: [],
}
const READ_CLOCK = bare('clock', cold.selectNoFrom(CLOCK.as('now')).compile().sql)

/** It took too long on a connection that others wait for, usually because another transaction holds a lock. */
export class Overtaken extends Error {}
const LOCK_TIMEOUT = '55P03'
const DIVISION_BY_ZERO = '22012'

export interface TransactionOptions {
  tenantId: TenantId
  /** fixes the clock */
  at: string | undefined
  /** leases a connection with the first statement, not with the first lock or change */
  leases: boolean
  /** its commit does not wait until it is on the disk */
  mayBeLost: boolean
}

export type Transaction = ReturnType<typeof openTransaction>

/**
 * Opens a transaction: one try of a command, the statements of its action up to their commit. It begins in PostgreSQL
 * with its first flight; its flights leave one after the other. They travel on shared connections until a statement in
 * the middle of the action locks or changes something, then on a leased one.
 */
export function openTransaction(database: Database, options: TransactionOptions) {
  const { tenantId, at, leases, mayBeLost } = options
  const queue = openQueue((statements) => {
    underWay = underWay.then(() => fly(statements))
  })
  const announced = new Map<string, Announced>()
  let underWay = Promise.resolve()
  let lease: Lease | undefined
  /** the tenant that the leased connection is in */
  let inside: TenantId | undefined
  let now = at
  let asksClock = at === undefined
  let hasEnded = false
  let isBroken = false
  /** why the transaction can no longer be committed, even if the action has caught it */
  let failure: Error | undefined

  function admit({ tenantId, call, terms }: Queued): void {
    if (hasEnded) throw new Error('the transaction has ended; a statement came too late')
    if (call.prepared.intent === 'lock') assertReadsNothingBefore(call)
    for (const announcement of terms?.announces ?? []) {
      const one = { announcement, tenantId }
      announced.set(JSON.stringify(one), one)
    }
  }

  /** A lock may wait. A read before it in its flight has then read the old state, and the action decides on that. */
  function assertReadsNothingBefore({ prepared }: Call): void {
    const isEarly = ({ call }: Queued) => call.prepared.intent === 'read' && !call.prepared.beforeLock
    const read = queue.waiting().find(isEarly)
    if (!read) return
    failure ??= new Error(
      `This flight reads before it locks, so what it reads may be old when the lock is granted: lock first in tx.inOrder, or declare the read with { beforeLock: true }. It reads ${read.call.prepared.text} and locks ${prepared.text}`,
    )
    throw failure
  }

  /** Sends one flight. It never rejects: a failure is reported to those who wait, and again by the commit. */
  async function fly(statements: Queued[], isLast = false): Promise<void> {
    let flight: ReturnType<typeof flightOf> | undefined
    try {
      if (failure) throw failure
      const begins = !lease && (leases || (!isLast && statements.some(({ call }) => changes(call))))
      if (begins) lease = await database.acquire(tenantId)
      const enter = (tenant: TenantId) => database.entering(tenant, lease ? 'leased' : 'shared')
      flight = flightOf(statements, { enter, inside, first: begins ? [BEGIN] : [] })
      inside = lease && flight.tenantId
      const { calls } = flight
      const readsClock = asksClock && !isLast
      if (isLast && mayBeLost) calls.push(COMMIT_ASYNCHRONOUSLY)
      if (isLast && lease) calls.push(COMMIT)
      // The clock comes last, after the locks; an id that is drawn last brings it.
      if (readsClock && !calls.at(-1)!.prepared.draws) calls.push(READ_CLOCK)
      asksClock &&= !readsClock
      const results = await (lease ? lease.connection.send(calls) : database.send(tenantId, calls))
      if (readsClock) now = results.at(-1)!.rows[0]!.now as string
      flight.answer(results)
    } catch (error) {
      const reason = flight?.faultOf(error as FlightError) ?? reasonOf(error as FlightError, isLast)
      failure ??= reason
      refuse(statements, reason)
    }
  }

  function reasonOf(error: FlightError, isLast: boolean): Error {
    if (error instanceof Unavailable) isBroken = true
    if (error instanceof ConnectionLost && isLast) return new OutcomeUnknown(error.message, { cause: error })
    // A leased connection has more time.
    if (!lease && (isTimeout(error) || error.code === LOCK_TIMEOUT))
      return new Overtaken('a shared connection did not wait for it', { cause: error })
    // A condition of the commit divides by the number of its rows, and there were none.
    if (error.code === DIVISION_BY_ZERO) error.code = SERIALIZATION_FAILURE
    return error
  }

  const executor: TxExecutor = {
    async run(tenantId, call, terms) {
      admit({ tenantId, call, terms })
      return queue.ask(tenantId, call, terms)
    },
    queue(tenantId, call, terms) {
      admit({ tenantId, call, terms })
      queue.add({ tenantId, call, terms })
    },
    last(tenantId, call, terms) {
      admit({ tenantId, call, terms })
      return queue.askLater(tenantId, call, terms)
    },
  }

  return {
    executor,
    now(): string {
      if (now === undefined) throw new Error('tx.now is known only after a statement has been awaited')
      return now
    },
    /** the same, undefined if it is not known yet */
    knownNow: () => now,
    /** what its statements announce, each thing once */
    announced: () => [...announced.values()],
    /** Sends what is queued together with the commit. If nothing is open yet, the whole command is this one flight. */
    async commit() {
      const statements = queue.take()
      hasEnded = true
      await underWay
      if (failure) throw failure
      if (lease || statements.length > 0) await fly(statements, true)
      if (failure) throw failure
    },
    async rollback() {
      // What was asked in the same turn has yet to leave, and must not.
      failure ??= new Error('the transaction was rolled back')
      hasEnded = true
      await underWay
      if (!lease || isBroken) return
      await lease.connection.send([ROLLBACK]).catch(() => {
        isBroken = true
      })
    },
    /** Gives its connection back, if it has leased one. */
    release() {
      lease?.release(isBroken)
      lease = undefined
    },
  }
}
