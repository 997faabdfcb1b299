import type { Actor, TenantId, User } from '../../kernel/actor.ts'
import type { Call, Landing } from '../wire/connection.ts'
import type { Conflicts } from '../sql/verbs.ts'

/**
 * A Scope is the read handle of one tenant; a Tx is the open write transaction of one tenant and one actor.
 * They are two types: a function that changes something asks for a Tx, and a Scope does not pass for one.
 */
export interface Scope {
  readonly tenantId: TenantId
  readonly [CARRIER]: Carrier
}

export interface Tx<Who extends Actor = User> extends Scope {
  readonly actor: Who
  readonly requestId: string
  /** The claim of this key commits with the command; undefined where the request brought none. */
  readonly idempotencyKey: string | undefined
  /**
   * ISO instant of the change, by the database's clock, taken after the first statements and so after their locks:
   * what waited for another transaction is later than it. Known once a statement has been awaited.
   */
  readonly now: string
  /** Writes what happened, in this transaction. */
  record(activity: Activity): void
  /** Announces after the commit: an outbox row in this transaction, notifications behind it. The actor is never told of their own act. */
  tell(news: News): void
  /** Runs once the transaction has committed, before the caller has its answer; a failure is logged under the label. */
  afterCommit(label: string, effect: () => unknown): void
  /** Runs once it is clear how the transaction ended. */
  onEnd(label: string, effect: (outcome: Outcome) => unknown): void
}

export type Outcome = 'committed' | 'rolled back' | 'unknown'

export interface Activity {
  projectId: number
  taskId?: number
  action: string
  fieldName?: string
  oldValue?: string | null
  newValue?: string | null
  /** the subject's version after the change */
  version: number
}

export interface News {
  type: string
  title: string
  content?: string | null
  resourceType: 'project' | 'task' | 'approval'
  resourceId: number
  receivers: readonly number[]
  /** tells the actor as well, where they are the one who must act next */
  actorToo?: boolean
}

/** What brings statements to the database, in batches, for one scope or transaction. */
export interface Carrier {
  /** Queues a statement and waits for its answer; statements asked in the same turn travel together. */
  ask(tenantId: TenantId, call: Call, conflicts: Conflicts | undefined): Promise<Landing>
  /** Queues a statement that leaves with the next flight. */
  later(tenantId: TenantId, call: Call, conflicts: Conflicts | undefined): void
}

export const CARRIER = Symbol('carrier')

export function ask(scope: Scope, call: Call, conflicts: Conflicts | undefined): Promise<Landing> {
  return scope[CARRIER].ask(scope.tenantId, call, conflicts)
}

export function later(tx: Tx<any>, call: Call, conflicts: Conflicts | undefined): void {
  tx[CARRIER].later(tx.tenantId, call, conflicts)
}
