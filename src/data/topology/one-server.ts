import type { Call, Prepared } from '../wire/flight.ts'
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

function openOne(openServer: OpenServer): Servers {
  const home = openServer()
  return {
    ...{ ready: home.ready, of: () => home, prepareFor: async () => {}, all: () => [home], workers: () => [] },
    close: () => home.close(),
  }
}

const ENTER = 'enter'

/** Enters a tenant in the role of the service, for as long as the flight lasts; the limits apply as long. */
export function entrance(limits: Record<string, number> = {}): Prepared {
  const own = [`'role', $1`, `'app.tenant_id', $2`]
  const settings = [...own, ...Object.entries(limits).map(([name, ms]) => `'${name}', '${ms}'`)]
  return { name: ENTER, text: `select ${settings.map((setting) => `set_config(${setting}, true)`).join(', ')}` }
}

/** Whether it enters a tenant. */
export const isEntrance = ({ prepared }: Call) => prepared.name === ENTER
