import type { Client, Connection, FieldDef } from 'pg'
import pg from 'pg'
import { LostInFlight, Unavailable } from './unavailable.ts'
import { encode, parserOf } from './values.ts'

/**
 * A flight is a list of statements sent together and answered together: one extended-protocol batch with a single
 * Sync, which PostgreSQL runs as one implicit transaction. One round trip, all or nothing, and a local `set_config`
 * holds exactly as long as the flight does. Flights queue on a connection without waiting for each other.
 *
 * pg offers the way in: an object with `submit` may be passed to `client.query`, and is then handed the messages.
 * See https://www.postgresql.org/docs/18/protocol-flow.html#PROTOCOL-FLOW-PIPELINING
 */
export interface Prepared {
  readonly name: string
  readonly text: string
  /** it locks rows or changes them; a statement without is a mere read */
  readonly changes?: boolean
}
export interface Call {
  readonly prepared: Prepared
  readonly values: readonly unknown[]
  /** its row carries the database's clock as `now` */
  readonly tellsTime?: true
}
export type Row = Record<string, unknown>
export interface Landing {
  readonly rows: Row[]
  /** rows touched, as the command tag tells */
  affected: number
}

/** A database error together with the position of the statement that failed in its flight. */
export interface FlightError extends Error {
  code?: string
  constraint?: string
  statement?: number
}

export interface Line {
  /** Sends the calls as one flight. Rejects with the database's error (and `statement`), or Unavailable when the line broke. */
  fly(calls: readonly Call[]): Promise<Landing[]>
  /** flights sent and not yet answered */
  readonly inTheAir: number
  /** milliseconds that the oldest unanswered flight has waited */
  waited(now: number): number
  /** Drops the connection; every flight on it fails. */
  cut(reason: Error): void
}

interface Flight {
  readonly calls: readonly Call[]
  readonly landings: Landing[]
  readonly askedAt: number
  parsed: string[] | undefined
  error: FlightError | undefined
  retried: boolean
  resolve(landings: Landing[]): void
  reject(error: Error): void
}

type Layout = ReadonlyArray<{ name: string; parse: (text: string) => unknown }>
const noColumns: Layout = []
const UNNAMED = ''
const UNKNOWN_STATEMENT = '26000'
const STALE_PLAN = '0A000'

export interface LineOptions {
  /** A shared line carries flights of many requests, each complete in itself; one that is not is held by one transaction. */
  shared: boolean
  /**
   * Behind a pooler each flight may meet another server connection, where a name means nothing: so a statement has none,
   * and is parsed and described in each flight. And a flight leaves when the one before it has been answered: a pooler
   * that sees that answer may take the server away in the midst of what was sent after it (pgbouncer/pgbouncer#759).
   */
  pooled?: boolean | undefined
}

