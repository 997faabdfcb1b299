import type { Tx } from '../../data/tx/scope.ts'
import { enterTenant } from '../../data/tx/transact.ts'
import { ROLE, ROLE_GRANTS } from '../../kernel/access.ts'
import type { Actor } from '../../kernel/actor.ts'
import { menusFor } from '../menus/menus.rules.ts'
import { insertRoleMenu, listMenus } from '../menus/menus.store.ts'
import { listRolesHeld } from './authority.store.ts'
import { type Authority, authorityFrom, everything } from './people.rules.ts'
import {
  insertRole,
  insertRolePermission,
  insertUser,
  insertUserRole,
  listPermissions,
  lockRoleByCode,
} from './people.store.ts'

const ROLE_NAMES: Record<string, string> = {
  admin: 'System administrator',
  'tenant-admin': 'Tenant administrator',
  user: 'User',
}

/**
 * Makes reserved roles in the transaction's tenant, each with what it holds; of the menus, administrators see all and
 * `user` those that its permissions open. @returns their ids by code
 */
export async function createReservedRoles(tx: Tx<Actor>, codes: readonly string[]): Promise<Map<string, number>> {
  const [catalogue, menus] = await Promise.all([listPermissions(tx, {}), listMenus(tx, {})])
  const permissions = new Map(catalogue.map(({ id, code }) => [code, id]))
  const ids = new Map<string, number>()
  for (const code of codes) {
    const grants = ROLE_GRANTS[code]!
    const roleId = (await insertRole(tx, { code, name: ROLE_NAMES[code]! })).rows[0]!.id
    for (const permission of grants) insertRolePermission(tx, { roleId, permissionId: permissions.get(permission)! })
    for (const menu of code === ROLE.user ? menusFor(menus, grants) : menus)
      insertRoleMenu(tx, { roleId, menuId: menu.id })
    ids.set(code, roleId)
  }
  return ids
}

export interface NewUser {
  id?: number
  username: string
  passwordHash: string
  nickname?: string | null
  email?: string | null
}

/** Makes a user who holds one role. @throws USERNAME_TAKEN */
export async function createUser(tx: Tx<Actor>, user: NewUser, roleCode: string) {
  const [inserted, role] = await Promise.all([insertUser(tx, user), lockRoleByCode(tx, { code: roleCode })])
  const { id, createdAt, updatedAt } = inserted.rows[0]!
  insertUserRole(tx, { userId: id, roleId: role!.id })
  return {
    id,
    username: user.username,
    nickname: user.nickname ?? null,
    email: user.email ?? null,
    phone: null,
    realName: null,
    status: 'active' as const,
    roles: [roleCode],
    createdAt,
    updatedAt,
  }
}

/**
 * What the actor may pass on, as it is in this transaction and not as it was when the request came in: who has just
 * lost a permission cannot give it back to themselves.
 */
export async function loadAuthority(tx: Tx): Promise<Authority> {
  return tx.actor.isSystemAdministrator ? everything : authorityFrom(await listRolesHeld(tx, { userId: tx.actor.id }))
}

/** The role `admin`, in the tenant where the system administrator is at home. */
export async function findAdmin(tx: Tx) {
  const home = enterTenant(tx, tx.actor.tenantId, 'admin holds every permission and sees every menu')
  return { home, roleId: (await lockRoleByCode(home, { code: ROLE.admin }))!.id }
}
