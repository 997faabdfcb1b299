import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type pg from 'pg'
import type { Config } from '../../config/config.ts'
import type { Changes } from '../../data/changes/changes.ts'
import type { Coordination } from '../../data/coordination/coordination.ts'
import type { Scope, Tx } from '../../data/tx/scope.ts'
import type { Database } from '../../data/wire/database.ts'
import type { TenantId, User, UserId } from '../../kernel/actor.ts'
import type { WrittenKey } from '../../kernel/api-key.ts'
import type { Log } from '../../kernel/log.ts'
import type { Job } from '../job.ts'
import { port, ports } from '../port.ts'

/**
 * What the service, its start and its command line ask of domains, without knowing which domain answers. Each of these
 * is filled by the declaration of one.
 */

/** Rows of requests that wrote nothing, collected and written after the answer. */
export interface Logbook {
  /** Adds a finished request to its tenant's trail. */
  note(tenantId: TenantId, req: FastifyRequest, reply: FastifyReply): void
  /** rows not yet written */
  pending(): number
  /** rows lost so far */
  lost(): number
  close(): Promise<void>
}

export interface AuditTrail {
  openLogbook(database: Database, log: FastifyBaseLogger): Logbook
  /** Writes the request's row in the command's transaction, so that every acknowledged write has one. */
  recordOperation(tx: Tx<any>, req: FastifyRequest, status: number): void
  /** Writes the row of an operator's command from the command line. @param by who typed it, and where */
  recordCommand(tx: Tx<any>, name: string, by: string): void
}
export const auditTrail = port<AuditTrail>('the audit')

type Found = User | undefined | Promise<User | undefined>

/** Who calls: people with a session, and programs with a key. Without a promise, if they are cached. */
export interface Callers {
  /** The user of a session; undefined if it has ended or they are gone or disabled. */
  findUser(claims: { tenantId: TenantId; sessionId: number; userId: UserId }): Found
  /** The account of a key; undefined if there is none. @param ip the sender, who may ask for only so many unknown keys */
  findKeyHolder(key: WrittenKey, ip: string): Found
  /** Looks up which sessions and keys of these users have not ended. @returns whether that of a user has not */
  findLiving(tenantId: TenantId, users: readonly User[]): Promise<(user: User) => boolean>
  /** how many passwords wait to be verified, and how many were refused because too many waited */
  passwords(): { waiting: number; refused: number }
  /** what they do in the background */
  readonly jobs: readonly Job[]
  /** Writes down what is not yet. */
  close(): Promise<void>
}
export type OpenCallers = (database: Database, changes: Changes, config: Pick<Config, 'unknownKeyLimit'>) => Callers
export const openCallers = port<OpenCallers>('who calls')

/**
 * The names of a tenant's people, by their ids; blank for deleted people. Synchronous if all are cached. With the read
 * handle of an earlier moment, as they were then.
 */
export type NamesOf = (tenantId: TenantId, ids: Iterable<number>, asOf?: Scope) => Names | Promise<Names>
type Names = ReadonlyMap<number, string>
export const namesOfPeople =
  port<(changes: Changes, scopeOf: (tenantId: TenantId) => Scope) => NamesOf>('the names of people')

export interface TenantFound {
  id: TenantId
  code: string
  name: string
  status: 'active' | 'disabled' | 'closing'
  expiredAt: string | null
  plan: string
  registration: 'open' | 'closed'
  /** rises with every change of what the public reads */
  contentVersion: number
}
export interface TenantDirectory {
  byId(database: Database, id: TenantId): Promise<TenantFound | undefined>
  byCode(database: Database, code: string): Promise<TenantFound | undefined>
}
export const tenantDirectory = port<TenantDirectory>('the tenants')

/**
 * Writes what all tenants share. Runs as the owner, in the transaction of the migrations, at every start. It never
 * overwrites a row.
 */
export const catalogue = port<(client: pg.Client) => Promise<void>>('what all tenants share')

/**
 * Makes the first tenant and the system administrator at the first start, and never overwrites a row.
 * @returns whether there was anything to do
 */
export const firstTenant =
  port<(database: Database, password: string, registration: 'open' | 'closed') => Promise<boolean>>('the first tenant')

/** What production examines before it serves. @throws Refusal if it should not serve */
export const startChecks = ports<(database: Database, start: { firstStart: boolean; log: Log }) => Promise<void>>(
  'what production examines at its start',
)

/** Opens what replicas on several machines coordinate through, if the configuration names any. Never waits for it. */
export type OpenCoordination = (config: Config, log: Log) => Promise<Coordination | undefined>
export const openCoordination = port<OpenCoordination>('what replicas coordinate through', async () => undefined)

/** Follows requests, and what they wait for. */
export interface Tracing {
  /** The same database, with every flight and every wait for a connection followed. */
  follow(database: Database): Database
  /** Adds hooks that every request passes first, behind those of its line in the log, whose `traceId` they set. */
  hooks(app: FastifyInstance): void
  /** Sends what remains. Waits only a moment for a collector that is away. */
  close(): Promise<void>
}

/** Opens the traces, if the configuration wants any. */
export type OpenTracing = (config: Config, log: Log) => Promise<Tracing | undefined>
export const openTracing = port<OpenTracing>('what follows requests', async () => undefined)

/** A line at the end of a start in development: what it is about, and its words. */
export type Welcome = readonly [name: string, words: string]

/** What a start in development says about a domain. */
export const welcomes = ports<(config: Config, address: string) => readonly Welcome[]>(
  'what a start in development tells',
)
