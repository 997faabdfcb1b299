import { Counter, collectDefaultMetrics, Gauge, Registry } from '@prometheus-io/client'
import type { Talk } from './talk.ts'

type Metrics = Awaited<ReturnType<Registry['getMetricsAsJSON']>>

/** For a worker that takes longer, the values of its last scrape are reported. */
const PATIENCE_MS = 2000

/**
 * The metrics of all workers as those of one service. Counters are summed, including those of workers that have ended:
 * a counter that falls would look like a restart of the service.
 */
export function openScrape(running: () => number) {
  const registry = new Registry()
  const latest = new Map<number, Metrics>()
  let departed: Metrics = []
  new Gauge({
    name: 'workers',
    help: 'Processes that serve requests',
    registers: [registry],
    collect() {
      this.set(running())
    },
  })
  const replaced = new Counter({
    name: 'workers_replaced_total',
    help: 'Workers that ended unexpectedly and had to be replaced',
    registers: [registry],
  })
  collectDefaultMetrics({ register: registry })

  return {
    async metrics(workers: Iterable<readonly [id: number, talk: Talk]>) {
      await Promise.all(
        Array.from(workers, async ([id, talk]) => {
          const told = await talk.ask<Metrics>('metrics', undefined, PATIENCE_MS)
          if (told) latest.set(id, told)
        }),
      )
      const all = Registry.aggregate([await registry.getMetricsAsJSON(), ...latest.values(), departed])
      return { type: registry.contentType, text: await all.metrics() }
    },
    /** Keeps the counts of a worker that has ended. */
    retire(id: number) {
      replaced.inc()
      const counted = (latest.get(id) ?? []).filter(({ type }) => type === 'counter' || type === 'histogram')
      departed = Registry.aggregate([departed, counted]).getMetricsAsArray() as unknown as Metrics
      latest.delete(id)
    },
  }
}
