import type { DatabaseOptions } from '../data/wire/database.ts'
import { sealWith } from '../util/seal.ts'
import type { Config } from './config.ts'

/** The connections of one process, by what they are for. */
export type Connections = Required<
  Pick<DatabaseOptions, 'readConnections' | 'writeConnections' | 'transactionConnections' | 'searchConnections'>
>

/** Those that the configuration sets for one process. */
export function connectionsOf(config: Config): Connections {
  return {
    readConnections: config.databaseLines,
    writeConnections: config.databaseWriteLines,
    transactionConnections: config.databaseHeldLines,
    searchConnections: config.databaseSearchConnections,
  }
}

/** What the configuration says of the database, for every process that serves requests. */
export function databaseSettings(config: Config, log: DatabaseOptions['log']) {
  return {
    pooled: config.databasePooled,
    flightTimeout: config.databaseTimeout,
    sealer: sealWith(config.sealingSecrets),
    plans: config.plans,
    mailLimit: config.mailLimit,
    log,
  } satisfies Partial<DatabaseOptions>
}
