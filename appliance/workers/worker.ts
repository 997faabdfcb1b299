import type { Logger } from 'pino'
import type { Config } from '../../src/config/config.ts'
import type { Connections } from '../../src/config/connections.ts'
import { openDatabase } from '../../src/data/wire/database.ts'
import { openCoordinationFor, type Served, serve } from '../../src/serve.ts'
import { openTalk } from './talk.ts'
import { coordinateThrough, type Said } from './through-primary.ts'

/** What the primary has prepared, and a worker begins with. */
export interface Beginning {
  databaseUrl: string
  role: string
  connections: Connections
  port: number
  /** whether this one does what is to be done beside requests */
  jobs: boolean
}

/**
 * One of the processes that share the work: it serves on the database that the primary has prepared, and asks the primary
 * what has to be the same in all of them. Resolves when it listens.
 * @param onStop the primary wants it to stop
 */
export async function serveAsWorker(config: Config, logger: Logger, onStop: () => void): Promise<Served> {
  const begun = Promise.withResolvers<Beginning>()
  const talk = openTalk((message) => process.connected && process.send?.(message, () => {}), {
    begin: begun.resolve,
    hear: (said: Said) => neighbours.hear(said),
    'end stream': (id: number) => neighbours.endStream(id),
    stop: onStop,
    answers: () => true,
    metrics: () => served?.app.metrics?.getMetricsAsJSON(),
    readiness: () => served?.app.readiness(),
  })
  const neighbours = coordinateThrough(talk)
  let served: Awaited<ReturnType<typeof serve>> | undefined
  process.on('message', talk.receive)

  const { databaseUrl, role, connections, port, jobs } = await begun.promise
  const database = await openDatabase({
    url: databaseUrl,
    role,
    ...connections,
    pooled: config.databasePooled,
    // The primary has seen it. Where it is away now, this worker is there before it is back, as the others are.
    optional: true,
    flightTimeout: config.databaseTimeout,
    acquireTimeout: Math.min(2000, config.databaseTimeout),
    log: logger,
  })
  const coordination = (await openCoordinationFor(config, logger)) ?? neighbours
  served = await serve(config, {
    database,
    coordination,
    logger,
    isAlone: false,
    jobs,
    port,
    streamCount: neighbours.streamCount,
  })
  talk.tell('ready', undefined)
  return served
}
