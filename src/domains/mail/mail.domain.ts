import { domain } from '#atrium'
import { notifications } from '#atrium/notifications'
import { dependents, people } from '#atrium/people'
import { tenants } from '#atrium/tenants'
import { endedMails, sealedMails } from './mail.actions.ts'
import { mailPages, mailRoutes } from './mail.routes.ts'
import { removeMailsTo } from './mail.store.ts'

const words = {
  mails: {
    MAIL_TEST: { facts: [] },
    NEWS: { facts: ['count', 'tenant'] },
    NEWS_DAILY: { facts: ['count', 'tenant'] },
  },
  sentences: {
    'Mail not found': '邮件不存在',
    'This installation sends no mail': '系统未配置邮件发送',
    'This mail was sent': '该邮件已发送',
  },
} as const

declare module '#atrium' {
  interface Domains {
    mail: typeof words
  }
}

export const mail = domain({
  name: 'mail',
  uses: [notifications, people, tenants],
  ...words,
  mailTexts: new URL('./texts/', import.meta.url),
  sealed: [sealedMails],
  tags: {
    mail: { description: 'What leaves the tenant by mail, for its administrators.', paths: ['/mails'] },
  },
  provides: [dependents.by({ columns: ['mails.userId'], end: removeMailsTo })],
  cleanups: () => [endedMails],
  withholds: { mails: { columns: ['sealed'], rows: "status = 'waiting'" } },
  references: {
    mail_cursors: { seen: { upTo: 'notifications' } },
    mail_digests: { news_from: { upTo: 'notifications' }, news_to: { upTo: 'notifications' } },
    mails: { asked_by: 'users', news_from: { upTo: 'notifications' }, news_to: { upTo: 'notifications' } },
  },
  routes: mailRoutes,
  pages: mailPages,
})
