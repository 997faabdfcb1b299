import { find, list, lock, type Scope, sql, write } from '#atrium'
import { living } from './people.store.ts'
import { isSameName, type typed } from './usernames.ts'

type Typed = ReturnType<typeof typed>
/** In a query over `users`: people with this name or a similar one; the caller filters afterwards. */
export const calledSo = (p: Typed) =>
  sql<boolean>`(users.username = ${p.username} or users.username = ${p.composed} or users.skeleton = ${p.skeleton})`

const listCredentials = list((from, p: Typed) =>
  living(from)
    .where(calledSo(p))
    .select(['users.id', 'users.username', 'users.passwordHash', 'users.status'])
    .orderBy(sql`users.username = ${p.username}`, 'desc')
    .orderBy(sql`users.username = ${p.composed}`, 'desc')
    .orderBy('users.id')
    .limit(3),
)

/**
 * Finds a person by user name: first as typed, to find names from before normalization; then normalized; then in any
 * case, because phones capitalize the first letter.
 */
export async function findCredentials(scope: Scope, name: Typed) {
  return (await listCredentials(scope, name)).find(({ username }) => isSameName(username, name.username))
}

/** Keeps an active user's checked password unchanged until this transaction ends. */
export const shareLockCredentials = lock((from, p: { id: number; passwordHash: string }) =>
  from('users')
    .select('users.id')
    .where('users.id', '=', p.id)
    .where('users.passwordHash', '=', p.passwordHash)
    .where('users.status', '=', 'active')
    .where('users.deletedAt', 'is', null)
    .forShare(),
)

export const findPasswordHash = find((from, p: { id: number }) =>
  from('users').select('users.passwordHash').where('users.id', '=', p.id),
)

export const savePasswordHash = write(({ update }, p: { id: number; passwordHash: string }) =>
  update('users')
    .set({ passwordHash: p.passwordHash, updatedAt: sql<string>`clock_timestamp()` })
    .where('users.id', '=', p.id),
)
