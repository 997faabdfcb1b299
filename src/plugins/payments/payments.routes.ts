import { type DomainRoutes, fail, sharedScope, system, z } from '#atrium'
import { checkoutFaults, findTenantOfOrder, settleOrder } from '#atrium/checkout'
import { demoCallbacks } from './demo-callbacks.ts'
import { assertAmount, paymentFaults } from './payments.rules.ts'
import { PaymentCallback, ProviderParams } from './payments.schemas.ts'
import type { PaymentCallbacks, PaymentReport } from './provider.ts'
import { stripeCallbacks } from './stripe-callbacks.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** what a genuine callback says, and who; undefined if nothing of an order */
    paymentReport: (PaymentReport & { by: PaymentCallbacks }) | undefined
  }
}

/** An event of Stripe holds a whole object, with the metadata and the lines of the payment. */
const MOST_BYTES = 262_144

/** Callbacks of payment providers. */
export const paymentRoutes: DomainRoutes = async (app, { config }) => {
  const providers = [
    ...(config.paymentsDemoSecret ? [demoCallbacks(config.paymentsDemoSecret)] : []),
    ...(config.stripeWebhookSecret ? [stripeCallbacks(config.stripeWebhookSecret)] : []),
  ]
  app.decorateRequest('paymentReport', undefined)
  // The signature covers the bytes, which only this route keeps.
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_req, body, done) => done(null, body))

  app.post(
    '/payments/callback/:provider',
    {
      // A provider sends no keys; a report that comes again changes nothing.
      config: { access: 'anyone', idempotent: false },
      bodyLimit: MOST_BYTES,
      schema: {
        operationId: 'reportPayment',
        summary: 'Report a payment',
        description:
          'For payment providers: marks an order as `paid`, `expired` or `refunded`, once, however late, often and in whatever order it is reported. An order that has expired can still be paid; one that was refunded stays refunded. `demo` signs as Standard Webhooks do, with `PAYMENTS_DEMO_SECRET`; `stripe` in `Stripe-Signature`, with `STRIPE_WEBHOOK_SECRET`. A signature is accepted for five minutes.',
        params: ProviderParams,
        body: PaymentCallback,
        response: { 200: z.null() },
        refuses: [paymentFaults.invalidSignature, paymentFaults.amountDiffers],
      },
      // Before the body is looked at: a caller without the secret learns nothing of it.
      preValidation: async (req) => {
        const { provider } = req.params
        const callbacks = providers.find(({ name }) => name === provider) ?? fail(paymentFaults.providerNotFound())
        const body = Buffer.isBuffer(req.body) ? req.body : Buffer.alloc(0)
        const report = callbacks.verify({ headers: req.headers, body, now: new Date() })
        req.paymentReport = report && { ...report, by: callbacks }
        req.body = {}
      },
    },
    async (req) => {
      if (!req.paymentReport) return
      const { orderNo, status, amount, by } = req.paymentReport
      const found = await findTenantOfOrder(sharedScope(app.database), { orderNo })
      if (!found) {
        if (!by.isShared) throw checkoutFaults.notFound()
        req.log.warn({ requestId: req.id, provider: by.name, orderNo, status }, 'a payment of an unknown order')
        return
      }
      const assertPaid = (order: NonNullable<typeof amount>) => amount && assertAmount(order, amount)
      const subject = { tenantId: found.tenant, userId: null, username: null }
      await req.transactAs(system, found.tenant, (tx) => settleOrder(tx, orderNo, status, assertPaid), subject)
    },
  )
}
