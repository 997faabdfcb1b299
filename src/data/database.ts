import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { type Call, type Landing, type Line, openLine } from './flight.ts'
import { Unavailable } from './unavailable.ts'

export interface DatabaseOptions {
  url: string
  /** the role that every flight drops to */
  role: string
  /** connections shared by the flights of all requests */
  sharedLines: number
  /** connections held one at a time by transactions that think between two flights */
  heldLines: number
  /** ms a flight may take before its line is cut, and a transaction may wait for a line */
  flightTimeout: number
  holdTimeout: number
  log: Log
}
export interface Log {
  info(facts: object, message: string): void
  warn(facts: object, message: string): void
  error(facts: object, message: string): void
}

/** A connection that belongs to one transaction until it is released; a broken one is thrown away. */
export interface Held {
  line: Line
  release(broken: boolean): void
}

/** What has happened since the start; each number only grows. */
export interface Tally {
  flights: number
  /** flights and transactions for which no line was free in time */
  refused: number
  /** news that could not be delivered behind its commit, and was left to the next sweep */
  undelivered: number
}

export interface Database {
  readonly role: string
  readonly log: Log
  readonly tally: Tally
  /** Sends a flight on the least busy shared line. Rejects with Unavailable when there is none. */
  fly(calls: readonly Call[]): Promise<Landing[]>
  /** Lends a line to one transaction. Rejects with Unavailable after `holdTimeout` ms. */
  hold(): Promise<Held>
  stats(): { lines: number; inTheAir: number; held: number; idle: number; waiting: number }
  close(): Promise<void>
}

/** More flights than this on one line, or transactions waiting for one, mean that the database cannot keep up: shed instead of queueing. */
const MOST_IN_THE_AIR = 256
const MOST_WAITING = 512

/** Opens the lines to the database. The first connection is awaited, so that a wrong URL shows at once. */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const { url, role, log } = options
  const settings: pg.PoolConfig = {
    connectionString: url,
    application_name: 'atrium',
    keepAlive: true,
    connectionTimeoutMillis: options.holdTimeout,
    statement_timeout: options.flightTimeout,
    lock_timeout: options.flightTimeout,
    idle_in_transaction_session_timeout: 10_000,
  }
  const shared = Array.from({ length: options.sharedLines }, () => sharedLine(settings, log))
  const heldLines = new WeakMap<pg.PoolClient, Line>()
  const pool = new pg.Pool({
    ...settings,
    max: options.heldLines,
    min: 0,
    idleTimeoutMillis: 60_000,
    maxLifetimeSeconds: 1800,
  })
  // Both listeners are needed: without the one on each client, a backend that dies in mid-transaction ends the process.
  pool.on('error', (error) => log.warn({ err: error.message }, 'an idle database connection was lost'))
  pool.on('connect', (client) => client.on('error', () => {}))

  const watchdog = setInterval(() => {
    const now = performance.now()
    for (const slot of shared)
      if (slot.line && slot.line.waited(now) > options.flightTimeout + 1000)
        slot.line.cut(new Error('no answer in time'))
  }, 500)
  watchdog.unref()
  await shared[0]!.ready
  const tally: Tally = { flights: 0, refused: 0, undelivered: 0 }
  function refuse(reason: string, cause?: unknown): never {
    tally.refused++
    throw new Unavailable(reason, { cause })
  }

  return {
    role,
    log,
    tally,
    async fly(calls) {
      const line = leastBusy(shared) ?? (await anyLine(shared, options.holdTimeout)) ?? refuse('the database is away')
      if (line.inTheAir >= MOST_IN_THE_AIR) refuse('too many statements are waiting for the database')
      tally.flights++
      return line.fly(calls)
    },
    async hold() {
      if (pool.waitingCount >= MOST_WAITING) refuse('too many transactions are waiting for the database')
      const client = await pool.connect().catch((error) => refuse('no database connection is free', error))
      const line = heldLines.get(client) ?? openLine(client as never, { shared: false })
      heldLines.set(client, line)
      return { line: timed(line, options.flightTimeout + 1000), release: (broken) => client.release(broken) }
    },
    stats: () => ({
      lines: shared.filter((slot) => slot.line).length,
      inTheAir: shared.reduce((sum, slot) => sum + (slot.line?.inTheAir ?? 0), 0),
      held: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
    }),
    async close() {
      clearInterval(watchdog)
      await Promise.all([...shared.map((slot) => slot.close()), pool.end()])
    },
  }
}

interface Slot {
  line: Line | undefined
  /** settles with the first connection */
  ready: Promise<void>
  close(): Promise<void>
}

/** One shared connection that comes back by itself: back-off from 50 ms to 1 s, with jitter. */
function sharedLine(settings: pg.ClientConfig, log: Log): Slot {
  let closed = false
  let client: pg.Client | undefined
  const slot: Slot = {
    line: undefined,
    ready: connect(),
    async close() {
      closed = true
      slot.line = undefined
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
    slot.line = openLine(fresh, { shared: true })
    fresh.once('end', () => {
      slot.line = undefined
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

function leastBusy(slots: Slot[]): Line | undefined {
  let best: Line | undefined
  for (const { line } of slots) if (line && (!best || line.inTheAir < best.inTheAir)) best = line
  return best
}

async function anyLine(slots: Slot[], patience: number): Promise<Line | undefined> {
  for (const end = performance.now() + patience; performance.now() < end; await sleep(20)) {
    const line = leastBusy(slots)
    if (line) return line
  }
  return undefined
}

/** A held line carries one flight at a time; one that gets no answer is cut, so that nothing hangs. */
function timed(line: Line, limit: number): Line {
  return Object.create(line, {
    fly: {
      value: async (calls: readonly Call[]) => {
        const timer = setTimeout(() => line.cut(new Error('no answer in time')), limit)
        try {
          return await line.fly(calls)
        } finally {
          clearTimeout(timer)
        }
      },
    },
  }) as Line
}
