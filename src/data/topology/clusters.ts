import type pg from 'pg'
import type { Log } from '../../kernel/log.ts'
import { withClient } from '../connections/with-client.ts'
import { SetupProblem } from '../setup/setup-problem.ts'
import type { Limits, Topology } from './topology.ts'

/** Reports each step: what was done, and which of how many it was. */
export type TellStep = (what: string, done: number, of: number) => void

export interface ClusterOptions {
  /** of the coordinator */
  url: string
  role: string
  log: Log
}

/** What is different where the tables of a database are on the nodes of a cluster. A plug-in provides it. */
export interface Clusters {
  /** `begun`: tables are on its nodes already, so every new one must follow. `none`: the database is of one PostgreSQL. */
  stateOf(client: pg.Client): Promise<'none' | 'joined' | 'begun'>
  /** Applies a migration, in the open transaction, to a database where that has begun. */
  apply(client: pg.Client, sql: string): Promise<void>
  /** Moves the tables to the nodes, or continues. @param role of the service @throws SetupProblem */
  distribute(client: pg.Client, role: string, tell?: TellStep): Promise<void>
  /** Looks for holes in the wall between tenants on each node; undefined where none has tables. */
  findHoles(client: pg.Client, url: string, role: string): Promise<string[] | undefined>
  /** of a database whose tables are on the nodes */
  topology(limits: Limits, options: ClusterOptions): Topology
}

const NEEDS_PLUGIN = 'The tables of this database are on workers of Citus: switch on the plug-in citus, in PLUGINS'

/** One PostgreSQL. Nothing works on a database whose tables are elsewhere. */
export const oneServerAlone: Clusters = {
  async stateOf(client) {
    if (await isOnWorkers(client)) throw new SetupProblem(NEEDS_PLUGIN)
    return 'none'
  },
  async findHoles(client) {
    return (await isOnWorkers(client)) ? [NEEDS_PLUGIN] : undefined
  },
  apply: refuse,
  distribute: refuse,
  topology: refuse,
}

function refuse(): never {
  throw new SetupProblem(NEEDS_PLUGIN)
}

let provided = oneServerAlone

/** How clusters are worked with. */
export function clusters(): Clusters {
  return provided
}

/** What the plug-in for clusters declares in `provides`. */
export function provideClusters(service: Clusters): () => void {
  return () => {
    provided = service
  }
}

/** Whether the tables of the database are on workers of Citus. Rejects with the driver's error if it is away. */
export async function isOnCluster(url: string, { flightTimeout }: { flightTimeout: number }): Promise<boolean> {
  return withClient(url, 'atrium-inspection', isOnWorkers, flightTimeout)
}

async function isOnWorkers(client: pg.Client): Promise<boolean> {
  const { rows: extensions } = await client.query(`select 1 from pg_extension where extname = 'citus'`)
  if (extensions.length === 0) return false
  const { rows } = await client.query(`select 1 from pg_dist_partition where partmethod = 'h' limit 1`)
  return rows.length > 0
}
