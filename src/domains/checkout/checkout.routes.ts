import { arrayQuery, type DomainRoutes, faults, pageRequestOf, z } from '#atrium'
import { checkOut, orderRenewal } from './checkout.actions.ts'
import { asView, checkoutFaults } from './checkout.rules.ts'
import { CheckoutRequest, OrderParams, OrderView, RenewalRequest } from './checkout.schemas.ts'
import { getOrder, listOrders, ordersSeenBy } from './checkout.store.ts'

/**
 * Orders of the tenant's plans, and of its renewal, also after it has expired. Everyone sees their own, and holders of
 * `price:update` those of everybody.
 */
export const checkoutRoutes: DomainRoutes = async (app, { config }) => {
  const limit = { name: 'checkout', most: config.checkoutLimit, windowMs: 60_000 }

  app.post(
    '/payments/checkout',
    {
      config: { access: 'signed-in', renews: true, counts: 'order_made', limit },
      schema: {
        operationId: 'checkout',
        summary: 'Order a plan',
        description: 'At the price of the plan. Administrators of an expired tenant may pay too.',
        body: CheckoutRequest,
        response: { 201: OrderView },
        sends: ['Location', 'RateLimit', 'RateLimit-Policy'],
        refuses: [checkoutFaults.planNotPayable, faults.notInTenant],
      },
    },
    async (req, reply) => {
      const order = await req.transact((tx) => checkOut(tx, req.body, req.language))
      return reply.created(`/payments/orders/${order.orderNo}`, order)
    },
  )

  app.get(
    '/payments/orders',
    {
      config: { access: 'signed-in', renews: true, list: 'orders' },
      schema: {
        operationId: 'listOrders',
        summary: 'List orders',
        description:
          'Your own, or those of everybody for holders of `price:update`. Newest first. An order whose time has passed is `expired`.',
        querystring: arrayQuery({}),
        response: { 200: z.array(OrderView) },
      },
    },
    async (req, reply) => {
      const orders = await listOrders(req.scope, ordersSeenBy(req.user), pageRequestOf(req.query))
      return reply.list(orders).map(asView)
    },
  )

  app.get(
    '/payments/orders/:orderNo',
    {
      config: { access: 'signed-in', renews: true },
      schema: {
        operationId: 'getOrder',
        summary: 'Read an order',
        description:
          'One of your own, or of anybody for holders of `price:update`. An order whose time has passed is `expired`.',
        params: OrderParams,
        response: { 200: OrderView },
      },
    },
    async (req) => {
      const { orderNo } = req.params
      return asView(await getOrder(req.scope, { orderNo, ...ordersSeenBy(req.user) }))
    },
  )

  app.post(
    '/tenant/renewals',
    {
      config: { access: 'settings:manage', renews: true, counts: 'order_made', limit },
      schema: {
        operationId: 'orderRenewal',
        summary: 'Order the renewal of the tenant',
        description:
          "At the operator's price for the tenant's plan, which `/tenant/settings` shows as `renewal`. Administrators of an expired tenant may order too. The tenant is extended when the order is paid.",
        body: RenewalRequest,
        response: { 201: OrderView },
        sends: ['Location', 'RateLimit', 'RateLimit-Policy'],
        refuses: [checkoutFaults.planNotPayable, faults.notInTenant],
      },
    },
    async (req, reply) => {
      const order = await req.transact((tx) => orderRenewal(tx, config.renewals, req.body))
      return reply.created(`/payments/orders/${order.orderNo}`, order)
    },
  )
}
