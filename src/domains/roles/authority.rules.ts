import { faults, isAdministrator, ROLE, skeletonOf } from '#atrium'

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

const reserved = new Set(Object.values(ROLE).map(skeletonOf))

/** `admin`, `tenant-admin` and `user` are there in the form the service gives them; no other role may look like one. */
export function isReserved(code: string): boolean {
  return reserved.has(skeletonOf(code))
}
