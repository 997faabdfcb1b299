import fp from 'fastify-plugin'

/** The span of a caller, from its header. */
interface TraceParent {
  traceId: string
  spanId: string
  flags: number
}

declare module 'fastify' {
  interface FastifyRequest {
    /** the trace that this request is part of; undefined if it is not traced */
    traceId: string | undefined
    /** the caller's span, if it names one */
    traceParent: TraceParent | undefined
  }
}

/**
 * One line for each request, including aborted ones: by route pattern and not by address, so no query, no body and no
 * header except the ids that follow it from one service to the next.
 */
export const requestLog = fp(
  async (app) => {
    app.decorateRequest('traceId', undefined)
    app.decorateRequest('traceParent', undefined)
    app.addHook('onRequest', (req, _reply, done) => {
      req.traceParent = readTraceParent(req.headers.traceparent)
      req.traceId = req.traceParent?.traceId
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
          keyId: actor?.kind === 'user' ? actor.key?.id : undefined,
          method: req.method,
          route: req.route.url ?? 'none',
          status,
          error: req.fault?.type,
          ms: Math.round(ms * 10) / 10,
          ip: req.ip,
        },
        aborted ? 'request aborted by the client' : 'request',
      )
    })
  },
  { name: 'request-log', dependencies: ['lifetime'] },
)

/** Neither id may be all zeros. */
const HEADER = /^[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})/

/**
 * Parses a `traceparent`; undefined if there is none. The log needs it with or without OpenTelemetry, whose propagator
 * would be loaded at every start for this one line.
 * @see https://www.w3.org/TR/trace-context/#traceparent-header
 */
function readTraceParent(header: string | string[] | undefined): TraceParent | undefined {
  const parts = header === undefined ? null : HEADER.exec(String(header))
  return parts ? { traceId: parts[1]!, spanId: parts[2]!, flags: Number.parseInt(parts[3]!, 16) } : undefined
}
