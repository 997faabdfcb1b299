import { availableParallelism } from 'node:os'
import { type Config, InvalidConfiguration } from '../../src/config/config.ts'
import { type Connections, connectionsOf } from '../../src/config/connections.ts'

/** What holds for each worker, and how many there are. */
export interface Shares {
  workers: number
  connections: Connections
}

/** Of what the server lets us open, this is ours; the rest is for backups, the doctor, and an update that runs. */
const OURS = 0.9
/** What the primary opens beside its workers, one after the other. */
const OF_THE_PRIMARY = 2

/** One of each kind. */
const LEAST = 4

/**
 * How many workers there are, and the connections of each: those that the configuration names, or fewer, each kind by the
 * same part, so that all of them together fit into what the server lets us open. `auto` is a worker for each core, as
 * far as there is room.
 * @param most undefined where the server does not say: behind a pooler
 * @throws InvalidConfiguration where so many workers as were named have no room
 */
export function shareOut(config: Config, most: number | undefined, cores = availableParallelism()): Shares {
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

/** What transactions hold while they decide gives way first: the others are few already. */
function reduce(whole: Connections, most: number): Connections {
  const part = Math.min(1, most / sumOf(whole))
  const share = (count: number) => Math.max(1, Math.floor(count * part))
  const shared = {
    readConnections: share(whole.readConnections),
    writeConnections: share(whole.writeConnections),
    searchConnections: share(whole.searchConnections),
  }
  const left = most - sumOf({ ...shared, transactionConnections: 0 })
  return { ...shared, transactionConnections: Math.min(whole.transactionConnections, left) }
}

export function sumOf(connections: Connections): number {
  const { readConnections, writeConnections, transactionConnections, searchConnections } = connections
  return readConnections + writeConnections + transactionConnections + searchConnections
}
