import {
  type Column,
  type From,
  find,
  lend,
  list,
  lock,
  lockAll,
  matches,
  onIdAs,
  onKey,
  only,
  type PartOf,
  paginateOrSearch,
  sql,
  write,
  writeReturning,
} from '#atrium'
import { peopleFaults } from './people.rules.ts'

/** The people of the tenant, those who have gone included: what they have written keeps their name. */
export const everybody = lend(['users'], (from: From) => from('users'))

/** Those who have not gone. */
export const living = lend(['users'], (from: From) => from('users').where('users.deletedAt', 'is', null))

/** Those who may sign in. */
export const active = lend(['users'], (from: From) => from('users').where('users.status', '=', 'active'))

/** A join of `users`: the person whom a column names. */
export const personOf = lend(['users'], (column: Column) => onKey('users.id', column))

/** How a joined person is called. */
export const nameOf = sql<string>`coalesce(nullif(users.nickname, ''), users.username)`

/** A left join of `users as …`, under whatever name: the person whom a column names, where it names one. */
export const personAs = lend(['users'], (name: string, column: Column) => onIdAs(name, column))

/** How a person is called who was joined under a name: blank for who has gone, null where there is nobody. */
export const nameAs = (alias: string) => {
  const column = (name: string) => sql.ref(`${alias}.${name}`)
  return sql<string | null>`case when ${column('deletedAt')} is null
    then coalesce(nullif(${column('nickname')}, ''), ${column('username')}) else '' end`
}

/** The same of the person whom a column names, looked up for each row that is shown. */
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

const contact = ['nickname', 'email', 'phone', 'realName', 'status'] as const
type Contact = PartOf<'users', (typeof contact)[number]>
type Appearance = 'look' | 'skeleton' | 'nicknameSkeleton'
/** What a change of a person may touch. */
const changeable = [...contact, 'selfRegistered', 'nicknameSkeleton', 'updatedAt', 'passwordHash'] as const

export const insertUser = writeReturning(
  (
    { insert },
    p: { id?: number } & PartOf<'users', 'username' | 'passwordHash' | Appearance> &
      Partial<Contact & PartOf<'users', 'selfRegistered'>>,
  ) => insert('users', p).returning(['users.id', 'users.createdAt', 'users.updatedAt']),
  {
    conflicts: {
      users_username_taken: peopleFaults.usernameTaken,
      users_look_taken: peopleFaults.usernameTaken,
      users_skeleton_taken: peopleFaults.usernameTaken,
    },
  },
)

export const saveUser = write(
  (
    { update },
    p: PartOf<'users', 'id' | 'updatedAt' | 'nicknameSkeleton' | 'selfRegistered'> &
      Contact &
      Partial<PartOf<'users', 'passwordHash'>>,
  ) => update('users').set(only(p, changeable)).where('users.id', '=', p.id),
  { announces: 'rights' },
)

export const activateUser = write(
  ({ update }, p: PartOf<'users', 'id' | 'updatedAt'>) =>
    update('users').set({ status: 'active', updatedAt: p.updatedAt }).where('users.id', '=', p.id),
  { announces: 'rights' },
)

/** The person goes; their name stays with what they have written, and nobody else is ever called so. */
export const retireUser = write(
  ({ update }, p: { id: number; deletedAt: string }) =>
    update('users')
      .set({
        status: 'disabled',
        passwordHash: '-',
        email: null,
        phone: null,
        realName: null,
        updatedAt: p.deletedAt,
        deletedAt: p.deletedAt,
      })
      .where('users.id', '=', p.id),
  {
    announces: 'rights',
    conflicts: {
      projects_owner_lives: peopleFaults.inUse,
      project_members_user_lives: peopleFaults.inUse,
      departments_leader_lives: peopleFaults.inUse,
    },
  },
)

/** Waits for everything that is being given to the person, and keeps away what would be. */
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

/** Whether somebody else has a user name of this skeleton. */
export const findNamesake = find((from, p: { id: number; skeleton: string }) =>
  from('users').select('users.id').where('users.skeleton', '=', p.skeleton).where('users.id', '!=', p.id).limit(1),
)

/** Whether there is anybody of whose names nothing says yet what they look like. */
export const findWithoutAppearance = find((from, _: object) =>
  from('users').select('users.id').where('users.skeleton', 'is', null).limit(1),
)

/** People of whose names nothing says yet what they look like; those who have gone come last. */
export const lockWithoutAppearance = lockAll((from, p: { most: number }) =>
  from('users')
    .select(['users.id', 'users.username', 'users.nickname'])
    .where('users.skeleton', 'is', null)
    .orderBy(sql`users.deleted_at is not null`)
    .orderBy('users.id')
    .limit(p.most)
    .forUpdate()
    .skipLocked(),
)

/** People who are called so, or whose names look so. */
export const listAlike = list((from, p: { looks: string[]; skeletons: string[]; usernames: string[] }) =>
  from('users')
    .select(['users.username', 'users.look', 'users.skeleton'])
    .where((eb) =>
      eb.or([
        eb('users.look', '=', sql<string>`any(${p.looks}::text[])`),
        eb('users.skeleton', '=', sql<string>`any(${p.skeletons}::text[])`),
        eb('users.username', '=', sql<string>`any(${p.usernames}::text[])`),
      ]),
    ),
)

export const saveAppearance = write(
  ({ update }, p: PartOf<'users', 'id' | 'username' | 'nickname' | Appearance>) =>
    update('users')
      .set(only(p, ['username', 'nickname', 'look', 'skeleton', 'nicknameSkeleton']))
      .where('users.id', '=', p.id),
  { announces: 'rights' },
)

/**
 * A person of the tenant, who stays there until this transaction has ended: whoever has gone, or is just going, is
 * nobody. So what it gives them cannot be left behind by a deletion.
 */
export const shareLockUser = lock((from, p: { id: number }) =>
  from('users')
    .select(['users.id', 'users.username', 'users.nickname', 'users.status'])
    .where('users.id', '=', p.id)
    .where('users.deletedAt', 'is', null)
    .forKeyShare(),
)

/** Active users for pickers, whose name or nickname holds the keyword; by their ids also those who have left. */
export const listDirectory = paginateOrSearch(
  (from, p: { ids?: number[] }) =>
    from('users')
      .select(['users.id', 'users.username', 'users.nickname'])
      .select(
        sql<
          'active' | 'disabled' | 'deleted'
        >`case when users.deleted_at is null then users.status else 'deleted' end`.as('status'),
      )
      .$if(p.ids === undefined, (query) => query.where('users.status', '=', 'active'))
      .$if(p.ids !== undefined, (query) => query.where(sql<boolean>`users.id = any(${p.ids!})`)),
  (found, p: { pattern?: string; ids?: number[] }) =>
    found.$if(p.pattern !== undefined, (query) =>
      query.where((eb) =>
        eb.or([eb('users.username', 'ilike', p.pattern!), eb('users.nickname', 'ilike', p.pattern!)]),
      ),
    ),
  'users',
  { filters: ['pattern'], costly: ['pattern'], first: 'oldest' },
)
