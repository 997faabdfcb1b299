import type { Socket } from 'node:net'
import fp from 'fastify-plugin'

declare module 'fastify' {
  interface FastifyInstance {
    departed: {
      /** connections that had been reset before they were accepted */
      readonly count: number
    }
  }
}

/**
 * Drops connections that their clients have reset while they waited to be accepted. The kernel still hands them over with
 * what was sent on them, and Node would serve each: in a flood everybody who waits in the same line, the probes included,
 * would wait for requests whose answers nobody reads.
 */
export const departed = fp(
  async (app) => {
    let count = 0
    app.decorate('departed', {
      get count() {
        return count
      },
    })
    const { server } = app
    const serve = server.listeners('connection') as ((socket: Socket) => void)[]
    server.removeAllListeners('connection')
    server.on('connection', (socket: Socket) => {
      // The kernel no longer knows the peer of a connection that was reset.
      if (socket.remoteAddress === undefined) {
        count++
        socket.destroy()
        return
      }
      for (const listener of serve) listener.call(server, socket)
    })
  },
  { name: 'departed' },
)
