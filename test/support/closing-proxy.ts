import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'

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
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
