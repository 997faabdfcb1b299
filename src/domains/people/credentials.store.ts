import {
  type Column,
  type From,
  find,
  lend,
  list,
  lock,
  matches,
  only,
  type PartOf,
  type Scope,
  sql,
  write,
  writeReturning,
} from '#atrium'
import { isSameName, type typed } from './names/usernames.ts'
import { namesTaken, peopleFaults, renamed } from './people.rules.ts'
import {
  active,
  addressOf,
  living,
  livingPeople,
  localeOf,
  nextVersion,
  userColumns,
  withAddress,
} from './people.store.ts'

type Typed = ReturnType<typeof typed>
/** In a query over `users`: people with this name or a similar one; the caller filters afterwards. */
export const calledSo = (p: Typed) =>
  sql<boolean>`(users.username = ${p.username} or users.username = ${p.composed} or users.skeleton = ${p.skeleton})`

const listCredentials = list((from, p: Typed) =>
  livingPeople(from)
    .where(calledSo(p))
    .select(['users.id', 'users.username', 'users.passwordHash', 'users.status', 'users.secondFactorAt'])
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

/** Keeps an active user's checked password and second factor unchanged until this transaction ends. */
export const shareLockCredentials = lock(
  (from, p: { id: number; passwordHash: string; secondFactorAt: string | null }) =>
    from('users')
      .select('users.id')
      .where('users.id', '=', p.id)
      .where('users.passwordHash', '=', p.passwordHash)
      .where(sql<boolean>`users.second_factor_at is not distinct from ${p.secondFactorAt}::timestamptz`)
      .where('users.status', '=', 'active')
      .where('users.deletedAt', 'is', null)
      .forShare(),
)

export const findPasswordHash = find((from, p: { id: number }) =>
  from('users').select('users.passwordHash').where('users.id', '=', p.id),
)

/** The password that its person must replace; undefined if they need not. */
export const findPasswordToReplace = find((from, p: { id: number }) =>
  from('users').select('users.passwordHash').where('users.id', '=', p.id).where('users.mustChangePassword', 'is', true),
)

/** @param p.mustChangePassword whether its person has to choose another one first */
export const savePasswordHash = write(
  ({ update }, p: { id: number; passwordHash: string; mustChangePassword: boolean }) =>
    update('users')
      .set({ ...only(p, ['passwordHash', 'mustChangePassword']), updatedAt: sql<string>`statement_timestamp()` })
      .where('users.id', '=', p.id),
  { announces: (p) => ({ user: p.id }) },
)

/**
 * Of a person who has not gone, whether a second factor protects them, and how to reach them. Keeps it as it is until this
 * transaction ends. It comes before every change of a second factor.
 */
export const lockSecondFactor = lock((from, p: { id: number }) =>
  living(from)
    .select(['users.id', 'users.username', 'users.email', 'users.secondFactorAt'])
    .select(localeOf.as('locale'))
    .where('users.id', '=', p.id)
    .forNoKeyUpdate(),
)
export type SecondFactorOf = NonNullable<Awaited<ReturnType<typeof lockSecondFactor>>>

export const saveSecondFactorAt = write(
  ({ update }, p: PartOf<'users', 'id' | 'secondFactorAt'>) =>
    update('users').set({ secondFactorAt: p.secondFactorAt }).where('users.id', '=', p.id),
  { announces: (p) => ({ user: p.id }) },
)

/** What no name looks like: none has a control character. */
const unlikeAnyName = (id: number) => sql<string>`chr(1) || ${id}::text`

/** A person or service account that is not deleted. */
export const findLiving = find((from, p: { id: number }) =>
  living(from).select('users.id').where('users.id', '=', p.id),
)

/** The person goes, and with them all that names them; their row stays for what they have done. The caller ends their secrets. */
export const retireUser = write(
  ({ update }, p: { id: number; deletedAt: string }) =>
    update('users')
      .set({
        status: 'disabled',
        username: '',
        nickname: null,
        nicknameSkeleton: null,
        look: unlikeAnyName(p.id),
        skeleton: unlikeAnyName(p.id),
        email: null,
        emailKey: null,
        emailVerifiedAt: null,
        phone: null,
        realName: null,
        avatar: null,
        updatedAt: p.deletedAt,
        deletedAt: p.deletedAt,
        ...nextVersion,
      })
      .where('users.id', '=', p.id),
  {
    announces: renamed,
    conflicts: {
      projects_owner_lives: peopleFaults.inUse,
      project_members_user_lives: peopleFaults.inUse,
      departments_leader_lives: peopleFaults.inUse,
    },
  },
)

/** A person who has gone is back, under their id. */
export const reviveUser = writeReturning(
  (
    { update },
    {
      id,
      email,
      ...p
    }: PartOf<
      'users',
      | ('id' | 'username' | 'nickname' | 'email' | 'passwordHash' | 'mustChangePassword' | 'updatedAt')
      | ('look' | 'skeleton' | 'nicknameSkeleton')
    >,
  ) =>
    update('users')
      .set({ ...p, ...withAddress(email), status: 'active', deletedAt: null, ...nextVersion })
      .where('users.id', '=', id)
      .where('users.deletedAt', 'is not', null)
      .where('users.isService', 'is', false)
      .returning(userColumns),
  { announces: renamed, conflicts: namesTaken },
)

/** The user name of the person whom a column names: blank if deleted, or of another tenant. */
export const usernameOfWho = lend(
  ['users'],
  (from: From, column: Column) =>
    sql<string>`coalesce((${from('users').select('users.username').where(matches('users.id', column))}), '')`,
)

/** In a query over `users`: what a person's password and address are now. A link that was made before is dead. */
export const credentialsMark = sql<string>`encode(sha256(convert_to(users.password_hash || chr(10) || coalesce(users.email, ''), 'UTF8')), 'hex')`

/** The mark of one person, for the row of a link that is made for them. */
export const getCredentialsMark = find((from, p: { id: number }) =>
  from('users').select(credentialsMark.as('mark')).where('users.id', '=', p.id),
).or(peopleFaults.notFound)

const reachable = (from: From) =>
  livingPeople(from)
    .select(['users.id', 'users.username', 'users.email', localeOf.as('locale'), credentialsMark.as('mark')])
    .where('users.status', '=', 'active')
    .where('users.email', '!=', '')
    .$narrowType<{ email: string }>()

/** A person who can sign in and has an e-mail address. */
export const findReachable = find((from, p: { id: number }) => reachable(from).where('users.id', '=', p.id))

/** An address may belong to several people, and anyone may write one into their profile: those who verified it come first. */
export const listReachableAt = list((from, p: { email: string; most: number }) =>
  reachable(from)
    .where('users.emailKey', '=', sql<string>`lower(${p.email})`)
    .orderBy(sql`users.email_verified_at is null`)
    .orderBy('users.id')
    .limit(p.most),
)

/** Somebody who has shown that this address is theirs. */
export const findVerifiedAt = find((from, p: { email: string }) =>
  livingPeople(from)
    .select('users.id')
    .where('users.emailKey', '=', sql<string>`lower(${p.email})`)
    .where('users.emailVerifiedAt', 'is not', null)
    .limit(1),
)

/** Gives a person an address that they have shown to be theirs. */
export const saveVerifiedAddress = write(
  ({ update }, p: { id: number; email: string }) =>
    update('users')
      .set({
        ...addressOf(p.email),
        emailVerifiedAt: sql<string>`statement_timestamp()`,
        updatedAt: sql<string>`statement_timestamp()`,
        ...nextVersion,
      })
      .where('users.id', '=', p.id),
  { announces: (p) => ({ user: p.id }) },
)

/** A person who may get mail, with what they want of it; undefined if they are disabled or deleted. */
export const findReceiver = find((from, p: { id: number }) =>
  active(from)
    .where('users.deletedAt', 'is', null)
    .where('users.id', '=', p.id)
    .select(['users.id', 'users.status', 'users.deletedAt', 'users.email', 'users.emailVerifiedAt'])
    .select([localeOf.as('locale'), 'users.timeZone', 'users.mail']),
)

/** Those of these people who may get mail: their addresses, and their language if they have chosen one. */
export const listReceivers = list((from, p: { ids: readonly number[]; most: number }) =>
  active(from)
    .where('users.deletedAt', 'is', null)
    .where('users.id', '=', sql<number>`any(${p.ids}::bigint[])`)
    .select(['users.id', 'users.email', localeOf.as('locale')])
    .limit(p.most),
)

const preferences = ['locale', 'timeZone', 'mail'] as const

/** Sets what is given. */
export const savePreferences = write(
  ({ update }, p: { id: number } & Partial<PartOf<'users', (typeof preferences)[number]>>) =>
    update('users').set(only(p, preferences)).where('users.id', '=', p.id),
  { announces: (p) => ({ user: p.id }) },
)
