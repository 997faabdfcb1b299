import { Counter, Gauge, type Registry } from '@prometheus-io/client'
import type { Metrics } from '#atrium'

/** Reports values to a registry, which asks for them at each scrape. */
export function reportTo(registry: Registry): Metrics {
  const registers = [registry]

  return {
    gauge(name, help, read, aggregator = 'sum') {
      new Gauge({
        ...{ name, help, aggregator, registers },
        async collect() {
          const value = await read()
          if (value === undefined) this.remove()
          else this.set(value)
        },
      })
    },
    counter(name, help, read) {
      new Counter({
        ...{ name, help, registers },
        collect() {
          this.reset()
          this.inc(read())
        },
      })
    },
    counters(name, help, label, read) {
      new Counter({
        ...{ name, help, labelNames: [label], registers },
        collect() {
          this.reset()
          for (const [value, count] of Object.entries(read())) this.inc({ [label]: value }, count)
        },
      })
    },
  }
}
