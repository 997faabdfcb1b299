import { faults, isAdministrator, ROLE, skeletonOf } from '#atrium'

/** The parts of a role that give authority. */
export interface RoleHeld {
  id: number
  code: string
  permissions: readonly string[]
}

/** The rights that a person may grant: their own. */
export interface Authority {
  readonly isAdministrator: boolean
  holds(permission: string): boolean
}

/** The system administrator's authority, in every tenant. */
export const everything: Authority = { isAdministrator: true, holds: () => true }

/** The authority that these roles give. */
export function authorityFrom(roles: readonly RoleHeld[]): Authority {
  const permissions = new Set(roles.flatMap((role) => role.permissions))
  return { isAdministrator: areAdministrative(roles), holds: (permission) => permissions.has(permission) }
}

/** The part of an authority that a key passes on. Narrowed to some permissions, it is nobody's administrator. */
export function narrowed(authority: Authority, permissions: readonly string[] | null | undefined): Authority {
  if (!permissions) return authority
  return {
    isAdministrator: false,
    holds: (permission) => permissions.includes(permission) && authority.holds(permission),
  }
}

/** Whether somebody with this authority may give all of these roles. */
export function covers(authority: Authority, roles: readonly RoleHeld[]): boolean {
  const isHeld = roles.every(({ permissions }) => permissions.every((permission) => authority.holds(permission)))
  return isHeld && (authority.isAdministrator || !areAdministrative(roles))
}

/** Whether one of the roles makes its holder an administrator. */
export function areAdministrative(roles: readonly Pick<RoleHeld, 'code'>[]): boolean {
  return isAdministrator(roles.map(({ code }) => code))
}

/** Nobody grants or revokes a permission that they do not hold. @throws PERMISSION_DENIED naming each missing one */
export function assertHolds(authority: Authority, permissions: Iterable<string>, path: string): void {
  const missing = [...new Set(permissions)].filter((permission) => !authority.holds(permission))
  if (missing.length === 0) return
  throw faults.permissionDenied(
    missing.map((permission) => ({ path, permission, message: '{permission} is not yours' })),
  )
}

/**
 * Nobody grants a role that exceeds their own rights, or manages a person who holds one.
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

/** The service defines `admin`, `tenant-admin` and `user`; no other role may have a similar code. */
export function isReserved(code: string): boolean {
  return reserved.has(skeletonOf(code))
}
