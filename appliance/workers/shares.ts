import { availableParallelism } from 'node:os'
import { type Config, InvalidConfiguration } from '../../src/config/config.ts'
import { type Connections, connectionsOf } from '../../src/config/connections.ts'

/** The share of the allowed connections that we use; the rest is for backups, the doctor, and an update in progress. */
const OURS = 0.9
/** Connections that the primary opens itself, one after the other. */
const OF_THE_PRIMARY = 2

/** One of each kind. */
const LEAST = 4

/**
 * How many workers there are, and the connections of each: the configured ones, or fewer, each kind reduced by the same
 * factor, so that all together fit into what the server allows. `auto` is a worker for each core, if there is room.
 * @param most undefined if the server does not say: behind a pooler
 * @throws InvalidConfiguration if there is no room for the configured number of workers
 */
export function shareOut(config: Config, most: number | undefined, cores = availableParallelism()) {
  const whole = connectionsOf(config)
  const room = most === undefined ? Number.POSITIVE_INFINITY : most * OURS - OF_THE_PRIMARY
  const places = Math.max(1, Math.floor(room / LEAST))
  const workers = config.workers === 'auto' ? Math.min(cores, places) : config.workers
  if (workers === 1) return { workers, connections: whole }
  if (workers > places)
    throw new InvalidConfiguration([
      ['WORKERS', `the database lets us open ${most} connections, which is room for ${places}; raise max_connections`],
    ])
  return { workers, connections: reduce(whole, Math.floor(room / workers)) }
}

/** The connections of open transactions are reduced first: of the others there are few already. */
function reduce(whole: Connections, most: number): Connections {
  const part = Math.min(1, most / sumOf(whole))
  const share = (count: number) => Math.max(1, Math.floor(count * part))
  const shared = {
    readConnections: share(whole.readConnections),
    writeConnections: share(whole.writeConnections),
    searchConnections: share(whole.searchConnections),
    transactionConnections: 1,
  }
  // Where one kind has most of them, those that are raised to one take more than is there.
  while (sumOf(shared) > most) shared[largestOf(shared)]--
  const left = most - sumOf({ ...shared, transactionConnections: 0 })
  return { ...shared, transactionConnections: Math.min(whole.transactionConnections, left) }
}

function largestOf(connections: Connections): keyof Connections {
  const kinds = Object.keys(connections) as (keyof Connections)[]
  return kinds.reduce((largest, kind) => (connections[kind] > connections[largest] ? kind : largest))
}

export function sumOf(connections: Connections): number {
  return Object.values(connections).reduce((sum, count) => sum + count, 0)
}
