import { entrance } from './entrance.ts'
import { openOne } from './one-server.ts'
import type { Limits, Topology } from './topology.ts'

/**
 * One PostgreSQL behind a pooler in transaction mode. It allows no settings on a connection, so each flight sets its
 * limits, as it does its role.
 */
export function pooled(limits: Limits): Topology {
  const enter = {
    shared: entrance(limits.changes),
    leased: entrance(limits.transactions),
    search: entrance(limits.searches),
  }
  return {
    isPooled: true,
    session: () => ({}),
    entrance: (road) => enter[road],
    open: openOne,
  }
}
