import { connect, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { endsWithFile } from './clean-up.ts'

/** What goes wrong on the way. `cut`: so large a share of the server's answers breaks off in its midst. */
export type Trouble =
  | { kind: 'none' }
  | { kind: 'latency'; ms: number }
  | { kind: 'black hole' }
  | { kind: 'reset' }
  | { kind: 'cut'; share: number }

/**
 * Starts a TCP proxy to a port of this machine, that can be made to fail. `chance` decides what is cut. @param at the
 * port to listen on; by default any
 */
export async function startProxy(
  target: number,
  chance: () => number = Math.random,
  at: { host: string; port: number } = { host: '127.0.0.1', port: 0 },
) {
  let trouble: Trouble = { kind: 'none' }
  const clients = new Set<Socket>()
  let taken = 0

  const server = createServer((client) => {
    taken++
    if (trouble.kind === 'reset') return void client.resetAndDestroy()
    const upstream = connect(target, '127.0.0.1')
    clients.add(client)
    for (const socket of [client, upstream]) socket.setNoDelay(true).on('error', () => {})
    client.once('close', () => {
      clients.delete(client)
      upstream.destroy()
    })
    upstream.once('close', () => client.destroy())
    const fate = { isLost: false }
    relay(client, upstream, fate, async () => {})
    relay(upstream, client, fate, async (chunk) => {
      if (trouble.kind === 'latency') await sleep(trouble.ms)
      if (trouble.kind !== 'cut' || chance() >= trouble.share) return
      client.write(chunk.subarray(0, chunk.length / 2), () => client.resetAndDestroy())
    })
  })

  /**
   * Hands on what comes, in order, each piece behind what happens to it. Nothing gets out of a black hole, and nothing later
   * on the same connection does: TCP leaves no gaps.
   */
  function relay(from: Socket, to: Socket, fate: { isLost: boolean }, happen: (chunk: Buffer) => Promise<void>) {
    let last = Promise.resolve()
    from.on('data', (chunk: Buffer) => {
      fate.isLost ||= trouble.kind === 'black hole'
      if (fate.isLost) return
      const happening = happen(chunk)
      last = last.then(() => happening).then(() => void (to.writable && to.write(chunk)))
    })
  }

  await new Promise<void>((resolve) => server.listen(at.port, at.host, resolve))
  const { port } = server.address() as { port: number }
  return {
    port,
    /** The URL of the server with the proxy's address instead of its own. */
    through: (url: string) => Object.assign(new URL(url), { hostname: at.host, port: String(port) }).href,
    /** From now on, for the connections there are and for new ones. */
    cause(next: Trouble) {
      trouble = next
      if (next.kind === 'reset') for (const client of clients) client.resetAndDestroy()
    },
    /** the connections that its clients hold at this moment */
    connections: () => clients.size,
    /** how many it has taken so far */
    taken: () => taken,
    close: endsWithFile(() => {
      for (const client of clients) client.destroy()
      return new Promise<void>((resolve) => server.close(() => resolve()))
    }),
  }
}
export type TroubledWay = Awaited<ReturnType<typeof startProxy>>
