import { arrayQuery, type DomainRoutes, IdParams, networkOf, pageRequestOf, z } from '#atrium'
import { deleteMessage, handleMessage, receiveMessage } from './portal.actions.ts'
import { ContactDraft, ContactMessagePatch, ContactMessageView, ContactReceipt } from './portal.schemas.ts'
import { listContactMessages } from './portal.store.ts'

/** Messages of visitors. */
export const contactRoutes: DomainRoutes = async (app, { config }) => {
  const accepted = { name: 'contact', most: config.contactLimit, windowMs: 600_000 }

  app.post(
    '/public/contact',
    {
      // The longest message, with each character escaped.
      bodyLimit: 65_536,
      config: { access: 'anyone', counts: 'contacted' },
      schema: {
        operationId: 'sendContactMessage',
        summary: 'Send a message',
        description:
          '`X-Tenant-Code` names the tenant. Holders of `content:update` are notified (`CONTACT_RECEIVED`). Accepted messages are limited for each address.',
        body: ContactDraft,
        response: { 201: ContactReceipt },
        sends: ['RateLimit', 'RateLimit-Policy'],
      },
    },
    (req, reply) =>
      app.limits.attempt(reply, { limit: accepted, key: networkOf(req.ip) }, () =>
        req.transactAs(req.actor, req.tenant!.id, (tx) => receiveMessage(tx, req.body)),
      ),
  )

  app.get(
    '/content/contact-messages',
    {
      config: { access: 'content:list', list: 'contact-messages' },
      schema: {
        operationId: 'listContactMessages',
        summary: 'List messages of visitors',
        description: 'Newest first.',
        querystring: arrayQuery({}),
        response: { 200: z.array(ContactMessageView) },
      },
    },
    async (req, reply) => reply.list(await listContactMessages(req.scope, {}, pageRequestOf(req.query))),
  )

  app.put(
    '/content/contact-messages/:id',
    {
      config: { access: 'content:update' },
      schema: {
        operationId: 'handleContactMessage',
        summary: 'Mark a message as handled',
        description: '`handled: false` opens it again.',
        params: IdParams,
        body: ContactMessagePatch,
        response: { 200: ContactMessageView },
      },
    },
    (req) => req.transact((tx) => handleMessage(tx, req.params.id, req.body.handled)),
  )

  app.delete(
    '/content/contact-messages/:id',
    {
      config: { access: 'content:delete' },
      schema: {
        operationId: 'deleteContactMessage',
        summary: 'Delete a message',
        params: IdParams,
        response: { 200: z.null() },
      },
    },
    (req) => req.transact((tx) => deleteMessage(tx, req.params.id)).then(() => null),
  )
}
