import {
  anyLike,
  type Column,
  columnsOf,
  type From,
  find,
  type Language,
  lend,
  list,
  lock,
  matches,
  onIdAs,
  onKey,
  only,
  type PartOf,
  paginateOrSearch,
  requireAtCommit,
  type SearchedRange,
  searchedIn,
  sql,
  type Usage,
  write,
  writeReturning,
} from '#atrium'
import { avatarUrlAs } from './avatars.store.ts'
import { namesTaken, renamed } from './people.rules.ts'

/** The people of the tenant, including deleted ones, whose rows name nobody. */
export const everybody = lend(['users'], (from: From) => from('users'))

/** Those who are not deleted. */
export const living = lend(['users'], (from: From) => from('users').where('users.deletedAt', 'is', null))

/** People who are not deleted: service accounts are none. */
export const livingPeople = lend(['users'], (from: From) => living(from).where('users.isService', 'is', false))

/** Service accounts that are not deleted. */
export const services = lend(['users'], (from: From) => living(from).where('users.isService', 'is', true))

/** Those who may work: people who may sign in, and service accounts. */
export const active = lend(['users'], (from: From) => from('users').where('users.status', '=', 'active'))

/** A join of `users`: the person whom a column names. */
export const personOf = lend(['users'], (column: Column) => onKey('users.id', column))

/** The name of a joined person. */
export const nameOf = sql<string>`coalesce(nullif(users.nickname, ''), users.username)`

/** Whether a joined person can sign in, cannot, or has left. */
export const statusOf = sql<
  'active' | 'disabled' | 'deleted'
>`case when users.deleted_at is null then users.status else 'deleted' end`

/** A left join of `users` under an alias: the person whom a column names, if any. */
export const personAs = lend(['users'], (name: string, column: Column) => onIdAs(name, column))

/** The name of a person joined under an alias: blank if deleted, null if there is none. */
export const nameAs = (alias: string) => {
  const column = (name: string) => sql.ref(`${alias}.${name}`)
  return sql<string | null>`case when ${column('deletedAt')} is null
    then coalesce(nullif(${column('nickname')}, ''), ${column('username')}) else '' end`
}

/** The same for the person whom a column names, looked up for each row shown. */
export const nameOfWho = lend(
  ['users'],
  (from: From, column: Column) =>
    sql<string>`(${from('users').select(nameAs('users').as('name')).where(matches('users.id', column))})`,
)

export const listNamesShown = list((from, p: { ids: readonly number[] }) =>
  from('users')
    .select(['users.id', nameAs('users').as('name')])
    .where('users.id', '=', sql<number>`any(${p.ids}::bigint[])`),
)

const countSigningIn = find((from, _: object) =>
  from('users')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('users.status', '=', 'active')
    .where('users.isService', 'is', false),
)

/** People who can sign in. */
export const peopleUsed: Usage = {
  of: 'people',
  count: async (scope) => (await countSigningIn(scope, {}))!.count,
}

const contact = ['nickname', 'email', 'phone', 'realName', 'status'] as const
type Contact = PartOf<'users', (typeof contact)[number]>
type Appearance = 'look' | 'skeleton' | 'nicknameSkeleton'
/** In a change of a person: what a form of them shows is different afterwards. */
export const nextVersion = { version: sql<number>`users.version + 1` }

/** The address as it is written, and as it is looked for: in no case. An empty one is none. */
export const addressOf = (email: string | null) => ({
  email,
  emailKey: sql<string | null>`nullif(lower(${email}), '')`,
})

/** Sets the address of a person. Another one starts unverified. */
export const withAddress = (email: string | null) => ({
  ...addressOf(email),
  emailVerifiedAt: sql<
    string | null
  >`case when users.email is not distinct from ${email} then users.email_verified_at end`,
})

const changeable = [
  ...contact,
  'selfRegistered',
  'nicknameSkeleton',
  'updatedAt',
  'passwordHash',
  'mustChangePassword',
] as const

/** Of a person, all that a view of them shows but their roles and their last sign-in. */
export const userColumns = columnsOf('users', [
  'id',
  'username',
  'nickname',
  'email',
  'phone',
  'realName',
  'status',
  'selfRegistered',
  'version',
  'createdAt',
  'updatedAt',
])

export const insertUser = writeReturning(
  (
    { insert },
    p: { id?: number } & PartOf<'users', 'username' | 'passwordHash' | Appearance> &
      Partial<Contact & PartOf<'users', 'selfRegistered' | 'isService' | 'mustChangePassword' | 'emailVerifiedAt'>>,
  ) => insert('users', { ...p, ...(p.email !== undefined && addressOf(p.email)) }).returning(userColumns),
  { conflicts: namesTaken },
)

