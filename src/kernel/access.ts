import type { DomainPermission, GrantedRole, Words } from './words/domain.ts'

/**
 * What a route can demand: a closed union of what the domains declare, so a route cannot demand what no one can hold.
 */
export type Permission = DomainPermission

/** What a route demands: a permission, a valid token, or nothing. `system:` also demands the system administrator. */
export type Access = Permission | `system:${Permission}` | 'signed-in' | 'anyone'

/** The reserved roles: they cannot be deleted or renamed. */
export const ROLE = { admin: 'admin', tenantAdmin: 'tenant-admin', user: 'user' } as const

const declared = new Map<Permission, readonly GrantedRole[]>()

/** Registers the permissions of a domain. @throws Error if one is declared twice */
export function declarePermissions(permissions: NonNullable<Words['permissions']>): void {
  for (const [code, roles] of Object.entries(permissions)) {
    if (declared.has(code as Permission)) throw new Error(`The permission ${code} is declared by two domains`)
    declared.set(code as Permission, roles)
  }
}

/** The catalogue of permissions, domain by domain. */
export function allPermissions(): readonly Permission[] {
  return [...declared.keys()]
}

/** Whether a domain declares it; permissions that clients have added are not declared. */
export function isDeclaredPermission(code: string): boolean {
  return declared.has(code as Permission)
}

/** Whether it is for system administrators: no role of another tenant gets such a permission. */
export function isOfTheSystem(permission: string): boolean {
  return declared.get(permission as Permission)?.length === 0
}

/** The permissions of a new reserved role. */
export function grantsOf(role: string): readonly Permission[] {
  if (role === ROLE.admin) return allPermissions()
  return [...declared].filter(([, roles]) => roles.includes(role as GrantedRole)).map(([code]) => code)
}
