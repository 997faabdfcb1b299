import { faults, isAdministrator, type Language, ROLE } from '#atrium'

/** A role as far as it gives somebody authority. */
export interface RoleHeld {
  id: number
  code: string
  permissions: readonly string[]
}

/** What somebody may pass on: what they hold themselves. */
export interface Authority {
  readonly isAdministrator: boolean
  holds(permission: string): boolean
}

/** The system administrator's, in every tenant. */
export const everything: Authority = { isAdministrator: true, holds: () => true }

/** The authority that these roles give. */
export function authorityFrom(roles: readonly RoleHeld[]): Authority {
  const permissions = new Set(roles.flatMap((role) => role.permissions))
  return { isAdministrator: areAdministrative(roles), holds: (permission) => permissions.has(permission) }
}

/** Whether one of the roles makes an administrator of whoever holds it. */
export function areAdministrative(roles: readonly Pick<RoleHeld, 'code'>[]): boolean {
  return isAdministrator(roles.map(({ code }) => code))
}

/** Nobody gives or takes a permission that they do not hold. @throws PERMISSION_DENIED naming each that is missing */
export function assertHolds(authority: Authority, permissions: Iterable<string>, path: string): void {
  const missing = [...new Set(permissions)].filter((permission) => !authority.holds(permission))
  if (missing.length === 0) return
  throw faults.permissionDenied(
    missing.map((permission) => ({ path, permission, message: '{permission} is not yours' })),
  )
}

/**
 * Nobody gives a role, or decides about somebody who holds it, that goes beyond what they are themselves.
 * @throws PERMISSION_DENIED naming what is missing
 */
export function assertCovers(authority: Authority, roles: readonly RoleHeld[], path: string): void {
  assertHolds(
    authority,
    roles.flatMap((role) => role.permissions),
    path,
  )
  if (areAdministrative(roles) && !authority.isAdministrator)
    throw faults.permissionDenied([{ path, message: 'only administrators decide about administrators' }])
}

const reserved = new Set<string>(Object.values(ROLE))

/** `admin`, `tenant-admin` and `user` are there in the form the service gives them; no other role may look like one. */
export function isReserved(code: string): boolean {
  return reserved.has(code.toLowerCase())
}

/** What the reserved roles are called; nobody renames them, so each reader sees them in their own language. */
const NAMES: Record<string, Record<Language, string>> = {
  [ROLE.admin]: { en: 'System administrator', 'zh-CN': '系统管理员' },
  [ROLE.tenantAdmin]: { en: 'Tenant administrator', 'zh-CN': '租户管理员' },
  [ROLE.user]: { en: 'User', 'zh-CN': '普通用户' },
}

interface Named {
  code: string
  name: string
}

/** A role as its reader calls it. */
export function roleIn<Role extends Named>(language: Language, role: Role): Role {
  return { ...role, name: reservedName(role.code, language) ?? role.name }
}

/** The name of a reserved role, as it is stored where no language is given. */
export function reservedName(code: string, language: Language = 'en'): string | undefined {
  return NAMES[code]?.[language]
}

/** The name that a patch means: whoever sends back the one that they have read does not rename the role. */
export function nameMeant({ code, name }: Named, sent: string | undefined): string | undefined {
  return sent !== undefined && Object.values(NAMES[code] ?? {}).includes(sent) ? name : sent
}