/** Turns a connected pg client into a line. The line owns the client's queries from then on. */
export function openLine(client: Client, { shared, pooled = false }: LineOptions): Line {
  /** Statements that the server has been told of. What is sent later in this line may name them. */
  const known = new Set<string>()
  /** The columns of each statement, as the server described them last: answers come in the order of the questions. */
  const layouts = new Map<string, Layout>()
  const air: Flight[] = []
  let connection: Connection | undefined
  let broken: Error | undefined
  let layout = noColumns
  let gathering = false

  function send(flight: Flight) {
    const wire = connection!
    gather()
    for (const { prepared, values } of flight.calls) {
      const name = pooled ? UNNAMED : prepared.name
      if (pooled) parse(wire, name, prepared.text)
      else if (!known.has(name)) prepare(wire, flight, prepared)
      wire.bind({ statement: name, values: values.map(encode) } as never, true as never)
      wire.execute(undefined as never, true as never)
    }
    wire.sync()
  }

  /** What is sent in one turn of the loop, by all requests that were read in it, leaves in one system call. */
  function gather() {
    if (gathering) return
    gathering = true
    const { stream } = connection as Connection & { stream: { cork(): void; uncork(): void } }
    stream.cork()
    setImmediate(() => {
      gathering = false
      stream.uncork()
    })
  }

  /** Close first: a name whose Parse failed once, or whose plan went stale, could not be parsed again. */
  function prepare(wire: Connection, flight: Flight, prepared: Prepared) {
    const close = wire as Connection & { close(what: { type: 'S'; name: string }): void }
    close.close({ type: 'S', name: prepared.name })
    parse(wire, prepared.name, prepared.text)
    known.add(prepared.name)
    flight.parsed ??= []
    flight.parsed.push(prepared.name)
  }

  function parse(wire: Connection, name: string, text: string) {
    wire.parse({ name, text, types: [] }, true as never)
    wire.describe({ type: 'S', name }, true as never)
  }

  /** The flight at the head has been answered in full. */
  function land() {
    const flight = air.shift()
    if (!flight) return
    if (pooled && air[0]) send(air[0])
    if (!flight.error) return flight.resolve(flight.landings)
    forget(flight)
    if (mayRetry(flight)) return relaunch(flight)
    flight.reject(flight.error)
  }

  /**
   * Statements at and behind the failed one may not be known to the server: they are parsed anew next time. Their columns
   * are kept: flights that are under way already will be answered in them.
   */
  function forget(flight: Flight) {
    const failed = flight.landings.length
    for (let at = failed; at < flight.calls.length; at++) {
      const { name } = flight.calls[at]!.prepared
      if (at === failed || flight.parsed?.includes(name)) known.delete(name)
    }
  }

  /** A flight that failed for want of a known statement did nothing, so it may be sent once more. A transaction starts over by itself. */
  function mayRetry(flight: Flight) {
    const code = flight.error?.code
    return shared && !flight.retried && !broken && (code === UNKNOWN_STATEMENT || code === STALE_PLAN)
  }

  function relaunch(flight: Flight) {
    launch({ ...flight, landings: [], parsed: undefined, error: undefined, retried: true })
  }

  function launch(flight: Flight) {
    air.push(flight)
    if (!pooled || air.length === 1) send(flight)
  }

  function breakDown(reason: Error) {
    if (broken) return
    broken = reason
    for (const [at, flight] of air.splice(0).entries()) {
      const Loss = pooled && at > 0 ? Unavailable : LostInFlight
      flight.reject(new Loss('the database connection broke', { cause: reason }))
    }
  }

  function cut(reason: Error) {
    breakDown(reason)
    client.end().catch(() => {})
  }

  const deck = {
    submit(wire: Connection) {
      connection = wire
      // After an error pg lets go of the deck; being submitted anew means that the Sync has been answered.
      if (air[0]?.error) land()
    },
    handleRowDescription(message: { fields: FieldDef[] }) {
      if (broken) return
      const flight = air[0]!
      const name = flight.calls[flight.landings.length]!.prepared.name
      layouts.set(
        name,
        message.fields.map((field) => ({ name: camelCase(field.name), parse: parserOf(field.dataTypeID) })),
      )
    },
    handleDataRow(message: { fields: (string | null)[] }) {
      if (broken) return
      const rows = current(air[0]!)
      // Read in the columns of another it would look like a row, and everything decided on it would be wrong.
      if (message.fields.length !== layout.length) return cut(new Error('a row has not the columns of its statement'))
      rows.push(readRow(layout, message.fields))
    },
    handleCommandComplete(message: { text: string }) {
      if (broken) return
      const flight = air[0]!
      current(flight)
      flight.landings.push({ rows: pending ?? [], affected: affectedBy(message.text) })
      pending = undefined
    },
    handleEmptyQuery() {},
    handlePortalSuspended() {},
    handleError(error: Error) {
      if (!(error instanceof pg.DatabaseError)) return breakDown(error)
      const flight = air[0]
      // Terminated behind its last statement: the commit may have been the last thing the server did.
      if (flight && flight.landings.length === flight.calls.length) return breakDown(error)
      if (flight) {
        flight.error = error as FlightError
        flight.error.statement = flight.landings.length
      }
      pending = undefined
      client.query(deck as never)
    },
    handleReadyForQuery() {
      land()
      client.query(deck as never)
    },
  }

  let pending: Row[] | undefined
  function current(flight: Flight): Row[] {
    if (pending) return pending
    layout = layouts.get(flight.calls[flight.landings.length]!.prepared.name) ?? noColumns
    pending = []
    return pending
  }

  client.on('error', breakDown)
  client.on('end', () => breakDown(new Error('the connection ended')))
  client.query(deck as never)

  return {
    get inTheAir() {
      return air.length
    },
    waited: (now) => (air.length ? now - air[0]!.askedAt : 0),
    cut,
    fly(calls) {
      // A client that was lost before it became a line never submits the deck, and tells us only in the next turn.
      if (broken || !connection)
        return Promise.reject(new Unavailable('the database connection is gone', { cause: broken }))
      return new Promise((resolve, reject) => {
        launch({
          calls,
          landings: [],
          askedAt: performance.now(),
          parsed: undefined,
          error: undefined,
          retried: false,
          resolve,
          reject,
        })
      })
    },
  }
}

function readRow(layout: Layout, fields: (string | null)[]): Row {
  const row: Row = {}
  for (let at = 0; at < layout.length; at++) {
    const column = layout[at]!
    const text = fields[at]!
    row[column.name] = text === null ? null : column.parse(text)
  }
  return row
}

/** `INSERT 0 3`, `UPDATE 3`, `DELETE 3`: the last word is the count. */
function affectedBy(tag: string): number {
  return Number(tag.slice(tag.lastIndexOf(' ') + 1)) || 0
}

function camelCase(name: string): string {
  return name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
}
