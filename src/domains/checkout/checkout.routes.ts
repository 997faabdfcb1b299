import { arrayQuery, type DomainRoutes, faults, pageRequestOf, z } from '#atrium'
import { checkOut } from './checkout.actions.ts'
import { asView, checkoutFaults } from './checkout.rules.ts'
import { CheckoutRequest, OrderParams, OrderView } from './checkout.schemas.ts'
import { getOrder, listOrders, ordersSeenBy } from './checkout.store.ts'

/** Orders of the tenant's plans. Everyone sees their own, and holders of `price:update` those of everybody. */
export const checkoutRoutes: DomainRoutes = async (app, { config }) => {
  const most = config.checkoutLimit
  app.post(
    '/payments/checkout',
    {
      config: {
        access: 'signed-in',
        renews: true,
        counts: 'order_made',
        limit: { name: 'checkout', most, windowMs: 60_000 },
      },
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
}
