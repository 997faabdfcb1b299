import { domain, nextId, outgoingMail, removing, welcomes } from '#atrium'
import { notifications } from '#atrium/notifications'
import { dependents, people } from '#atrium/people'
import { tenants } from '#atrium/tenants'
import { sendMail } from './mail.actions.ts'
import { mailPages, mailRoutes } from './mail.routes.ts'
import { canSendMail, hasMailbox } from './mail.rules.ts'
import { listStatuses, removeEnded, removeMailsTo } from './mail.store.ts'
import { sendingOfMails } from './sending/worker.ts'

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

export default domain({
  name: 'mail',
  about: 'Mail: an outbox that is sent through a mail server, news by mail, and a mailbox for development',
  uses: [notifications, people, tenants],
  ...words,
  mailTexts: new URL('./texts/', import.meta.url),
  tags: {
    mail: { description: 'What leaves the tenant by mail, for its administrators.', paths: ['/mails'] },
  },
  provides: [
    outgoingMail.by({ canSend: canSendMail, drawId: (tx) => nextId(tx, 'mails'), send: sendMail, listStatuses }),
    dependents.by({ columns: ['mails.userId'], end: removeMailsTo }),
    welcomes.by((config, address) => (hasMailbox(config) ? [['Mailbox', `${address}/mail`]] : [])),
  ],
  jobs: (config) => (canSendMail(config) ? [sendingOfMails] : []),
  cleanups: () => [removing('mails that were sent or given up 30 days ago', removeEnded)],
  migrations: new URL('./migrations/', import.meta.url),
  document: new URL('./openapi.json', import.meta.url),
  console: new URL('./console/', import.meta.url),
  commands: () => import('./mail.commands.ts'),
  checks: () => import('./mail.checks.ts'),
  routes: mailRoutes,
  pages: mailPages,
})
