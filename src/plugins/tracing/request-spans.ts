import type { FastifyInstance } from '#atrium'
import type { Spans } from './opentelemetry.ts'

declare module 'fastify' {
  interface FastifyRequest {
    span: ReturnType<Spans['begin']> | undefined
  }
}

/** One span for each request, from its first hook to its end: by route pattern, and never with the content. */
export function spanOfEach(app: FastifyInstance, spans: Spans): void {
  app.decorateRequest('span', undefined)
  app.addHook('onRequest', (req, _reply, done) => {
    req.span = spans.begin(req.traceParent, done)
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
}
