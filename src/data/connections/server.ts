import type { Log } from '../../kernel/log.ts'
import type { Server, Topology, Use } from '../topology/topology.ts'
import { type Connection, openConnection } from '../wire/connection.ts'
import { type Call, changes, type FlightError, type Result } from '../wire/flight.ts'
import { openGroups } from '../wire/groups.ts'
import { openSearches, SEARCH_TIMEOUT_MS } from '../wire/searches.ts'
import { Unavailable } from '../wire/unavailable.ts'
import { watchWrites } from '../wire/write-health.ts'
import { openLeases } from './leases.ts'
import { followPrimary } from './primary.ts'
import { leastBusy, type Slot, sharedConnection, whenConnected } from './shared-connection.ts'

export interface ServerOptions {
  url: string
  /** connections shared by the flights of all requests: those that only read, and those that change something */
  readConnections: number
  writeConnections: number
  /** connections that run costly reads, one at a time each; by default 2 */
  searchConnections?: number
  /** connections leased, one at a time, to transactions that decide between two flights */
  transactionConnections: number
  /** most commits that leave in one transaction; by default 8 */
  commitsTogether?: number
  /** true if the URL leads to a streaming replica, which is only read from */
  replica?: boolean
  /**
   * ms that a statement may take; a flight without an answer fails, and its connection is destroyed at most 200 ms
   * later
   */
  flightTimeout: number
  /** how many times as long as usual a read and an idle transaction may take, on a machine that is slow; by default 1 */
  timeScale?: number
  log: Log
}

/** Counts since the start; each only grows. */
export interface Tally {
  flights: number
  /** flights and transactions for which no connection was free in time */
  refused: number
  /** events that could not be delivered after their commit, and were left to the next sweep */
  undelivered: number
}

/** For a connection a request waits for this part of the time that a statement may take. */
const WAITING = 0.4
/** The database itself cancels a statement in time: its answer, if there is one, takes at most this much longer. */
const GRACE_MS = 100
const LOOK_EVERY_MS = 100
/** More flights than this on one connection, or transactions waiting for one, mean that the database cannot keep up: shed instead of queueing. */
const MOST_PENDING = 256
const MOST_WAITING = 512

/**
 * Four save a third of what a creation costs PostgreSQL, eight a half; if one of a longer group fails, more must be
 * repeated.
 */
const MOST_COMMITS_TOGETHER = 8

/** Connects to a server. It connects again by itself. */
export function openServer(options: ServerOptions, topology: Topology, tally: Tally): Server {
  const { url, log } = options
  const waiting = WAITING * options.flightTimeout
  const primary = followPrimary(url, log, waiting)
  const settingsFor = (use: Use) => ({
    connectionString: url,
    application_name: 'atrium',
    keepAlive: true,
    connectionTimeoutMillis: options.flightTimeout,
    ...topology.session(use),
  })
  const pooled = topology.isPooled
  const forReads = { shared: true, pooled, primary, purpose: options.replica ? 'replica' : 'reads' } as const
  const forChanges = { ...forReads, purpose: options.replica ? 'replica' : 'changes' } as const
  const slots = (count: number, use: Use, purpose: typeof forReads | typeof forChanges) =>
    Array.from({ length: count }, () => sharedConnection(settingsFor(use), purpose, log))
  const reading = slots(options.readConnections, 'reads', forReads)
  const writing = slots(options.writeConnections, 'changes', forChanges)
  const shared = [...reading, ...writing]
  const searches = openSearches(settingsFor('searches'), forReads, options)
  const pool = { most: options.transactionConnections, purpose: forChanges.purpose, primary, log }
  const leases = openLeases({ ...settingsFor('transactions'), connectionTimeoutMillis: waiting }, pool, (client) =>
    watched(openConnection(client, { shared: false, pooled })),
  )

  const connected = (slots: Slot[]) => slots.flatMap(({ connection }) => connection ?? [])
  const commits = openGroups((calls) => dispatch(writing, calls), {
    underWay: options.writeConnections,
    together: options.commitsTogether ?? MOST_COMMITS_TOGETHER,
  })
  const stopWatching = watchForTimeouts(() => [
    [[commits], options.flightTimeout + GRACE_MS],
    [[...connected(shared), ...leases.connections()], options.flightTimeout + GRACE_MS],
    [connected(searches.slots), SEARCH_TIMEOUT_MS * (options.timeScale ?? 1) + GRACE_MS],
  ])
  const writes = watchWrites()
  const watched = (connection: Connection): Connection => {
    const twin: Connection = Object.create(connection, {
      send: { value: (calls: readonly Call[]) => writes.watch(calls, sendOn(connection, calls, twin)) },
    })
    return twin
  }
  function refuse(reason: string, cause?: unknown): never {
    tally.refused++
    throw new Unavailable(reason, { cause })
  }

  async function dispatch(pool: Slot[], calls: readonly Call[]): Promise<Result[]> {
    const connection = leastBusy(pool) ?? (await whenConnected(pool, waiting)) ?? refuse('the database is away')
    if (connection.pending >= MOST_PENDING) refuse('too many statements are waiting for the database')
    tally.flights++
    return sendOn(connection, calls)
  }

  async function commit(calls: readonly Call[]): Promise<Result[]> {
    if (calls.some(({ prepared }) => prepared.alone)) return dispatch(writing, calls)
    if (commits.waiting >= MOST_PENDING * writing.length) refuse('too many flights are waiting for the database')
    return commits.send(calls)
  }

  async function sendOn(connection: Connection, calls: readonly Call[], known = connection): Promise<Result[]> {
    try {
      return await connection.send(calls)
    } catch (error) {
      primary.failed(error as FlightError, known)
      throw error
    }
  }

  return {
    ready: shared[0]!.ready,
    async send(calls) {
      return calls.some(changes) ? writes.watch(calls, commit(calls)) : dispatch(reading, calls)
    },
    async search(calls, who) {
      tally.flights++
      return searches.run(calls, who)
    },
    async acquire() {
      if (leases.counts().waiting >= MOST_WAITING) refuse('too many transactions are waiting for the database')
      return leases.take().catch((error) => refuse('no database connection is free', error))
    },
    areWritesFailing: () => writes.areFailing() || primary.isReadOnly(),
    stats: () => ({
      connections: shared.filter((slot) => slot.connection).length,
      pending: shared.reduce((sum, slot) => sum + (slot.connection?.pending ?? 0), commits.waiting),
      ...leases.counts(),
      searches: searches.running(),
      searchesWaiting: searches.waiting(),
    }),
    async close() {
      stopWatching()
      primary.close()
      await Promise.all([...[...shared, ...searches.slots].map((slot) => slot.close()), leases.close()])
    },
  }
}

/**
 * Destroys every connection on which a flight has waited too long, so that nothing hangs. After being blocked, a
 * process first reads what has arrived.
 * @param connections the watched ones, with the ms that their flights may take
 * @returns ends the watch
 */
function watchForTimeouts(
  connections: () => readonly (readonly [Pick<Connection, 'oldestWait' | 'destroy'>[], timeout: number])[],
): () => void {
  let lookedAt = performance.now()
  const looking = setInterval(() => {
    const now = performance.now()
    const wasBlocked = now - lookedAt > 5 * LOOK_EVERY_MS
    lookedAt = now
    if (wasBlocked) return
    for (const [watched, timeout] of connections())
      for (const connection of watched)
        if (connection.oldestWait(now) > timeout) connection.destroy(new Error('no answer in time'))
  }, LOOK_EVERY_MS)
  looking.unref()
  return () => clearInterval(looking)
}
