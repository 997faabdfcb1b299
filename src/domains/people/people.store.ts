import { list, lock, writeReturning } from '../../data/sql/verbs.ts'
import { containing } from '../../kernel/zod.ts'
import { peopleFaults } from './people.rules.ts'

export const insertUser = writeReturning(
  (
    { insert },
    p: {
      id?: number
      username: string
      passwordHash: string
      nickname?: string | null
      email?: string | null
      phone?: string | null
      realName?: string | null
      status?: 'active' | 'disabled'
    },
  ) => insert('users', p).returning(['users.id', 'users.createdAt', 'users.updatedAt']),
  { conflicts: { users_username_taken: peopleFaults.usernameTaken } },
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

const MOST_IN_DIRECTORY = 50

/** Active users whose name or nickname holds the keyword, for pickers. */
export const listDirectory = list((from, p: { pattern?: string }) =>
  from('users')
    .select(['users.id', 'users.username', 'users.nickname'])
    .where('users.status', '=', 'active')
    .$if(p.pattern !== undefined, (query) =>
      query.where((eb) =>
        eb.or([eb('users.username', 'ilike', p.pattern!), eb('users.nickname', 'ilike', p.pattern!)]),
      ),
    )
    .orderBy('users.id')
    .limit(MOST_IN_DIRECTORY),
)

/** The pattern of a directory search; absent for an absent keyword. */
export function directoryFilter(keyword: string | undefined) {
  return keyword === undefined ? {} : { pattern: containing(keyword) }
}
