import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'

declare module 'fastify' {
  interface FastifyRequest {
    /** ends the connection if the body has not arrived by then */
    bodyTimer: NodeJS.Timeout | undefined
  }
  interface FastifyContextConfig {
    /** ms within which the body must arrive, once the gate has passed the request; 30 s if the route does not say */
    bodyWithin?: number
  }
}

/** The longest time that any route waits for a body; Node closes every connection that takes longer for a request. */
export const LONGEST_BODY_MS = 300_000
const USUAL_MS = 30_000

/**
 * Closes a connection whose body does not arrive in time, including those of refused requests. Node's own
 * `requestTimeout` is the same for all routes and is checked only every 30 seconds; an upload over a slow network needs
 * longer than a form may take.
 */
export const bodyTimeout = fp<{ usual?: number }>(
  async (app, { usual = USUAL_MS }) => {
    app.decorateRequest('bodyTimer', undefined)
    app.addHook('onRequest', (req, _reply, done) => {
      const { headers } = req.raw
      if (headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > 0) {
        waitFor(req, usual)
        req.raw.once('close', () => clearTimeout(req.bodyTimer))
      }
      done()
    })
    app.addHook('onRoute', (route) => {
      const within = route.config?.bodyWithin
      if (within === undefined) return
      route.preParsing = [route.preParsing ?? []].flat().concat((req, _reply, payload, done) => {
        if (req.bodyTimer) waitFor(req, within)
        done(null, payload)
      })
    })
  },
  { name: 'body-timeout' },
)

function waitFor(req: FastifyRequest, ms: number) {
  clearTimeout(req.bodyTimer)
  req.bodyTimer = setTimeout(() => req.raw.destroy(), ms).unref()
}
