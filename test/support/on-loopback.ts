import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Has a server listen on loopback. @param at the port; by default any */
export async function onLoopback(server: Server, at = 0) {
  server.listen(at, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    /** Ends it with its connections. */
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
