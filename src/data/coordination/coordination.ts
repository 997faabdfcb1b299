import type { Limit, Quota, Slot } from '../../util/sliding-window.ts'
import type { Metrics } from '../jobs/metrics.ts'
import type { Tx } from '../tx/scope.ts'
import type { Channel } from './broadcast.ts'

/** The fast gate in front of the claims: asked before the database, believed if it says no, ignored if it is away. */
export interface Gatekeeper {
  /** False if the key is taken. A commit closes the gate for good, and a definite failure reopens it. */
  enter(tx: Tx<any>, name: string): Promise<boolean>
}

/** Sliding windows that all replicas share. Undefined if what counts them is away. */
export interface SharedQuotas {
  /** Counts nothing. */
  look(limit: Limit, key: string): Promise<Quota | undefined>
  /** Looks and counts in one step. */
  take(limit: Limit, key: string): Promise<Slot | undefined>
}

/** Coordination between replicas, over any transport. */
export interface Coordination {
  /** its name in health, if it is a dependency that can be away */
  readonly dependency?: string
  /** Reports whether it is away. */
  report?(metrics: Metrics): void
  /** undefined if nothing would be faster than asking the database */
  gatekeeper: Gatekeeper | undefined
  /** Opens a channel, on a connection of its own. */
  openChannel(name: string, receive: (text: string) => void): Channel
  quotas: SharedQuotas
  up(): boolean
  close(): Promise<void>
}
