import { LRUCache } from 'lru-cache'
import type pg from 'pg'
import { faults } from '../../kernel/fault.ts'
import type { Log } from '../../kernel/log.ts'
import { type Claimant, fairQueue, QueueRefusal } from '../../util/shares/fair-queue.ts'
import {
  leastBusy,
  type Slot,
  type SlotOptions,
  sharedConnection,
  whenConnected,
} from '../connections/shared-connection.ts'
import { type Call, type FlightError, isTimeout, type Result } from './flight.ts'
import { Unavailable } from './unavailable.ts'

/** How long a costly read may take. */
export const SEARCH_TIMEOUT_MS = 3000
/** How long it may take at first, among those that are expected to be short. */
const SHORT_MS = 150
/** A tenant whose last searches, so many of them, took longer is expected to send long ones, for so many ms. */
const LONG_IN_A_ROW = 2
const EXPECTED_FOR_MS = 30_000
/** How long it may wait for its turn: two long ones of others, with a margin. */
const TURN_TIMEOUT_MS = 7000
/** For each person or address; one more is refused. */
const MOST_WAITING = 8
const MOST_TENANTS = 10_000

const limitToShort: Call = {
  prepared: { name: 'short search', text: `select set_config('statement_timeout', '${SHORT_MS}', true)` },
  values: [],
}

/**
 * The connections of costly reads: searches that no index serves, and reads that turned out to take long. One runs on
 * each connection, so a short read never waits for one; tenants take turns, and so do the people of a tenant.
 *
 * Short ones go first, and long ones never hold the last connection, so a short search does not wait for long ones,
 * however many tenants send them. A search that was expected to be short is stopped after a moment and starts over as a
 * long one. After two of these, the next ones of its tenant start as long ones, until one of them is short again. This is
 * a multilevel feedback queue with two levels.
 */
export function openSearches(
  settings: pg.ClientConfig,
  use: SlotOptions,
  { searchConnections = 2, log }: { searchConnections?: number; log: Log },
) {
  const slots: Slot[] = Array.from({ length: searchConnections }, () => sharedConnection(settings, use, log))
  const allButOne = Math.max(1, searchConnections - 1)
  const queue = fairQueue({
    width: searchConnections,
    perGroup: allButOne,
    perMember: 1,
    ofOthers: allButOne,
    waitingPerMember: MOST_WAITING,
    timeout: TURN_TIMEOUT_MS,
  })
  /** how many of a tenant's last searches were long */
  const longOnes = new LRUCache<Claimant['group'], number>({ max: MOST_TENANTS, ttl: EXPECTED_FOR_MS })
  const isLongExpected = (group: Claimant['group']) => (longOnes.get(group) ?? 0) >= LONG_IN_A_ROW

  function remember(group: Claimant['group'], isShort: boolean) {
    if (isShort) longOnes.delete(group)
    else longOnes.set(group, (longOnes.get(group) ?? 0) + 1)
  }

  async function send(calls: readonly Call[]): Promise<Result[]> {
    const connection = leastBusy(slots) ?? (await whenConnected(slots, SEARCH_TIMEOUT_MS))
    if (!connection) throw new Unavailable('the database is away')
    return connection.send(calls)
  }

  /** Undefined if it would take longer. */
  async function tryShort([enter, ...calls]: readonly Call[], { group }: Claimant): Promise<Result[] | undefined> {
    try {
      const results = await send([enter!, limitToShort, ...calls])
      remember(group, true)
      return results.toSpliced(1, 1)
    } catch (error) {
      if (!isTimeout(error as FlightError)) throw error
      remember(group, false)
      return undefined
    }
  }

  async function sendLong(calls: readonly Call[], { group }: Claimant): Promise<Result[]> {
    const start = performance.now()
    try {
      return await send(calls)
    } finally {
      remember(group, performance.now() - start < SHORT_MS)
    }
  }

  async function run(calls: readonly Call[], who: Claimant): Promise<Result[]> {
    // A statement that was not declared costly has already taken long.
    let mayBeShort = calls.some(isCostly)
    const claimant = {
      ...who,
      get isPreferred() {
        return mayBeShort && !isLongExpected(who.group)
      },
    }
    const found = await queue.run(claimant, (isShort) => (isShort ? tryShort(calls, who) : sendLong(calls, who)))
    if (found) return found
    mayBeShort = false
    queue.giveTurnBack(who)
    return queue.run(claimant, () => send(calls))
  }

  return {
    slots,
    /** @throws TOO_COSTLY, RATE_LIMITED, Unavailable */
    async run(calls: readonly Call[], who: Claimant): Promise<Result[]> {
      try {
        return await run(calls, who).catch(refusedAs('searches', calls.some(isCostly)))
      } catch (error) {
        throw isTimeout(error as FlightError) ? faults.tooCostly() : error
      }
    },
    running: () => queue.running,
    waiting: () => queue.waiting,
  }
}

/** A few large answers at a time: while one is read and written, this process serves no one else. */
const LARGE_ANSWERS = { width: 4, perGroup: 2, perMember: 1, waitingPerMember: 16, timeout: 5000 }

/**
 * Runs reads with possibly large answers in turns, on the connections of all reads.
 * @throws RATE_LIMITED, Unavailable
 */
export function openLargeReads() {
  const queue = fairQueue(LARGE_ANSWERS)
  return <T>(who: Claimant, read: () => Promise<T>): Promise<T> => queue.run(who, read).catch(refusedAs('large lists'))
}

const isCostly = ({ prepared }: Call) => prepared.costly

function refusedAs(what: string, isAskedFor = true) {
  return (error: unknown): never => {
    if (!(error instanceof QueueRefusal)) throw error
    // Where nothing costly was asked for, it was the database that was slow.
    if (error.reason === 'too many' && isAskedFor) throw faults.rateLimited([], { 'retry-after': '1' }, what)
    throw new Unavailable(`too many ${what} are waiting`, { cause: error })
  }
}
