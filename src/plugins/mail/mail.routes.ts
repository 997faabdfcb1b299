import {
  type Config,
  type DomainRoutes,
  type FastifyInstance,
  IdParams,
  pageRequestOf,
  reportBacklog,
  type Scope,
  startJob,
  z,
} from '#atrium'
import { retryMail } from './mail.actions.ts'
import { canSendMail, mailFaults } from './mail.rules.ts'
import { MailQuery, MailView } from './mail.schemas.ts'
import { countMails, listMails } from './mail.store.ts'
import { openNewsCollector } from './news/collect.ts'
import { mailboxPages } from './pages/mailbox.pages.ts'
import { unsubscribePages } from './pages/unsubscribe.pages.ts'
import { openComposer } from './sending/compose.ts'
import { filePost, folderOf } from './sending/mailbox.ts'
import { smtpPost } from './sending/post.ts'
import { type MailParts, startMailWorker } from './sending/worker.ts'

const MAILS = {
  prefix: 'mail',
  series: 'mail',
  help: {
    waiting: 'Mails that wait to be sent',
    oldest: 'How long the oldest of them has waited',
    dead: 'Mails of the last 30 days that were given up',
    attempts: 'Attempts to send a mail: sent, or not because of the server, for now, or for good',
  },
  count: async (scope: Scope) => (await countMails(scope, {}))!,
} as const

/** What leaves the tenant by mail, for its administrators. */
export const mailRoutes: DomainRoutes = async (app, { config }) => {
  const worker = canSendMail(config)
    ? startJob(app, () => startMailWorker(app.database, partsOf(app, config)))
    : undefined
  if (worker) reportBacklog(app, { ...MAILS, tally: worker.tally })

  app.get(
    '/mails',
    {
      config: { access: 'settings:manage' },
      schema: {
        operationId: 'listMails',
        summary: 'List the mails of the tenant',
        description:
          'Newest first. A mail is `waiting` until the mail server has taken it, and `dead` if it was refused or could not be sent for a day. What it said is not shown.',
        querystring: MailQuery,
        response: { 200: z.array(MailView) },
      },
    },
    async (req, reply) =>
      reply.list(await listMails(req.scope, { status: req.query.status }, pageRequestOf(req.query))),
  )

  app.post(
    '/mails/:id/retry',
    {
      config: { access: 'settings:manage' },
      schema: {
        operationId: 'retryMail',
        summary: 'Send a mail again',
        description: 'A dead mail is tried for another day, and one that waits is tried soon.',
        params: IdParams,
        response: { 200: MailView },
        refuses: [mailFaults.notConfigured, mailFaults.notDead],
      },
    },
    async (req) => {
      if (!canSendMail(config)) throw mailFaults.notConfigured()
      return req.transact((tx) => retryMail(tx, req.params.id))
    },
  )
}

/** The pages of mail: to stop it, and in development to read it. */
export const mailPages: DomainRoutes = async (app, options) => {
  await app.register(unsubscribePages, options)
  await app.register(mailboxPages, options)
}

function partsOf({ database, sealer }: FastifyInstance, config: Config): MailParts {
  return {
    compose: openComposer(database, config, sealer),
    news: openNewsCollector(database),
    post: config.mailUrl ? smtpPost(config) : filePost(folderOf(config), config.mailFrom),
    most: config.mailConnections,
  }
}
