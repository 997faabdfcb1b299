import { entrance } from './entrance.ts'
import type { Limits, OpenServer, Servers, Topology } from './topology.ts'

/** One PostgreSQL. Its sessions keep the limits. */
export function oneServer(limits: Limits): Topology {
  const enter = entrance()
  return {
    isPooled: false,
    session: (use) => limits[use],
    entrance: () => enter,
    open: openOne,
  }
}

/** All tenants are on the one server. */
export function openOne(openServer: OpenServer): Servers {
  const home = openServer()
  return {
    ...{ home, ready: home.ready, of: () => home, prepareFor: async () => {}, all: () => [home], workers: () => [] },
    close: () => home.close(),
  }
}
