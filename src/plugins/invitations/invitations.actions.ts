import {
  assertAtHome,
  drawToken,
  fail,
  hashToken,
  nameOf,
  nextId,
  outgoingMail,
  port,
  ROLE,
  type Scope,
  type Tx,
  type Visitor,
} from '#atrium'
import { openSession, type Place } from '#atrium/auth'
import { findDepartment, joinDepartment, lockStaff } from '#atrium/organization'
import { findVerifiedAt } from '#atrium/people'
import {
  assertAllFound,
  assertCovers,
  assertHolds,
  authorityFrom,
  listAdministratorIds,
  listRolesByCode,
  listRolesByIds,
  listRolesHeld,
  loadAuthority,
  roleFaults,
} from '#atrium/roles'
import { findTenant, getPolicy } from '#atrium/tenants'
import { insertPerson } from '#atrium/users'
import { assertMayBecome, invitationFaults } from './invitations.rules.ts'
import type { InvitationAcceptance, InvitationDraft } from './invitations.schemas.ts'
import {
  acceptInvitation,
  findInvitationTo,
  findInvitationWith,
  getInvitationRow,
  insertInvitation,
  insertInvitationRole,
  listRoleIdsNamed,
  renewInvitation,
  saveStatus,
} from './invitations.store.ts'
import { readInvitation } from './read.ts'

/** How the links to an invitation look. `mailed` is undefined if nothing can be mailed. */
export interface Links {
  shown(token: string): string
  mailed: ((token: string) => string) | undefined
}

/**
 * Invites somebody: with these roles, or with `user`. Anyone may have written the address into their profile; nothing says so
 * until it is verified.
 * @throws NOT_FOUND (role, department), PERMISSION_DENIED, NOT_IN_TENANT, ALREADY_MEMBER, INVITATION_PENDING
 */
export async function invite(tx: Tx, draft: InvitationDraft, links: Links) {
  assertAtHome(tx)
  const { email, roleIds, departmentId = null, note = null } = draft
  const named = roleIds?.length ? roleIds : undefined
  const [, roles, authority, department, id] = await tx.inOrder([
    lockStaff(tx, {}),
    named ? listRolesByIds(tx, { ids: named }) : listRolesByCode(tx, { code: ROLE.user }),
    loadAuthority(tx),
    departmentId === null ? undefined : findDepartment(tx, { id: departmentId }),
    nextId(tx, 'invitations'),
  ])
  if (named) assertAllFound(roles, named)
  if (departmentId !== null && !department) throw invitationFaults.departmentNotFound()
  assertCovers(authority, roles, 'body.roleIds')
  if (departmentId !== null) assertHolds(authority, ['department:manage'], 'body.departmentId')
  await makeWay(tx, email)
  const { sent, acceptUrl, mailedUrl } = await issue(tx, links)
  insertInvitation(tx, { id, email, departmentId, note, createdAt: tx.now, ...sent })
  for (const role of roles) insertInvitationRole(tx, { invitationId: id, roleId: role.id })
  tx.record({ event: 'user.invited', subject: id, data: { roles: roles.map(({ code }) => code), departmentId } })
  await deliver(tx, { email, note }, sent.mailId, mailedUrl)
  return { ...(await readInvitation(tx, id)), acceptUrl }
}

/**
 * Sends an invitation again, with new tokens and in the name of the actor, who must be allowed to send it.
 * @throws NOT_FOUND, PERMISSION_DENIED, NOT_IN_TENANT, ILLEGAL_TRANSITION, ALREADY_MEMBER, INVITATION_PENDING
 */
export async function inviteAgain(tx: Tx, id: number, links: Links) {
  assertAtHome(tx)
  const { status, email, note, departmentId, roles, authority } = await lockForChange(tx, id)
  if (departmentId !== null) assertHolds(authority, ['department:manage'], 'id')
  assertMayBecome(status, 'pending')
  if (roles.length === 0) throw roleFaults.notFound()
  await makeWay(tx, email)
  const { sent, acceptUrl, mailedUrl } = await issue(tx, links)
  renewInvitation(tx, { id, ...sent })
  tx.record({ event: 'user.invited', subject: id, data: { roles: roles.map(({ code }) => code), departmentId } })
  await deliver(tx, { email, note }, sent.mailId, mailedUrl)
  return { ...(await readInvitation(tx, id)), acceptUrl }
}

