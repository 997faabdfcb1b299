import { type DomainRoutes, faults } from '#atrium'
import { orderRenewal } from './checkout.actions.ts'
import { checkoutFaults } from './checkout.rules.ts'
import { OrderView, RenewalRequest } from './checkout.schemas.ts'

/** The way of a tenant to its next period, also after it has expired. */
export const renewalRoutes: DomainRoutes = async (app, { config }) => {
  app.post(
    '/tenant/renewals',
    {
      config: {
        access: 'settings:manage',
        renews: true,
        counts: 'order_made',
        limit: { name: 'checkout', most: config.checkoutLimit, windowMs: 60_000 },
      },
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
