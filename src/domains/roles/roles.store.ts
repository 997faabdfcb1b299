import {
  cold,
  columnsOf,
  type From,
  find,
  isThere,
  lend,
  list,
  matches,
  onKey,
  only,
  type PartOf,
  type Permission,
  paginate,
  ROLE,
  sql,
  write,
  writeReturning,
} from '#atrium'
import { menuFaults } from '#atrium/menus'
import { active } from '#atrium/people'
import { permissionFaults, roleFaults } from './roles.rules.ts'

/** The roles of the tenant. */
export const everyRole = lend(['roles'], (from: From) => from('roles'))

/** The codes of the roles that a person holds, in a query over `users`. */
export const roleCodesOf = lend(
  ['userRoles', 'roles'],
  (from: From) =>
    sql<string[]>`array(${from('userRoles')
      .innerJoin('roles', onKey('roles.id', 'userRoles.roleId'))
      .where(matches('userRoles.userId', 'users.id'))
      .select('roles.code')
      .orderBy('roles.id')})`,
)

/** The ids of the roles of a person, in a query over `users`. */
export const roleIdsHeld = lend(
  ['userRoles'],
  (from: From) =>
    sql<number[]>`array(${from('userRoles')
      .where(matches('userRoles.userId', 'users.id'))
      .select('userRoles.roleId')
      .orderBy('userRoles.roleId')})`,
)

/** The codes of roles and of all their permissions. */
export const findRights = find((from, p: { roleIds: number[] }) =>
  cold.selectNoFrom([
    sql<string[]>`array(${from('roles')
      .where(sql<boolean>`roles.id = any(${p.roleIds})`)
      .select('roles.code')
      .orderBy('roles.id')})`.as('roles'),
    sql<Permission[]>`array(${from('rolePermissions')
      .innerJoin('permissions', 'permissions.id', 'rolePermissions.permissionId')
      .where(sql<boolean>`role_permissions.role_id = any(${p.roleIds})`)
      .select('permissions.code')
      .groupBy(['permissions.code', 'permissions.id'])
      .orderBy('permissions.id')})`.as('permissions'),
  ]),
)

/**
 * The people who hold a permission, as a subquery of their ids. The few roles that give it are found once for each
 * statement, so that a plan made without statistics does not join roles and permissions again for each row.
 */
export const holdersOf = lend(['userRoles', 'rolePermissions', 'permissions'], (from: From, permission: Permission) =>
  from('userRoles')
    .where(
      'userRoles.roleId',
      '=',
      sql<number>`any(array(${from('rolePermissions')
        .innerJoin('permissions', 'permissions.id', 'rolePermissions.permissionId')
        .where('permissions.code', '=', permission)
        .select('rolePermissions.roleId')}))`,
    )
    .select('userRoles.userId'),
)

/** The administrators of the tenant, as a subquery of their ids. */
export const administrators = lend(['userRoles', 'roles'], (from: From) =>
  from('userRoles')
    .innerJoin('roles', onKey('roles.id', 'userRoles.roleId'))
    .select('userRoles.userId')
    .where('roles.code', 'in', [ROLE.admin, ROLE.tenantAdmin]),
)

/** Who holds which role. */
export const holdings = lend(['userRoles'], (from: From) => from('userRoles'))

/** The people who hold a role, as a subquery of their ids. */
export const holdersOfRole = lend(['userRoles'], (from: From, roleId: number) =>
  from('userRoles').where('userRoles.roleId', '=', roleId).select('userRoles.userId'),
)

/** The codes of a role's permissions, in a query over roles. */
export const permissionsOf = (from: From) =>
  sql<string[]>`array(${from('rolePermissions')
    .innerJoin('permissions', 'permissions.id', 'rolePermissions.permissionId')
    .where(matches('rolePermissions.roleId', 'roles.id'))
    .select('permissions.code')
    .orderBy('permissions.id')})`

/** In a query over `roles`: whether a role gives more than a person has, who thus cannot give it, as `covers` decides. */
export const exceeds = lend(
  ['rolePermissions', 'userRoles', 'roles'],
  (from: From, personId: ReturnType<typeof sql<number>>) =>
    sql<boolean>`(${isThere(
      from('rolePermissions')
        .where(matches('rolePermissions.roleId', 'roles.id'))
        .where(
          'rolePermissions.permissionId',
          'not in',
          from('userRoles')
            .innerJoin('rolePermissions', onKey('rolePermissions.roleId', 'userRoles.roleId'))
            .where('userRoles.userId', '=', personId)
            .select('rolePermissions.permissionId'),
        ),
    )} or roles.code in (${sql.lit(ROLE.admin)}, ${sql.lit(ROLE.tenantAdmin)})
      and ${personId} not in (${administrators(from)}))`,
)

const changeable = ['name', 'description', 'updatedAt'] as const

