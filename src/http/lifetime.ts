import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'

declare module 'fastify' {
  interface FastifyInstance {
    lifetime: Lifetime
  }
  interface FastifyRequest {
    /** true once its end was told */
    ended: boolean
  }
}

/** How a request ended. */
export interface Ending {
  /** what was answered; 499 where the client left before */
  status: number
  /** since it came in */
  ms: number
  aborted: boolean
}

export interface Lifetime {
  /** requests that came in and have not ended */
  readonly inHand: number
  /** Tells the end of each request, once: whoever was answered, and whoever left before. */
  atEnd(listener: (req: FastifyRequest, ending: Ending) => void): void
  /** Tells of a request that passed no hook, because its address could not be read. */
  endAtOnce(req: FastifyRequest, status: number): void
}

/** As nginx counts a client that closed the connection. */
const CLIENT_LEFT = 499

/** Knows from when to when a request lives. Everything that counts, logs or times requests listens here. */
export const lifetime = fp(
  async (app) => {
    const listeners: ((req: FastifyRequest, ending: Ending) => void)[] = []
    let inHand = 0

    app.decorateRequest('ended', false)
    app.decorate('lifetime', {
      get inHand() {
        return inHand
      },
      atEnd: (listener) => void listeners.push(listener),
      endAtOnce(req, status) {
        inHand++
        req.startedAt = performance.now()
        end(req, status, false)
      },
    })
    app.addHook('onRequest', (_req, _reply, done) => {
      inHand++
      done()
    })
    app.addHook('onResponse', (req, reply, done) => {
      end(req, reply.statusCode, false)
      done()
    })
    app.addHook('onRequestAbort', (req, done) => {
      end(req, CLIENT_LEFT, true)
      done()
    })

    function end(req: FastifyRequest, status: number, aborted: boolean) {
      // A client that leaves while the answer is being written may be told of both ways.
      if (req.ended) return
      req.ended = true
      inHand--
      const ending = { status, ms: performance.now() - req.startedAt, aborted }
      for (const listener of listeners) listener(req, ending)
    }
  },
  { name: 'lifetime', dependencies: ['audit'] },
)