export const saveUser = write(
  (
    { update },
    p: PartOf<'users', 'id' | 'updatedAt' | 'nicknameSkeleton' | 'selfRegistered'> &
      Contact &
      Partial<PartOf<'users', 'passwordHash' | 'mustChangePassword'>>,
  ) =>
    update('users')
      .set({ ...only(p, changeable), ...withAddress(p.email), ...nextVersion })
      .where('users.id', '=', p.id),
  { announces: renamed },
)

/** Gives somebody another user name. */
export const saveUsername = write(
  ({ update }, p: PartOf<'users', 'id' | 'username' | 'look' | 'skeleton' | 'updatedAt'>) =>
    update('users')
      .set({ ...only(p, ['username', 'look', 'skeleton', 'updatedAt']), ...nextVersion })
      .where('users.id', '=', p.id),
  { announces: renamed, conflicts: namesTaken },
)

export const activateUser = write(
  ({ update }, p: PartOf<'users', 'id' | 'updatedAt'>) =>
    update('users')
      .set({ status: 'active', updatedAt: p.updatedAt, ...nextVersion })
      .where('users.id', '=', p.id),
  { announces: (p) => ({ user: p.id }) },
)

/** Waits for transactions that assign something to the person, and blocks new ones. */
export const lockUser = lock((from, p: { id: number }) =>
  from('users').select('users.id').where('users.id', '=', p.id).forUpdate(),
)

/** Whether somebody has a nickname of this skeleton. */
export const findNicknamed = find((from, p: { nicknameSkeleton: string }) =>
  from('users').select('users.id').where('users.nicknameSkeleton', '=', p.nicknameSkeleton).limit(1),
)

/** Whether one of these people, and not this one, has a nickname of this skeleton. */
export const findNicknamedOf = find((from, p: { id: number; ids: readonly number[]; nicknameSkeleton: string }) =>
  from('users')
    .select('users.id')
    .where('users.nicknameSkeleton', '=', p.nicknameSkeleton)
    .where('users.id', '=', sql<number>`any(${p.ids}::bigint[])`)
    .where('users.id', '!=', p.id)
    .limit(1),
)

/** Whether a person has a user name or a nickname of this skeleton. */
export const findPersonCalled = find((from, p: { skeleton: string }) =>
  livingPeople(from)
    .select('users.id')
    .where((eb) => eb.or([eb('users.skeleton', '=', p.skeleton), eb('users.nicknameSkeleton', '=', p.skeleton)]))
    .limit(1),
)

/** Whether somebody else has a user name of this skeleton. */
export const findNamesake = find((from, p: { id: number; skeleton: string }) =>
  from('users').select('users.id').where('users.skeleton', '=', p.skeleton).where('users.id', '!=', p.id).limit(1),
)

/**
 * A person of the tenant, who cannot be deleted until this transaction ends. A person who is deleted, or is being deleted,
 * is not found, so nothing can be assigned to them.
 */
export const shareLockUser = lock((from, p: { id: number }) =>
  from('users')
    .select(['users.id', 'users.username', 'users.nickname', 'users.status'])
    .where('users.id', '=', p.id)
    .where('users.deletedAt', 'is', null)
    .forKeyShare(),
)

/** The person, or service account, is not deleted until this transaction ends. */
export const stillLiving = requireAtCommit((from, p: { id: number }) =>
  living(from).select('users.id').where('users.id', '=', p.id).forKeyShare(),
)

/** A person who is not deleted. A service account is not found. */
export const findPerson = find((from, p: { id: number }) =>
  livingPeople(from)
    .select(['users.id', 'users.username', 'users.nickname', 'users.status'])
    .where('users.id', '=', p.id),
)

/** Active people for pickers whose name or nickname contains the keyword; by ids also deleted ones and service accounts. */
export const listDirectory = paginateOrSearch(
  (from, p: { ids?: number[] }) =>
    from('users')
      .select(['users.id', 'users.username', 'users.nickname', avatarUrlAs('users').as('avatarUrl')])
      .select(statusOf.as('status'))
      .$if(p.ids === undefined, (query) =>
        query.where('users.status', '=', 'active').where('users.isService', 'is', false),
      )
      .$if(p.ids !== undefined, (query) => query.where(sql<boolean>`users.id = any(${p.ids!})`)),
  (found, p: { pattern?: string; ids?: number[] }) =>
    found.$if(p.pattern !== undefined, (query) =>
      query.where(anyLike(p.pattern!, ['users.username', 'users.nickname'])),
    ),
  'users',
  { filters: ['pattern'], costly: ['pattern'], first: 'oldest' },
)

/** The people whom anybody of the tenant finds: those of the directory. */
export const listSearchedPeople = list((from, p: SearchedRange) =>
  searchedIn(
    active(from).where('users.isService', 'is', false),
    'users',
    { title: nameOf, text: sql`users.username` },
    p,
  ),
)

/** In a query over `users`: the language that a person chose; null if it is that of the tenant. */
export const localeOf = sql<Language | null>`users.locale`
