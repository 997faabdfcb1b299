import { changesBetween, FIRST_TENANT, hashToken, ROLE, type Scope, type Tx, type Visitor } from '#atrium'
import { openSession, type Passwords, type Place } from '#atrium/auth'
import { lockStaff } from '#atrium/organization'
import {
  findOfficeHolder,
  lockSecondFactor,
  NO_PASSWORD,
  recordUserChanges,
  recordUserFields,
  takeBack,
  watchDependents,
} from '#atrium/people'
import {
  areAdministrative,
  covers,
  insertUserRole,
  listAdministratorIds,
  listRolesByCode,
  listRolesByIds,
  listRolesHeld,
  type RoleHeld,
  removeUserRole,
} from '#atrium/roles'
import { insertPerson } from '#atrium/users'
import { closeInvitation, findInvited, type Invited, makeMember } from '#plugins/invitations'
import { changeOfRoles, mayUsePassword, meet, providerFaults } from './identity-provider.rules.ts'
import {
  findIdentity,
  findPasswordRule,
  findProvider,
  insertIdentity,
  listGroups,
  listVerifiedAt,
  type Provider,
  useSignIn,
} from './identity-provider.store.ts'
import { freeNames } from './names.actions.ts'
import type { Claims } from './protocol/client.ts'
import { type Named, SIGN_IN_SECONDS } from './protocol/tickets.ts'

type Who = Pick<Claims, 'subject' | 'email' | 'name' | 'username'>

/** The ids of the roles that somebody's groups give; undefined if groups give none. */
export async function rolesGiven(scope: Scope, { groups }: Claims): Promise<number[] | undefined> {
  if (!groups) return undefined
  const mapped = await listGroups(scope, {})
  return [...new Set(mapped.filter(({ name }) => groups.includes(name)).map(({ roleId }) => roleId))]
}

/**
 * Opens a session for somebody whom the provider has named, once for each sign-in: as who they are, as who was invited, or
 * as a new person. Their groups change their roles.
 * @throws INVALID_SIGN_IN_CODE, USERNAME_TAKEN
 */
export async function enter(tx: Tx<Visitor>, named: Named, isExpired: boolean, usualTtl: number, place: Place) {
  useSignIn(tx, { tokenHash: hashToken(named.id), seconds: 2 * SIGN_IN_SECONDS })
  const [, provider, groups, officeHolder] = await tx.inOrder([
    lockStaff(tx, {}),
    findProvider(tx, {}),
    listGroups(tx, {}),
    findOfficeHolder(tx),
  ])
  if (!provider || provider.issuer !== named.issuer || provider.clientId !== named.clientId)
    throw providerFaults.invalidCode()
  const who = { subject: named.subject, email: named.email, name: named.name, username: named.username }
  const { met, known, invited, administrators } = await arrive(tx, provider, who, isExpired)
  if (typeof met === 'object') throw providerFaults.invalidCode()
  const managed = await listRolesByIds(tx, { ids: [...new Set(groups.map(({ roleId }) => roleId))] })
  const person =
    met === 'enter'
      ? { ...known!, held: await listRolesHeld(tx, { userId: known!.id }) }
      : met === 'accept'
        ? await acceptInvitation(tx, invited!, who, provider, administrators)
        : await createPerson(tx, who, provider, managed, administrators)
  if (met !== 'enter') insertIdentity(tx, { userId: person.id, issuer: provider.issuer, subject: who.subject })
  const people = administrators.filter(({ isService }) => !isService)
  const change = changeOfRoles(
    {
      held: person.held,
      managed,
      given: named.roles,
      isLastAdministrator: people.length === 1 && people[0]!.id === person.id,
      holdsOffice: person.id === officeHolder,
    },
    (role) => areAdministrative([role]),
  )
  await changeRoles(tx, person, change)
  return openSession(tx, person, usualTtl, { ...place, openedWith: 'provider' })
}

/** Whether passwords are refused, for sign-in, resets and changes. */
export const passwordsByProvider: Passwords = {
  async areForbidden(scope, userId = 0) {
    const rule = await findPasswordRule(scope, { userId })
    return !mayUsePassword(rule && { ...rule, holdsOffice: rule.isFirst && scope.tenantId === FIRST_TENANT })
  },
}