/** Withdraws an invitation; does nothing if it is withdrawn. @throws NOT_FOUND, PERMISSION_DENIED, ILLEGAL_TRANSITION */
export async function withdraw(tx: Tx, id: number): Promise<void> {
  const { status } = await lockForChange(tx, id)
  if (status === 'withdrawn') return
  assertMayBecome(status, 'withdrawn')
  saveStatus(tx, { id, status: 'withdrawn' })
  tx.record({ event: 'invitation.withdrawn', subject: id, data: {} })
}

/** Whether an invitation to this verified address makes its person known at the tenant's identity provider. */
export const linking = port<(scope: Scope, email: string) => Promise<boolean>>(
  'whom an invitation links',
  async () => false,
)

/**
 * Closes what waits for an address in vain, so that it can have another invitation. A member needs none, unless it links them.
 * @throws ALREADY_MEMBER
 */
async function makeWay(tx: Tx, email: string): Promise<void> {
  const [member, waiting] = await Promise.all([findVerifiedAt(tx, { email }), findInvitationTo(tx, { email })])
  if (member && !(await linking.get()(tx, email))) throw invitationFaults.alreadyMember()
  if (waiting && waiting.status !== 'pending') saveStatus(tx, waiting)
}

/** What an invitation says to the person who has its token. @throws INVITATION_NOT_FOUND */
export async function previewInvitation(scope: Scope, token: string) {
  const [found, tenant] = await Promise.all([
    findInvitationWith(scope, { tokenHash: hashToken(token) }),
    findTenant(scope, { id: scope.tenantId }),
  ])
  const { email, invitedByName, expiresAt } = (await loadUsable(scope, found)).invitation
  return { tenantCode: tenant!.code, tenantName: tenant!.name, email, invitedByName, expiresAt }
}

/**
 * Makes the invited person and opens a session for them. Their address is verified only if it is the token that was sent to
 * it: the person who invites knows the other one.
 * @param usualTtl of the session, in seconds, if the tenant has not set it
 * @throws INVITATION_NOT_FOUND, USERNAME_TAKEN, NICKNAME_TAKEN
 */
export async function accept(
  tx: Tx<Visitor>,
  { token, username, nickname }: Omit<InvitationAcceptance, 'password'>,
  passwordHash: string,
  usualTtl: number,
  place: Place,
) {
  const [, found, administrators] = await tx.inOrder([
    lockStaff(tx, {}),
    findInvitationWith(tx, { tokenHash: hashToken(token) }),
    listAdministratorIds(tx, {}),
  ])
  const invited = await loadUsable(tx, found)
  const emailVerifiedAt = invited.invitation.isMailed ? tx.now : null
  const user = await makeMember(tx, invited, { username, nickname, passwordHash, emailVerifiedAt }, administrators)
  return openSession(tx, user, usualTtl, place)
}

/**
 * Makes the person of an invitation, for a caller who has locked the staff.
 * @param person.emailVerifiedAt when somebody showed that the address is theirs
 * @throws USERNAME_TAKEN, NICKNAME_TAKEN
 */
export async function makeMember(
  tx: Tx<Visitor>,
  { invitation, roles }: Invited,
  person: {
    username: string
    nickname?: string | null | undefined
    passwordHash: string
    emailVerifiedAt: string | null
  },
  administrators: readonly { id: number }[],
) {
  const user = await insertPerson(
    tx,
    { ...person, email: invitation.email, status: 'active', mustChangePassword: false },
    roles,
    administrators,
  )
  if (invitation.departmentId !== null) await joinDepartment(tx, invitation.departmentId, user.id)
  closeInvitation(tx, { invitation }, user)
  return user
}

