import { type DomainRoutes, IdParams, pageRequestOf, z } from '#atrium'
import { retryMail } from './mail.actions.ts'
import { canSendMail, mailFaults } from './mail.rules.ts'
import { MailQuery, MailView } from './mail.schemas.ts'
import { listMails } from './mail.store.ts'
import { mailboxPages } from './pages/mailbox.pages.ts'
import { unsubscribePages } from './pages/unsubscribe.pages.ts'

/** What leaves the tenant by mail, for its administrators. */
export const mailRoutes: DomainRoutes = async (app, { config }) => {
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
