import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { signWebhook } from '#atrium'
import type { PaymentStatus } from '#atrium/checkout'

/** How the provider reports. Real ones do all of this on a bad day; without any of it, it behaves. */
interface Manners {
  /** ms that it waits before it reports */
  late?: number
  /** it sends each report twice, the second time under the same id */
  twice?: boolean
  /** it sends the last report first */
  outOfOrder?: boolean
  /** ms that it pauses in the middle of each body */
  slow?: number
}

/**
 * A payment provider for development. Nobody pays: the developer says what it reports, and how badly.
 * @param options.secret `whsec_…`, which the service knows as PAYMENTS_DEMO_SECRET
 * @param options.callbackUrl where the service takes its callbacks
 */
export function demoProvider({ secret, callbackUrl }: { secret: string; callbackUrl: string }) {
  /** Reports of an order, one after the other. @returns what the service answers to each callback */
  async function report(orderNo: string, reports: readonly PaymentStatus[], manners: Manners = {}) {
    const { late = 0, twice = false, outOfOrder = false, slow = 0 } = manners
    if (late) await sleep(late)
    const outcomes: { report: PaymentStatus; status: number }[] = []
    for (const status of outOfOrder ? reports.toReversed() : reports) {
      const id = `msg_${randomUUID()}`
      const body = Buffer.from(JSON.stringify({ orderNo, status, occurredAt: new Date().toISOString() }))
      for (let sent = 0; sent < (twice ? 2 : 1); sent++)
        outcomes.push({ report: status, status: await send(id, body, slow) })
    }
    return outcomes
  }

  async function send(id: string, body: Buffer, slow: number): Promise<number> {
    const timestamp = String(Math.floor(Date.now() / 1000))
    const { status } = await fetch(callbackUrl, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'webhook-id': id,
        'webhook-timestamp': timestamp,
        'webhook-signature': signWebhook([secret], { id, timestamp, body }),
      },
      ...(slow ? { body: Readable.toWeb(Readable.from(inHalves(body, slow))), duplex: 'half' } : { body }),
    } as RequestInit)
    return status
  }

  return { report }
}

async function* inHalves(body: Buffer, pause: number) {
  const half = Math.trunc(body.length / 2)
  yield body.subarray(0, half)
  await sleep(pause)
  yield body.subarray(half)
}
