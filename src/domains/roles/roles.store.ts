import { sql } from 'kysely'
import { paginate } from '../../data/sql/paginate.ts'
import { type From, find, list, write } from '../../data/sql/verbs.ts'
import { permissionsOf } from '../people/authority.store.ts'
import { permissionFaults } from './permissions.rules.ts'
import { roleFaults } from './roles.rules.ts'

const withSets = (from: From) =>
  from('roles')
    .select(['roles.id', 'roles.code', 'roles.name', 'roles.description', 'roles.createdAt', 'roles.updatedAt'])
    .select([
      permissionsOf(from).as('permissions'),
      sql<number[]>`array(${from('roleMenus')
        .whereRef('roleMenus.roleId', '=', 'roles.id' as never)
        .select('roleMenus.menuId')
        .orderBy('roleMenus.menuId')})`.as('menuIds'),
    ])

export const findRole = find((from, p: { id: number }) => withSets(from).where('roles.id', '=', p.id))

export const listRoles = paginate(
  (from, p: { pattern?: string }) =>
    withSets(from).$if(p.pattern !== undefined, (query) =>
      query.where((eb) =>
        eb.or([
          eb('roles.code', 'ilike', p.pattern!),
          eb('roles.name', 'ilike', p.pattern!),
          eb('roles.description', 'ilike', p.pattern!),
        ]),
      ),
    ),
  'roles.id',
)

export const saveRole = write(
  ({ update }, p: { id: number; name: string; description: string | null; updatedAt: string }) =>
    update('roles')
      .set({ name: p.name, description: p.description, updatedAt: p.updatedAt })
      .where('roles.id', '=', p.id),
)

export const grantPermission = write(
  ({ insert }, p: { roleId: number; permissionId: number }) => insert('rolePermissions', p),
  { role_permissions_permission: permissionFaults.notFound },
)

export const withdrawPermission = write(({ remove }, p: { roleId: number; permissionId: number }) =>
  remove('rolePermissions')
    .where('rolePermissions.roleId', '=', p.roleId)
    .where('rolePermissions.permissionId', '=', p.permissionId),
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
  user_roles_role: roleFaults.inUse,
})
