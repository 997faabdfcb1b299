import { Id, sentence, view, z } from '#atrium'

export const Channel = z.enum(['alipay', 'wechat', 'card']).meta({ id: 'CheckoutChannel' })

export const CheckoutRequest = z
  .object({ planId: Id, channel: Channel })
  .meta({ id: 'CheckoutRequest', examples: [{ planId: 2, channel: 'card' }] })
export type CheckoutRequest = z.output<typeof CheckoutRequest>

export const RenewalRequest = z
  .object({ channel: Channel })
  .meta({ id: 'RenewalRequest', examples: [{ channel: 'card' }] })
export type RenewalRequest = z.output<typeof RenewalRequest>

export const OrderParams = z.object({
  orderNo: z
    .string()
    .regex(/^FV[0-9A-F]{24}$/, sentence('must be FV and 24 upper-case hexadecimal digits'))
    .meta({ examples: ['FV0A1B2C3D4E5F60718293A4B5'] }),
})

export const OrderView = z
  .object({
    id: view.id,
    orderNo: view.text,
    planId: view.maybeId.describe('null if the order renews the tenant'),
    planName: view.text,
    amountCents: z.number().int(),
    currency: z.literal('CNY'),
    channel: Channel,
    renewalDays: z.number().int().nullable().describe('So many days the tenant is extended by once it is paid'),
    status: z.enum(['pending', 'paid', 'expired', 'refunded']),
    userId: view.id,
    userName: view.person,
    checkoutUrl: view.text,
    createdAt: view.instant,
    expiresAt: view.instant,
  })
  .meta({
    id: 'PaymentOrder',
    examples: [
      {
        id: 15,
        planName: 'Team',
        amountCents: 29900,
        checkoutUrl: '/payment/demo/FV0A1B2C3D4E5F60718293A4B5',
        expiresAt: '2026-11-21T09:45:00.000Z',
        planId: 2,
        renewalDays: null,
        channel: 'card',
        userId: 7,
        userName: 'Mei Tanaka',
        orderNo: 'FV0A1B2C3D4E5F60718293A4B5',
      },
    ],
  })
export type OrderView = z.output<typeof OrderView>
