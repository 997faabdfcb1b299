import fp from 'fastify-plugin'
import type { RequestSpan, Tracing } from './tracing.ts'

declare module 'fastify' {
  interface FastifyRequest {
    span: RequestSpan | undefined
  }
}

/** One span for each request, from its first hook to its end: by route pattern, and never with the content. */
export const traces = fp<{ tracing: Tracing }>(
  async (app, { tracing }) => {
    app.decorateRequest('span', undefined)
    app.addHook('onRequest', (req, _reply, done) => {
      req.span = tracing.begin(req.traceParent, done)
      req.traceId = req.span.traceId
    })
    app.lifetime.atEnd((req, { status }) => {
      const route = req.route.url ?? 'none'
      req.span?.end(
        `${req.method} ${route}`,
        {
          'http.request.method': req.method,
          'http.route': route,
          'http.response.status_code': status,
          'atrium.request.id': req.id,
          'atrium.refusal': req.fault?.type,
          'atrium.tenant.id': req.tenant?.id,
          'atrium.user.id': req.actor?.kind === 'user' ? req.actor.id : undefined,
        },
        status >= 500 ? (req.fault?.type ?? String(status)) : undefined,
      )
    })
  },
  { name: 'traces', dependencies: ['lifetime', 'request-log'] },
)
