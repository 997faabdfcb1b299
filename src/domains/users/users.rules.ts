import {
  type Config,
  type Detail,
  type FastifyRequest,
  fault,
  faults,
  givenOf,
  port,
  ROLE,
  type Scope,
  type TenantId,
  type Tx,
  type User,
  type UserId,
} from '#atrium'
import { peopleFaults, type UserView } from '#atrium/people'
import { type Authority, areAdministrative, assertCovers, assertHolds, type RoleHeld } from '#atrium/roles'
import type { ProfileView, UserPatch } from './users.schemas.ts'

export const userFaults = {
  changed: fault('VERSION_CONFLICT', 409, 'The user was changed by someone else'),
  reserved: fault('RESERVED', 409, 'The system administrator stays as they are'),
  lastAdministrator: fault('LAST_ADMINISTRATOR', 409, 'The tenant would be left without an active administrator'),
}

/** What a profile needs from the domain that confirms new addresses. */
export interface Confirmations {
  /** Whether a new address waits until its person has confirmed it. */
  areSent(config: Config): boolean
  /** Asks the actor to confirm a new address of theirs. */
  ask(tx: Tx<User>, email: string, config: Config): Promise<void>
  /** The address that a person has not confirmed yet. */
  findPending(scope: Scope, p: { userId: number }): Promise<{ email: string } | undefined>
}

/** Where no domain confirms them, a new address is in use immediately, unverified. */
export const confirmations = port<Confirmations>('who confirms new addresses', {
  areSent: () => false,
  ask: async () => {},
  findPending: async () => undefined,
})

/** Invites somebody by mail, with the links of a request. */
export type Invite = (
  req: FastifyRequest,
  config: Config,
) => (tx: Tx, draft: { email: string; roleIds: number[] }) => Promise<unknown>
export const inviting = port<Invite | null>('who invites people', null)

/** The fields that a user's form shows. */
export function userState({ nickname, email, phone, realName, status, roles, selfRegistered }: UserView): object {
  return { nickname, email, phone, realName, status, roles, selfRegistered }
}

/** The fields that the form of a profile shows. */
export function profileState(profile: Omit<ProfileView, 'pendingEmail'>): object {
  const { locale, timeZone, mail, avatarKey } = profile
  return { ...userState(profile), locale, timeZone, mail, avatarKey }
}

/** A person, as needed to decide about them. */
export interface Subject {
  tenantId: TenantId
  user: UserView
  roles: readonly RoleHeld[]
  isActor: boolean
  /** the system administrator, in their own tenant */
  officeHolder: UserId | undefined
  /** active administrators of the tenant */
  administrators: readonly { id: UserId; isService: boolean }[]
}

/**
 * Applies a patch to a person. Anyone who manages people may change names. Only a person who holds all their permissions
 * may change their password, e-mail, roles and state. Nobody grants a role beyond their own.
 * @param wanted the roles that replace those held; undefined if they stay
 * @throws RESERVED, PERMISSION_DENIED, LAST_ADMINISTRATOR
 */
export function reviseUser(
  subject: Subject,
  patch: UserPatch,
  wanted: readonly RoleHeld[] | undefined,
  resetsPassword: boolean,
  authority: Authority,
) {
  const { user, roles: held, isActor } = subject
  const { roleIds: _, ...fields } = patch
  const roles = wanted ?? held
  const revised: UserView = { ...user, ...givenOf(fields), roles: roles.map(({ code }) => code) }
  const added = roles.filter(({ id }) => !held.some((role) => role.id === id))
  const removed = held.filter(({ id }) => !roles.some((role) => role.id === id))

  const isKept = isActor && revised.status === 'active' && !removed.some(({ code }) => code === ROLE.admin)
  if (holdsOffice(subject) && !isKept) throw userFaults.reserved()
  const isTakenOver = resetsPassword || revised.email !== user.email
  if (isTakenOver || revised.status !== user.status || added.length || removed.length)
    assertCovers(authority, held, 'id')
  assertCovers(authority, added, 'body.roleIds')
  if (revised.status === 'disabled' || !areAdministrative(roles)) assertNotLast(subject)
  return { user: revised, added, removed, endsSessions: resetsPassword || revised.status === 'disabled' }
}

/**
 * The mark of a self-registered person can be cleared but not set. Clearing it shows them the tenant's files, so the
 * actor must see these files too. @throws VALIDATION_FAILED, PERMISSION_DENIED
 */
export function assertMayTrust(
  before: UserView,
  { selfRegistered }: UserView,
  actor: Pick<User, 'selfRegistered'>,
  authority: Authority,
): void {
  if (selfRegistered === before.selfRegistered) return
  if (selfRegistered) throw faults.validation([{ path: 'body.selfRegistered', message: 'can only be cleared' }])
  if (actor.selfRegistered) assertHolds(authority, ['file:manage'], 'body.selfRegistered')
}

/** A user name is what a person signs in with. @throws RESERVED, PERMISSION_DENIED */
export function assertMayRename(subject: Subject, authority: Authority): void {
  if (holdsOffice(subject)) throw userFaults.reserved()
  assertCovers(authority, subject.roles, 'id')
}

/** Nobody ends the sessions of a person who may do more than they. @throws RESERVED, PERMISSION_DENIED */
export function assertMayEndSessions(subject: Subject, authority: Authority): void {
  if (holdsOffice(subject) && !subject.isActor) throw userFaults.reserved()
  assertCovers(authority, subject.roles, 'id')
}

/**
 * A deleted person must leave no open work. @param kept what they are responsible for, as the refusal names it
 * @throws RESERVED, PERMISSION_DENIED, LAST_ADMINISTRATOR, USER_IN_USE
 */
export function assertMayGo(subject: Subject, kept: readonly Detail[], authority: Authority): void {
  if (holdsOffice(subject)) throw userFaults.reserved()
  assertCovers(authority, subject.roles, 'id')
  assertNotLast(subject)
  if (kept.length) throw peopleFaults.inUse([...kept])
}

function holdsOffice({ officeHolder, user }: Subject): boolean {
  return user.id === officeHolder
}

/** A tenant always has a person who administers it: service accounts do not count. */
function assertNotLast({ user, administrators }: Subject): void {
  const people = administrators.filter(({ isService }) => !isService)
  if (people.length === 1 && people[0]!.id === user.id) throw userFaults.lastAdministrator()
}
