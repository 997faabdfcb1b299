import { type Permission, ROLE } from './access.ts'

export type TenantId = number
export type UserId = number

/** A signed-in person, as known at most a second ago. `tenantId` is where they live, not where they act. */
export interface User {
  readonly kind: 'user'
  readonly id: UserId
  readonly tenantId: TenantId
  readonly sessionId: number
  readonly username: string
  readonly nickname: string | null
  readonly email: string | null
  readonly roles: readonly string[]
  readonly permissions: ReadonlySet<Permission>
  /** holds `admin` or `tenant-admin` in this tenant */
  readonly isAdministrator: boolean
  /** user 1 of tenant 1 holding `admin`: the only identity with a path across tenants */
  readonly isSystemAdministrator: boolean
}

/** Somebody without a token: the public portal, sign-in and registration. */
export interface Visitor {
  readonly kind: 'visitor'
}

/** The service itself: start-up and sweeps. */
export interface System {
  readonly kind: 'system'
}

export type Actor = User | Visitor | System

export const visitor: Visitor = { kind: 'visitor' }
export const system: System = { kind: 'system' }

/** True for the identity that may work across tenants. */
export function isSystemAdministrator(user: { id: UserId; tenantId: TenantId; roles: readonly string[] }): boolean {
  return user.id === 1 && user.tenantId === 1 && user.roles.includes(ROLE.admin)
}

/** True for holders of `admin` or `tenant-admin`. */
export function isAdministrator(roles: readonly string[]): boolean {
  return roles.includes(ROLE.admin) || roles.includes(ROLE.tenantAdmin)
}
