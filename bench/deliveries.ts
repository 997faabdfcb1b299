import { administer } from '../tools/throwaway.ts'
import { type Member, permitting } from './fill.ts'
import { benchInTurns, type Kind } from './in-turns.ts'
import { openOutside } from './outside.ts'
import { works } from './works.ts'

const USAGE = `npm run bench -- deliveries [options]

Whether commands are slower if their events are delivered to a webhook: tasks in tenants that have one, and tasks in tenants
without, in turns, at the same pace, with a receiver on loopback. Ends with 1 if the p99 is more than 1.05 times as long.

  --rounds 6  --seconds 10  --every-second 100
`

async function addWebhook(port: number, token: string, url: string): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${port}/api/v1/webhooks`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ url, types: ['task.created'] }),
  })
  if (answer.status !== 201) throw new Error(`the webhook was refused: ${await answer.text()}`)
}

const receiver = await openOutside('http')
await benchInTurns({
  usage: USAGE,
  name: 'webhook',
  most: 1.05,
  everySecond: '100',
  settings: { WEBHOOK_PRIVATE_ADDRESSES: 'true' },
  async prepare(url, { members, tenantCodes }) {
    await administer(url, permitting('webhook:manage'))
    const people: Record<Kind, Member[]> = {
      with: members.filter((_, at) => at % 2 === 0),
      without: members.filter((_, at) => at % 2 === 1),
    }
    return {
      sendersOf: (kind, connections) =>
        works({ members: people[kind], connections, blogPages: 1, tenantCodes }).find(({ name }) => name === 'W3')!
          .senders,
      async begin(port) {
        for (const { token } of people.with) await addWebhook(port, token, `http://127.0.0.1:${receiver.port}/`)
      },
    }
  },
  arrived: () => `the receiver took ${receiver.taken()} deliveries`,
  close: receiver.close,
})
