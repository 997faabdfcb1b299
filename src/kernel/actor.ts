import { type Permission, ROLE } from './access.ts'

export type TenantId = number
export type UserId = number

/** A key of a service account. */
export interface ApiKey {
  readonly id: number
  readonly prefix: string
  /** the only permissions that it gives of those that its account has, and so it is narrowed; null for all of them */
  readonly permissions: readonly string[] | null
}

/** A signed-in person or a service account, as known at most a second ago. `tenantId` is where they live, not where they act. */
export interface User {
  readonly kind: 'user'
  readonly id: UserId
  readonly tenantId: TenantId
  /** 0 for a service account, which calls with a key */
  readonly sessionId: number
  /** the key that this request came with; undefined for a person */
  readonly key: ApiKey | undefined
  readonly username: string
  readonly nickname: string | null
  readonly email: string | null
  /** registered without being invited, and no administrator has cleared the mark */
  readonly selfRegistered: boolean
  /** a second factor protects their account */
  readonly hasSecondFactor: boolean
  /** what they have to do before anything else */
  readonly duty: Duty | undefined
  /** of a narrowed key none: what it may do is its permissions */
  readonly roles: readonly string[]
  readonly permissions: ReadonlySet<Permission>
  /** holds `admin` or `tenant-admin` in this tenant; a narrowed key is nobody's administrator */
  readonly isAdministrator: boolean
  /** holds the office, of which there is one: no one else can work across tenants */
  readonly isSystemAdministrator: boolean
}

/** Until it is done, a person reaches only the routes that are open despite it. */
export type Duty = 'change-password' | 'add-second-factor'

/** The name to show for a person: the chosen one, else the user name. */
export function nameOf({ nickname, username }: { nickname: string | null; username: string }): string {
  return nickname || username
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

/** What an actor is to those who read of it: a person, another system, or the service itself. */
export function kindOfActor(actor: User | System): 'user' | 'service' | 'system' {
  if (actor.kind === 'system') return 'system'
  return actor.key ? 'service' : 'user'
}

export const visitor: Visitor = { kind: 'visitor' }
export const system: System = { kind: 'system' }

export const FIRST_TENANT: TenantId = 1
/** Made by the first start; the system administrator until the office is handed over. */
export const FIRST_USER: UserId = 1

/** True for the one person who may work across tenants. */
export function isSystemAdministrator(user: {
  tenantId: TenantId
  roles: readonly string[]
  holdsOffice: boolean
}): boolean {
  return user.tenantId === FIRST_TENANT && user.holdsOffice && user.roles.includes(ROLE.admin)
}

/** True for holders of `admin` or `tenant-admin`. */
export function isAdministrator(roles: readonly string[]): boolean {
  return roles.includes(ROLE.admin) || roles.includes(ROLE.tenantAdmin)
}
