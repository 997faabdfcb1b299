import { expect } from '../../../../tools/tour/guide.ts'
import type { Part } from '../../../../tools/tour/parts.ts'
import { openReceiver } from './tour-receiver.ts'

/** An event that is sent to another system, signed. */
const part: Part = {
  shows: 'signature verified',
  async tell({ chapter, tell, attempt, arrives, run }, { neighbour }) {
    chapter('A webhook')
    const receiver = await openReceiver()
    try {
      const hook = { url: receiver.url, types: ['project.created'] }
      const listening =
        'Events are also sent. This receiver is on the same machine, which only WEBHOOK_PRIVATE_ADDRESSES allows.'
      const connect = () => neighbour.createWebhook({ body: hook })
      const webhook = await attempt(listening, connect, [201, { status: 'active' }], [400, 'ADDRESS_REFUSED'])
      if (webhook) {
        receiver.trust(webhook.secret)
        const bench = () => neighbour.createProject({ body: { name: 'Another bench', code: `BENCH-${run}` } })
        const { id } = await tell('Something happens,', bench, 201, {})
        await arrives('… and arrives with a signature that fits.', async () => {
          const event = await receiver.next()
          expect(event.subject.id === id, 'the event of the project')
          return `${event.type}, webhook-id ${event.id}, signature verified`
        })
        const deliveries = () => neighbour.listWebhookDeliveries({ id: webhook.id })
        await tell('The delivery can be looked up.', deliveries, 200, ([delivery]) => {
          expect(delivery?.status === 'delivered', 'a delivery that was taken')
          return `${delivery.type} ${delivery.status}, ${delivery.responseStatus} after ${delivery.durationMs} ms`
        })
        const remove = () => neighbour.deleteWebhook({ id: webhook.id })
        await tell('It is deleted again.', remove, 200, () => 'done')
      }
    } finally {
      receiver.close()
    }
  },
}
export default part
