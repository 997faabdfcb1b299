import { arrayQuery, type DomainRoutes, IdParams, numberAll, pageRequestOf, quotaFaults, z } from '#atrium'
import { deliveryRoutes } from './deliveries.routes.ts'
import { assertPublicAddress } from './sending/check-address.ts'
import {
  createWebhook,
  deleteWebhook,
  replay,
  rotateSecret,
  testWebhook,
  updateWebhook,
  viewOf,
} from './webhooks.actions.ts'
import { webhookFaults } from './webhooks.rules.ts'
import {
  CreatedWebhookView,
  Replay,
  WebhookDraft,
  WebhookPatch,
  WebhookSecretView,
  WebhookView,
} from './webhooks.schemas.ts'
import { getWebhook, listWebhooks } from './webhooks.store.ts'

/** Webhooks, for those who manage them. */
export const webhookRoutes: DomainRoutes = async (app, { config }) => {
  const { database, sealer } = app
  const anywhere = config.webhookPrivateAddresses

  await app.register(deliveryRoutes, { config })

  app.get(
    '/webhooks',
    {
      config: { access: 'webhook:manage' },
      schema: {
        operationId: 'listWebhooks',
        summary: 'List webhooks',
        description: 'Newest first, without their secrets.',
        querystring: arrayQuery({}),
        response: { 200: z.array(WebhookView) },
      },
    },
    async (req, reply) => {
      const place = { sealer, tenantId: req.scope.tenantId }
      return reply.list(await listWebhooks(req.scope, {}, pageRequestOf(req.query))).map((one) => viewOf(place, one))
    },
  )

  app.get(
    '/webhooks/:id',
    {
      config: { access: 'webhook:manage' },
      schema: {
        operationId: 'getWebhook',
        summary: 'Read a webhook',
        params: IdParams,
        sends: ['ETag'],
        response: { 200: WebhookView },
      },
    },
    async (req, reply) => {
      const place = { sealer, tenantId: req.scope.tenantId }
      return reply.versioned(viewOf(place, await getWebhook(req.scope, { id: req.params.id })))
    },
  )

  app.post(
    '/webhooks',
    {
      config: { access: 'webhook:manage' },
      schema: {
        operationId: 'createWebhook',
        summary: 'Create a webhook',
        description:
          'It is sent what happens from now on. `secret` is shown here and never again. An address that leads to a private network is refused, now and at each delivery.',
        body: WebhookDraft,
        response: { 201: CreatedWebhookView },
        sends: ['Location'],
        refuses: [webhookFaults.addressRefused, quotaFaults.exceeded],
      },
    },
    async (req, reply) => {
      if (!anywhere) await assertPublicAddress(req.body.url)
      // What has happened before gets its ids now, so that the webhook is not sent it.
      await numberAll(database, req.scope.tenantId)
      const webhook = await req.transact((tx) => createWebhook(tx, req.body))
      return reply.created(`/webhooks/${webhook.id}`, reply.versioned(webhook))
    },
  )

  app.put(
    '/webhooks/:id',
    {
      config: { access: 'webhook:manage', versionIn: 'body' },
      schema: {
        operationId: 'updateWebhook',
        summary: 'Update a webhook',
        description:
          'Omitted fields stay. `version` is the version that was read; it rises by 1. What happens while it is `paused` is delivered afterwards, as long as the events are kept.',
        params: IdParams,
        body: WebhookPatch,
        response: { 200: WebhookView },
        refuses: [webhookFaults.addressRefused, webhookFaults.changed],
      },
    },
    async (req, reply) => {
      const { url } = req.body
      if (url !== undefined && !anywhere) await assertPublicAddress(url)
      const patch = { ...req.body, ifMatch: req.ifMatch }
      return reply.versioned(await req.transact((tx) => updateWebhook(tx, req.params.id, patch)))
    },
  )

  app.delete(
    '/webhooks/:id',
    {
      config: { access: 'webhook:manage', versionIn: 'nowhere' },
      schema: {
        operationId: 'deleteWebhook',
        summary: 'Delete a webhook',
        description: 'What it had still to be sent is dropped.',
        params: IdParams,
        response: { 200: z.null() },
      },
    },
    (req) => req.transact((tx) => deleteWebhook(tx, req.params.id, { ifMatch: req.ifMatch })),
  )

  app.post(
    '/webhooks/:id/rotate-secret',
    {
      config: { access: 'webhook:manage' },
      schema: {
        operationId: 'rotateWebhookSecret',
        summary: 'Give a webhook a new secret',
        description:
          'For 24 hours deliveries have two signatures, by the new secret and by the one before; then only the new one signs. A webhook from another installation has to be given its address first.',
        params: IdParams,
        response: { 200: WebhookSecretView },
        refuses: [webhookFaults.addressUnknown],
      },
    },
    (req) => req.transact((tx) => rotateSecret(tx, req.params.id)),
  )

  app.post(
    '/webhooks/:id/test',
    {
      config: { access: 'webhook:manage' },
      schema: {
        operationId: 'testWebhook',
        summary: 'Try a webhook out',
        description:
          'Sends it an event `webhook.tested`, which no other webhook is sent. Its deliveries show what became of it. A paused webhook is sent it afterwards.',
        params: IdParams,
        response: { 200: z.null() },
      },
    },
    (req) => req.transact((tx) => testWebhook(tx, req.params.id)),
  )

  app.post(
    '/webhooks/:id/replay',
    {
      config: { access: 'webhook:manage' },
      schema: {
        operationId: 'replayWebhook',
        summary: 'Send all events after an id again',
        description:
          'In their order, delivered or not, as far as they are kept; with 0 from the oldest. The receiver recognizes each by its `webhook-id`.',
        params: IdParams,
        body: Replay,
        response: { 200: z.null() },
      },
    },
    (req) => req.transact((tx) => replay(tx, req.params.id, req.body.afterEventId)),
  )
}
