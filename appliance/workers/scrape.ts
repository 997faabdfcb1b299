import { Counter, collectDefaultMetrics, Gauge, Registry } from '@prometheus-io/client'
import type { Talk } from './talk.ts'

type Metrics = Awaited<ReturnType<Registry['getMetricsAsJSON']>>

/** A worker that takes longer is told of as it was at the last scrape. */
const PATIENCE_MS = 2000

/**
 * The metrics of all workers as those of one service: what counts is summed, and so is what was counted by workers that
 * are gone, for a counter that falls back would be taken for a restart of everything.
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
    help: 'Workers that ended by themselves, and had to be replaced',
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
    /** Keeps what a worker that is gone has counted. */
    retire(id: number) {
      replaced.inc()
      const counted = (latest.get(id) ?? []).filter(({ type }) => type === 'counter' || type === 'histogram')
      departed = Registry.aggregate([departed, counted]).getMetricsAsArray() as unknown as Metrics
      latest.delete(id)
    },
  }
}
