import { Counter, type Registry } from '@prometheus-io/client'
import type { FastifyRequest } from 'fastify'
import type { Ending } from '../load/lifetime.ts'

/** Upper bounds in seconds, the client library's own. */
const BOUNDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const BOUNDS_MS = BOUNDS.map((bound) => bound * 1000)
/** Every address that no route matches: whoever tries them all must not fill the memory. */
const UNMATCHED = 'none'

interface Tally {
  method: string
  route: string
  byStatus: Map<number, number>
  /** a place for each bound, and one for what took longer */
  within: number[]
  ms: number
}

/**
 * Counts and times requests by the pattern of their route, never by tenant or user. To look series up by their labels
 * for every request takes the client library a twentieth of an answer that is ready; here a route finds its own.
 */
export function openRequestTally(registry: Registry) {
  const tallies = new Map<object | string, Tally>()

  function tallyOf({ method, route }: FastifyRequest): Tally {
    // A route has one method and a configuration of its own; what no route matches has any method.
    const key = route.url === undefined ? method : route.config
    const known = tallies.get(key)
    if (known) return known
    const within = [...BOUNDS, Number.POSITIVE_INFINITY].map(() => 0)
    const tally = { method, route: route.url ?? UNMATCHED, byStatus: new Map(), within, ms: 0 }
    tallies.set(key, tally)
    return tally
  }

  new Counter({
    name: 'http_requests_total',
    help: 'Requests that ended; status 499 where the client left',
    labelNames: ['method', 'route', 'status'],
    registers: [registry],
    collect() {
      this.reset()
      for (const { method, route, byStatus } of tallies.values())
        for (const [status, count] of byStatus) this.inc({ method, route, status }, count)
    },
  })
  const duration = {
    name: 'http_request_duration_seconds',
    help: 'From the arrival of a request to the end of its answer',
    type: 'histogram',
    aggregator: 'sum',
    labelNames: ['method', 'route'],
    get: async () => ({
      ...duration,
      values: [...tallies.values()].flatMap((tally) => seriesOf(duration.name, tally)),
    }),
  }
  registry.registerMetric(duration as never)

  return {
    count(req: FastifyRequest, { status, ms }: Ending) {
      const tally = tallyOf(req)
      tally.byStatus.set(status, (tally.byStatus.get(status) ?? 0) + 1)
      // A stream lasts for as long as somebody listens, which tells nothing of how fast it was answered.
      if (tally.route.endsWith('/stream')) return
      let at = 0
      while (ms > BOUNDS_MS[at]!) at++
      tally.within[at]!++
      tally.ms += ms
    },
  }
}

/** A histogram as it is written: for each bound, how many took no longer; and the sum and the count of all. */
function seriesOf(name: string, { method, route, within, ms }: Tally) {
  const labels = { method, route }
  let count = 0
  const buckets = within.map((more, at) => {
    count += more
    return { metricName: `${name}_bucket`, labels: { le: BOUNDS[at] ?? '+Inf', ...labels }, value: count }
  })
  if (count === 0) return []
  return [
    ...buckets,
    { metricName: `${name}_sum`, labels, value: ms / 1000 },
    { metricName: `${name}_count`, labels, value: count },
  ]
}
