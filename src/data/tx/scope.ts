import type { Actor, TenantId, User } from '../../kernel/actor.ts'
import type { Fault } from '../../kernel/fault.ts'
import type {
  ActivityOf,
  EventData,
  EventType,
  NotificationType,
  ResourceType,
  TitleOf,
} from '../../kernel/words/domain.ts'
import type { FactsOf } from '../../kernel/words/sentence.ts'
import type { TitleFacts } from '../../kernel/words/titles.ts'
import type { Sealer } from '../../util/seal.ts'
import type { Announcement } from '../wire/announcements.ts'
import type { Call, Result } from '../wire/flight.ts'
import type { Plans } from './plans.ts'

/**
 * A Scope is the read handle of one tenant; a Tx is the open write transaction of one tenant and one actor. They are
 * two types: a function that changes something takes a Tx, and a Scope does not qualify.
 */
export interface Scope {
  readonly tenantId: TenantId
  readonly [EXECUTOR]: Executor
}

export interface Tx<Who extends Actor = User> extends Scope {
  readonly [EXECUTOR]: TxExecutor
  readonly actor: Who
  readonly requestId: string
  /** encrypts stored secrets */
  readonly sealer: Sealer
  /** what the plans of tenants limit; undefined if nothing, and for the operator's own commands */
  readonly plans: Plans | undefined
  /** mails an hour that one person may have sent to one address; 0 for as many as they like */
  readonly mailLimit: number
  /**
   * ISO instant of the change, by the database's clock, read after the first statements and so after their locks: it is
   * later than any transaction they waited for. Known once a statement has been awaited.
   */
  readonly now: string
  /** Records what happened, in this transaction: its event, and the lines of history that it leaves. */
  record<T extends EventType>(happening: Happening<T>): void
  /**
   * Announces after the commit: an outbox row in this transaction, then notifications. The actor does not get one for
   * their own act.
   */
  notify<T extends NotificationType>(event: NotificationEvent<T>): void
  /**
   * Runs once the transaction has committed, before the caller gets its answer; a failure is logged under the label.
   */
  afterCommit(label: string, effect: () => unknown): void
  /** Runs once it is known how the transaction ended. */
  onEnd(label: string, effect: (outcome: Outcome) => unknown): void
  /** Before the first rows of a tenant that this transaction makes; `enterNewTenant` does it. */
  prepareFor(tenantId: TenantId): Promise<void>
  /**
   * Awaits statements whose order matters: they travel in one flight in the given order, so those after a lock see what
   * the lock has waited for. `Promise.all` says instead that the order does not matter.
   */
  inOrder<const Steps extends readonly unknown[]>(
    steps: Steps,
  ): Promise<{ -readonly [At in keyof Steps]: Awaited<Steps[At]> }>
}

export type Outcome = 'committed' | 'rolled back' | 'unknown'

/** Something that happened: an event for other systems, with the history that people read. */
export interface Happening<T extends EventType = EventType> {
  event: T
  /** the id of the thing that it happened to; the type of the event says its kind */
  subject: number
  data: EventData<T>
  history?: Activity | readonly Activity[] | undefined
  /** who did it, if the actor is only becoming that person: by registering */
  actorId?: number
}

/** A line of history: of a task, of a project, or of a subject of another kind. */
export type Activity = Change &
  (
    | { projectId: number; taskId: number; subject?: undefined; action: ActivityOf<'task'> }
    | { projectId: number; taskId?: undefined; subject?: undefined; action: ActivityOf<'project'> }
    | {
        [Kind in ResourceType]: {
          subject: { type: Kind; id: number }
          projectId?: undefined
          taskId?: undefined
          action: ActivityOf<Kind>
        }
      }[ResourceType]
  )

interface Change {
  fieldName?: string
  oldValue?: string | null
  newValue?: string | null
  /** the subject's version after the change */
  version: number
}

/** Something that people are notified of; its facts fill the title that its type has in each language. */
export interface NotificationEvent<T extends NotificationType = NotificationType> {
  type: T
  facts: TitleFacts<T>
  content?: string | null
  resourceType: 'user' extends FactsOf<TitleOf<T>> ? 'user' : ResourceType
  resourceId: number
  receivers: readonly number[]
  /** also notifies the actor, if they must act next */
  actorToo?: boolean
}

/** What a statement may declare about the constraints it can violate: the constraint's name → its fault. */
export type Conflicts = Record<string, () => Fault>

/** Options of a statement that changes something. */
export interface Terms {
  conflicts?: Conflicts | undefined
  /** what its commit changes for others, who are notified after the commit */
  announces?: readonly Announcement[] | undefined
}

/** What a transaction announces after its commit, and of which tenant. */
export interface Announced {
  announcement: Announcement
  tenantId: TenantId
}

/** Sends the statements of one scope or transaction to the database. */
export interface Executor {
  /** Queues a statement and waits for its answer; statements of the same turn travel together. */
  run(tenantId: TenantId, call: Call, terms?: Terms): Promise<Result>
}

export interface TxExecutor extends Executor {
  /** Queues a statement that leaves with the next flight. */
  queue(tenantId: TenantId, call: Call, terms?: Terms): void
  /** Queues a statement that leaves with the commit, and answers with it. */
  last(tenantId: TenantId, call: Call, terms?: Terms): Promise<Result>
}

export const EXECUTOR = Symbol('executor')

export function run(scope: Scope, call: Call, terms?: Terms): Promise<Result> {
  return scope[EXECUTOR].run(scope.tenantId, call, terms)
}

export function queue(tx: Tx<any>, call: Call, terms?: Terms): void {
  tx[EXECUTOR].queue(tx.tenantId, call, terms)
}

export function last(tx: Tx<any>, call: Call, terms?: Terms): Promise<Result> {
  return tx[EXECUTOR].last(tx.tenantId, call, terms)
}
