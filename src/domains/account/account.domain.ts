import { domain } from '#atrium'
import { auth } from '#atrium/auth'
import { mail } from '#atrium/mail'
import { dependents, people } from '#atrium/people'
import { tenants } from '#atrium/tenants'
import { accountPages } from './account.pages.ts'
import { accountRoutes } from './account.routes.ts'
import { removeConfirmationOf, removeOldConfirmations, removeOldResets, removeResetOf } from './account.store.ts'

const words = {
  mails: {
    PASSWORD_RESET: { facts: ['username', 'tenant'], link: true },
    EMAIL_CONFIRMATION: { facts: ['username', 'tenant'], link: true },
    EMAIL_CHANGED: { facts: ['username', 'tenant'] },
  },
  sentences: {
    'This link for a new password cannot be used any more; ask for another': '该重置密码链接已失效，请重新申请',
    'This link cannot be used any more; enter the address again': '该链接已失效，请重新填写邮箱地址',
    'The service does not know its own address, so it can send no links': '服务未配置自身地址，无法发送链接',
    'needs a user name or an e-mail address': '请填写用户名或邮箱',
  },
} as const

declare module '#atrium' {
  interface Domains {
    account: typeof words
  }
}

export const account = domain({
  name: 'account',
  uses: [auth, mail, people, tenants],
  ...words,
  mailTexts: new URL('./texts/mails/', import.meta.url),
  tags: {
    account: {
      description: 'What a person does with a link that was mailed to them.',
      paths: ['/auth/password-resets', '/auth/email'],
    },
  },
  provides: [
    dependents.by({ columns: ['passwordResets.userId'], isSecret: true, end: removeResetOf }),
    dependents.by({ columns: ['emailConfirmations.userId'], isSecret: true, end: removeConfirmationOf }),
  ],
  cleanups: () => [
    { what: 'old links for new passwords', remove: async (tx, most) => (await removeOldResets(tx, { most })).affected },
    {
      what: 'links of unconfirmed addresses',
      remove: async (tx, most) => (await removeOldConfirmations(tx, { most })).affected,
    },
  ],
  withholds: { password_resets: true, password_reset_requests: true, email_confirmations: true },
  routes: accountRoutes,
  pages: accountPages,
})
