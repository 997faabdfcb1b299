import type { Server } from 'node:http'
import { Server as NetServer } from 'node:net'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance, FastifyListenOptions } from 'fastify'
import { buildApp, type Dependencies } from './app.ts'
import { type Config, InvalidConfiguration } from './config/config.ts'
import { openReplica } from './data/setup/replica.ts'
import { returnUnusedHeap } from './http/load/unused-heap.ts'

/**
 * How workers share a port: each listens for itself, and the kernel distributes the connections. Elsewhere Node's
 * cluster does. There, a connection on its way to a killed worker hangs in the primary: it is for development.
 */
const SIDE_BY_SIDE = { reusePort: ['linux', 'freebsd'].includes(process.platform) }

/**
 * How many clients may connect in one turn of the loop, as they do when a proxy comes back. Beyond Node's default of
 * 511, clients would wait a second or three. The kernel's default maximum is 4096.
 */
const BACKLOG = 4096

const NO_REPLICA =
  'is not possible where tenants are on the workers of Citus: give public pages more memory (PUBLIC_CACHE_BYTES)'

/** A running service. */
export interface Served {
  /** the port it listens on */
  port: number
  /** Stops in order: not ready, no new requests, requests in hand finish, then the connections are closed. */
  stop(): Promise<void>
}
export interface Service extends Served {
  firstStart: boolean
}

export interface Parts extends Omit<Dependencies, 'replica' | 'stopping'> {
  /** one process is the whole service: it reports to operators and runs the background jobs */
  isAlone: boolean
  /** of one of several: the port that all of them listen on */
  port?: number
}

/** Serves requests on a prepared database. Resolves when it listens. */
export async function serve(config: Config, parts: Parts): Promise<Served & { app: FastifyInstance }> {
  const { isAlone, port = config.port, ...given } = parts
  const { database, coordination } = given
  const { role, log } = database
  const { replicaUrl, databasePooled: pooled, databaseLines: readConnections } = config
  if (replicaUrl && database.onCluster) throw new InvalidConfiguration([['DATABASE_REPLICA_URL', NO_REPLICA]])
  const replica = replicaUrl ? await openReplica({ url: replicaUrl, role, pooled, readConnections, log }) : undefined
  let stopping = false
  const app = await buildApp(config, { jobs: isAlone, ...given, replica, stopping: () => stopping })
  const listener = isAlone ? await app.listenForOperators() : undefined
  const shared = isAlone ? {} : SIDE_BY_SIDE
  await app.listen({ port, host: config.host, backlog: BACKLOG, ...shared } as FastifyListenOptions)
  const stopReturning = returnUnusedHeap()
  if (config.connectionsMost > 0) app.server.maxConnections = config.connectionsMost
  const address = app.server.address()
  return {
    app,
    port: typeof address === 'object' && address ? address.port : port,
    async stop() {
      stopping = true
      stopReturning()
      // Each answer from now on ends its connection: otherwise a proxy might keep one that is closed during a request.
      app.server.prependListener('request', (_req, res) => void res.setHeader('connection', 'close'))
      await sleep(Math.max(config.shutdownDelay, LINGER_MS))
      await closeDoors(app)
      await listener?.close()
      await Promise.all([database.close(), replica?.close()])
      await coordination?.close()
    },
  }
}

/** Grace period during which answers carry Connection: close. */
const LINGER_MS = 200
/** How long requests in hand may take; then connections with half a request are closed too. */
const LAST_CALL_MS = 6000

/** A turn of the loop that did almost nothing, and how long to wait for one. */
const SHORT_TURN_MS = 1
const BUSY_MS = 1500
/** How long the latest connections have to send their request. */
const FIRST_WORD_MS = 100

/** Accepts no new requests and waits for those in hand. A kept-alive connection is closed after its last answer. */
async function closeDoors(app: FastifyInstance): Promise<void> {
  await stopListening(app.server)
  const idle = setInterval(() => setImmediate(() => app.server.closeIdleConnections()), 50)
  const lastCall = setTimeout(() => app.server.closeAllConnections(), LAST_CALL_MS)
  try {
    await app.close()
  } finally {
    clearInterval(idle)
    clearTimeout(lastCall)
  }
}

/**
 * The kernel resets connections that wait in the queue of a listener when it is closed. Each turn of the loop accepts
 * one, so the listener is closed after a short turn that found none. Then the latest requests are read before idle
 * connections are closed, because a connection without a request counts as idle.
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
  // Not the method of the HTTP server, which also closes idle connections.
  NetServer.prototype.close.call(server)
  await sleep(FIRST_WORD_MS)
  // After a standstill of the machine the time is over before the loop has read what has come meanwhile.
  await nextTurn()
}
