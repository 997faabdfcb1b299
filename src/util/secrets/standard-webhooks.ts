import { createHmac, randomBytes } from 'node:crypto'

const PREFIX = 'whsec_'
const SECRET_BYTES = 32

/** A message of a webhook. @see https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md */
export interface WebhookMessage {
  /** the same at each attempt */
  id: string
  /** of the attempt, in seconds since 1970 */
  timestamp: number | string
  body: string | Buffer
}

/** A new secret that sender and receiver share: `whsec_` and 256 random bits in base64. */
export function drawWebhookSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString('base64')
}

/** The header `webhook-signature`: one signature for each secret, so that a receiver may know any of them. */
export function signWebhook(secrets: readonly string[], { id, timestamp, body }: WebhookMessage): string {
  const sign = (secret: string) => createHmac('sha256', keyOf(secret)).update(`${id}.${timestamp}.`).update(body)
  return secrets.map((secret) => `v1,${sign(secret).digest('base64')}`).join(' ')
}

function keyOf(secret: string): Buffer {
  return Buffer.from(secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret, 'base64')
}
