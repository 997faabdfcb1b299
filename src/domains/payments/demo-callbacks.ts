import { createHmac } from 'node:crypto'
import { assertRecent, assertSigned, headerOf, paymentFaults, read } from './payments.rules.ts'
import { DemoReport } from './payments.schemas.ts'
import type { PaymentCallbacks } from './provider.ts'

const PREFIX = 'whsec_'

/**
 * The signature of a Standard Webhook, `v1,…`, over its id, its time and its body.
 * @see https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
export function signatureOf(secret: string, { id, timestamp, body }: { id: string; timestamp: string; body: Buffer }) {
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64')
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64')}`
}

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
      assertSigned(signatures.split(' '), signatureOf(secret, { id, timestamp, body }))
      assertRecent(timestamp, now)
      const { orderNo, status } = read(DemoReport, body)
      return { orderNo, status }
    },
  }
}
