import { fault, notFound } from '#atrium'
import type { RoleHeld } from '#atrium/roles'

export const providerFaults = {
  notFound: notFound('Identity provider'),
  unreachable: fault('PROVIDER_UNREACHABLE', 400, 'The identity provider does not answer as one'),
  changed: fault('VERSION_CONFLICT', 409, 'The identity provider was changed by someone else'),
  foreignState: fault('STATE_MISMATCH', 400, 'This sign-in was not started in this browser; start again'),
  invalidCode: fault('INVALID_SIGN_IN_CODE', 401, 'This sign-in cannot be completed any more; start again'),
}

/** The most groups that a provider gives roles by. */
export const MOST_GROUPS = 200

/** @see OpenID Connect Discovery 1.0, section 3 */
export function isIssuer(text: string): boolean {
  const url = URL.parse(text)
  if (!url || url.search || url.hash || url.username || url.password || text.includes('?') || text.includes('#'))
    return false
  return url.protocol === 'https:' || url.protocol === 'http:'
}

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]']

/** Unencrypted addresses are for a developer's own machine only. */
export function isSafeAddress(url: URL, isProduction: boolean): boolean {
  return url.protocol === 'https:' || (url.protocol === 'http:' && !isProduction && LOOPBACK.includes(url.hostname))
}

/** What a sign-in with a password is decided on, besides the password. */
export interface PasswordRule {
  passwordSignIn: 'allowed' | 'forbidden'
  holdsOffice: boolean
  isAdministrator: boolean
  /** an active administrator has signed in at this provider */
  isProven: boolean
}

/**
 * Whether somebody may use a password. Where passwords are forbidden, this leaves a way in:
 *
 * | Who | May use a password |
 * |---|---|
 * | the system administrator | always |
 * | an administrator of the tenant | until one of them has signed in at the provider |
 * | any other person, and strangers | no |
 * | a service account | it has none; its keys work |
 */
export function mayUsePassword(rule: PasswordRule | undefined): boolean {
  if (!rule || rule.passwordSignIn === 'allowed' || rule.holdsOffice) return true
  return rule.isAdministrator && !rule.isProven
}

/** Somebody whom the provider has sent, and what decides how they are met. */
export interface Arrival {
  /** the person of this issuer and subject, if there is one; a deleted person has none */
  known: { status: 'active' | 'disabled'; isAdministrator: boolean } | undefined
  /** an invitation that can be used waits for their verified address */
  isInvited: boolean
  createUsers: boolean
  /** the subscription of the tenant has expired */
  isExpired: boolean
}
type SignInError = 'ACCOUNT_DISABLED' | 'ACCOUNT_NOT_FOUND' | 'TENANT_EXPIRED'

/** How somebody is met: they enter as the person they are, as the invited person, as a new one, or not at all. */
export function meet(arrival: Arrival): 'enter' | 'accept' | 'create' | { error: SignInError } {
  const { known, isInvited, createUsers, isExpired } = arrival
  if (isExpired && !known?.isAdministrator) return { error: 'TENANT_EXPIRED' }
  if (known) return known.status === 'active' ? 'enter' : { error: 'ACCOUNT_DISABLED' }
  if (isInvited) return 'accept'
  return createUsers ? 'create' : { error: 'ACCOUNT_NOT_FOUND' }
}

/** The roles of a person at a sign-in, and what is kept whatever the groups say. */
export interface Holding<Role> {
  held: readonly Role[]
  /** roles that some group gives */
  managed: readonly Role[]
  /** ids of the roles that their groups give; undefined if groups give no roles */
  given: readonly number[] | undefined
  /** they are the only administrator who can sign in */
  isLastAdministrator: boolean
  holdsOffice: boolean
}

/**
 * What the groups of a person change:
 *
 * | Role | In their groups | Not in their groups |
 * |---|---|---|
 * | that a group gives | they get it | they lose it |
 * | that no group gives | – | they keep it: an administrator gave it |
 * | of administrators, held by the last administrator or the system administrator | they keep it | they keep it |
 */
export function changeOfRoles<Role extends Pick<RoleHeld, 'id' | 'code'>>(
  { held, managed, given, isLastAdministrator, holdsOffice }: Holding<Role>,
  isAdministrative: (role: Role) => boolean,
): { added: Role[]; removed: Role[] } {
  if (!given) return { added: [], removed: [] }
  const holds = (id: number) => held.some((role) => role.id === id)
  const added = managed.filter(({ id }) => given.includes(id) && !holds(id))
  const lost = managed.filter(({ id }) => !given.includes(id) && holds(id))
  const stays =
    holdsOffice ||
    (isLastAdministrator && !held.some((role) => isAdministrative(role) && !lost.some(({ id }) => id === role.id)))
  return { added, removed: lost.filter((role) => !(stays && isAdministrative(role))) }
}

/** User names that fit somebody, the best first. @param names what the provider calls them */
export function usernamesFor(names: readonly (string | undefined)[]): string[] {
  const locals = names.map((name) => name?.split('@')[0]?.trim().slice(0, LONGEST_STEM) ?? '')
  return [...new Set([...locals, 'member'].filter(Boolean))]
}
const LONGEST_STEM = 56
