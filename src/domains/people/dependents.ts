import {
  type Column,
  type Detail,
  endSecretsOf,
  type Permission,
  ports,
  type Scope,
  type Tx,
  type UserId,
} from '#atrium'
import { savePasswordHash } from './credentials.store.ts'
import { NO_PASSWORD } from './passwords.ts'

/**
 * One kind of thing that depends on a person. This is the one list of them: deletion, hand-over, disabling, a change of
 * roles and restoring all ask it, so a domain that names people says here what becomes of that. Their secrets are not in
 * it: the schema says which they are.
 */
export interface Dependent {
  /** the columns that name the person: `projects.ownerId` */
  readonly columns: readonly Column[]
  /** how somebody else takes it over */
  readonly work?: Work
  /** Ends it with the person, and once more when they are restored. The caller holds the locks on the staff and on the person. */
  end?(tx: Tx<any>, p: { userId: UserId }): void | Promise<void>
  /** Takes back what the account has let others do, when it turns out to be another person's. The caller holds the same locks. */
  withdraw?(tx: Tx<any>, p: { userId: UserId }): Promise<void>
  /**
   * Reads who can act before a change of people, roles or departments. The result is called after the change is queued: it
   * notifies everyone for whom that makes a difference.
   */
  watch?(tx: Tx<any>, of: Touched): Promise<() => Promise<void>>
}
export const dependents = ports<Dependent>('what depends on a person')

/** Whom a change touches: a person, the people of a department, or anyone. */
export interface Touched {
  userId?: UserId
  departmentId?: number
}

/** Work of a person, which somebody else can take over. */
export interface Work {
  /** what the list of it is called: `projects` */
  readonly kind: string
  /** how many of it an example of the document names */
  readonly example: number
  /** what its next person has to be permitted, to do it at all */
  readonly needs?: Permission
  /** What a refusal to delete its person says of each. Work without it does not keep its person: it ends with them. */
  keeps?(id: number): Detail
  /** What the person has of it, in the order of the ids; at most `most`. */
  list(scope: Scope, p: { userId: UserId; most: number }): Promise<Held[]>
  /**
   * Passes it to an active person, with its history and notifications. The caller holds the lock on the staff.
   * @returns how many there were
   */
  handOver(tx: Tx, from: UserId, to: UserId): Promise<number>
}

/** Something that a person is responsible for. */
export interface Held {
  id: number
  name: string
}

/** All kinds of work. */
export function kindsOfWork(): Work[] {
  return dependents.all().flatMap(({ work }) => work ?? [])
}

/** Asks everything that depends on people to watch a change. @returns what notifies them, for after the change is queued */
export async function watchDependents(tx: Tx<any>, of: Touched = {}): Promise<() => Promise<void>> {
  const tell = await Promise.all(dependents.all().flatMap(({ watch }) => watch?.(tx, of) ?? []))
  return async () => {
    for (const each of tell) await each()
  }
}

/** Ends what ends with a person, secrets too. The caller holds the locks on the staff and on the person. */
export async function endDependents(tx: Tx<any>, userId: UserId): Promise<void> {
  endSecrets(tx, userId)
  await Promise.all(dependents.all().map(({ end }) => end?.(tx, { userId })))
}

/**
 * Takes an account back for a person who stays: somebody has shown that it is theirs, which somebody else may have made.
 * Afterwards nobody comes in as they did before, or acts for them. The caller holds the locks on the staff and on the
 * person.
 */
export async function takeBack(tx: Tx<any>, userId: UserId): Promise<void> {
  endSecrets(tx, userId)
  for (const { withdraw } of dependents.all()) await withdraw?.(tx, { userId })
}

function endSecrets(tx: Tx<any>, userId: UserId): void {
  // A sign-in that has checked the password holds it until its session is there, which then ends too.
  savePasswordHash(tx, { id: userId, passwordHash: NO_PASSWORD, mustChangePassword: false })
  endSecretsOf(tx, { userId })
}

/** How much of one kind is handed over in one transaction. */
export const MOST_HANDED_OVER = 10_000

/** The new person hears of each thing, up to so many of one kind; of more there is one notification with the number. */
export const MOST_TOLD_SINGLY = 50
