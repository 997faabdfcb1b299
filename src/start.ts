import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { buildApp } from './app.ts'
import type { Config } from './config.ts'
import { type Database, openDatabase } from './data/database.ts'
import { proveIsolation } from './data/isolation.ts'
import { migrate } from './data/migrate.ts'
import { type Coordination, openCoordination } from './data/redis.ts'
import { bootstrap, writeCatalogue } from './domains/tenants/bootstrap.ts'

export const DEVELOPMENT_PASSWORD = 'admin123'

/** A database that is migrated, proven to isolate tenants, opened and bootstrapped. */
export async function prepareDatabase(
  config: Config,
  url: string,
  logger: Logger,
): Promise<{ database: Database; firstStart: boolean }> {
  const { role } = await migrate(config.migrationUrl ?? url, logger, writeCatalogue)
  await proveIsolation(url, role)
  const database = await openDatabase({
    url,
    role,
    sharedLines: config.databaseLines,
    heldLines: config.databaseHeldLines,
    flightTimeout: config.databaseTimeout,
    holdTimeout: 2000,
    log: logger,
  })
  const firstStart = await bootstrap(database, config.adminPassword ?? DEVELOPMENT_PASSWORD)
  return { database, firstStart }
}

export interface Service {
  /** the port it listens on */
  port: number
  firstStart: boolean
  /** Stops in order: not ready, no new requests, those in hand finish, then the lines are closed. */
  stop(): Promise<void>
}

/** Starts the whole service on the database at `url`. Resolves when it is ready. */
export async function startService(config: Config, url: string, logger: Logger): Promise<Service> {
  const { database, firstStart } = await prepareDatabase(config, url, logger)
  const coordination: Coordination | undefined = config.redisUrl ? openCoordination(config.redisUrl, logger) : undefined
  let stopping = false
  const app = await buildApp(config, { database, coordination, logger, stopping: () => stopping })
  await app.listen({ port: config.port, host: config.host })
  const address = app.server.address()
  return {
    port: typeof address === 'object' && address ? address.port : config.port,
    firstStart,
    async stop() {
      stopping = true
      await sleep(config.shutdownDelay)
      await closeDoors(app)
      await database.close()
      await coordination?.close()
    },
  }
}

/** Requests in hand get this long to be answered; then whoever has sent only half of one is sent away too. */
const LAST_CALL_MS = 6000

/** Takes no new requests and waits for those in hand. A connection kept alive behind its last answer is closed. */
async function closeDoors(app: FastifyInstance): Promise<void> {
  // What has arrived is let in first: a connection whose request was not read yet passes for idle, and would be cut.
  for (let turn = 0; turn < 3; turn++) await nextTurn()
  const idle = setInterval(() => app.server.closeIdleConnections(), 50)
  const lastCall = setTimeout(() => app.server.closeAllConnections(), LAST_CALL_MS)
  try {
    await app.close()
  } finally {
    clearInterval(idle)
    clearTimeout(lastCall)
  }
}
