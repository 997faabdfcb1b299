import type { Tx } from '../../data/tx/scope.ts'
import { fail } from '../../kernel/fault.ts'
import { menuFaults } from '../menus/menus.rules.ts'
import { insertRoleMenu, listMenus, removeRoleMenu } from '../menus/menus.store.ts'
import { lockStaff } from '../people/authority.store.ts'
import { loadAuthority } from '../people/people.actions.ts'
import { isReserved, peopleFaults } from '../people/people.rules.ts'
import { insertRole, listPermissions, lockRoleByCode } from '../people/people.store.ts'
import { permissionFaults } from './permissions.rules.ts'
import { assertMayAssign, assertMayDelete, assertMayRevise, difference, roleFaults } from './roles.rules.ts'
import type { RoleDraft, RolePatch, RoleView } from './roles.schemas.ts'
import { findRole, grantPermission, listHolders, removeRole, saveRole, withdrawPermission } from './roles.store.ts'

/** Makes a role. @throws ROLE_CODE_TAKEN, RESERVED, NOT_FOUND (permission, menu), PERMISSION_DENIED */
export async function createRole(tx: Tx, draft: RoleDraft): Promise<RoleView> {
  const { code, name, description = null, permissionIds = [], menuIds = [] } = draft
  const [, twin, known, authority] = await Promise.all([
    lockStaff(tx, {}),
    lockRoleByCode(tx, { code }),
    loadKnown(tx),
    loadAuthority(tx),
  ])
  known.assertContains(permissionIds, menuIds)
  assertMayAssign(authority, known.codesOf(permissionIds))
  if (twin) throw peopleFaults.roleCodeTaken()
  if (isReserved(code)) throw roleFaults.codeReserved([{ path: 'body.code', message: 'is reserved' }])
  const { id, createdAt, updatedAt } = (await insertRole(tx, { code, name, description })).rows[0]!
  for (const permissionId of permissionIds) grantPermission(tx, { roleId: id, permissionId })
  for (const menuId of menuIds) insertRoleMenu(tx, { roleId: id, menuId })
  return { id, code, name, description, ...known.order(permissionIds, menuIds), createdAt, updatedAt }
}

/**
 * Changes a role. The sets that are given replace those it has, each as a whole.
 * @throws NOT_FOUND (role, permission, menu), RESERVED, PERMISSION_DENIED
 */
export async function updateRole(tx: Tx, id: number, patch: RolePatch): Promise<RoleView> {
  const [, found, known, authority] = await Promise.all([
    lockStaff(tx, {}),
    findRole(tx, { id }),
    loadKnown(tx),
    loadAuthority(tx),
  ])
  const role = found ?? fail(roleFaults.notFound())
  known.assertContains(patch.permissionIds, patch.menuIds)
  const held = known.idsOf(role.permissions)
  const permissions = difference(held, patch.permissionIds)
  const menus = difference(role.menuIds, patch.menuIds)
  const touched = known.codesOf([...permissions.added, ...permissions.removed])
  assertMayRevise(role, patch, touched, menus.added.length + menus.removed.length > 0, authority)
  const { name = role.name, description = role.description } = patch
  saveRole(tx, { id, name, description, updatedAt: tx.now })
  for (const permissionId of permissions.removed) withdrawPermission(tx, { roleId: id, permissionId })
  for (const permissionId of permissions.added) grantPermission(tx, { roleId: id, permissionId })
  for (const menuId of menus.removed) removeRoleMenu(tx, { roleId: id, menuId })
  for (const menuId of menus.added) insertRoleMenu(tx, { roleId: id, menuId })
  const sets = known.order(patch.permissionIds ?? held, patch.menuIds ?? role.menuIds)
  return { ...role, name, description, ...sets, updatedAt: tx.now }
}

/** Deletes a role that nobody holds. @throws NOT_FOUND, RESERVED, ROLE_IN_USE naming who holds it */
export async function deleteRole(tx: Tx, id: number): Promise<void> {
  const [, role, holders] = await Promise.all([
    lockStaff(tx, {}),
    findRole(tx, { id }),
    listHolders(tx, { roleId: id }),
  ])
  assertMayDelete(role ?? fail(roleFaults.notFound()), holders)
  removeRole(tx, { id })
}

/** The catalogue and the menus as they are now: ids by code, and what of some given ids there is. */
async function loadKnown(tx: Tx) {
  const [catalogue, menus] = await Promise.all([listPermissions(tx, {}), listMenus(tx, {})])
  const codes = new Map(catalogue.map(({ id, code }) => [id, code]))
  const idsOf = (permissions: readonly string[]) =>
    catalogue.filter(({ code }) => permissions.includes(code)).map(({ id }) => id)
  const codesOf = (ids: readonly number[]) => catalogue.filter(({ id }) => ids.includes(id)).map(({ code }) => code)
  return {
    idsOf,
    codesOf,
    /** @throws NOT_FOUND with the kind */
    assertContains(permissionIds: readonly number[] = [], menuIds: readonly number[] = []) {
      if (permissionIds.some((id) => !codes.has(id))) throw permissionFaults.notFound()
      if (menuIds.some((id) => !menus.some((menu) => menu.id === id))) throw menuFaults.notFound()
    },
    /** The sets as a view shows them. */
    order: (permissionIds: readonly number[], menuIds: readonly number[]) => ({
      permissions: codesOf(permissionIds),
      menuIds: menuIds.toSorted((a, b) => a - b),
    }),
  }
}
