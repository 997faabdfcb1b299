import { Counter, Histogram, type Registry } from '@prometheus-io/client'
import type { FastifyInstance, FastifyRequest, Fault } from '#atrium'

/** Every address that no route matches: a client that tries them all must not fill the memory. */
const UNMATCHED = 'none'

/**
 * Counts and times requests, by route pattern and never by tenant or user, and counts business events. Values that are
 * read only at a scrape are in `gauges`.
 */
export function countRequests(registry: Registry, app: FastifyInstance): void {
  const count = counters(registry)
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'From the arrival of a request to the end of its answer',
    labelNames: ['method', 'route'],
    registers: [registry],
  })

  app.lifetime.atEnd((req, { status, ms }) => {
    const { method } = req
    const route = req.route.url ?? UNMATCHED
    count.requests.inc({ method, route, status })
    // A stream lasts as long as someone listens, which says nothing about how fast it was answered.
    if (!req.hasWaited) durations.observe({ method, route }, ms / 1000)
    const event = req.route.config.counts
    if (event && status < 300) count.business.inc({ event })
    if (req.fault) countFault(req.fault, req)
  })

  function countFault({ type, status, label }: Fault, req: FastifyRequest) {
    if (type === 'IDEMPOTENCY_KEY_REUSED') count.keyConflicts.inc()
    else if (type === 'VERSION_CONFLICT') count.versionConflicts.inc()
    else if (status === 429) count.limited.inc({ bucket: label ?? 'none' })
    else if (status === 401) count.refusedSignIns.inc({ reason: reasonOf(type, req) })
  }
}

function counters(registry: Registry) {
  const counter = <Label extends string>(name: string, help: string, labelNames: Label[] = []) =>
    new Counter({ name, help, labelNames, registers: [registry] })
  return {
    requests: counter('http_requests_total', 'Requests that ended; status 499 if the client left', [
      'method',
      'route',
      'status',
    ]),
    business: counter('business_events_total', 'Business events of successful requests', ['event']),
    keyConflicts: counter('idempotency_conflicts_total', 'Commands refused because their Idempotency-Key was used'),
    versionConflicts: counter('version_conflicts_total', 'Changes refused because another was faster'),
    limited: counter('rate_limited_total', 'Requests refused with 429', ['bucket']),
    refusedSignIns: counter('auth_failures_total', 'Requests refused with 401', ['reason']),
  }
}

/** `missing_token` and `invalid_token` are the same to the client, and two metrics for the operator. */
function reasonOf(type: string, { headers }: FastifyRequest): string {
  if (type !== 'UNAUTHENTICATED') return type.toLowerCase()
  return headers.authorization === undefined ? 'missing_token' : 'invalid_token'
}
