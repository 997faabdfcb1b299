import { Registry } from '@prometheus-io/client'
import { type Config, InvalidConfiguration, type Measured, type Operators } from '#atrium'
import { gather } from './gathered.ts'
import { watchSources } from './gauges.ts'
import { openListener } from './listener.ts'
import { reportTo } from './report.ts'
import { countRequests } from './requests.ts'

/** Metrics of this process, or of all workers, and the listener that tells them. */
export function forOperators(config: Config): Operators {
  return {
    measure(app, sources): Measured & { registry: Registry } {
      const registry = new Registry()
      const metrics = reportTo(registry)
      countRequests(registry, app)
      watchSources(registry, metrics, app, sources)
      return {
        ...metrics,
        registry,
        page: async () => ({ type: registry.contentType, text: await registry.metrics() }),
        values: () => registry.getMetricsAsJSON(),
      }
    },
    gather,
    /** Two services on a developer's machine may want the same port; in production something relies on it. */
    async listen(told) {
      const { metricsPort: port, metricsHost: host, build } = config
      try {
        return await openListener(told, { port, host, build })
      } catch (error) {
        const reason = (error as Error).message
        if (config.production) throw new InvalidConfiguration([['METRICS_PORT', `${port} is not available: ${reason}`]])
        told.log.warn({ port, err: reason }, 'METRICS_PORT is not available; continuing without metrics')
        return undefined
      }
    },
  }
}
