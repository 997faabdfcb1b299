import { type ClusterOptions, clusters } from './clusters.ts'
import { oneServer } from './one-server.ts'
import { pooled } from './pooled.ts'
import type { Limits, Topology } from './topology.ts'

export interface TopologyOptions {
  isPooled: boolean
  limits: Limits
  /** present if the tables of tenants are on workers of Citus */
  cluster?: ClusterOptions | undefined
}

/** The topology of the database that the options describe. */
export function topologyOf({ isPooled, limits, cluster }: TopologyOptions): Topology {
  if (cluster) return clusters().topology(limits, cluster)
  return isPooled ? pooled(limits) : oneServer(limits)
}