const withSets = (from: From) =>
  from('roles')
    .select(columnsOf('roles', ['id', 'code', 'name', 'description', 'createdAt', 'updatedAt']))
    .select([
      permissionsOf(from).as('permissions'),
      sql<number[]>`array(${from('roleMenus')
        .where(matches('roleMenus.roleId', 'roles.id'))
        .select('roleMenus.menuId')
        .orderBy('roleMenus.menuId')})`.as('menuIds'),
    ])

export const getRole = find((from, p: { id: number }) => withSets(from).where('roles.id', '=', p.id)).or(
  roleFaults.notFound,
)

export const listRoles = paginate(
  (from, p: { pattern?: string; codes?: readonly string[] }) =>
    withSets(from).$if(p.pattern !== undefined, (query) =>
      query.where((eb) =>
        eb.or([
          eb('roles.code', 'ilike', p.pattern!),
          eb('roles.name', 'ilike', p.pattern!),
          eb('roles.description', 'ilike', p.pattern!),
          eb('roles.code', '=', sql<string>`any(${p.codes!}::text[])`),
        ]),
      ),
    ),
  'roles.id',
  'newest',
  { costly: ['pattern'], sorts: { code: 'roles.code' } },
)

export const listRoleCodes = list((from, _: object) => from('roles').select('roles.code'))

export const findRoleByCode = find((from, p: { code: string }) =>
  from('roles').select('roles.id').where('roles.code', '=', p.code),
)

export const insertRole = writeReturning(
  ({ insert }, p: PartOf<'roles', 'code' | 'name'> & Partial<PartOf<'roles', 'description'>>) =>
    insert('roles', p).returning(['roles.id', 'roles.createdAt', 'roles.updatedAt']),
  { announces: 'roles', conflicts: { roles_code_taken: roleFaults.codeTaken } },
)

export const saveRole = write(
  ({ update }, p: PartOf<'roles', 'id' | (typeof changeable)[number]>) =>
    update('roles').set(only(p, changeable)).where('roles.id', '=', p.id),
  { announces: 'roles' },
)

export const grantPermission = write(
  ({ insert }, p: { roleId: number; permissionId: number }) => insert('rolePermissions', p),
  { announces: 'roles', conflicts: { role_permissions_permission: permissionFaults.notFound } },
)

export const withdrawPermission = write(
  ({ remove }, p: { roleId: number; permissionId: number }) =>
    remove('rolePermissions')
      .where('rolePermissions.roleId', '=', p.roleId)
      .where('rolePermissions.permissionId', '=', p.permissionId),
  { announces: 'roles' },
)

const MOST_NAMED = 100

export const listHolders = list((from, p: { roleId: number }) =>
  from('userRoles')
    .select('userRoles.userId')
    .where('userRoles.roleId', '=', p.roleId)
    .orderBy('userRoles.userId')
    .limit(MOST_NAMED),
)

export const removeRole = write(({ remove }, p: { id: number }) => remove('roles').where('roles.id', '=', p.id), {
  announces: 'roles',
  conflicts: { user_roles_role: roleFaults.inUse },
})

/** The menus that a person's roles show. */
export const listMenuIdsOf = list((from, p: { userId: number }) =>
  from('userRoles')
    .innerJoin('roleMenus', onKey('roleMenus.roleId', 'userRoles.roleId'))
    .select('roleMenus.menuId')
    .distinct()
    .where('userRoles.userId', '=', p.userId),
)

export const insertRoleMenu = write(({ insert }, p: { roleId: number; menuId: number }) => insert('roleMenus', p), {
  conflicts: { role_menus_menu: menuFaults.notFound },
})

export const removeRoleMenu = write(({ remove }, p: { roleId: number; menuId: number }) =>
  remove('roleMenus').where('roleMenus.roleId', '=', p.roleId).where('roleMenus.menuId', '=', p.menuId),
)

const withAuthority = (from: From) =>
  from('roles').select(['roles.id', 'roles.code']).select(permissionsOf(from).as('permissions')).orderBy('roles.id')

/** The roles that a person holds, with their permissions. */
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

/** Active administrators of the tenant, who are notified of work for any of them; service accounts among them. */
export const listAdministratorIds = list((from, _: object) =>
  active(from)
    .select(['users.id', 'users.isService'])
    .where('users.id', 'in', administrators(from))
    .orderBy('users.id'),
)

export const insertUserRole = write(({ insert }, p: { userId: number; roleId: number }) => insert('userRoles', p), {
  announces: (p) => ({ user: p.userId }),
})

export const removeUserRole = write(
  ({ remove }, p: { userId: number; roleId: number }) =>
    remove('userRoles').where('userRoles.userId', '=', p.userId).where('userRoles.roleId', '=', p.roleId),
  { announces: (p) => ({ user: p.userId }) },
)

export const removeUserRoles = write(
  ({ remove }, p: { userId: number }) => remove('userRoles').where('userRoles.userId', '=', p.userId),
  { announces: (p) => ({ user: p.userId }) },
)
