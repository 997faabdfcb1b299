import type { Coordination } from '../../src/data/redis/coordination.ts'
import { testConfig } from './config.ts'
import { buildOffline } from './routes.ts'

/** The service with all its metrics, those of Redis too, without anything that it would need to work. */
export function buildMeasured() {
  const channel = { isOpen: () => false, send() {}, close() {} }
  const redis = { dependency: 'redis', up: () => false, openChannel: () => channel } as unknown as Coordination
  return buildOffline(testConfig({ METRICS_PORT: '9464' }), redis)
}
