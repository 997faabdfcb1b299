import {
  columnsOf,
  type From,
  find,
  isThere,
  list,
  matches,
  onKey,
  type PartOf,
  paginate,
  removeOldest,
  sql,
  write,
  writeReturning,
} from '#atrium'
import { existingDepartment } from '#atrium/organization'
import { active, nameAs, personAs } from '#atrium/people'
import { everyRole, exceeds, holdersOf } from '#atrium/roles'
import { invitationFaults } from './invitations.rules.ts'
import type { InvitationStatus } from './invitations.schemas.ts'

/** One that has not been used in its time has expired, before a row says so. */
const ownStatus = sql<InvitationStatus>`case when invitations.status = 'pending' and invitations.expires_at <= clock_timestamp()
  then 'expired' else invitations.status end`

const departmentId = (from: From) => existingDepartment(from, 'invitations.departmentId')

/** What is left of the roles that an invitation names. */
const rolesNamed = (from: From) =>
  everyRole(from)
    .innerJoin('invitationRoles', onKey('invitationRoles.roleId', 'roles.id'))
    .where(matches('invitationRoles.invitationId', 'invitations.id'))

/**
 * Whether a person could send the invitation now. So nobody who has lost a right gives it to somebody else, or back to
 * themselves. An invitation that has lost some of its roles gives the others; one that has lost all of them gives none, so it
 * cannot be used. A department that was deleted is left out.
 */
const couldBeSentBy = (from: From, personId: ReturnType<typeof sql<number>>) =>
  sql<boolean>`(${isThere(active(from).where('users.id', '=', personId).where('users.id', 'in', holdersOf(from, 'user:invite')))}
    and (${departmentId(from)} is null or ${personId} in ${holdersOf(from, 'department:manage')})
    and ${isThere(rolesNamed(from))} and not ${isThere(rolesNamed(from).where(exceeds(from, personId)))})`

/** One that its sender could not send now can no longer be accepted. It is computed on each read, so no change of people or roles moves invitations. */
const status = (from: From) =>
  sql<InvitationStatus>`case when ${ownStatus} = 'pending' and not ${couldBeSentBy(from, sql`invitations.invited_by_id`)}
    then 'withdrawn' else ${ownStatus} end`

const roleCodes = (from: From) => sql<string[]>`array(${rolesNamed(from).select('roles.code').orderBy('roles.id')})`

const withInviter = (from: From) =>
  from('invitations')
    .innerJoin('users as inviter', personAs('inviter', 'invitations.invitedById'))
    .select(columnsOf('invitations', ['id', 'email', 'invitedById', 'expiresAt']))
    .select([status(from).as('status'), nameAs('inviter').$notNull().as('invitedByName')])
    .select(departmentId(from).as('departmentId'))

const views = (from: From) =>
  withInviter(from)
    .select(columnsOf('invitations', ['mailId', 'createdAt']))
    .select(roleCodes(from).as('roles'))

export const getInvitation = find((from, p: { id: number }) => views(from).where('invitations.id', '=', p.id)).or(
  invitationFaults.notFound,
)

export const listInvitations = paginate(
  (from, p: { status?: InvitationStatus }) =>
    views(from).$if(p.status !== undefined, (query) => query.where(status(from), '=', p.status!)),
  'invitations.id',
)

/** An invitation that is to be changed, for a caller who has locked the staff: every change of an invitation does. */
export const getInvitationRow = find((from, p: { id: number }) =>
  from('invitations')
    .select(columnsOf('invitations', ['id', 'email', 'note']))
    .select([ownStatus.as('status'), departmentId(from).as('departmentId')])
    .where('invitations.id', '=', p.id),
).or(invitationFaults.notFound)

