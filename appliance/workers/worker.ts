import type { Logger } from 'pino'
import type { Examine } from '../../src/app.ts'
import { openCoordination } from '../../src/atrium/ports/serving.ts'
import type { Config } from '../../src/config/config.ts'
import { type Connections, databaseSettings } from '../../src/config/connections.ts'
import { openDatabase } from '../../src/data/wire/database.ts'
import { loadDomains } from '../../src/load-domains.ts'
import { type Served, serve } from '../../src/serve.ts'
import { openTalk } from './talk.ts'
import { coordinateThrough, type Said } from './through-primary.ts'

/** What the primary has prepared, and a worker starts with. */
export interface Beginning {
  databaseUrl: string
  role: string
  /** whether its tables are on workers of Citus */
  onCluster: boolean
  connections: Connections
  port: number
  /** whether this worker runs the background jobs */
  jobs: boolean
}

/**
 * One of the processes that share the work: it serves on the database that the primary has prepared, and asks the
 * primary for what must be the same in all of them. Resolves when it listens.
 * @param onStop called when the primary wants it to stop
 * @param examine what the doctor finds, for the system administrator
 */
export async function serveAsWorker(
  config: Config,
  logger: Logger,
  onStop: () => void,
  examine: (url: string) => ReturnType<Examine>,
): Promise<Served> {
  const begun = Promise.withResolvers<Beginning>()
  const talk = openTalk((message) => process.connected && process.send?.(message, () => {}), {
    begin: begun.resolve,
    hear: (said: Said) => neighbours.hear(said),
    'end stream': (id: number) => neighbours.endStream(id),
    stop: onStop,
    answers: () => true,
    metrics: () => served?.app.metrics?.values(),
    readiness: () => served?.app.readiness(),
  })
  const neighbours = coordinateThrough(talk)
  let served: Awaited<ReturnType<typeof serve>> | undefined
  process.on('message', talk.receive)

  // It may be on a cluster, which a plug-in knows.
  await loadDomains(config)
  const { databaseUrl, role, onCluster, connections, port, jobs } = await begun.promise
  const database = await openDatabase({
    url: databaseUrl,
    role,
    onCluster,
    ...connections,
    ...databaseSettings(config, logger),
    // The primary reached the replica. If it is away now, this worker starts anyway and uses it when it is back, as the
    // others do.
    optional: true,
  })
  const coordination = (await openCoordination.get()(config, logger)) ?? neighbours
  served = await serve(config, {
    database,
    coordination,
    logger,
    isAlone: false,
    jobs,
    port,
    streamCount: neighbours.streamCount,
    examine: () => examine(databaseUrl),
  })
  talk.tell('ready', undefined)
  return served
}
