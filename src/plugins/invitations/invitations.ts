/** What other domains may use. */
export { closeInvitation, findInvited, type Invited, linking, makeMember } from './invitations.actions.ts'
export { default as invitations } from './invitations.domain.ts'
