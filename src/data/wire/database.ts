import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { TenantId } from '../../kernel/actor.ts'
import { type Bell, openBell } from '../redis/signal.ts'
import { type Call, type Landing, type Line, type LineOptions, openLine, type Prepared } from './connection.ts'
import { Unavailable } from './unavailable.ts'

export interface DatabaseOptions {
  url: string
  /** the role that every flight drops to */
  role: string
  /** connections shared by the flights of all requests: those that only read, and those that change something */
  readingLines: number
  writingLines: number
  /** connections held one at a time by transactions that think between two flights */
  heldLines: number
  /** true where the URL leads to a pooler in transaction mode: then nothing is kept in the session */
  pooled?: boolean | undefined
  /** true where the service goes on without it: then the first connection is not awaited */
  optional?: boolean
  /** ms a statement may take; a flight without an answer is given up, and its line cut, at most 200 ms later */
  flightTimeout: number
  /** ms a transaction may wait for a line */
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
  /** Rung when the courier has put something into an inbox. */
  readonly bell: Bell
  /** The first statement of every flight: the service's own role, and the tenant, for as long as the flight lasts. */
  entering(tenantId: TenantId, on: 'shared line' | 'held line'): Call
  /** Sends a flight on the least busy line of its kind. Rejects with Unavailable when there is none. */
  fly(calls: readonly Call[]): Promise<Landing[]>
  /** Lends a line to one transaction. Rejects with Unavailable after `holdTimeout` ms. */
  hold(): Promise<Held>
  stats(): { lines: number; inTheAir: number; held: number; idle: number; waiting: number }
  close(): Promise<void>
}

/**
 * A flight that waits for a row keeps those behind it waiting, so on a writing line it does not wait for long: it fails
 * with 55P03, and its transaction tries again on a line that it holds. A reading line waits for no row at all.
 */
const WRITING_LOCK_TIMEOUT_MS = 250
/** The database itself gives a statement up in time: its answer, if there is one, is on the way for at most this long. */
const GRACE_MS = 100
const LOOK_EVERY_MS = 100
/** More flights than this on one line, or transactions waiting for one, mean that the database cannot keep up: shed instead of queueing. */
const MOST_IN_THE_AIR = 256
const MOST_WAITING = 512

/** Opens the lines to the database. The first connection is awaited, so that a wrong URL shows at once. */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const { url, role, pooled, log } = options
  const limits = {
    statement_timeout: options.flightTimeout,
    lock_timeout: options.flightTimeout,
    idle_in_transaction_session_timeout: 10_000,
  }
  const settings: pg.PoolConfig = {
    connectionString: url,
    application_name: 'atrium',
    keepAlive: true,
    connectionTimeoutMillis: options.holdTimeout,
    ...(!pooled && limits),
  }
  const hasty = { ...settings, ...(!pooled && { lock_timeout: WRITING_LOCK_TIMEOUT_MS }) }
  const enter = entrance(pooled ? limits : {})
  const enterHastily = entrance({ ...limits, lock_timeout: WRITING_LOCK_TIMEOUT_MS })
  const use = { shared: true, pooled }
  const reading = Array.from({ length: options.readingLines }, () => sharedLine(settings, use, log))
  const writing = Array.from({ length: options.writingLines }, () => sharedLine(hasty, use, log))
  const shared = [...reading, ...writing]
  const heldLines = new Map<pg.PoolClient, Line>()
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
  pool.on('remove', (client) => heldLines.delete(client))

  const stopWatching = watchOver(
    () => [...shared.flatMap(({ line }) => line ?? []), ...heldLines.values()],
    options.flightTimeout + GRACE_MS,
  )
  if (!options.optional) await shared[0]!.ready
  const tally: Tally = { flights: 0, refused: 0, undelivered: 0 }
  function refuse(reason: string, cause?: unknown): never {
    tally.refused++
    throw new Unavailable(reason, { cause })
  }

  return {
    role,
    log,
    tally,
    bell: openBell(),
    entering(tenantId, on) {
      const prepared = pooled && on === 'shared line' ? enterHastily : enter
      return { prepared, values: [role, String(tenantId)] }
    },
    async fly(calls) {
      const lines = calls.some(({ prepared }) => prepared.changes) ? writing : reading
      const line = leastBusy(lines) ?? (await anyLine(lines, options.holdTimeout)) ?? refuse('the database is away')
      if (line.inTheAir >= MOST_IN_THE_AIR) refuse('too many statements are waiting for the database')
      tally.flights++
      return line.fly(calls)
    },
    async hold() {
      if (pool.waitingCount >= MOST_WAITING) refuse('too many transactions are waiting for the database')
      const client = await pool.connect().catch((error) => refuse('no database connection is free', error))
      const line = heldLines.get(client) ?? openLine(client as never, { shared: false, pooled })
      heldLines.set(client, line)
      return { line, release: (broken) => client.release(broken) }
    },
    stats: () => ({
      lines: shared.filter((slot) => slot.line).length,
      inTheAir: shared.reduce((sum, slot) => sum + (slot.line?.inTheAir ?? 0), 0),
      held: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
    }),
    async close() {
      stopWatching()
      await Promise.all([...shared.map((slot) => slot.close()), pool.end()])
    },
  }
}

/** What a pooler does not let a connection bring along, a flight brings: the limits hold for it alone, like the role. */
function entrance(limits: Record<string, number>): Prepared {
  const own = [`'role', $1`, `'app.tenant_id', $2`]
  const settings = [...own, ...Object.entries(limits).map(([name, ms]) => `'${name}', '${ms}'`)]
  return { name: 'enter', text: `select ${settings.map((setting) => `set_config(${setting}, true)`).join(', ')}` }
}

interface Slot {
  line: Line | undefined
  /** settles with the first connection */
  ready: Promise<void>
  close(): Promise<void>
}

/** One shared connection that comes back by itself: back-off from 50 ms to 1 s, with jitter. */
function sharedLine(settings: pg.ClientConfig, line: LineOptions, log: Log): Slot {
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
    slot.line = openLine(fresh, line)
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

/**
 * Cuts every line on which a flight has waited too long, so that nothing hangs. A process that was held up itself first
 * reads what has come meanwhile.
 */
function watchOver(lines: () => Line[], patience: number): () => void {
  let lookedAt = performance.now()
  const looking = setInterval(() => {
    const now = performance.now()
    const heldUp = now - lookedAt > 5 * LOOK_EVERY_MS
    lookedAt = now
    if (heldUp) return
    for (const line of lines()) if (line.waited(now) > patience) line.cut(new Error('no answer in time'))
  }, LOOK_EVERY_MS)
  looking.unref()
  return () => clearInterval(looking)
}
