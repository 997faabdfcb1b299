import { createHmac } from 'node:crypto'
import { assertRecent, assertSigned, headerOf, paymentFaults, read } from './payments.rules.ts'
import { StripeEvent } from './payments.schemas.ts'
import type { PaymentCallbacks, PaymentReport } from './provider.ts'

/**
 * The callbacks of Stripe. The front end that opens the Checkout session names the order as `client_reference_id`, and for
 * refunds as `orderNo` in the metadata of the payment.
 * @param secret of the endpoint, `whsec_…`: the whole text is the key
 * @see https://docs.stripe.com/webhooks#verify-manually
 */
export function stripeCallbacks(secret: string): PaymentCallbacks {
  return {
    name: 'stripe',
    isShared: true,
    verify(callback) {
      const parts = (headerOf(callback, 'stripe-signature') ?? '').split(',').map((part) => part.trim().split('='))
      const all = (name: string) => parts.flatMap(([key, value]) => (key === name && value ? [value] : []))
      const [timestamp] = all('t')
      if (!timestamp) throw paymentFaults.invalidSignature()
      const { body, now } = callback
      assertSigned(all('v1'), createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex'))
      assertRecent(timestamp, now)
      return reportOf(read(StripeEvent, body))
    },
  }
}

/** What an event says of an order; undefined if it is of another type, or of nothing that we sold. */
function reportOf({ type, data: { object } }: StripeEvent): PaymentReport | undefined {
  const orderNo = object.client_reference_id ?? object.metadata?.orderNo
  if (!orderNo) return undefined
  switch (type) {
    case 'checkout.session.completed':
    case 'checkout.session.async_payment_succeeded':
      return object.payment_status === 'paid' ? { orderNo, status: 'paid', ...amountOf(object) } : undefined
    case 'checkout.session.expired':
    case 'checkout.session.async_payment_failed':
      return { orderNo, status: 'expired' }
    case 'charge.refunded':
      // A part of the amount may be given back without an end of the order.
      return object.refunded === true ? { orderNo, status: 'refunded' } : undefined
    default:
      return undefined
  }
}

function amountOf({ amount_total, currency }: StripeEvent['data']['object']): Pick<PaymentReport, 'amount'> {
  return amount_total == null || !currency
    ? {}
    : { amount: { amountCents: amount_total, currency: currency.toUpperCase() } }
}
