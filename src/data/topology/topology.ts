import type { TenantId } from '../../kernel/actor.ts'
import type { Claimant } from '../../util/shares/fair-queue.ts'
import type { Lease } from '../connections/leases.ts'
import type { Call, Prepared, Result } from '../wire/flight.ts'

/** What a connection is used for. Each use has its own limits of time. */
export type Use = 'reads' | 'changes' | 'searches' | 'transactions'

/** Settings of PostgreSQL, in ms. */
export type Limits = Record<Use, Record<string, number>>

/** On which kind of connection a flight leaves. */
export type Road = 'shared' | 'leased' | 'search'

/**
 * What stands between this process and the rows of a tenant. Nothing outside this folder and `setup` knows which of them
 * it is.
 */
export interface Topology {
  /** Each flight may use another server connection, so nothing is kept in a session. */
  readonly isPooled: boolean
  /** what the sessions of connections for this use keep; `options` as PostgreSQL takes them on its command line */
  session(use: Use): Record<string, number | string>
  /** The first statement of a flight, or of another tenant in it: the role is $1, the tenant $2. */
  entrance(road: Road): Prepared
  /** Connects to the servers. */
  open(openServer: OpenServer): Servers
}

/** @param own what differs for this server; the URL is that of the database unless given */
export type OpenServer = (own?: { url?: string; commitsTogether?: number }) => Server

/** The servers of a database. */
export interface Servers {
  /** The one that holds the rows of a tenant. Commits of tenants of one server may leave together. */
  of(tenantId: TenantId): Server
  /**
   * Before the first rows of a tenant, which a transaction of another one writes: ids that are drawn for it later rise
   * above those of these rows. Rejects with Unavailable if its server is away.
   */
  prepareFor(tenantId: TenantId, by: TenantId): Promise<void>
  /** settles with the first connection to the one that draws ids, and holds what belongs to no tenant */
  readonly ready: Promise<void>
  all(): readonly Server[]
  /** those beside that one that hold tenants, or may soon */
  workers(): readonly Worker[]
  close(): Promise<void>
}

/** A node of a cluster. */
export interface Worker {
  /** `host:port` */
  name: string
  server: Server
  /** whether its tenants cannot be entered now */
  isAway(): boolean
}

/** The connections of this process to one server, and what they carry. */
export interface Server {
  /** settles with the first connection */
  readonly ready: Promise<void>
  /**
   * Sends a flight on the least busy shared connection of its kind. Rejects with Unavailable.
   * @param tenantId the one whose rows the flight is sent to; the first that it enters unless given
   */
  send(calls: readonly Call[], tenantId?: TenantId): Promise<Result[]>
  /** Sends a flight of costly reads when its turn has come. @throws TOO_COSTLY, RATE_LIMITED, Unavailable */
  search(calls: readonly Call[], who: Claimant, tenantId?: TenantId): Promise<Result[]>
  /** Leases a connection to one transaction. Rejects with Unavailable. */
  acquire(tenantId?: TenantId): Promise<Lease>
  /** Whether changes currently fail because of the database itself: a full disk, or a read-only server. */
  areWritesFailing(): boolean
  stats(): ServerStats
  close(): Promise<void>
}

export interface ServerStats {
  connections: number
  pending: number
  leased: number
  idle: number
  waiting: number
  /** costly reads that run, and that wait for their turn */
  searches: number
  searchesWaiting: number
}
