import { Counter, Gauge, Registry } from '@prometheus-io/client'
import type { Gathered } from '#atrium'
import { watchProcess } from './process.ts'

type Values = Awaited<ReturnType<Registry['getMetricsAsJSON']>>

/**
 * The metrics of all workers as those of one service. Counters are summed, including those of workers that have ended:
 * a counter that falls would look like a restart of the service.
 */
export function gather(running: () => number): Gathered {
  const registry = new Registry()
  const latest = new Map<number, Values>()
  let departed: Values = []
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
  watchProcess(registry)

  return {
    async page(workers) {
      await Promise.all(
        Array.from(workers, async ([id, answer]) => {
          const values = await answer
          // Of a worker that does not answer, the values of its last scrape are reported.
          if (values) latest.set(id, values as Values)
        }),
      )
      const all = Registry.aggregate([await registry.getMetricsAsJSON(), ...latest.values(), departed])
      return { type: registry.contentType, text: await all.metrics() }
    },
    retire(id) {
      replaced.inc()
      const counted = (latest.get(id) ?? []).filter(({ type }) => type === 'counter' || type === 'histogram')
      departed = Registry.aggregate([departed, counted]).getMetricsAsArray() as unknown as Values
      latest.delete(id)
    },
  }
}
