import { isDeclaredPermission, type Tx } from '#atrium'
import { insertPermission, lockPermission, removePermission, savePermission } from './permissions.store.ts'
import { findAdmin } from './roles.actions.ts'
import { permissionFaults } from './roles.rules.ts'
import type { PermissionDraft, PermissionPatch, PermissionView } from './roles.schemas.ts'
import { grantPermission, withdrawPermission } from './roles.store.ts'

/** Adds a permission to the catalogue and to `admin`, which holds all permissions. @throws PERMISSION_CODE_TAKEN */
export async function createPermission(tx: Tx, draft: PermissionDraft): Promise<PermissionView> {
  const { code, name, description = null } = draft
  const permission = (await insertPermission(tx, { code, name, description })).rows[0]!
  const { home, roleId } = await findAdmin(tx)
  grantPermission(home, { roleId, permissionId: permission.id })
  return permission
}

/** Changes a permission; codes that routes require cannot change. @throws NOT_FOUND, RESERVED, PERMISSION_CODE_TAKEN */
export async function updatePermission(tx: Tx, id: number, patch: PermissionPatch): Promise<PermissionView> {
  const permission = await lockPermission(tx, { id })
  const { code = permission.code, name = permission.name, description = permission.description } = patch
  if (code !== permission.code && isDeclaredPermission(permission.code)) throw permissionFaults.reserved()
  savePermission(tx, { id, code, name, description })
  return { ...permission, code, name, description }
}

/** Deletes a permission that only `admin` holds, in all tenants. @throws NOT_FOUND, RESERVED, PERMISSION_IN_USE */
export async function deletePermission(tx: Tx, id: number): Promise<void> {
  const [permission, { home, roleId }] = await tx.inOrder([lockPermission(tx, { id }), findAdmin(tx)])
  if (isDeclaredPermission(permission.code)) throw permissionFaults.reserved()
  withdrawPermission(home, { roleId, permissionId: id })
  removePermission(tx, { id })
}
