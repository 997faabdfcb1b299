import { domain, removing } from '#atrium'
import { auth } from '#atrium/auth'
import { organization } from '#atrium/organization'
import { people } from '#atrium/people'
import { tenants } from '#atrium/tenants'
import { confirmations, users } from '#atrium/users'
import { linkPages, links } from '#plugins/links'
import { mail } from '#plugins/mail'
import { accountRoutes } from './account.routes.ts'
import { removeOldConfirmations, removeOldResets } from './account.store.ts'
import { confirmedByMail } from './addresses.actions.ts'
import { unansweredResets } from './reset-answers.ts'

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

const pages = [
  {
    name: 'password',
    fields: ['newPassword'],
    action: 'auth/password-resets/confirm',
    en: {
      title: 'Choose a new password',
      lead: 'Afterwards you have to sign in again on all your devices.',
      submit: 'Save the password',
      done: 'Your password was changed. You can now sign in with it.',
    },
    zh: {
      title: '设置新密码',
      lead: '保存后，您需要在所有设备上重新登录。',
      submit: '保存密码',
      done: '密码已更改，现在可以使用新密码登录。',
    },
  },
  {
    name: 'email',
    fields: [],
    action: 'auth/email/confirm',
    en: {
      title: 'Confirm your e-mail address',
      lead: 'Messages of the service will go to this address from now on.',
      submit: 'Confirm the address',
      done: 'Your e-mail address is confirmed.',
    },
    zh: {
      title: '确认邮箱地址',
      lead: '确认后，系统邮件将发送到此地址。',
      submit: '确认邮箱',
      done: '邮箱地址已确认。',
    },
  },
] as const

export default domain({
  name: 'account',
  about: 'Links by mail for forgotten passwords and new addresses',
  uses: [auth, links, mail, organization, people, tenants, users],
  ...words,
  mailTexts: new URL('./texts/', import.meta.url),
  tags: {
    account: {
      description: 'What a person does with a link that was mailed to them.',
      paths: ['/auth/password-resets', '/auth/email'],
    },
  },
  provides: [confirmations.by(confirmedByMail), ...pages.map(linkPages.by)],
  jobs: () => [unansweredResets],
  cleanups: () => [
    removing('old links for new passwords', removeOldResets),
    removing('links of unconfirmed addresses', removeOldConfirmations),
  ],
  migrations: new URL('./migrations/', import.meta.url),
  document: new URL('./openapi.json', import.meta.url),
  console: new URL('./console/', import.meta.url),
  routes: accountRoutes,
})
