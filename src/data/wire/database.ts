import type pg from 'pg'
import type { TenantId } from '../../kernel/actor.ts'
import type { Sealer } from '../../util/seal.ts'
import type { Claimant } from '../../util/shares/fair-queue.ts'
import { connectAlone } from '../connections/connect-alone.ts'
import type { Lease } from '../connections/leases.ts'
import { openServer, type ServerOptions, type Tally } from '../connections/server.ts'
import { type EventSignal, type InboxSignal, openEventSignal, openInboxSignal } from '../coordination/signals.ts'
import { type JobBook, openJobBook } from '../jobs/job-book.ts'
import { SetupProblem } from '../setup/setup-problem.ts'
import { clusters, isOnCluster } from '../topology/clusters.ts'
import { oneServer, pooled } from '../topology/one-server.ts'
import type { Limits, Road, Server, ServerStats } from '../topology/topology.ts'
import type { Plans } from '../tx/plans.ts'
import { type Announcements, openAnnouncements } from './announcements.ts'
import type { Call, Result } from './flight.ts'
import { openLargeReads, SEARCH_TIMEOUT_MS } from './searches.ts'

export interface DatabaseOptions extends ServerOptions {
  /** the role that every flight drops to */
  role: string
  /** true if the URL leads to a pooler in transaction mode: then nothing is kept in the session */
  pooled?: boolean | undefined
  /** true if the service works without it: then the first connection is not awaited */
  optional?: boolean
  /** whether its tables are on workers of Citus; by default the database is asked */
  onCluster?: boolean | undefined
  /** encrypts what its transactions store and use again */
  sealer?: Sealer
  /** what its transactions limit by the plan of their tenant */
  plans?: Plans | undefined
  /** mails an hour that one person may have sent to one address; by default as many as they like */
  mailLimit?: number
}
export interface Database extends Pick<Server, 'areWritesFailing' | 'stats' | 'close'> {
  readonly role: string
  readonly log: ServerOptions['log']
  readonly sealer: Sealer | undefined
  readonly plans: Plans | undefined
  readonly mailLimit: number
  readonly tally: Tally
  /** the background jobs of this process */
  readonly jobs: JobBook
  readonly inboxSignal: InboxSignal
  readonly eventSignal: EventSignal
  /** Published after the commit of a transaction that has changed what others remember. */
  readonly announcements: Announcements
  /** whether its tables are on workers of Citus */
  readonly onCluster: boolean
  /** The same database, entered at one of the nodes that hold tenants beside the coordinator; none on one server. */
  nodes(): readonly Database[]
  /** What flights of a tenant are sent to: the same value for tenants of one server. */
  serverOf(tenantId: TenantId): unknown
  /** Before a transaction of one tenant writes the first rows of another: see Servers. */
  prepareFor(tenantId: TenantId, by: TenantId): Promise<void>
  /** The nodes that cannot be reached now, as `host:port`; their tenants get 503. */
  awayNodes(): readonly string[]
  /** The first statement of every flight: the service's role, and the tenant, for as long as the flight lasts. */
  entering(tenantId: TenantId, road: Road): Call
  /**
   * Sends a flight for a tenant on the least busy shared connection of its kind: alone if it only reads; together with
   * others if it changes something. Rejects with Unavailable if there is no connection.
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
  /** Leases a connection to one transaction of a tenant. Rejects with Unavailable if none is free in time. */
  acquire(tenantId: TenantId): Promise<Lease>
  /** Connects outside of the pools, for one long job; the caller ends it. Rejects with Unavailable. */
  connectAlone(): Promise<pg.Client>
}

/**
 * A flight that waits for a row delays those after it, so on a shared write connection it does not wait long: it fails
 * with 55P03, and its transaction tries again on a leased one. Shared read connections never lock.
 */
const WRITING_LOCK_TIMEOUT_MS = 250
/** A slower read delays too many others, and is run as a costly one. */
const SHORT_TIMEOUT_MS = 500

const NO_POOLER =
  'DATABASE_POOLER is not possible where tenants are on the workers of Citus, because each is entered at its own node: let DATABASE_URL lead to the coordinator itself'

/** Connects to the database. The first connection is awaited, so that a wrong URL shows immediately. */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const { url, role, log } = options
  const tally: Tally = { flights: 0, refused: 0, undelivered: 0 }
  const onCluster = options.onCluster ?? (await isOnCluster(url, options))
  if (onCluster && options.pooled) throw new SetupProblem(NO_POOLER)
  const limits = limitsOf(options)
  const alone = options.pooled ? pooled : oneServer
  const topology = onCluster ? clusters().topology(limits, { url, role, log }) : alone(limits)
  const servers = topology.open((own) => openServer({ ...options, ...own }, topology, tally))
  if (!options.optional) await servers.ready

  const ofServer = new WeakMap<Server, Database>()
  const database: Database = {
    role,
    log,
    onCluster,
    nodes: () => servers.workers().map(({ server }) => enteredAt(server)),
    serverOf: (tenantId) => servers.of(tenantId),
    prepareFor: (tenantId, by) => servers.prepareFor(tenantId, by),
    awayNodes: () => servers.workers().flatMap(({ name, isAway }) => (isAway() ? [name] : [])),
    sealer: options.sealer,
    plans: options.plans,
    mailLimit: options.mailLimit ?? 0,
    tally,
    jobs: openJobBook(),
    inboxSignal: openInboxSignal(),
    eventSignal: openEventSignal(),
    announcements: openAnnouncements(),
    entering: (tenantId, road) => ({ prepared: topology.entrance(road), values: [role, String(tenantId)] }),
    send: (tenantId, calls) => servers.of(tenantId).send(calls, tenantId),
    search: (tenantId, calls, who) => servers.of(tenantId).search(calls, who, tenantId),
    acquire: (tenantId) => servers.of(tenantId).acquire(tenantId),
    connectAlone: () => connectAlone(url, options),
    inTurn: openLargeReads(),
    areWritesFailing: () => servers.all().some((server) => server.areWritesFailing()),
    stats: () => sumOf(servers.all().map((server) => server.stats())),
    close: () => servers.close(),
  }
  return database

  function enteredAt(server: Server): Database {
    const known = ofServer.get(server)
    if (known) return known
    const entered: Database = {
      ...database,
      send: (_, calls) => server.send(calls),
      search: (_, calls, who) => server.search(calls, who),
      acquire: () => server.acquire(),
    }
    ofServer.set(server, entered)
    return entered
  }
}

function limitsOf({ flightTimeout, timeScale = 1 }: DatabaseOptions): Limits {
  const limits = {
    statement_timeout: flightTimeout,
    lock_timeout: flightTimeout,
    idle_in_transaction_session_timeout: Math.round(10_000 * timeScale),
  }
  return {
    // At most half of what a flight may take: then a costly read still gets its answer in time.
    reads: {
      ...limits,
      statement_timeout: Math.min(Math.round(SHORT_TIMEOUT_MS * timeScale), Math.ceil(flightTimeout / 2)),
    },
    changes: { ...limits, lock_timeout: WRITING_LOCK_TIMEOUT_MS },
    searches: { ...limits, statement_timeout: Math.round(SEARCH_TIMEOUT_MS * timeScale) },
    transactions: limits,
  }
}

function sumOf([first, ...others]: readonly ServerStats[]): ServerStats {
  const sum = { ...first! }
  for (const each of others) for (const name of Object.keys(sum) as (keyof ServerStats)[]) sum[name] += each[name]
  return sum
}
