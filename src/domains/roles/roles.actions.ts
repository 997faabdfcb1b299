import {
  type Actor,
  assertUnchanged,
  changesBetween,
  type Expected,
  enterTenant,
  FIRST_USER,
  grantsOf,
  isSystemAdministrator,
  ROLE,
  type Tx,
  type UserId,
} from '#atrium'
import { listMenus, type MenuAudience, menuFaults, menusFor } from '#atrium/menus'
import { lockStaff } from '#atrium/organization'
import {
  activateUser,
  appearanceOf,
  appoint,
  findCredentials,
  findOfficeHolder,
  insertUser,
  peopleFaults,
  recordStatus,
  recordUser,
  recordUserChanges,
  typed,
  watchDependents,
} from '#atrium/people'
import { type Authority, authorityFrom, everything, narrowed } from './authority.rules.ts'
import { listPermissions } from './permissions.store.ts'
import {
  assertMayAssign,
  assertMayDelete,
  assertMayRevise,
  codeFrom,
  difference,
  nameMeant,
  permissionFaults,
  reservedName,
  roleState,
  settleCode,
} from './roles.rules.ts'
import { ROLE_FIELDS, type RoleDraft, type RolePatch, type RoleView } from './roles.schemas.ts'
import {
  findRoleByCode,
  getRole,
  grantPermission,
  insertRole,
  insertRoleMenu,
  insertUserRole,
  listHolders,
  listMenuIdsOf,
  listRoleCodes,
  listRolesByCode,
  listRolesHeld,
  removeRole,
  removeRoleMenu,
  saveRole,
  withdrawPermission,
} from './roles.store.ts'

/** Creates a role. Without `menuIds` it shows the menus that its permissions open. @throws ROLE_CODE_TAKEN, RESERVED, NOT_FOUND (permission, menu), PERMISSION_DENIED */
export async function createRole(tx: Tx, draft: RoleDraft): Promise<RoleView> {
  const { name, description = null, permissionIds = [] } = draft
  const wanted = codeFrom(draft)
  const [, rivals, known, authority] = await tx.inOrder([
    lockStaff(tx, {}),
    listRoleCodes(tx, {}),
    loadKnown(tx),
    loadAuthority(tx),
  ])
  known.assertContains(permissionIds, draft.menuIds)
  assertMayAssign(authority, known.codesOf(permissionIds))
  const menuIds = draft.menuIds ?? known.menuIdsFor(permissionIds)
  const code = settleCode(
    wanted,
    rivals.map((rival) => rival.code),
  )
  const { id, createdAt, updatedAt } = (await insertRole(tx, { code, name, description })).rows[0]!
  for (const permissionId of permissionIds) grantPermission(tx, { roleId: id, permissionId })
  for (const menuId of menuIds) insertRoleMenu(tx, { roleId: id, menuId })
  tx.record({ event: 'role.created', subject: id, data: { code, name, permissions: known.codesOf(permissionIds) } })
  return { id, code, name, description, ...known.order(permissionIds, menuIds), createdAt, updatedAt }
}

/**
 * Changes a role. A given set replaces the current one as a whole.
 * @throws NOT_FOUND (role, permission, menu), RESERVED, PERMISSION_DENIED
 */
export async function updateRole(tx: Tx, id: number, sent: RolePatch, { ifMatch }: Expected = {}): Promise<RoleView> {
  const [, role, known, authority, notifyHeirs] = await tx.inOrder([
    lockStaff(tx, {}),
    getRole(tx, { id }),
    loadKnown(tx),
    loadAuthority(tx),
    watchDependents(tx),
  ])
  const patch = { ...sent, name: nameMeant(role, sent.name) }
  known.assertContains(patch.permissionIds, patch.menuIds)
  const held = known.idsOf(role.permissions)
  const permissions = difference(held, patch.permissionIds)
  const menus = difference(role.menuIds, patch.menuIds)
  const touched = known.codesOf([...permissions.added, ...permissions.removed])
  assertMayRevise(role, patch, touched, menus.added.length + menus.removed.length > 0, authority)
  assertUnchanged(roleState(role), ifMatch)
  const { name = role.name, description = role.description } = patch
  saveRole(tx, { id, name, description, updatedAt: tx.now })
  for (const permissionId of permissions.removed) withdrawPermission(tx, { roleId: id, permissionId })
  for (const permissionId of permissions.added) grantPermission(tx, { roleId: id, permissionId })
  for (const menuId of menus.removed) removeRoleMenu(tx, { roleId: id, menuId })
  for (const menuId of menus.added) insertRoleMenu(tx, { roleId: id, menuId })
  await notifyHeirs()
  const sets = known.order(patch.permissionIds ?? held, patch.menuIds ?? role.menuIds)
  const changes = changesBetween(role, { name, description, ...sets }, ROLE_FIELDS)
  if (changes.length > 0) tx.record({ event: 'role.updated', subject: id, data: { changes } })
  return { ...role, name, description, ...sets, updatedAt: tx.now }
}

/** Deletes a role that nobody holds. @throws NOT_FOUND, RESERVED, ROLE_IN_USE naming its holders */
export async function deleteRole(tx: Tx, id: number, { ifMatch }: Expected = {}): Promise<void> {
  const [, role, holders] = await tx.inOrder([lockStaff(tx, {}), getRole(tx, { id }), listHolders(tx, { roleId: id })])
  assertMayDelete(role, holders)
  assertUnchanged(roleState(role), ifMatch)
  removeRole(tx, { id })
  tx.record({ event: 'role.deleted', subject: id, data: { code: role.code } })
}

