import type { Extension } from '#console/extension.ts'

export default {
  subjects: [
    {
      path: 'invitations',
      below: /^(new)$/,
      name: 'Invitations',
      group: 'tenant',
      place: 120,
      permission: 'user:invite',
      links: [
        { on: 'people', to: 'new', name: 'Invite somebody' },
        { on: 'people/new', to: 'new', name: 'Invite somebody' },
      ],
      load: () => import('./invitations.ts'),
    },
  ],
  permissions: { People: { 'user:invite': 'Invite people' } },
  mails: { INVITATION: 'Invitation', INVITATION_WITH_NOTE: 'Invitation' },
} satisfies Extension
