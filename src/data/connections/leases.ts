import pg from 'pg'
import type { Log } from '../../kernel/log.ts'
import type { Connection } from '../wire/connection.ts'
import { Client } from './client.ts'
import type { Primary, Purpose } from './primary.ts'

/** A connection of one transaction until it is released; a broken one is closed, and one of a server that was left. */
export interface Lease {
  connection: Connection
  release(broken: boolean): void
}

/**
 * Connections that are leased, one at a time, to transactions that decide between two flights.
 * @param open takes over a client that was not leased before
 */
export function openLeases(
  settings: pg.PoolConfig,
  { most, purpose, primary, log }: { most: number; purpose: Purpose; primary: Primary; log: Log },
  open: (client: pg.PoolClient) => Connection,
) {
  const opened = new Map<pg.PoolClient, Connection>()
  const left = new WeakSet<pg.PoolClient>()
  const pool = new pg.Pool({
    ...settings,
    Client,
    max: most,
    min: 0,
    idleTimeoutMillis: 60_000,
    maxLifetimeSeconds: 1800,
    onConnect: (client) => primary.check(client, purpose),
  })
  // Both listeners are needed: without the one on each client, a backend that dies during a transaction ends the
  // process.
  pool.on('error', (error) => log.warn({ err: error.message }, 'an idle database connection was lost'))
  pool.on('connect', (client) => client.on('error', () => {}))
  pool.on('remove', (client) => opened.delete(client))
  primary.add({
    connections: () => [...opened.values()],
    holds: (connection) => [...opened].some(([client, each]) => each === connection && !left.has(client)),
    isSettled: () => true,
    isReadOnly: () => false,
    leave() {
      for (const client of opened.keys()) left.add(client)
      // The pool itself would keep idle ones.
      for (let idle = pool.idleCount; idle > 0; idle--)
        void pool.connect().then(
          (client) => client.release(left.has(client)),
          () => {},
        )
    },
  })

  return {
    /** Waits for a connection, and leases it. */
    async take(): Promise<Lease> {
      for (;;) {
        const client = await pool.connect()
        if (left.has(client)) {
          client.release(true)
          continue
        }
        const connection = opened.get(client) ?? open(client)
        opened.set(client, connection)
        return { connection, release: (broken: boolean) => client.release(broken || left.has(client)) }
      }
    },
    connections: () => opened.values(),
    counts: () => ({ leased: pool.totalCount - pool.idleCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    close: () => pool.end(),
  }
}
