import type { Tx } from '../../data/scope.ts'
import { ROLE_GRANTS } from '../../kernel/access.ts'
import type { Actor } from '../../kernel/actor.ts'
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

/** Makes reserved roles in the transaction's tenant, each with what it holds. @returns their ids by code */
export async function createReservedRoles(tx: Tx<Actor>, codes: readonly string[]): Promise<Map<string, number>> {
  const permissions = new Map((await listPermissions(tx, {})).map(({ id, code }) => [code, id]))
  const ids = new Map<string, number>()
  for (const code of codes) {
    const roleId = (await insertRole(tx, { code, name: ROLE_NAMES[code]! })).rows[0]!.id
    for (const permission of ROLE_GRANTS[code]!)
      insertRolePermission(tx, { roleId, permissionId: permissions.get(permission)! })
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