/** Who somebody is here, and how they are met. */
export async function arrive(scope: Scope, provider: Provider, { subject, email }: Who, isExpired: boolean) {
  const [known, administrators, invited] = await Promise.all([
    findIdentity(scope, { issuer: provider.issuer, subject }),
    listAdministratorIds(scope, {}),
    email && provider.namedByAdministrator ? findInvited(scope, email) : undefined,
  ])
  const met = meet({
    known: known && { status: known.status, isAdministrator: administrators.some(({ id }) => id === known.id) },
    isInvited: invited !== undefined,
    createUsers: provider.createUsers,
    isExpired,
  })
  return { met, known, invited, administrators }
}

interface Entering {
  id: number
  username: string
  held: readonly RoleHeld[]
}
type Administrators = Awaited<ReturnType<typeof listAdministratorIds>>

/**
 * Makes the invited person. If their address is already the verified one of a person, that is who they are, unless the
 * person who invites could not give what they may do. Nobody else enters that account any more.
 */
async function acceptInvitation(
  tx: Tx<Visitor>,
  invited: Invited,
  who: Who,
  { issuer }: Provider,
  administrators: Administrators,
): Promise<Entering> {
  const same = await findUnlinked(tx, { email: invited.invitation.email, issuer })
  if (same) {
    const held = await listRolesHeld(tx, { userId: same.id })
    if (covers(invited.inviter, held)) {
      await takeOver(tx, same.id)
      closeInvitation(tx, invited, same)
      const added = invited.roles.filter(({ id }) => !held.some((role) => role.id === id))
      await changeRoles(tx, { ...same, held }, { added, removed: [] })
      return { ...same, held: [...held, ...added] }
    }
  }
  const names = await freeNames(tx, who, invited.roles, administrators)
  const user = await makeMember(
    tx,
    invited,
    { ...names, passwordHash: NO_PASSWORD, emailVerifiedAt: tx.now },
    administrators,
  )
  return { ...user, held: invited.roles }
}

/** Who an invitation to this address makes known at the provider: the one active person whose verified address it is. */
async function findUnlinked(scope: Scope, p: { email: string; issuer: string }) {
  const [same, ...others] = await listVerifiedAt(scope, p)
  return others.length === 0 && same?.status === 'active' && !same.isKnown ? same : undefined
}

/** Whether an invitation to this address makes a person known at the provider of the tenant. */
export async function linksByInvitation(scope: Scope, email: string): Promise<boolean> {
  const provider = await findProvider(scope, {})
  if (!provider?.namedByAdministrator) return false
  return (await findUnlinked(scope, { email, issuer: provider.issuer })) !== undefined
}

/**
 * Ends everything that an account was entered with before its person came from the provider: somebody else may have made it
 * and waited for them. Nor does anyone act for it any more.
 */
async function takeOver(tx: Tx<Visitor>, userId: number): Promise<void> {
  const account = await lockSecondFactor(tx, { id: userId })
  await takeBack(tx, userId)
  recordUserFields(tx, userId, ['password', 'sessions', ...(account?.secondFactorAt ? ['secondFactor' as const] : [])])
}

/**
 * Makes a person with the role `user`, unless it is one that only groups give. Their address is verified if an administrator
 * trusts the provider.
 */
async function createPerson(
  tx: Tx<Visitor>,
  who: Who,
  { namedByAdministrator }: Provider,
  managed: readonly RoleHeld[],
  administrators: Administrators,
): Promise<Entering> {
  const isManaged = managed.some(({ code }) => code === ROLE.user)
  const roles = isManaged ? [] : await listRolesByCode(tx, { code: ROLE.user })
  const names = await freeNames(tx, who, roles, administrators)
  const contact = who.email ? { email: who.email, emailVerifiedAt: namedByAdministrator ? tx.now : null } : {}
  const account = { passwordHash: NO_PASSWORD, mustChangePassword: false, status: 'active' as const }
  const user = await insertPerson(tx, { ...names, ...contact, ...account }, roles, administrators)
  return { ...user, held: roles }
}

async function changeRoles(
  tx: Tx<Visitor>,
  { id, held }: Entering,
  { added, removed }: { added: readonly RoleHeld[]; removed: readonly RoleHeld[] },
): Promise<void> {
  if (added.length + removed.length === 0) return
  const notifyHeirs = await watchDependents(tx, { userId: id })
  for (const role of removed) removeUserRole(tx, { userId: id, roleId: role.id })
  for (const role of added) insertUserRole(tx, { userId: id, roleId: role.id })
  const kept = held.filter((role) => !removed.includes(role))
  const codes = (roles: readonly RoleHeld[]) => roles.map(({ code }) => code)
  recordUserChanges(tx, id, changesBetween({ roles: codes(held) }, { roles: codes([...kept, ...added]) }, ['roles']))
  await notifyHeirs()
}
