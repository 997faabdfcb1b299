import { sql } from 'kysely'
import { type From, list, lock } from '../../data/sql/verbs.ts'

/**
 * Who is who and may do what in a tenant changes one change at a time: people and roles hold the row that departments
 * hold too. So what a decision has read about roles, holders and leaders is still so when it is saved.
 */
export const lockStaff = lock((from, _: object) => from('organizations').select('organizations.id').forUpdate())

/** The codes of a role's permissions, in a query over roles. */
export const permissionsOf = (from: From) =>
  sql<string[]>`array(${from('rolePermissions')
    .innerJoin('permissions', 'permissions.id', 'rolePermissions.permissionId')
    .whereRef('rolePermissions.roleId', '=', 'roles.id' as never)
    .select('permissions.code')
    .orderBy('permissions.id')})`

const withAuthority = (from: From) =>
  from('roles').select(['roles.id', 'roles.code']).select(permissionsOf(from).as('permissions')).orderBy('roles.id')

/** The roles that a person holds, with what they permit. */
export const listRolesHeld = list((from, p: { userId: number }) =>
  withAuthority(from).where(
    'roles.id',
    'in',
    from('userRoles').select('userRoles.roleId').where('userRoles.userId', '=', p.userId),
  ),
)

export const listRolesByIds = list((from, p: { ids: number[] }) =>
  withAuthority(from).where(sql<boolean>`roles.id = any(${p.ids})`),
)

export const listRolesByCode = list((from, p: { code: string }) => withAuthority(from).where('roles.code', '=', p.code))
