import { signWebhook } from '#atrium'
import { assertRecent, assertSigned, headerOf, paymentFaults, read } from './payments.rules.ts'
import { DemoReport } from './payments.schemas.ts'
import type { PaymentCallbacks } from './provider.ts'

/** The callbacks of the development provider: Standard Webhooks. */
export function demoCallbacks(secret: string): PaymentCallbacks {
  return {
    name: 'demo',
    verify(callback) {
      const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
        headerOf(callback, name),
      )
      if (!id || !timestamp || !signatures) throw paymentFaults.invalidSignature()
      const { body, now } = callback
      assertSigned(signatures.split(' '), signWebhook([secret], { id, timestamp, body }))
      assertRecent(timestamp, now)
      const { orderNo, status } = read(DemoReport, body)
      return { orderNo, status }
    },
  }
}
