import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { SMTPServer } from 'smtp-server'

/** A mail server or a receiver of webhooks on loopback that takes everything. */
export interface Outside {
  port: number
  /** how much it has taken */
  taken(): number
  close(): void
}

type Protocol = 'smtp' | 'http'

/** Opens it in a thread of its own, because its work must not delay the requests that this thread times. */
export async function openOutside(protocol: Protocol): Promise<Outside> {
  const thread = new Worker(new URL(import.meta.url), { workerData: protocol })
  const [port] = await once(thread, 'message')
  let taken = 0
  thread.on('message', () => taken++)
  return { port, taken: () => taken, close: () => void thread.terminate() }
}

function serve(protocol: Protocol, took: () => void) {
  if (protocol === 'http')
    return createServer((req, res) => {
      req.resume().once('end', () => {
        took()
        res.writeHead(204).end()
      })
    }).listen(0, '127.0.0.1')
  return new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    onData(stream, _, done) {
      stream.resume().once('end', () => {
        took()
        done()
      })
    },
  }).listen(0, '127.0.0.1')
}

if (!isMainThread) {
  const server = serve(workerData as Protocol, () => parentPort!.postMessage('taken'))
  await once(server, 'listening')
  parentPort!.postMessage((server.address() as AddressInfo).port)
}
