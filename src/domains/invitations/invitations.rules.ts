import { fault, mayMove, notFound, type Transitions } from '#atrium'
import { type Authority, covers, type RoleHeld } from '#atrium/roles'

export type InvitationStatus = 'pending' | 'accepted' | 'withdrawn' | 'expired'

/** What can become of an invitation. Sending it again makes it pending, also if it has expired. */
export const INVITATION_MOVES: Transitions<InvitationStatus> = {
  pending: ['pending', 'accepted', 'withdrawn', 'expired'],
  expired: ['pending', 'withdrawn'],
  accepted: [],
  withdrawn: [],
}

export const invitationFaults = {
  notFound: notFound('Invitation'),
  unusable: fault('INVITATION_NOT_FOUND', 404, 'This invitation cannot be used any more'),
  pending: fault('INVITATION_PENDING', 409, 'This address has an invitation already; send that one again'),
  illegalMove: fault('ILLEGAL_TRANSITION', 409, 'The invitation is closed'),
  departmentNotFound: notFound('Department'),
  roleNotFound: notFound('Role'),
}

/** @throws ILLEGAL_TRANSITION */
export function assertMayBecome(from: InvitationStatus, to: InvitationStatus): void {
  if (mayMove(INVITATION_MOVES, from, to)) return
  throw invitationFaults.illegalMove([
    { path: 'status', from, to, allowed: INVITATION_MOVES[from], message: '{from} can move to {allowed}' },
  ])
}

/** An invitation and what it depends on, as they are now. */
export interface Standing {
  status: InvitationStatus
  inviter: { status: 'active' | 'disabled' | 'deleted'; authority: Authority }
  /** those that are left of the roles that it named */
  roles: readonly RoleHeld[]
}

/**
 * Whether an invitation can be used: as long as the person who sent it last could send it now. So nobody who has lost a right
 * gives it to somebody else, or back to themselves. An invitation that has lost some of its roles gives the others; one
 * that has lost all of them gives none, so it cannot be used. A department that was deleted is left out.
 */
export function isUsable({ status, inviter, roles }: Standing): boolean {
  const { authority } = inviter
  return (
    status === 'pending' &&
    inviter.status === 'active' &&
    authority.holds('user:invite') &&
    roles.length > 0 &&
    covers(authority, roles)
  )
}

/** @throws NOT_FOUND if some roles of a request are not there */
export function assertAllFound(roles: readonly RoleHeld[], ids: readonly number[]): void {
  if (roles.length < ids.length) throw invitationFaults.roleNotFound()
}
