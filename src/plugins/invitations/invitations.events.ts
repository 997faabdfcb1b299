import { event, view, z } from '#atrium'

const Nothing = z.object({})
const Invited = z.object({ roles: z.array(view.text), departmentId: view.maybeId })
const invited = { roles: ['user'], departmentId: null }

/** An invited person is no user yet, so the subject is the invitation. No event holds the address. */
export const invitationEvents = {
  'user.invited': event('Somebody was invited, or once more.', Invited, invited, 'invitation'),
  'invitation.accepted': event('An invited person has an account.', z.object({ userId: view.id }), { userId: 9 }),
  'invitation.handed_over': event(
    'Somebody else answers for an invitation.',
    z.object({ from: view.id, to: view.id }),
    { from: 7, to: 9 },
  ),
  'invitation.withdrawn': event('An invitation was withdrawn.', Nothing, {}),
} as const
