import { directory, list, lock, write, writeReturning } from '../../data/sql/verbs.ts'
import { ROLE } from '../../kernel/access.ts'
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
  { users_username_taken: peopleFaults.usernameTaken },
)

export const insertRole = writeReturning(
  ({ insert }, p: { code: string; name: string; description?: string | null }) =>
    insert('roles', p).returning(['roles.id', 'roles.createdAt', 'roles.updatedAt']),
  { roles_code_taken: peopleFaults.roleCodeTaken },
)

export const insertRolePermission = write(({ insert }, p: { roleId: number; permissionId: number }) =>
  insert('rolePermissions', p),
)

export const insertUserRole = write(({ insert }, p: { userId: number; roleId: number }) => insert('userRoles', p))

export const lockRoleByCode = lock((from, p: { code: string }) =>
  from('roles').select('roles.id').where('roles.code', '=', p.code).forShare(),
)

export const listPermissions = directory.list((from, _: object) =>
  from('permissions').select(['permissions.id', 'permissions.code']).orderBy('permissions.id'),
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

/** Active administrators of the tenant, who are told of what waits for any of them. */
export const listAdministratorIds = list((from, _: object) =>
  from('users')
    .select('users.id')
    .where('users.status', '=', 'active')
    .where(
      'users.id',
      'in',
      from('userRoles')
        .innerJoin('roles', (join) =>
          join.onRef('roles.tenantId', '=', 'userRoles.tenantId').onRef('roles.id', '=', 'userRoles.roleId'),
        )
        .select('userRoles.userId')
        .where('roles.code', 'in', [ROLE.admin, ROLE.tenantAdmin]),
    )
    .orderBy('users.id'),
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