/** Loads the catalogue and the menus, to look up ids by code and to check given ids. */
async function loadKnown(tx: Tx) {
  const [catalogue, menus] = await Promise.all([listPermissions(tx, {}), listMenus(tx, {})])
  const codes = new Map(catalogue.map(({ id, code }) => [id, code]))
  const idsOf = (permissions: readonly string[]) =>
    catalogue.filter(({ code }) => permissions.includes(code)).map(({ id }) => id)
  const codesOf = (ids: readonly number[]) => catalogue.filter(({ id }) => ids.includes(id)).map(({ code }) => code)
  return {
    idsOf,
    codesOf,
    menuIdsFor: (permissionIds: readonly number[]) => menusFor(menus, codesOf(permissionIds)).map(({ id }) => id),
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

/**
 * Creates reserved roles with their permissions in the transaction's tenant. Administrators see all menus; `user` sees
 * those that its permissions open.
 */
export async function createReservedRoles(tx: Tx<Actor>, codes: readonly string[]): Promise<void> {
  const [catalogue, menus] = await Promise.all([listPermissions(tx, {}), listMenus(tx, {})])
  const permissions = new Map(catalogue.map(({ id, code }) => [code, id]))
  for (const code of codes) {
    const grants = grantsOf(code)
    const roleId = (await insertRole(tx, { code, name: reservedName(code)! })).rows[0]!.id
    for (const permission of grants) grantPermission(tx, { roleId, permissionId: permissions.get(permission)! })
    for (const menu of code === ROLE.user ? menusFor(menus, grants) : menus)
      insertRoleMenu(tx, { roleId, menuId: menu.id })
  }
}

type NewUser = Omit<Parameters<typeof insertUser>[1], keyof ReturnType<typeof appearanceOf>>

/** Creates a user who holds one role. @throws USERNAME_TAKEN */
export async function createUserWithRole(tx: Tx<Actor>, user: NewUser, roleCode: string) {
  const [inserted, role] = await Promise.all([
    insertUser(tx, { ...user, ...appearanceOf(user.username, user.nickname) }),
    findRoleByCode(tx, { code: roleCode }),
  ])
  const created = inserted.rows[0]!
  insertUserRole(tx, { userId: created.id, roleId: role!.id })
  recordUser(tx, created.id, { roles: [roleCode], selfRegistered: created.selfRegistered })
  return { ...created, roles: [roleCode], lastSignInAt: null }
}

/** Activates an existing user and gives them a role. @returns their id @throws NOT_FOUND */
export async function restoreAdministrator(tx: Tx<Actor>, username: string, roleCode: string): Promise<UserId> {
  const [, found] = await tx.inOrder([lockStaff(tx, {}), findCredentials(tx, typed(username))])
  if (!found) throw peopleFaults.notFound()
  const { id } = found
  const [wanted, held, notifyHeirs] = await Promise.all([
    listRolesByCode(tx, { code: roleCode }),
    listRolesHeld(tx, { userId: id }),
    watchDependents(tx, { userId: id }),
  ])
  activateUser(tx, { id, updatedAt: tx.now })
  const added = wanted.filter((role) => !held.some((one) => one.id === role.id))
  for (const role of added) insertUserRole(tx, { userId: id, roleId: role.id })
  recordStatus(tx, id, found.status, 'active')
  const [from, to] = [held, [...held, ...added]].map((roles) => roles.map(({ code }) => code))
  recordUserChanges(tx, id, added.length > 0 ? [{ field: 'roles', from, to }] : [])
  await notifyHeirs()
  return id
}

/**
 * Makes a person of the first tenant the system administrator and an active administrator of that tenant. The previous
 * one stays an administrator of it. @throws NOT_FOUND
 */
export async function appointSystemAdministrator(tx: Tx<Actor>, username: string): Promise<void> {
  const userId = await restoreAdministrator(tx, username, ROLE.admin)
  appoint(tx, { userId, former: (await findOfficeHolder(tx)) ?? FIRST_USER })
}

/**
 * The rights that the actor may grant, read in this transaction and not when the request arrived: anyone who has just
 * lost a permission cannot regain it. A key passes on only what it gives itself.
 */
export async function loadAuthority(tx: Tx): Promise<Authority> {
  return narrowed(await loadOwnAuthority(tx), tx.actor.key?.permissions)
}

/** The same for the account of the actor, whatever its key gives. */
export async function loadOwnAuthority(tx: Tx): Promise<Authority> {
  const { id, tenantId } = tx.actor
  const home = tenantId === tx.tenantId ? tx : enterTenant(tx, tenantId, 'what an actor may pass on, they hold at home')
  const [held, holder] = await Promise.all([listRolesHeld(home, { userId: id }), findOfficeHolder(home)])
  const roles = held.map(({ code }) => code)
  return isSystemAdministrator({ tenantId, roles, holdsOffice: holder === id }) ? everything : authorityFrom(held)
}

/** The role `admin`, in the tenant of the system administrators. */
export async function findAdmin(tx: Tx) {
  const home = enterTenant(tx, tx.actor.tenantId, 'admin holds every permission and sees every menu')
  return { home, roleId: (await findRoleByCode(home, { code: ROLE.admin }))!.id }
}

/** Who sees which menu, by their roles. */
export const seenByRoles: MenuAudience = {
  async listSeenBy(scope, { id: userId, roles }) {
    if (roles.length === 0) return []
    return (await listMenuIdsOf(scope, { userId })).map(({ menuId }) => menuId)
  },
  async findAdmin(tx) {
    const { home, roleId } = await findAdmin(tx)
    return { show: (menuId) => insertRoleMenu(home, { roleId, menuId }) }
  },
}
