import type { Tx } from '../data/tx/scope.ts'
import type { System } from '../kernel/actor.ts'

/** Stored secrets of one kind, which are sealed again before an old key is removed from ENCRYPTION_KEY. */
export interface SealedSecrets {
  /** in words, as the command line names them: second factors */
  what: string
  /** where they are stored: second_factors.secret */
  column: `${string}.${string}`
  /** Locks some of the tenant's, by ascending id, and says where each is stored for the sealer. */
  lockSome(tx: Tx<System>, range: { after: number; most: number }): Promise<SealedSecret[]>
  save(tx: Tx<System>, secret: Pick<SealedSecret, 'id' | 'sealed'>): void
}

export interface SealedSecret {
  id: number
  place: string
  sealed: string
}
