import { oneServer } from './one-server.ts'
import { pooled } from './pooled.ts'
import type { Limits, Topology } from './topology.ts'

/** The topology of the database that the options describe. */
export function topologyOf({ isPooled, limits }: { isPooled: boolean; limits: Limits }): Topology {
  return isPooled ? pooled(limits) : oneServer(limits)
}
