import { fault, mayMove, notFound, type Transitions } from '#atrium'
import type { InvitationStatus } from './invitations.schemas.ts'

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
  alreadyMember: fault('ALREADY_MEMBER', 409, 'This is the verified address of somebody who is here already'),
  illegalMove: fault('ILLEGAL_TRANSITION', 409, 'The invitation is closed'),
  departmentNotFound: notFound('Department'),
}

/** @throws ILLEGAL_TRANSITION */
export function assertMayBecome(from: InvitationStatus, to: InvitationStatus): void {
  if (mayMove(INVITATION_MOVES, from, to)) return
  throw invitationFaults.illegalMove([
    { path: 'status', from, to, allowed: INVITATION_MOVES[from], message: '{from} can move to {allowed}' },
  ])
}
