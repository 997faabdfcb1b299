import { z } from '#atrium'
import { OrderParams } from '#atrium/checkout'

const { orderNo } = OrderParams.shape

/** What the development provider sends. */
export const DemoReport = z.object({
  orderNo,
  status: z.enum(['paid', 'expired', 'refunded']),
  occurredAt: z.iso.datetime({ offset: true }),
})

/** What the service reads of an event of Stripe. */
export const StripeEvent = z.object({
  type: z.string(),
  data: z.object({
    object: z.object({
      client_reference_id: orderNo.nullish().catch(null),
      metadata: z.object({ orderNo: orderNo.optional() }).nullish().catch(null),
      payment_status: z.string().nullish(),
      amount_total: z.int().nullish(),
      currency: z.string().nullish(),
      refunded: z.boolean().nullish(),
    }),
  }),
})
export type StripeEvent = z.output<typeof StripeEvent>

export const ProviderParams = z.object({ provider: z.string().meta({ examples: ['demo'] }) })

/** Each provider has its own form, which its signature covers; this is that of the development provider. */
export const PaymentCallback = z.looseObject({}).meta({
  id: 'PaymentCallback',
  examples: [{ orderNo: 'FV0A1B2C3D4E5F60718293A4B5', status: 'paid', occurredAt: '2026-11-21T09:35:00.000Z' }],
})
