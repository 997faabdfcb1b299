import { randomUUID } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import type { Tour } from '../../../../tools/tour/cast.ts'
import type { Part } from '../../../../tools/tour/parts.ts'
import { readOwnConfig } from '../../../config/own-config.ts'

/** How the provider of payments reports one. */
const part: Part = {
  shows: 'The order is paid.',
  async tell({ chapter, tell, visit, baseUrl }, { neighbour, orderNo }) {
    const report = await openProvider(baseUrl, visit)
    if (!report) return
    chapter('A payment')
    const pay = (status: string) => () => report(orderNo, status)
    const now = () => neighbour.getOrder({ orderNo })
    await tell('The provider of development reports the payment, signed.', pay('paid'), 200, () => 'received')
    await tell('The order is paid.', now, 200, { status: 'paid' })
    await tell('The money goes back,', pay('refunded'), 200, () => 'received')
    await tell('… and a report that comes late', pay('paid'), 200, () => 'received')
    await tell('… changes nothing.', now, 200, { status: 'refunded' })
    const forged = () => report(orderNo, 'paid', 'whsec_bm90IHRoZSBzZWNyZXQ=')
    await tell('A report with another signature is refused.', forged, 401, () => 'refused')
  },
}
export default part

type Report = (orderNo: string, status: string, secret?: string) => Promise<Response>

/** The provider of development; undefined if the service has another secret than the configuration of this folder. */
async function openProvider(baseUrl: string, visit: Tour['visit']): Promise<Report | undefined> {
  const { paymentsDemoSecret } = readOwnConfig(process.env)
  if (!paymentsDemoSecret) return undefined
  const send =
    (through: typeof visit): Report =>
    (orderNo, status, secret = paymentsDemoSecret) => {
      const [id, now] = [`msg_${randomUUID()}`, new Date()]
      const body = JSON.stringify({ orderNo, status, occurredAt: now.toISOString() })
      const headers = {
        'content-type': 'application/json',
        'webhook-id': id,
        'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
        'webhook-signature': new Webhook(secret).sign(id, now, body),
      }
      return through('/api/v1/payments/callback/demo', { method: 'POST', headers, body })
    }
  const unknown = await send((path, init) => fetch(`${baseUrl}${path}`, init))(`FV${'0'.repeat(24)}`, 'paid')
  return unknown.status === 404 ? send(visit) : undefined
}
