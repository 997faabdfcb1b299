import fp from 'fastify-plugin'

declare module 'fastify' {
  interface FastifyRequest {
    /** the trace that this request is part of; undefined where nobody traces it */
    traceId: string | undefined
  }
}

/** https://www.w3.org/TR/trace-context/#traceparent-header; neither id may be all zeros */
const TRACEPARENT = /^[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}/

/**
 * One line for each request, also for one whose client left: by route pattern and not by address, so no query, no body
 * and no header but the ids that follow it from one service to the next.
 */
export const requestLog = fp(
  async (app) => {
    app.decorateRequest('traceId', undefined)
    app.addHook('onRequest', (req, _reply, done) => {
      const parent = req.headers.traceparent
      if (parent !== undefined) req.traceId = TRACEPARENT.exec(String(parent))?.[1]
      done()
    })
    app.lifetime.atEnd((req, { status, ms, aborted }) => {
      const { actor } = req
      req.log.info(
        {
          requestId: req.id,
          traceId: req.traceId,
          tenantId: req.tenant?.id,
          userId: actor?.kind === 'user' ? actor.id : undefined,
          method: req.method,
          route: req.route.url ?? 'none',
          status,
          ms: Math.round(ms * 10) / 10,
          ip: req.ip,
        },
        aborted ? 'request aborted by the client' : 'request',
      )
    })
  },
  { name: 'request-log', dependencies: ['lifetime'] },
)
