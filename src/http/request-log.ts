import fp from 'fastify-plugin'

/** One line for each request, by route pattern and not by address: no query, no body, no header. */
export const requestLog = fp(
  async (app) => {
    app.addHook('onResponse', (req, reply, done) => {
      const { actor } = req
      req.log.info(
        {
          tenantId: req.tenant?.id,
          userId: actor.kind === 'user' ? actor.id : undefined,
          method: req.method,
          route: req.routeOptions.url ?? 'none',
          status: reply.statusCode,
          ms: Math.round((performance.now() - req.startedAt) * 10) / 10,
          ip: req.ip,
        },
        'request',
      )
      done()
    })
    app.addHook('onRequestAbort', (req, done) => {
      req.log.info({ method: req.method, route: req.routeOptions.url }, 'request aborted by the client')
      done()
    })
  },
  { name: 'request-log', dependencies: ['audit'] },
)
