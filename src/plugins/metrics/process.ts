import { collectDefaultMetrics, Registry } from '@prometheus-io/client'

let ofProcess: Registry | undefined

/**
 * Adds what is measured of the process: memory, event loop, garbage. It is measured once, for all services that a process
 * opens, because the package never ends the timers that it measures with.
 */
export function watchProcess(registry: Registry): void {
  if (!ofProcess) {
    ofProcess = new Registry()
    collectDefaultMetrics({ register: ofProcess })
  }
  for (const metric of ofProcess.getMetricsAsArray()) registry.registerMetric(metric as never)
}
