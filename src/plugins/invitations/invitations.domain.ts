import { domain, faults, removing, tableOf } from '#atrium'
import { auth } from '#atrium/auth'
import { organization } from '#atrium/organization'
import { dependents, people } from '#atrium/people'
import { roles } from '#atrium/roles'
import { tenants } from '#atrium/tenants'
import { inviting, users } from '#atrium/users'
import { linkPages, links } from '#plugins/links'
import { invitationsOfPerson } from './hand-over.actions.ts'
import { invite } from './invitations.actions.ts'
import { invitationEvents } from './invitations.events.ts'
import { invitationRoutes, linksOf } from './invitations.routes.ts'
import { INVITATION_MOVES } from './invitations.rules.ts'
import { clearAddressOf, removeOldInvitations } from './invitations.store.ts'

const words = {
  permissions: { 'user:invite': ['tenant-admin'] },
  resources: ['user'],
  mails: {
    INVITATION: { facts: ['tenant', 'inviter'], link: true },
    INVITATION_WITH_NOTE: { facts: ['tenant', 'inviter', 'note'], link: true },
  },
  notifications: {
    INVITATIONS_HANDED_OVER: {
      en: 'Invitations that you answer for now: {count}',
      zh: '移交给您的待接受邀请：{count} 个',
    },
    INVITATION_ACCEPTED: { en: '{user} accepted your invitation', zh: '{user} 已接受您的邀请' },
  },
  events: invitationEvents,
  sentences: {
    'Invitation not found': '邀请不存在',
    'This invitation cannot be used any more': '该邀请已失效',
    'This address has an invitation already; send that one again': '该邮箱已有待接受的邀请，请重新发送',
    'This is the verified address of somebody who is here already': '该邮箱已是本租户成员的已验证邮箱',
    'The invitation is closed': '该邀请已结束',
  },
} as const

declare module '#atrium' {
  interface Domains {
    invitations: typeof words
  }
}

const page = {
  name: 'invitation',
  fields: ['username', 'nickname', 'password'],
  preview: 'auth/invitations/preview',
  action: 'auth/invitations/accept',
  en: {
    title: 'Accept your invitation',
    lead: '{invitedByName} invites {email} to join {tenantName}.',
    submit: 'Join',
    done: 'Welcome. You can now sign in with the user name {username}, in the tenant {tenantCode}.',
  },
  zh: {
    title: '接受邀请',
    lead: '{invitedByName} 邀请 {email} 加入 {tenantName}。',
    submit: '加入',
    done: '欢迎加入。现在可以使用用户名 {username} 登录租户 {tenantCode}。',
  },
} as const

export default domain({
  name: 'invitations',
  about: 'Invitations to a tenant, by link or by mail',
  uses: [auth, links, organization, people, roles, tenants, users],
  ...words,
  mailTexts: new URL('./texts/', import.meta.url),
  tags: {
    invitations: {
      description: `How people come into a closed tenant.\n\n${tableOf(INVITATION_MOVES)}`,
      paths: ['/invitations', '/auth/invitations'],
    },
  },
  provides: [
    linkPages.by(page),
    inviting.by((req, config) => {
      const links = linksOf(req, config)
      return (tx, draft) => {
        if (!tx.actor.permissions.has('user:invite')) throw faults.permissionDenied()
        return invite(tx, draft, links)
      }
    }),
    dependents.by(invitationsOfPerson),
    dependents.by({ columns: ['invitations.acceptedById'], end: clearAddressOf }),
  ],
  cleanups: () => [removing('old invitations', removeOldInvitations)],
  migrations: new URL('./migrations/', import.meta.url),
  document: new URL('./openapi.json', import.meta.url),
  console: new URL('./console/', import.meta.url),
  routes: invitationRoutes,
})
