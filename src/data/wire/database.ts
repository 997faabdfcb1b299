import type pg from 'pg'
import type { TenantId } from '../../kernel/actor.ts'
import type { Log } from '../../kernel/log.ts'
import type { Claimant } from '../../util/fair-queue.ts'
import type { Sealer } from '../../util/seal.ts'
import { connectAlone } from '../connections/connect-alone.ts'
import { ENTER, entrance } from '../connections/entrance.ts'
import { type Lease, openLeases } from '../connections/leases.ts'
import { followPrimary } from '../connections/primary.ts'
import { leastBusy, type Slot, sharedConnection, whenConnected } from '../connections/shared-connection.ts'
import { type EventSignal, openEventSignal } from '../events/event-signal.ts'
import { type JobBook, openJobBook } from '../jobs/job-book.ts'
import { openSignal, type Signal } from '../redis/signal.ts'
import type { Plans } from '../tx/plans.ts'
import { type Announcements, openAnnouncements } from './announcements.ts'
import { type Connection, openConnection } from './connection.ts'
import { type Call, changes, type FlightError, type Result } from './flight.ts'
import { type Groups, openGroups } from './groups.ts'
import { openLargeReads, openSearches, SEARCH_TIMEOUT_MS } from './searches.ts'
import type { Tally } from './tally.ts'
import { Unavailable } from './unavailable.ts'
import { watchForTimeouts } from './watch-for-timeouts.ts'
import { watchWrites } from './write-health.ts'

export interface DatabaseOptions {
  url: string
  /** the role that every flight drops to */
  role: string
  /** connections shared by the flights of all requests: those that only read, and those that change something */
  readConnections: number
  writeConnections: number
  /** connections that run costly reads, one at a time each; by default 2 */
  searchConnections?: number
  /** connections leased, one at a time, to transactions that decide between two flights */
  transactionConnections: number
  /** true if the URL leads to a pooler in transaction mode: then nothing is kept in the session */
  pooled?: boolean | undefined
  /** true if the service works without it: then the first connection is not awaited */
  optional?: boolean
  /** true if the URL leads to a streaming replica, which is only read from */
  replica?: boolean
  /**
   * ms that a statement may take; a flight without an answer fails, and its connection is destroyed at most 200 ms
   * later
   */
  flightTimeout: number
  /** ms that a read may take on a shared connection before it is run as a costly one; by default 500 */
  shortTimeout?: number
  /** ms a transaction may wait for a connection */
  acquireTimeout: number
  /** encrypts what its transactions store and use again */
  sealer?: Sealer
  /** what its transactions limit by the plan of their tenant */
  plans?: Plans | undefined
  log: Log
}
export interface Database {
  readonly role: string
  readonly log: Log
  readonly sealer: Sealer | undefined
  readonly plans: Plans | undefined
  readonly tally: Tally
  /** the background jobs of this process */
  readonly jobs: JobBook
  /** Published when someone's inbox has changed. */
  readonly inboxSignal: Signal
  /** Published when a tenant has new events. */
  readonly eventSignal: EventSignal
  /** Published after the commit of a transaction that has changed what others remember. */
  readonly announcements: Announcements
  /** The first statement of every flight: the service's role, and the tenant, for as long as the flight lasts. */
  entering(tenantId: TenantId, on: 'shared' | 'leased' | 'search'): Call
  /**
   * Sends a flight for a tenant on the least busy shared connection of its kind: alone if it only reads; together with
   * others if it changes something, or only draws ids. Rejects with Unavailable if there is no connection.
   */
  send(tenantId: TenantId, calls: readonly Call[]): Promise<Result[]>
  /**
   * Sends a flight of costly reads when its turn has come, on a connection that no short read waits for.
   * @throws TOO_COSTLY if it takes longer than it may; RATE_LIMITED, Unavailable if too many wait
   */
  search(tenantId: TenantId, calls: readonly Call[], who: Claimant): Promise<Result[]>
  /**
   * Runs a read with a possibly large answer when its turn has come: one for each person at a time.
   * @throws RATE_LIMITED, Unavailable if too many wait
   */
  inTurn<T>(who: Claimant, read: () => Promise<T>): Promise<T>
  /** Whether changes currently fail because of the database itself: a full disk, or a read-only server. */
  areWritesFailing(): boolean
  /** Leases a connection to one transaction of a tenant. Rejects with Unavailable after `acquireTimeout` ms. */
  acquire(tenantId: TenantId): Promise<Lease>
  /** Connects outside of the pools, for one long job; the caller ends it. Rejects with Unavailable. */
  connectAlone(): Promise<pg.Client>
  stats(): {
    connections: number
    pending: number
    leased: number
    idle: number
    waiting: number
    /** costly reads that run, and that wait for their turn */
    searches: number
    searchesWaiting: number
  }
  close(): Promise<void>
}

/**
 * A flight that waits for a row delays those after it, so on a shared write connection it does not wait long: it fails
 * with 55P03, and its transaction tries again on a leased one. Shared read connections never lock.
 */
const WRITING_LOCK_TIMEOUT_MS = 250
/** A slower read delays too many others. */
const SHORT_TIMEOUT_MS = 500
/** The database itself cancels a statement in time: its answer, if there is one, takes at most this much longer. */
const GRACE_MS = 100
/** More flights than this on one connection, or transactions waiting for one, mean that the database cannot keep up: shed instead of queueing. */
const MOST_PENDING = 256
const MOST_WAITING = 512

/**
 * Four save a third of what a creation costs PostgreSQL, eight a half; if one of a longer group fails, more must be
 * repeated.
 */
