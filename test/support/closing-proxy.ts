import { createServer, request } from 'node:http'
import { onLoopback } from './on-loopback.ts'

/** A proxy that opens a connection for each request and says so, as the development server of Vite does. */
export async function startClosingProxy(target: number) {
  const server = createServer((incoming, outgoing) => {
    const { method, url, headers } = incoming
    const onward = request(
      {
        host: '127.0.0.1',
        port: target,
        method,
        path: url,
        headers: { ...headers, connection: 'close' },
        agent: false,
      },
      (answer) => {
        outgoing.writeHead(answer.statusCode!, answer.headers)
        answer.pipe(outgoing)
      },
    )
    onward.on('error', (error) => {
      if (!outgoing.headersSent) outgoing.writeHead(502).end(String(error))
    })
    incoming.pipe(onward)
  })
  const { port, close: stop } = await onLoopback(server)
  return { port, stop }
}
