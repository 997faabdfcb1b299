import { type Changes, type Database, port, type Scope, type User, type WrittenKey } from '#atrium'
import { listLivingSessions } from './auth.store.ts'
import type { RightsOf } from './callers.ts'

/** Programs that call with a key of their own. */
export interface KeyHolders {
  /** The account of a key, without a promise if it is cached; undefined if there is none. @throws RATE_LIMITED */
  find(key: WrittenKey, ip: string): User | undefined | Promise<User | undefined>
  /** Those of the keys that have not ended. */
  findLiving(scope: Scope, keyIds: readonly number[]): Promise<ReadonlySet<number>>
  /** Writes down what is not yet. */
  close(): Promise<void>
}

/** Whose they are. @param limit how many unknown keys one network may ask for in a minute; 0 turns that off */
export type OpenKeyHolders = (database: Database, changes: Changes, rightsOf: RightsOf, limit: number) => KeyHolders

const nobody: KeyHolders = {
  find: () => undefined,
  findLiving: async () => new Set(),
  close: async () => {},
}

/** Where no domain keeps keys, no key is valid. */
export const keyHolders = port<OpenKeyHolders>('who calls with a key', () => nobody)

/** Looks up which sessions and keys of these users have not ended. @returns whether that of a user has not */
export async function findLivingCallers(
  holders: KeyHolders,
  scope: Scope,
  users: readonly User[],
): Promise<(user: User) => boolean> {
  const keyIds = [...new Set(users.flatMap(({ key }) => key?.id ?? []))]
  const sessionIds = [...new Set(users.map(({ sessionId }) => sessionId))]
  const [sessions, keys] = await Promise.all([
    listLivingSessions(scope, { sessionIds }),
    keyIds.length ? holders.findLiving(scope, keyIds) : new Set(),
  ])
  const alive = new Set(sessions.map(({ id }) => id))
  return ({ key, sessionId }) => (key ? keys.has(key.id) : alive.has(sessionId))
}
