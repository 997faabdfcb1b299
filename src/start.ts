import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { buildApp } from './app.ts'
import { type Config, InvalidConfiguration } from './config/config.ts'
import { DEVELOPMENT_PASSWORD } from './config/secret.ts'
import { type Coordination, openCoordination } from './data/redis/coordination.ts'
import { type Migrated, migrate } from './data/setup/migrate.ts'
import { refusePooler } from './data/setup/pooler.ts'
import { proveIsolation } from './data/setup/prove-isolation.ts'
import { openReplica, type Replica } from './data/setup/replica.ts'
import { SetupProblem } from './data/setup/setup-problem.ts'
import { waitForDatabase } from './data/setup/wait-for-database.ts'
import { openScope } from './data/tx/open-scope.ts'
import { type Database, openDatabase } from './data/wire/database.ts'
import { instrumented } from './data/wire/instrumented.ts'
import { checkCredentials } from './domains/auth/auth.actions.ts'
import { loadDomains, migrationsOf } from './domains/load.ts'
import { typed } from './domains/people/names.ts'
import { findCredentials } from './domains/people/people.store.ts'
import { writeCatalogue } from './domains/roles/catalogue.ts'
import { bootstrap } from './domains/tenants/bootstrap.ts'
import { type MetricsListener, openMetricsListener } from './http/observe/metrics-listener.ts'
import type { Tracing } from './http/observe/tracing.ts'
import { FIRST_TENANT } from './kernel/actor.ts'

/** A database that is migrated, proven to isolate tenants, opened and bootstrapped. */
export async function prepareDatabase(
  config: Config,
  url: string,
  logger: Logger,
): Promise<{ database: Database; firstStart: boolean }> {
  const sources = migrationsOf(await loadDomains(config.domains))
  if (!config.databasePooled) await refusePooler(url)
  const { allowDowngrade } = config
  const migrated = await migrate(config.migrationUrl ?? url, logger, sources, {
    andThen: writeCatalogue,
    allowDowngrade,
  })
  if (config.auditRetentionDays > 0) assertRetention(migrated)
  const { role } = migrated
  await proveIsolation(url, role)
  const database = await openDatabase({
    url,
    role,
    readConnections: config.databaseLines,
    writeConnections: config.databaseWriteLines,
    transactionConnections: config.databaseHeldLines,
    searchConnections: config.databaseSearchConnections,
    pooled: config.databasePooled,
    flightTimeout: config.databaseTimeout,
    acquireTimeout: Math.min(2000, config.databaseTimeout),
    log: logger,
  })
  const firstStart = await bootstrap(database, config.adminPassword ?? DEVELOPMENT_PASSWORD)
  if (config.production && !firstStart) await refuseDevelopmentPassword(database)
  return { database, firstStart }
}

/** A database that began in development still has the sign-in that everybody knows. @throws SetupProblem */
async function refuseDevelopmentPassword(database: Database): Promise<void> {
  const found = await findCredentials(openScope(database, FIRST_TENANT), typed('admin'))
  if (!(await checkCredentials(found, DEVELOPMENT_PASSWORD))) return
  await database.close()
  throw new SetupProblem(
    'The administrator still has the password of development; give them another: atrium admin passwd',
  )
}

function connectReplica(config: Config, url: string, { role, log }: Database): Promise<Replica> {
  return openReplica({ url, role, pooled: config.databasePooled, readConnections: config.databaseLines, log })
}

/** An owner who works as itself has given up to remove audit rows, and so has the function that would do it for the service. */
function assertRetention({ role, asOwner, advice }: Migrated) {
  if (!asOwner) return
  const remedy = advice
    ? `Let a superuser make one (${advice}), empty the database and start again`
    : 'Move to a database with one by atrium backup and atrium restore'
  throw new InvalidConfiguration([
    [
      'AUDIT_RETENTION_DAYS',
      `needs a role for the service, and it works as ${role}, the owner of the tables. ${remedy}, or leave the setting at 0`,
    ],
  ])
}

export interface Service {
  /** the port it listens on */
  port: number
  firstStart: boolean
  /** Stops in order: not ready, no new requests, those in hand finish, then the connections are closed. */
  stop(): Promise<void>
}

/** Starts the whole service on the database at `url`. Resolves when it is ready. */
export async function startService(config: Config, url: string, logger: Logger): Promise<Service> {
  const tracing = await openTracingFor(config, logger)
  await waitForDatabase(url, logger)
  const { database: instrumentable, firstStart } = await prepareDatabase(config, url, logger)
  const database = tracing ? instrumented(instrumentable, tracing.watch) : instrumentable
  const replica = config.replicaUrl ? await connectReplica(config, config.replicaUrl, database) : undefined
  const coordination: Coordination | undefined = config.redisUrl ? openCoordination(config.redisUrl, logger) : undefined
  let stopping = false
  const app = await buildApp(config, { database, replica, coordination, logger, tracing, stopping: () => stopping })
  const listener = await openForOperators(config, app, logger)
  await app.listen({ port: config.port, host: config.host })
  const address = app.server.address()
  return {
    port: typeof address === 'object' && address ? address.port : config.port,
    firstStart,
    async stop() {
      stopping = true
      // What is answered from now on ends its connection: a proxy then keeps none that would be cut under a request.
      app.server.prependListener('request', (_req, res) => void res.setHeader('connection', 'close'))
      await sleep(Math.max(config.shutdownDelay, LINGER_MS))
      await closeDoors(app)
      await listener?.close()
      await Promise.all([database.close(), replica?.close()])
      await coordination?.close()
      await tracing?.close()
    },
  }
}

/** What nobody has asked for is not even loaded. */
async function openTracingFor(config: Config, log: Logger): Promise<Tracing | undefined> {
  const { traceEndpoint: endpoint, serviceName, traceShare: share } = config
  if (!endpoint) return undefined
  const { openTracing } = await import('./http/observe/tracing.ts')
  return openTracing({ endpoint, serviceName, share, log })
}

/** Two services on the machine of a developer want the same port, and may have it; in production somebody relies on it. */
async function openForOperators(
  config: Config,
  app: FastifyInstance,
  logger: Logger,
): Promise<MetricsListener | undefined> {
  const { metricsPort: port, metricsHost: host } = config
  if (port === 0) return undefined
  try {
    return await openMetricsListener(app, { port, host })
  } catch (error) {
    if (config.production) throw new Error(`METRICS_PORT ${port} cannot be had: ${(error as Error).message}`)
    logger.warn({ port, err: (error as Error).message }, 'METRICS_PORT cannot be had; going on without metrics')
    return undefined
  }
}

/** Grace period during which answers carry Connection: close. */
const LINGER_MS = 200
/** Requests in hand get this long; then connections with half a request are closed too. */
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