/** The invitation of a link, who invites, and whether it is the link that was mailed. */
export const findInvitationWith = find((from, p: { tokenHash: string }) =>
  withInviter(from)
    .select(sql<boolean>`invitations.mailed_token_hash is not distinct from ${p.tokenHash}`.as('isMailed'))
    .where((eb) =>
      eb.or([eb('invitations.tokenHash', '=', p.tokenHash), eb('invitations.mailedTokenHash', '=', p.tokenHash)]),
    ),
)

/** The invitation that waits for an address, in any case of its letters; its status says whether in vain. */
export const findInvitationTo = find((from, p: { email: string }) =>
  withInviter(from)
    .where('invitations.status', '=', 'pending')
    .where(sql<boolean>`lower(invitations.email) = lower(${p.email})`),
)

/** The roles that an invitation names, as far as they still exist. */
export const listRoleIdsNamed = list((from, p: { invitationId: number }) =>
  from('invitationRoles')
    .select('invitationRoles.roleId')
    .where('invitationRoles.invitationId', '=', p.invitationId)
    .orderBy('invitationRoles.roleId'),
)

type Sent = PartOf<'invitations', 'id' | 'tokenHash' | 'mailedTokenHash' | 'mailId' | 'expiresAt' | 'invitedById'>

export const insertInvitation = write(
  ({ insert }, p: Sent & PartOf<'invitations', 'email' | 'departmentId' | 'note' | 'createdAt'>) =>
    insert('invitations', p),
  { conflicts: { invitations_pending: invitationFaults.pending } },
)

export const insertInvitationRole = write(({ insert }, p: { invitationId: number; roleId: number }) =>
  insert('invitationRoles', p),
)

/** New tokens for a longer time. */
export const renewInvitation = write(
  ({ update }, { id, ...sent }: Sent) =>
    update('invitations')
      .set({ ...sent, status: 'pending' })
      .where('invitations.id', '=', id),
  { conflicts: { invitations_pending: invitationFaults.pending } },
)

export const saveStatus = write(({ update }, { id, status }: { id: number; status: InvitationStatus }) =>
  update('invitations').set({ status }).where('invitations.id', '=', id),
)

/** What a person has sent and nobody has accepted. @param p.heir only what this person could send now */
export const listWaitingOf = list((from, p: { userId: number; heir?: number; most: number }) =>
  from('invitations')
    .select(['invitations.id', 'invitations.email as name'])
    .where('invitations.invitedById', '=', p.userId)
    .where(ownStatus, '=', 'pending')
    .$if(p.heir !== undefined, (query) => query.where(couldBeSentBy(from, sql`${p.heir!}::bigint`)))
    .orderBy('invitations.id')
    .limit(p.most),
)

/** Another person answers for an invitation from now on, and the link that was shown is dead: the former one may have it. */
export const passInvitation = write(
  ({ update }, { id, ...passed }: PartOf<'invitations', 'id' | 'invitedById' | 'tokenHash'>) =>
    update('invitations').set(passed).where('invitations.id', '=', id),
)

/** Withdraws what a person has sent and nobody has accepted. */
export const withdrawAllOf = writeReturning(({ update }, p: { userId: number }) =>
  update('invitations')
    .set({ status: 'withdrawn' })
    .where('invitations.invitedById', '=', p.userId)
    .where('invitations.status', '=', 'pending')
    .where('invitations.expiresAt', '>', sql<string>`statement_timestamp()`)
    .returning('invitations.id'),
)

export const acceptInvitation = write(({ update }, p: { id: number; acceptedById: number }) =>
  update('invitations').set({ status: 'accepted', acceptedById: p.acceptedById }).where('invitations.id', '=', p.id),
)

/** Takes the address of a person who goes out of the invitation that they came with. */
export const clearAddressOf = write(({ update }, p: { userId: number }) =>
  update('invitations').set({ email: '' }).where('invitations.acceptedById', '=', p.userId),
)

/** Three months after their time, whatever became of them. */
export const removeOldInvitations = removeOldest('invitations', 'expiresAt', sql<string>`now() - interval '90 days'`)
