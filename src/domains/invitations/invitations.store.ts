import {
  columnsOf,
  type From,
  find,
  list,
  matches,
  onKey,
  type PartOf,
  paginate,
  removeOldest,
  sql,
  write,
} from '#atrium'
import { existingDepartment } from '#atrium/organization'
import { nameAs, personAs } from '#atrium/people'
import { everyRole } from '#atrium/roles'
import { invitationFaults } from './invitations.rules.ts'
import type { InvitationStatus } from './invitations.schemas.ts'

/** One that has not been used in its time has expired, before a row says so. */
const status = sql<InvitationStatus>`case when invitations.status = 'pending' and invitations.expires_at <= clock_timestamp()
  then 'expired' else invitations.status end`

const roleCodes = (from: From) =>
  sql<string[]>`array(${everyRole(from)
    .innerJoin('invitationRoles', onKey('invitationRoles.roleId', 'roles.id'))
    .where(matches('invitationRoles.invitationId', 'invitations.id'))
    .select('roles.code')
    .orderBy('roles.id')})`

const departmentId = (from: From) => existingDepartment(from, 'invitations.departmentId')

const views = (from: From) =>
  from('invitations')
    .leftJoin('users as inviter', personAs('inviter', 'invitations.invitedById'))
    .select(columnsOf('invitations', ['id', 'email', 'expiresAt', 'createdAt', 'invitedById']))
    .select([
      status.as('status'),
      departmentId(from).as('departmentId'),
      roleCodes(from).as('roles'),
      nameAs('inviter').$notNull().as('invitedByName'),
    ])

export const getInvitation = find((from, p: { id: number }) => views(from).where('invitations.id', '=', p.id)).or(
  invitationFaults.notFound,
)

export const listInvitations = paginate(
  (from, p: { status?: InvitationStatus }) =>
    views(from).$if(p.status !== undefined, (query) => query.where(status, '=', p.status!)),
  'invitations.id',
)

/** An invitation that is to be changed, for a caller who has locked the staff: every change of an invitation does. */
export const getInvitationRow = find((from, p: { id: number }) =>
  from('invitations')
    .select(columnsOf('invitations', ['id', 'email', 'note']))
    .select([status.as('status'), departmentId(from).as('departmentId')])
    .where('invitations.id', '=', p.id),
).or(invitationFaults.notFound)

const withInviter = (from: From) =>
  from('invitations')
    .innerJoin('users as inviter', personAs('inviter', 'invitations.invitedById'))
    .select(columnsOf('invitations', ['id', 'email', 'invitedById', 'expiresAt']))
    .select([status.as('status'), nameAs('inviter').$notNull().as('invitedByName')])
    .select(departmentId(from).as('departmentId'))
    .select(
      sql<
        'active' | 'disabled' | 'deleted'
      >`case when inviter.deleted_at is null then inviter.status else 'deleted' end`.as('inviterStatus'),
    )

/** The invitation of a link, who invites, and whether it is the link that was mailed. */
export const findInvitationWith = find((from, p: { tokenHash: string }) =>
  withInviter(from)
    .select(sql<boolean>`invitations.mailed_token_hash is not distinct from ${p.tokenHash}`.as('isMailed'))
    .where((eb) =>
      eb.or([eb('invitations.tokenHash', '=', p.tokenHash), eb('invitations.mailedTokenHash', '=', p.tokenHash)]),
    ),
)

/** The invitation that waits for an address, in any case of its letters. */
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

/** Marks the expired invitation of an address, so that it can have another. */
export const expireInvitationOf = write(({ update }, p: { email: string }) =>
  update('invitations')
    .set({ status: 'expired' })
    .where('invitations.status', '=', 'pending')
    .where(sql<boolean>`lower(invitations.email) = lower(${p.email})`)
    .where('invitations.expiresAt', '<=', sql<string>`statement_timestamp()`),
)

type Sent = PartOf<'invitations', 'id' | 'tokenHash' | 'mailedTokenHash' | 'expiresAt' | 'invitedById'>

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

export const withdrawInvitation = write(({ update }, p: { id: number }) =>
  update('invitations').set({ status: 'withdrawn' }).where('invitations.id', '=', p.id),
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
