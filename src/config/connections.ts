import type { Config } from './config.ts'

/** The connections of one process, by what they are for. */
export interface Connections {
  readConnections: number
  writeConnections: number
  transactionConnections: number
  searchConnections: number
}

/** Those that the configuration sets for one process. */
export function connectionsOf(config: Config): Connections {
  return {
    readConnections: config.databaseLines,
    writeConnections: config.databaseWriteLines,
    transactionConnections: config.databaseHeldLines,
    searchConnections: config.databaseSearchConnections,
  }
}
