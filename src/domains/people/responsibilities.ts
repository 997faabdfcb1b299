import { type Column, type Detail, type Permission, ports, type Scope, type Tx, type UserId } from '#atrium'
import { savePasswordHash } from './credentials.store.ts'
import { NO_PASSWORD } from './passwords.ts'

/** Something that a person is responsible for. */
export interface Held {
  id: number
  name: string
}

/** One kind of work that keeps its person from being deleted, until somebody else takes it over. */
export interface Responsibility {
  /** what the list of it is called: `projects` */
  readonly kind: string
  /** the columns that name the person: `projects.ownerId` */
  readonly columns: readonly Column[]
  /** what its next person has to be permitted, to do it at all */
  readonly needs?: Permission
  /** What a refusal to delete its person says of each. */
  keeps(id: number): Detail
  /** What the person has of it, in the order of the ids; at most `most`. */
  list(scope: Scope, p: { userId: UserId; most: number }): Promise<Held[]>
  /**
   * Passes all of it to an active person, with its history and notifications. The caller holds the lock on the staff.
   * @returns how many there were
   */
  handOver(tx: Tx, from: UserId, to: UserId): Promise<number>
}
export const responsibilities = ports<Responsibility>('what a person is responsible for')

/** What names a person only as long as they are there, and is removed when they are deleted. */
export interface Departure {
  readonly columns: readonly Column[]
  /** The caller holds the locks on the staff and on the person. */
  end(tx: Tx, p: { userId: UserId }): void
}
export const departures = ports<Departure>('what ends with the deletion of a person')

/** A kind of secret with which anyone acts as a person, or sees what the person sees: sessions, keys, mailed links. */
export interface Secret {
  readonly columns: readonly Column[]
  /** The caller holds the lock on the person. */
  end(tx: Tx<any>, p: { userId: UserId }): void
}
export const secrets = ports<Secret>('the secrets of a person')

/**
 * Ends every secret of a person: they go, or somebody has shown that the account is theirs, which somebody else may have
 * made. Afterwards nobody comes in as they did before. The caller holds the lock on the person.
 */
export function endSecrets(tx: Tx<any>, userId: UserId): void {
  // A sign-in that has checked the password holds it until its session is there, which then ends too.
  savePasswordHash(tx, { id: userId, passwordHash: NO_PASSWORD, mustChangePassword: false })
  for (const secret of secrets.all()) secret.end(tx, { userId })
}

/** How much of one kind is handed over in one transaction. */
export const MOST_HANDED_OVER = 10_000

/** The new person hears of each thing, up to so many of one kind; of more there is one notification with the number. */
export const MOST_TOLD_SINGLY = 50
