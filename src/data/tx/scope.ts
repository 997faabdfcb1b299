import type { Actor, TenantId, User } from '../../kernel/actor.ts'
import type { Fault } from '../../kernel/fault.ts'
import type { ActivityOf, NotificationType, ResourceType } from '../../kernel/words/domain.ts'
import type { TitleFacts } from '../../kernel/words/titles.ts'
import type { Announcement } from '../wire/announcements.ts'
import type { Call, Result } from '../wire/flight.ts'

/**
 * A Scope is the read handle of one tenant; a Tx is the open write transaction of one tenant and one actor.
 * They are two types: a function that changes something asks for a Tx, and a Scope does not pass for one.
 */
export interface Scope {
  readonly tenantId: TenantId
  readonly [EXECUTOR]: Executor
}

export interface Tx<Who extends Actor = User> extends Scope {
  readonly [EXECUTOR]: TxExecutor
  readonly actor: Who
  readonly requestId: string
  /**
   * ISO instant of the change, by the database's clock, taken after the first statements and so after their locks:
   * what waited for another transaction is later than it. Known once a statement has been awaited.
   */
  readonly now: string
  /** Writes what happened, in this transaction. */
  record(activity: Activity): void
  /** Announces after the commit: an outbox row in this transaction, notifications behind it. The actor is never told of their own act. */
  notify<T extends NotificationType>(event: NotificationEvent<T>): void
  /** Runs once the transaction has committed, before the caller has its answer; a failure is logged under the label. */
  afterCommit(label: string, effect: () => unknown): void
  /** Runs once it is clear how the transaction ended. */
  onEnd(label: string, effect: (outcome: Outcome) => unknown): void
  /**
   * Waits for statements whose order is what makes the action right: they travel in one flight in the order in which
   * they stand here, so what stands behind a lock sees what the lock has waited for. `Promise.all` says instead that the
   * order does not matter.
   */
  inOrder<const Steps extends readonly unknown[]>(
    steps: Steps,
  ): Promise<{ -readonly [At in keyof Steps]: Awaited<Steps[At]> }>
}

export type Outcome = 'committed' | 'rolled back' | 'unknown'

/** What happened: to a task, to a project, or to a subject of another kind. */
export type Activity = Happening &
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

interface Happening {
  fieldName?: string
  oldValue?: string | null
  newValue?: string | null
  /** the subject's version after the change */
  version: number
}

/** Something that people are told of; its facts fill the title that its type has in each language. */
export interface NotificationEvent<T extends NotificationType = NotificationType> {
  type: T
  facts: TitleFacts<T>
  content?: string | null
  resourceType: ResourceType
  resourceId: number
  receivers: readonly number[]
  /** tells the actor as well, where they are the one who must act next */
  actorToo?: boolean
}

/** What a statement may say about the constraints it can hit: the constraint's name → the fault it means. */
export type Conflicts = Record<string, () => Fault>

/** What a statement that changes something brings along. */
export interface Terms {
  conflicts?: Conflicts | undefined
  /** what its commit changes for others, who hear of it after the commit */
  announces?: Announcement | undefined
}

/** What a transaction announces after its commit, and of which tenant. */
export interface Announced {
  announcement: Announcement
  tenantId: TenantId
}

/** Brings the statements of one scope or transaction to the database. */
export interface Executor {
  /** Queues a statement and waits for its answer; statements asked in the same turn travel together. */
  run(tenantId: TenantId, call: Call, terms?: Terms): Promise<Result>
  /** Queues a statement that leaves with the next flight. */
  queue(tenantId: TenantId, call: Call, terms?: Terms): void
}

export interface TxExecutor extends Executor {
  /** True if what the action relies on is to be taken for granted, and not looked at. */
  trusts(): boolean
  /** Called when the action has succeeded: queues what the commit begins with. */
  atCommit(condition: () => void): void
}

export const EXECUTOR = Symbol('executor')

export function run(scope: Scope, call: Call, terms?: Terms): Promise<Result> {
  return scope[EXECUTOR].run(scope.tenantId, call, terms)
}

export function queue(tx: Tx<any>, call: Call, terms?: Terms): void {
  tx[EXECUTOR].queue(tx.tenantId, call, terms)
}
