import { domain, tableOf } from '#atrium'
import { account } from '#atrium/account'
import { auth } from '#atrium/auth'
import { mail } from '#atrium/mail'
import { organization } from '#atrium/organization'
import { departures, people } from '#atrium/people'
import { plans } from '#atrium/plans'
import { roles } from '#atrium/roles'
import { tenants } from '#atrium/tenants'
import { users } from '#atrium/users'
import { invitationEvents } from './invitations.events.ts'
import { invitationRoutes } from './invitations.routes.ts'
import { INVITATION_MOVES } from './invitations.rules.ts'
import { clearAddressOf, removeOldInvitations } from './invitations.store.ts'

const words = {
  permissions: {
    'user:invite': ['tenant-admin'],
  },
  resources: ['user'],
  mails: {
    INVITATION: { facts: ['tenant', 'inviter'], link: true },
    INVITATION_WITH_NOTE: { facts: ['tenant', 'inviter', 'note'], link: true },
  },
  notifications: {
    INVITATION_ACCEPTED: { en: '{user} accepted your invitation', zh: '{user} 已接受您的邀请' },
  },
  events: invitationEvents,
  sentences: {
    'Invitation not found': '邀请不存在',
    'This invitation cannot be used any more': '该邀请已失效',
    'This address has an invitation already; send that one again': '该邮箱已有待接受的邀请，请重新发送',
    'The invitation is closed': '该邀请已结束',
  },
} as const

declare module '#atrium' {
  interface Domains {
    invitations: typeof words
  }
}

export const invitations = domain({
  name: 'invitations',
  uses: [account, auth, mail, organization, people, plans, roles, tenants, users],
  ...words,
  mailTexts: new URL('./texts/', import.meta.url),
  tags: {
    invitations: {
      description: `How people come into a closed tenant.\n\n${tableOf(INVITATION_MOVES)}`,
      paths: ['/invitations', '/auth/invitations'],
    },
  },
  provides: [departures.by({ columns: ['invitations.acceptedById'], end: clearAddressOf })],
  cleanups: () => [
    { what: 'old invitations', remove: async (tx, most) => (await removeOldInvitations(tx, { most })).affected },
  ],
  withholds: { invitations: { columns: ['token_hash', 'mailed_token_hash'] } },
  references: { invitations: { department_id: 'departments' } },
  routes: invitationRoutes,
})
