import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'
import type { Event } from '../../../../client/index.ts'

/** A receiver of webhooks on this machine. It takes what is signed with the secret that it trusts. */
export async function openReceiver() {
  const arrived: Event[] = []
  let webhook: Webhook | undefined
  const server = createServer(async (req, res) => {
    const body = Buffer.concat(await req.toArray()).toString()
    try {
      arrived.push(webhook!.verify(body, req.headers as Record<string, string>) as Event)
      res.writeHead(204).end()
      server.emit('event')
    } catch {
      res.writeHead(401).end()
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/atrium`,
    trust(secret: string) {
      webhook = new Webhook(secret)
    },
    /** The oldest event that was not asked for yet. */
    async next(): Promise<Event> {
      while (arrived.length === 0) await once(server, 'event')
      return arrived.shift()!
    },
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
