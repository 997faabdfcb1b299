import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { Log } from '../../kernel/log.ts'
import { type Connection, type ConnectionOptions, openConnection } from '../wire/connection.ts'
import { Client } from './client.ts'
import type { Member, Primary, Purpose } from './primary.ts'

/** The place of a shared connection, empty while it is lost. */
export interface Slot {
  connection: Connection | undefined
  /** settles with the first connection */
  ready: Promise<void>
  close(): Promise<void>
}

export interface SlotOptions extends ConnectionOptions {
  purpose: Purpose
  primary: Primary
}

/** How long pending flights on a connection that is left have to be answered. */
const LAST_ANSWER_MS = 5000

/** One shared connection that reconnects by itself: back-off from 50 ms to 1 s, with jitter. */
export function sharedConnection(settings: pg.ClientConfig, options: SlotOptions, log: Log): Slot {
  const { purpose, primary } = options
  let closed = false
  let client: pg.Client | undefined
  let isReadOnly = false
  const left = new Set<Connection>()
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
  const member: Member = {
    connections: () => (slot.connection ? [slot.connection, ...left] : [...left]),
    holds: (connection) => connection === slot.connection,
    isSettled: () => slot.connection !== undefined && !isReadOnly,
    isReadOnly: () => slot.connection !== undefined && isReadOnly,
    leave() {
      if (!slot.connection) return
      left.add(slot.connection)
      void closeWhenAnswered(slot.connection).then((connection) => left.delete(connection))
      slot.connection = undefined
      void reconnect()
    },
  }
  primary.add(member)
  return slot

  async function connect() {
    const fresh = new Client(settings)
    fresh.on('error', () => {})
    const state = await primary.connect(fresh, purpose)
    if (closed) return void fresh.end()
    client = fresh
    const connection = openConnection(fresh, options)
    slot.connection = connection
    isReadOnly = state.isReadOnly
    primary.connected(member)
    fresh.once('end', () => {
      if (slot.connection !== connection) return
      slot.connection = undefined
      if (closed) return
      log.warn({}, 'a database connection was lost; reconnecting')
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

async function closeWhenAnswered(connection: Connection): Promise<Connection> {
  const end = performance.now() + LAST_ANSWER_MS
  while (connection.pending > 0 && performance.now() < end) await sleep(20, undefined, { ref: false })
  connection.destroy(new Error('the server was left'))
  return connection
}

/** The connection with the fewest pending flights; undefined while none is connected. */
export function leastBusy(slots: Slot[]): Connection | undefined {
  let best: Connection | undefined
  for (const { connection } of slots) if (connection && (!best || connection.pending < best.pending)) best = connection
  return best
}

/** Waits at most `timeout` ms until one of them is connected. */
export async function whenConnected(slots: Slot[], timeout: number): Promise<Connection | undefined> {
  for (const end = performance.now() + timeout; performance.now() < end; await sleep(20)) {
    const connection = leastBusy(slots)
    if (connection) return connection
  }
  return undefined
}
