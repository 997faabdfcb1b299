import type { Server } from 'node:http'
import { Server as NetServer } from 'node:net'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance, FastifyListenOptions } from 'fastify'
import type { Logger } from 'pino'
import { buildApp } from './app.ts'
import { type Config, InvalidConfiguration } from './config/config.ts'
import type { Coordination } from './data/redis/coordination.ts'
import { openReplica } from './data/setup/replica.ts'
import type { Database } from './data/wire/database.ts'
import { instrumented } from './data/wire/instrumented.ts'
import { type MetricsListener, openMetricsListener, type Told } from './http/observe/metrics-listener.ts'
import type { Tracing } from './http/observe/tracing.ts'
import type { StreamCount } from './http/streams/streams.ts'

/**
 * How workers share a port: each listens for itself, and the kernel deals out the connections. Where it cannot, Node's
 * cluster does; there a connection that was on its way to a worker that is killed hangs in the primary, so it is for the
 * machines of developers.
 */
const SIDE_BY_SIDE = { reusePort: ['linux', 'freebsd'].includes(process.platform) }

/**
 * So many clients may connect in one turn of the loop, as they do when a proxy comes back: of those beyond Node's own 511
 * each would be heard a second or three later. The kernel allows 4096 at most, where nobody has told it otherwise.
 */
const BACKLOG = 4096

/** What listens, and can be stopped. */
export interface Served {
  /** the port it listens on */
  port: number
  /** Stops in order: not ready, no new requests, those in hand finish, then the connections are closed. */
  stop(): Promise<void>
}
export interface Service extends Served {
  firstStart: boolean
}

export interface Parts {
  database: Database
  coordination: Coordination | undefined
  logger: Logger
  /** one process is the whole service: it tells operators how it does, and does what is to be done beside requests */
  isAlone: boolean
  /** where it is one of several: whether those jobs are its own, and the port that all of them listen on */
  jobs?: boolean
  port?: number
  streamCount?: StreamCount
}

/** Serves requests on a database that is prepared. Resolves when it listens. */
export async function serve(config: Config, parts: Parts): Promise<Served & { app: FastifyInstance }> {
  const { coordination, logger, isAlone, jobs = isAlone, port = config.port } = parts
  const tracing = await openTracingFor(config, logger)
  const database = tracing ? instrumented(parts.database, tracing.watch) : parts.database
  const { role, log } = parts.database
  const { replicaUrl, databasePooled: pooled, databaseLines: readConnections } = config
  const replica = replicaUrl ? await openReplica({ url: replicaUrl, role, pooled, readConnections, log }) : undefined
  let stopping = false
  const app = await buildApp(config, {
    database,
    replica,
    coordination,
    logger,
    tracing,
    jobs,
    streamCount: parts.streamCount,
    stopping: () => stopping,
  })
  const listener = isAlone ? await openForOperators(config, toldBy(app), logger) : undefined
  await app.listen({
    port,
    host: config.host,
    backlog: BACKLOG,
    ...(!isAlone && SIDE_BY_SIDE),
  } as FastifyListenOptions)
  if (config.connectionsMost > 0) app.server.maxConnections = config.connectionsMost
  const address = app.server.address()
  return {
    app,
    port: typeof address === 'object' && address ? address.port : port,
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
  const { traceEndpoint: endpoint, serviceName, build, traceShare: share } = config
  if (!endpoint) return undefined
  const { openTracing } = await import('./http/observe/tracing.ts')
  return openTracing({ endpoint, serviceName, build, share, log })
}

/** Redis, where the configuration names one. */
export async function openCoordinationFor({ redisUrl }: Config, log: Logger): Promise<Coordination | undefined> {
  if (!redisUrl) return undefined
  const { openCoordination } = await import('./data/redis/coordination.ts')
  return openCoordination(redisUrl, log)
}

function toldBy(app: FastifyInstance): Told {
  return {
    metrics: async () => ({ type: app.metrics!.contentType, text: await app.metrics!.metrics() }),
    readiness: () => app.readiness(),
    log: app.log,
  }
}

/** Two services on the machine of a developer want the same port, and may have it; in production somebody relies on it. */
export async function openForOperators(
  config: Config,
  told: Told,
  logger: Logger,
): Promise<MetricsListener | undefined> {
  const { metricsPort: port, metricsHost: host, build } = config
  if (port === 0) return undefined
  try {
    return await openMetricsListener(told, { port, host, build })
  } catch (error) {
    const reason = (error as Error).message
    if (config.production) throw new InvalidConfiguration([['METRICS_PORT', `${port} cannot be had: ${reason}`]])
    logger.warn({ port, err: reason }, 'METRICS_PORT cannot be had; going on without metrics')
    return undefined
  }
}

/** Grace period during which answers carry Connection: close. */
const LINGER_MS = 200
/** Requests in hand get this long; then connections with half a request are closed too. */
const LAST_CALL_MS = 6000

/** A turn of the loop that did almost nothing; one is waited for so long. */
const SHORT_TURN_MS = 1
const BUSY_MS = 1500
/** Those who connected last have so long to send their request. */
const FIRST_WORD_MS = 100

/** Takes no new requests and waits for those in hand. A connection kept alive after its last answer is closed. */
async function closeDoors(app: FastifyInstance): Promise<void> {
  await stopListening(app.server)
  const idle = setInterval(() => app.server.closeIdleConnections(), 50)
  const lastCall = setTimeout(() => app.server.closeAllConnections(), LAST_CALL_MS)
  try {
    await app.close()
  } finally {
    clearInterval(idle)
    clearTimeout(lastCall)
  }
}

/**
 * The kernel resets connections that wait in the queue of a listener when it is closed. One is taken out in each turn of
 * the loop, so the listener is closed after a short turn that found none. Then the requests of those who came last are
 * read before idle connections are closed: one without a request passes for idle.
 */
async function stopListening(server: Server): Promise<void> {
  let hasCome = true
  const note = () => {
    hasCome = true
  }
  server.on('connection', note)
  const patience = performance.now() + BUSY_MS
  for (let turn = 0; hasCome || turn > SHORT_TURN_MS; ) {
    const start = performance.now()
    if (start > patience) break
    hasCome = false
    await nextTurn()
    turn = performance.now() - start
  }
  server.off('connection', note)
  // Not the method of the HTTP server, which closes idle connections as well.
  NetServer.prototype.close.call(server)
  await sleep(FIRST_WORD_MS)
}
