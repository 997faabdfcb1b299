import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Log } from '../../kernel/log.ts'
import { type Connection, type ConnectionOptions, openConnection } from './connection.ts'

/** The place of a shared connection, which is empty while it is lost. */
export interface Slot {
  connection: Connection | undefined
  /** settles with the first connection */
  ready: Promise<void>
  close(): Promise<void>
}

/** One shared connection that comes back by itself: back-off from 50 ms to 1 s, with jitter. */
export function sharedConnection(settings: pg.ClientConfig, options: ConnectionOptions, log: Log): Slot {
  let closed = false
  let client: pg.Client | undefined
  const slot: Slot = {
    connection: undefined,
    ready: connect(),
    async close() {
      closed = true
      slot.connection = undefined
      await client?.end().catch(() => {})
    },
  }
  slot.ready.catch(() => reconnect())
  return slot

  async function connect() {
    const fresh = new pg.Client(settings)
    fresh.on('error', () => {})
    await fresh.connect()
    if (closed) return void fresh.end()
    client = fresh
    slot.connection = openConnection(fresh, options)
    fresh.once('end', () => {
      slot.connection = undefined
      if (closed) return
      log.warn({}, 'a database connection was lost; connecting again')
      void reconnect()
    })
  }

  async function reconnect() {
    for (let delay = 50; !closed; delay = Math.min(delay * 2, 1000)) {
      await sleep(delay * (0.5 + Math.random()), undefined, { ref: false })
      if (closed) return
      if (
        await connect().then(
          () => true,
          () => false,
        )
      )
        return
    }
  }
}

/** The connection with the fewest pending flights; undefined while none is connected. */
export function leastBusy(slots: Slot[]): Connection | undefined {
  let best: Connection | undefined
  for (const { connection } of slots) if (connection && (!best || connection.pending < best.pending)) best = connection
  return best
}

/** Waits at most `timeout` ms for one of them to be connected. */
export async function whenConnected(slots: Slot[], timeout: number): Promise<Connection | undefined> {
  for (const end = performance.now() + timeout; performance.now() < end; await sleep(20)) {
    const connection = leastBusy(slots)
    if (connection) return connection
  }
  return undefined
}
