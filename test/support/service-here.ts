import pino from 'pino'
import { startService } from '../../src/start.ts'
import { endsWithFile } from './clean-up.ts'
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
    stop: endsWithFile(async () => {
      await served.stop()
      service.remote.close()
    }),
  }
  return service
}
