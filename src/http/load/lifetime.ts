import type { Socket } from 'node:net'
import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'

declare module 'fastify' {
  interface FastifyInstance {
    lifetime: Lifetime
  }
  interface FastifyRequest {
    /** when the request came in, on the monotonic clock, ms */
    startedAt: number
    /** `routeOptions`, which Fastify puts together anew for everybody who asks */
    route: FastifyRequest['routeOptions']
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
    /** by connection; more than one where a client does not wait for answers (pipelining) */
    const underWay = new WeakMap<Socket, Set<FastifyRequest>>()
    let inHand = 0

    app.decorateRequest('startedAt', 0)
    app.decorateRequest('route', null as never)
    app.decorate('lifetime', {
      get inHand() {
        return inHand
      },
      atEnd: (listener) => void listeners.push(listener),
      endAtOnce(req, status) {
        begin(req)
        end(req, status, false)
      },
    })
    app.addHook('onRequest', (req, _reply, done) => {
      begin(req)
      done()
    })
    app.addHook('onResponse', (req, reply, done) => {
      end(req, reply.statusCode, false)
      done()
    })

    function begin(req: FastifyRequest) {
      inHand++
      req.startedAt = performance.now()
      req.route = req.routeOptions
      requestsOn(req.raw.socket).add(req)
    }

    /** One listener for a connection: with one for each request, as the hook onRequestAbort has, ready answers are 4 % slower. */
    function requestsOn(socket: Socket): Set<FastifyRequest> {
      const known = underWay.get(socket)
      if (known) return known
      const requests = new Set<FastifyRequest>()
      underWay.set(socket, requests)
      socket.once('close', () => {
        for (const req of requests) end(req, CLIENT_LEFT, true)
      })
      return requests
    }

    function end(req: FastifyRequest, status: number, aborted: boolean) {
      // A client that leaves while the answer is being written may be told of both ways.
      if (!requestsOn(req.raw.socket).delete(req)) return
      inHand--
      const ending = { status, ms: performance.now() - req.startedAt, aborted }
      for (const listener of listeners) listener(req, ending)
    }
  },
  { name: 'lifetime' },
)
