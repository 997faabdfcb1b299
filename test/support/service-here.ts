import pino from 'pino'
import { startService } from '../../src/start.ts'
import { afterEachFile } from './clean-up.ts'
import { testConfig } from './config.ts'
import { reach } from './database.ts'
import { openRemote, type Remote } from './remote.ts'

/** The whole service in this process. */
export interface ServiceHere {
  port: number
  remote: Remote
  /** In order, as a signal does it. */
  stop(): Promise<void>
}

const running = new Set<ServiceHere>()
afterEachFile(() => Promise.all([...running].map((service) => service.stop())))

/** For what needs no signal and no exit code: a small part of what a process of its own costs. */
export async function startHere(databaseUrl: string, env: Record<string, string> = {}): Promise<ServiceHere> {
  const { url, pooled } = reach(databaseUrl)
  const config = testConfig({
    DATABASE_URL: url,
    ...(pooled && { DATABASE_POOLER: 'true', MIGRATION_DATABASE_URL: databaseUrl }),
    ...env,
  })
  const served = await startService(config, url, pino({ level: 'silent' }))
  const service: ServiceHere = {
    port: served.port,
    remote: openRemote(served.port),
    async stop() {
      running.delete(service)
      await served.stop()
      service.remote.close()
    },
  }
  running.add(service)
  return service
}