/** Marks an invitation as accepted by a person, and notifies the person who sent it. */
export function closeInvitation(
  tx: Tx<Visitor>,
  { invitation: { id, invitedById } }: Pick<Invited, 'invitation'>,
  user: { id: number; username: string },
): void {
  acceptInvitation(tx, { id, acceptedById: user.id })
  tx.record({ event: 'invitation.accepted', subject: id, data: { userId: user.id }, actorId: user.id })
  tx.notify({
    type: 'INVITATION_ACCEPTED',
    facts: {},
    resourceType: 'user',
    resourceId: user.id,
    receivers: [invitedById],
  })
}

/** The invitation that waits for an address and can be used now. */
export async function findInvited(scope: Scope, email: string): Promise<Invited | undefined> {
  const found = await findInvitationTo(scope, { email })
  return found && load(scope, found)
}

export type Invited = NonNullable<Awaited<ReturnType<typeof load>>>

type Found = NonNullable<Awaited<ReturnType<typeof findInvitationTo>>>

const NOTHING = { id: 0, invitedById: 0 }

/** The invitation with its roles, if it can be used now. It takes as long if there is none. @throws INVITATION_NOT_FOUND */
async function loadUsable<One extends Found>(scope: Scope, found: One | undefined) {
  return (await load(scope, found)) ?? fail(invitationFaults.unusable())
}

async function load<One extends Found>(scope: Scope, found: One | undefined) {
  const { id, invitedById } = found ?? NOTHING
  const [roles, held] = await Promise.all([loadRolesOf(scope, id), listRolesHeld(scope, { userId: invitedById })])
  return found?.status === 'pending' ? { invitation: found, roles, inviter: authorityFrom(held) } : undefined
}

/** An invitation for somebody who may give its roles, with the staff locked. @throws NOT_FOUND, PERMISSION_DENIED */
async function lockForChange(tx: Tx, id: number) {
  const [, invitation, authority] = await tx.inOrder([
    lockStaff(tx, {}),
    getInvitationRow(tx, { id }),
    loadAuthority(tx),
  ])
  const roles = await loadRolesOf(tx, id)
  assertCovers(authority, roles, 'id')
  return { ...invitation, roles, authority }
}

async function loadRolesOf(scope: Scope, invitationId: number) {
  const named = await listRoleIdsNamed(scope, { invitationId })
  return listRolesByIds(scope, { ids: named.map(({ roleId }) => roleId) })
}

/** New tokens: one for the person who invites, and another for the mail, so that only the mail shows whose the address is. */
async function issue(tx: Tx, { shown, mailed }: Links) {
  const [{ invitationDays }, mailId] = await Promise.all([
    getPolicy(tx, { id: tx.tenantId }),
    mailed ? outgoingMail.get().drawId(tx) : null,
  ])
  const [token, mailedToken] = [drawToken(tx.tenantId), mailed && drawToken(tx.tenantId)]
  const expiresAt = new Date(Date.parse(tx.now) + invitationDays * DAY_MS).toISOString()
  const mailedTokenHash = mailedToken ? hashToken(mailedToken) : null
  return {
    acceptUrl: shown(token),
    mailedUrl: mailedToken && mailed?.(mailedToken),
    sent: { tokenHash: hashToken(token), mailedTokenHash, mailId, expiresAt, invitedById: tx.actor.id },
  }
}

const DAY_MS = 86_400_000

async function deliver(
  tx: Tx,
  { email, note }: { email: string; note: string | null },
  id: number | null,
  link: string | undefined,
) {
  if (!link || id === null) return
  const [tenant, { locale }] = await Promise.all([
    findTenant(tx, { id: tx.tenantId }),
    getPolicy(tx, { id: tx.tenantId }),
  ])
  const facts = { tenant: tenant!.name, inviter: nameOf(tx.actor) }
  const mail = { id, to: email, locale, link }
  if (note) await outgoingMail.get().send(tx, { ...mail, kind: 'INVITATION_WITH_NOTE', facts: { ...facts, note } })
  else await outgoingMail.get().send(tx, { ...mail, kind: 'INVITATION', facts })
}