const MOST_COMMITS_TOGETHER = 8
const MOST_DRAWS_TOGETHER = 64

/** Connects to the database. The first connection is awaited, so that a wrong URL shows immediately. */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const { url, role, pooled, log } = options
  const limits = {
    statement_timeout: options.flightTimeout,
    lock_timeout: options.flightTimeout,
    idle_in_transaction_session_timeout: 10_000,
  }
  const settings: pg.PoolConfig = {
    connectionString: url,
    application_name: 'atrium',
    keepAlive: true,
    connectionTimeoutMillis: options.acquireTimeout,
    ...(!pooled && limits),
  }
  const hasty = { ...settings, ...(!pooled && { lock_timeout: WRITING_LOCK_TIMEOUT_MS }) }
  const short = { ...settings, ...(!pooled && { statement_timeout: shortTimeoutOf(options) }) }
  const searchLimits = { ...limits, statement_timeout: SEARCH_TIMEOUT_MS }
  const enter = entrance(pooled ? limits : {})
  const enterSearch = entrance(pooled ? searchLimits : {})
  const enterHastily = entrance({ ...limits, lock_timeout: WRITING_LOCK_TIMEOUT_MS })
  const primary = followPrimary(url, log)
  const forReads = { shared: true, pooled, primary, purpose: options.replica ? 'replica' : 'reads' } as const
  const forChanges = { ...forReads, purpose: options.replica ? 'replica' : 'changes' } as const
  const reading = Array.from({ length: options.readConnections }, () => sharedConnection(short, forReads, log))
  const writing = Array.from({ length: options.writeConnections }, () => sharedConnection(hasty, forChanges, log))
  const shared = [...reading, ...writing]
  const searches = openSearches({ ...settings, ...(!pooled && searchLimits) }, forReads, options)
  const pool = { most: options.transactionConnections, purpose: forChanges.purpose, primary, log }
  const leases = openLeases(settings, pool, (client) => watched(openConnection(client, { shared: false, pooled })))

  const connected = (slots: Slot[]) => slots.flatMap(({ connection }) => connection ?? [])
  const commits = openGroups((calls) => dispatch(writing, calls), {
    underWay: options.writeConnections,
    together: MOST_COMMITS_TOGETHER,
  })
  const draws = openGroups((calls) => dispatch(reading, calls), { underWay: 1, together: MOST_DRAWS_TOGETHER })
  const stopWatching = watchForTimeouts(() => [
    [[commits, draws], options.flightTimeout + GRACE_MS],
    [[...connected(shared), ...leases.connections()], options.flightTimeout + GRACE_MS],
    [connected(searches.slots), SEARCH_TIMEOUT_MS + GRACE_MS],
  ])
  if (!options.optional) await shared[0]!.ready
  const writes = watchWrites()
  const watched = (connection: Connection): Connection => {
    const twin: Connection = Object.create(connection, {
      send: { value: (calls: readonly Call[]) => writes.watch(calls, sendOn(connection, calls, twin)) },
    })
    return twin
  }
  const tally: Tally = { flights: 0, refused: 0, undelivered: 0 }
  function refuse(reason: string, cause?: unknown): never {
    tally.refused++
    throw new Unavailable(reason, { cause })
  }

  async function dispatch(pool: Slot[], calls: readonly Call[]): Promise<Result[]> {
    const connection =
      leastBusy(pool) ?? (await whenConnected(pool, options.acquireTimeout)) ?? refuse('the database is away')
    if (connection.pending >= MOST_PENDING) refuse('too many statements are waiting for the database')
    tally.flights++
    return sendOn(connection, calls)
  }

  async function together(groups: Groups, calls: readonly Call[]): Promise<Result[]> {
    if (groups.waiting >= MOST_PENDING * writing.length) refuse('too many flights are waiting for the database')
    return groups.send(calls)
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
    role,
    log,
    sealer: options.sealer,
    plans: options.plans,
    tally,
    jobs: openJobBook(),
    inboxSignal: openSignal(),
    eventSignal: openEventSignal(),
    announcements: openAnnouncements(),
    entering(tenantId, on) {
      const prepared = on === 'search' ? enterSearch : pooled && on === 'shared' ? enterHastily : enter
      return { prepared, values: [role, String(tenantId)] }
    },
    async send(_, calls) {
      if (calls.some(changes)) return writes.watch(calls, together(commits, calls))
      return calls.every(drawsOnly) ? together(draws, calls) : dispatch(reading, calls)
    },
    async search(_, calls, who) {
      tally.flights++
      return searches.run(calls, who)
    },
    async acquire() {
      if (leases.counts().waiting >= MOST_WAITING) refuse('too many transactions are waiting for the database')
      const { client, connection } = await leases
        .take()
        .catch((error) => refuse('no database connection is free', error))
      return { connection, release: (broken) => leases.giveBack(client, broken) }
    },
    connectAlone: () => connectAlone(url, options),
    inTurn: openLargeReads(),
    areWritesFailing: () => writes.areFailing() || primary.isReadOnly(),
    stats: () => ({
      connections: shared.filter((slot) => slot.connection).length,
      pending: shared.reduce((sum, slot) => sum + (slot.connection?.pending ?? 0), commits.waiting + draws.waiting),
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

const drawsOnly = ({ prepared }: Call) => prepared.draws || prepared.name === ENTER

/** At most half of what a flight may take: then a costly read still gets its answer in time. */
function shortTimeoutOf({ shortTimeout = SHORT_TIMEOUT_MS, flightTimeout }: DatabaseOptions): number {
  return Math.min(shortTimeout, Math.ceil(flightTimeout / 2))
}
