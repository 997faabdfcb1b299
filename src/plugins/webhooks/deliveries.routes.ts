import { type DomainRoutes, IdParams, pageRequestOf, z } from '#atrium'
import { redeliver, showDelivery } from './webhooks.actions.ts'
import { webhookFaults } from './webhooks.rules.ts'
import { DeliveryDetailView, DeliveryParams, DeliveryQuery, DeliveryView } from './webhooks.schemas.ts'
import { getWebhook, listDeliveries } from './webhooks.store.ts'

/** What webhooks were sent, and what they answered. */
export const deliveryRoutes: DomainRoutes = async (app) => {
  app.get(
    '/webhooks/:id/deliveries',
    {
      config: { access: 'webhook:manage' },
      schema: {
        operationId: 'listWebhookDeliveries',
        summary: 'List the deliveries of a webhook',
        description: 'Newest first. Deliveries are kept for 30 days after they were delivered or given up.',
        params: IdParams,
        querystring: DeliveryQuery,
        response: { 200: z.array(DeliveryView) },
      },
    },
    async (req, reply) => {
      const webhookId = req.params.id
      const { status } = req.query
      const [, deliveries] = await Promise.all([
        getWebhook(req.scope, { id: webhookId }),
        listDeliveries(req.scope, { webhookId, ...(status && { status }) }, pageRequestOf(req.query)),
      ])
      return reply.list(deliveries)
    },
  )

  app.get(
    '/webhooks/:id/deliveries/:deliveryId',
    {
      config: { access: 'webhook:manage' },
      schema: {
        operationId: 'getWebhookDelivery',
        summary: 'Read a delivery of a webhook',
        description: 'With what is sent and what was answered last.',
        params: DeliveryParams,
        response: { 200: DeliveryDetailView },
      },
    },
    async (req) => {
      const { id, deliveryId } = req.params
      const [, delivery] = await Promise.all([getWebhook(req.scope, { id }), showDelivery(req.scope, id, deliveryId)])
      return delivery
    },
  )

  app.post(
    '/webhooks/:id/deliveries/:deliveryId/redeliver',
    {
      config: { access: 'webhook:manage' },
      schema: {
        operationId: 'redeliverWebhook',
        summary: 'Send a delivery again',
        description: 'Whatever became of it; from the first attempt.',
        params: DeliveryParams,
        response: { 200: DeliveryView },
        refuses: [webhookFaults.eventNotKept],
      },
    },
    (req) => req.transact((tx) => redeliver(tx, req.params.id, req.params.deliveryId)),
  )
}
