import { AddressRefused, type Sealer, signWebhook, type TenantId } from '#atrium'
import type { TakenDelivery } from '../sending.store.ts'
import { openSecrets } from '../webhooks.actions.ts'
import { pauseAfter, secretsAt } from '../webhooks.rules.ts'
import type { Connections } from './connections.ts'
import { type Answer, post } from './send.ts'

/** A delivery with what is sent; the body is missing if the event is no longer kept. */
export interface Parcel extends TakenDelivery {
  body: string | undefined
}

/** `dropped`: there is nothing to send. `interrupted`: the process stops, so it is sent again. */
export type Outcome = 'dropped' | 'interrupted' | Attempted

export interface Attempted {
  status: 'delivered' | 'failed' | 'dead'
  /** ms until the next attempt; null if there is none */
  pauseMs: number | null
  durationMs: number
  error: string | null
  answer: Answer | undefined
}

const LONGEST_MS = 10_000
const MOST_BYTES = 262_144
/** Of what the network says. */
const LONGEST_REASON = 500

/** Sends a delivery once. It never rejects. @param ending aborts when the process stops */
export async function attempt(
  { sealer, anywhere, connections }: { sealer: Sealer; anywhere: boolean; connections: Connections },
  tenantId: TenantId,
  parcel: Parcel,
  ending: AbortSignal,
): Promise<Outcome> {
  const { webhookId, eventId, body, attempts } = parcel
  if (body === undefined) return 'dropped'
  const start = performance.now()
  const ended = (error: string | null, answer?: Answer): Attempted => {
    const pauseMs = error === null ? null : (pauseAfter(attempts + 1) ?? null)
    const status = error === null ? 'delivered' : pauseMs === null ? 'dead' : 'failed'
    return { status, pauseMs, durationMs: Math.round(performance.now() - start), error, answer }
  }
  if (Buffer.byteLength(body) > MOST_BYTES)
    return { ...ended('The event is larger than 256 KiB'), status: 'dead', pauseMs: null }
  const tooLate = AbortSignal.timeout(LONGEST_MS)
  try {
    const secrets = openSecrets({ sealer, tenantId }, { ...parcel, id: webhookId })
    const headers = headersOf(secretsAt(secrets, Date.now()), eventId, body)
    const signal = AbortSignal.any([ending, tooLate])
    const own = { connections, webhook: `${tenantId}/${webhookId}` }
    const answer = await post({ ...own, url: secrets.url, headers, body, anywhere, signal })
    return ended(reasonOf(answer.status), answer)
  } catch (error) {
    if (ending.aborted) return 'interrupted'
    return ended(tooLate.aborted ? 'No response within 10 seconds' : messageOf(error as Error))
  }
}

function headersOf(secrets: readonly string[], eventId: number, body: string): Record<string, string> {
  const id = String(eventId)
  const timestamp = Math.floor(Date.now() / 1000)
  return {
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    'user-agent': 'Atrium',
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signWebhook(secrets, { id, timestamp, body }),
  }
}

/** Why a response is no delivery; null if it is one. */
function reasonOf(status: number): string | null {
  if (status >= 200 && status < 300) return null
  return status >= 300 && status < 400 ? `HTTP ${status}: redirects are not followed` : `HTTP ${status}`
}

function messageOf(error: Error): string {
  const message = error instanceof AddressRefused ? `ADDRESS_REFUSED: ${error.message}` : error.message
  return message.replace(/[\p{Cc}]+/gu, ' ').slice(0, LONGEST_REASON)
}
