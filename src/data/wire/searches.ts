import type pg from 'pg'
import { faults } from '../../kernel/fault.ts'
import type { Log } from '../../kernel/log.ts'
import { type Claimant, fairQueue, QueueRefusal } from '../../util/fair-queue.ts'
import type { ConnectionOptions } from './connection.ts'
import { type Call, type FlightError, isTimeout, type Result } from './flight.ts'
import { leastBusy, type Slot, sharedConnection, whenConnected } from './shared-connection.ts'
import { Unavailable } from './unavailable.ts'

/** What a costly read may take. */
export const SEARCH_TIMEOUT_MS = 3000
/** What it may wait for its turn. */
const TURN_TIMEOUT_MS = 3000
/** Of one person or address; one more at once is refused. */
const MOST_WAITING = 8

/**
 * The connections of costly reads: searches that no index serves, and what has turned out to take long. One runs on each
 * connection, so a short read never waits behind one; tenants take turns, and so do the people of a tenant.
 */
export function openSearches(
  settings: pg.ClientConfig,
  use: ConnectionOptions,
  { searchConnections = 2, log }: { searchConnections?: number; log: Log },
) {
  const slots: Slot[] = Array.from({ length: searchConnections }, () => sharedConnection(settings, use, log))
  const queue = fairQueue({
    width: searchConnections,
    perGroup: Math.max(1, searchConnections - 1),
    perMember: 1,
    waitingPerMember: MOST_WAITING,
    timeout: TURN_TIMEOUT_MS,
  })

  async function send(calls: readonly Call[]): Promise<Result[]> {
    const connection = leastBusy(slots) ?? (await whenConnected(slots, TURN_TIMEOUT_MS))
    if (!connection) throw new Unavailable('the database is away')
    return connection.send(calls)
  }

  return {
    slots,
    /** @throws TOO_COSTLY, RATE_LIMITED, Unavailable */
    async run(calls: readonly Call[], who: Claimant): Promise<Result[]> {
      try {
        return await queue.run(who, () => send(calls)).catch(refusedAs('searches'))
      } catch (error) {
        throw isTimeout(error as FlightError) ? faults.tooCostly() : error
      }
    },
    running: () => queue.running,
    waiting: () => queue.waiting,
  }
}

/** A few large answers at a time: while one is read and written, nobody else of this process is served. */
const LARGE_ANSWERS = { width: 4, perGroup: 2, perMember: 1, waitingPerMember: 16, timeout: 5000 }

/**
 * Lets reads whose answers may be large through in turns, on the connections of all reads.
 * @throws RATE_LIMITED, Unavailable
 */
export function openLargeReads() {
  const queue = fairQueue(LARGE_ANSWERS)
  return <T>(who: Claimant, read: () => Promise<T>): Promise<T> => queue.run(who, read).catch(refusedAs('large lists'))
}

function refusedAs(what: string) {
  return (error: unknown): never => {
    if (!(error instanceof QueueRefusal)) throw error
    if (error.reason === 'too many') throw faults.rateLimited([], { 'retry-after': '1' }, what)
    throw new Unavailable(`too many ${what} are waiting`)
  }
}
