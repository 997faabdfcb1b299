import type { Registry } from '@prometheus-io/client'
import { type FastifyInstance, openCoordination } from '#atrium'
import { testConfig } from '#test/config.ts'
import { buildOffline } from '#test/routes.ts'
import { loadDomains } from '../../../load-domains.ts'

/** A metric as it is declared. */
export interface Declared {
  name: string
  type: string
  labelNames: string[]
}

/**
 * The service with all its metrics, those of Redis too where its plug-in is, without anything that it would need to
 * work.
 */
export async function buildMeasured() {
  const config = testConfig({ METRICS_PORT: '9464', REDIS_URL: 'redis://127.0.0.1:1' })
  await loadDomains(config)
  const coordination = await openCoordination.get()(config, { info() {}, warn() {}, error() {} })
  const app = await buildOffline(config, coordination)
  // Its metrics are declared, and nothing else of it is wanted.
  await coordination?.close()
  return app
}

/** The metrics that a service declares. */
export function declaredBy({ metrics }: Pick<FastifyInstance, 'metrics'>): Declared[] {
  const { registry } = metrics as unknown as { registry: Registry }
  return registry.getMetricsAsArray() as unknown as Declared[]
}
