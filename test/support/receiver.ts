import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import { endsWithFile } from './clean-up.ts'
import { onLoopback } from './on-loopback.ts'
import { until } from './patience.ts'

/** A delivery as it arrived. */
export interface Arrived {
  path: string
  headers: IncomingHttpHeaders
  /** the header `webhook-id` */
  id: number
  text: string
  event: any
  /** on the monotonic clock */
  at: number
}

/** A receiver of webhooks on loopback, which misbehaves as a test wants. */
export interface Receiver {
  url: string
  arrived: Arrived[]
  /** Answers a delivery: a status, or whatever it does with the response itself. By default 200. */
  answer: (arrived: Arrived, res: ServerResponse) => unknown
  /** The deliveries to a path, once there are so many. */
  arrivedAt(path: string, count?: number): Promise<Arrived[]>
  close(): Promise<void>
}

/** @param port one of before, so that the service finds it again */
export async function openReceiver(port = 0): Promise<Receiver> {
  const server = createServer(async (req, res) => {
    const arrived = await arrivedBy(req)
    if (!arrived) return
    receiver.arrived.push(arrived)
    const status = await receiver.answer(arrived, res)
    if (typeof status === 'number') res.writeHead(status).end('ok')
  })
  const { url, close } = await onLoopback(server, port)
  const receiver: Receiver = {
    url,
    arrived: [],
    answer: () => 200,
    async arrivedAt(path, count = 1) {
      return until(() => {
        const found = receiver.arrived.filter((each) => each.path === path)
        if (found.length < count) throw new Error(`${found.length} of ${count} deliveries arrived at ${path}`)
        return found
      })
    },
    close: endsWithFile(close),
  }
  return receiver
}

/** Undefined if the sender was killed in the middle of it. */
async function arrivedBy(req: IncomingMessage): Promise<Arrived | undefined> {
  const chunks: Buffer[] = []
  try {
    for await (const chunk of req) chunks.push(chunk)
  } catch {
    return undefined
  }
  const text = Buffer.concat(chunks).toString()
  const { url, headers } = req
  const id = Number(headers['webhook-id'])
  return { path: url!, headers, id, text, event: JSON.parse(text), at: performance.now() }
}
