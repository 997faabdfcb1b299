import type { ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'

declare module 'fastify' {
  interface FastifyInstance {
    lifetime: Lifetime
  }
  interface FastifyRequest {
    /** when the request came in, on the monotonic clock, ms */
    startedAt: number
    /** `routeOptions`, which Fastify builds again at each access */
    route: FastifyRequest['routeOptions']
  }
}

/** How a request ended. */
export interface Ending {
  /** the status of the answer; 499 if the client left before */
  status: number
  /** since it arrived */
  ms: number
  aborted: boolean
}

export interface Lifetime {
  /** requests that have arrived and not ended */
  readonly inHand: number
  /** connections that were closed because too many requests on them waited for their answers */
  readonly impatient: number
  /** the open connections, each with the answers that have not been sent in full */
  readonly connections: ReadonlyMap<Socket, ReadonlyMap<FastifyRequest, ServerResponse>>
  /** Reports the end of each request once: whether it was answered or the client left before. */
  atEnd(listener: (req: FastifyRequest, ending: Ending) => void): void
  /** Reports a request that passed no hook because its address could not be parsed. */
  endAtOnce(req: FastifyRequest, reply: FastifyReply): void
}

/**
 * A connection with Node's parser, which the types leave out. The return value of `onIncoming` says how to continue
 * after the head of a request. @see https://github.com/nodejs/node/blob/v24.x/lib/_http_server.js parserOnIncoming
 */
type Parsed = Socket & { parser?: { onIncoming: () => number } | null }
/** The value for a connection that changes its protocol. */
const PARSE_NO_FURTHER = 2

/** nginx's status for a client that closed the connection. */
const CLIENT_LEFT = 499
/** How many requests of one connection may wait for their answers: a client that sends more reads none. */
const MOST_UNANSWERED = 32

/**
 * Tracks the lifetime of each request. Everything that counts, logs or times requests listens here. A connection on
 * which requests come faster than their answers are read is closed: thousands in one packet would fill the memory.
 */
export const lifetime = fp<{ mostUnanswered?: number }>(
  async (app, { mostUnanswered = MOST_UNANSWERED }) => {
    const listeners: ((req: FastifyRequest, ending: Ending) => void)[] = []
    /** by connection; more than one if a client does not wait for answers (pipelining) */
    const underWay = new WeakMap<Socket, Map<FastifyRequest, ServerResponse>>()
    const connections = new Map<Socket, Map<FastifyRequest, ServerResponse>>()
    let inHand = 0
    let impatient = 0

    app.decorateRequest('startedAt', 0)
    app.decorateRequest('route', null as never)
    app.decorate('lifetime', {
      get inHand() {
        return inHand
      },
      get impatient() {
        return impatient
      },
      connections,
      atEnd: (listener) => void listeners.push(listener),
      endAtOnce(req, reply) {
        begin(req, requestsOn(req.raw.socket), reply.raw)
        end(req, reply.statusCode, false)
      },
    })
    app.addHook('onRequest', (req, reply, done) => {
      const requests = requestsOn(req.raw.socket)
      if (requests.size >= mostUnanswered) return cut(req, reply)
      begin(req, requests, reply.raw)
      done()
    })
    app.addHook('onResponse', (req, reply, done) => {
      end(req, reply.statusCode, false)
      done()
    })

    function begin(req: FastifyRequest, requests: Map<FastifyRequest, ServerResponse>, answer: ServerResponse) {
      inHand++
      req.startedAt = performance.now()
      req.route = req.routeOptions
      requests.set(req, answer)
    }

    function cut(req: FastifyRequest, reply: FastifyReply) {
      reply.hijack()
      const socket: Parsed = req.raw.socket
      if (socket.destroyed) return
      impatient++
      // A packet has room for a thousand more, and Node would make a request of each although the connection is closed.
      if (socket.parser) socket.parser.onIncoming = () => PARSE_NO_FURTHER
      app.log.warn({ ip: req.ip, requests: mostUnanswered }, 'a client that does not wait for answers was cut off')
      socket.destroy()
    }

    /**
     * One listener for each connection: with one for each request, as the hook onRequestAbort adds, cached answers are
     * 4 % slower.
     */
    function requestsOn(socket: Socket): Map<FastifyRequest, ServerResponse> {
      const known = underWay.get(socket)
      if (known) return known
      const requests = new Map<FastifyRequest, ServerResponse>()
      underWay.set(socket, requests)
      if (socket instanceof Socket && !socket.destroyed) connections.set(socket, requests)
      socket.once('close', () => {
        connections.delete(socket)
        for (const req of requests.keys()) end(req, CLIENT_LEFT, true)
      })
      return requests
    }

    function end(req: FastifyRequest, status: number, aborted: boolean) {
      // A client that leaves while the answer is being written may be reported in both ways.
      if (!requestsOn(req.raw.socket).delete(req)) return
      inHand--
      const ending = { status, ms: performance.now() - req.startedAt, aborted }
      for (const listener of listeners) listener(req, ending)
    }
  },
  { name: 'lifetime' },
)
