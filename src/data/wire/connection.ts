import type { Socket } from 'node:net'
import type { Client, FieldDef, Connection as PgConnection } from 'pg'
import pg from 'pg'
import { gathering } from '../connections/gathering.ts'
import { type Call, type FlightError, type Prepared, type Result, type Row, UNNAMED } from './flight.ts'
import { ConnectionLost, Unavailable } from './unavailable.ts'
import { affectedBy, encode, type Layout, layoutOf, readRow } from './values.ts'

/** One connection to PostgreSQL. Flights queue on it without waiting for each other. */
export interface Connection {
  /**
   * Sends the calls as one flight. Rejects with the database's error (and `statement`), or with Unavailable if the
   * connection broke.
   */
  send(calls: readonly Call[]): Promise<Result[]>
  /** flights sent and not yet answered */
  readonly pending: number
  /** of the server; undefined on a local socket */
  readonly address: string | undefined
  /** milliseconds that the oldest unanswered flight has waited */
  oldestWait(now: number): number
  /** Closes it immediately; every flight on it fails. */
  destroy(reason: Error): void
}

interface Flight {
  readonly calls: readonly Call[]
  readonly results: Result[]
  readonly askedAt: number
  parsed: string[] | undefined
  error: FlightError | undefined
  retried: boolean
  resolve(results: Result[]): void
  reject(error: Error): void
}

const UNSENT = { parsed: undefined, error: undefined, retried: false }
const noColumns: Layout = []
const UNKNOWN_STATEMENT = '26000'
const STALE_PLAN = '0A000'

export interface ConnectionOptions {
  /**
   * A shared connection carries flights of many requests, each complete in itself; any other is leased to one
   * transaction.
   */
  shared: boolean
  /**
   * Behind a pooler each flight may use a different server connection, where a name means nothing. So a statement has
   * none, and is parsed and described in each flight. And a flight leaves only after the previous one has been
   * answered: a pooler that sees that answer may release the server connection while later messages are being sent
   * (pgbouncer/pgbouncer#759).
   */
  pooled?: boolean | undefined
}

/** Takes over a connected pg client: its queries go through here from then on. */
export function openConnection(client: Client, { shared, pooled = false }: ConnectionOptions): Connection {
  /** Statements that were sent to the server. Later messages may name them. */
  const known = new Set<string>()
  /** The columns of each statement, as the server described them last: answers come in the order of the questions. */
  const layouts = new Map<string, Layout>()
  const inFlight: Flight[] = []
  let connection: PgConnection | undefined
  let broken: Error | undefined
  let layout = noColumns
  const gather = gathering(() => connection!.stream)

  function send(flight: Flight) {
    const wire = connection!
    gather()
    for (const { prepared, values } of flight.calls) {
      const name = pooled ? UNNAMED : prepared.name
      if (name === UNNAMED) parse(wire, name, prepared.text)
      else if (!known.has(name)) prepare(wire, flight, prepared)
      wire.bind({ statement: name, values: values.map(encode) }, true)
      wire.execute(null, true)
    }
    wire.sync()
  }

  /** Close first: a name whose Parse failed once, or whose plan is stale, could not be parsed again. */
  function prepare(wire: PgConnection, flight: Flight, prepared: Prepared) {
    wire.close({ type: 'S', name: prepared.name }, true)
    parse(wire, prepared.name, prepared.text)
    known.add(prepared.name)
    flight.parsed ??= []
    flight.parsed.push(prepared.name)
  }

  function parse(wire: PgConnection, name: string, text: string) {
    wire.parse({ name, text, types: [] }, true)
    wire.describe({ type: 'S', name }, true)
  }

  /** The flight at the head has been answered. */
  function complete() {
    const flight = inFlight[0]
    if (!flight) return
    const isPart = !flight.error && flight.results.length < flight.calls.length
    if (isPart) return breakDown(new Error('a flight was answered in part'))
    inFlight.shift()
    if (pooled && inFlight[0]) send(inFlight[0])
    if (!flight.error) return flight.resolve(flight.results)
    forget(flight)
    if (mayRetry(flight)) return redispatch(flight)
    flight.reject(flight.error)
  }

  /**
   * Statements from the failed one on may be unknown to the server: they are parsed again next time. Their columns are
   * kept, because pending flights will be answered in them.
   */
  function forget(flight: Flight) {
    const failed = flight.results.length
    for (let at = failed; at < flight.calls.length; at++) {
      const { name } = flight.calls[at]!.prepared
      if (at === failed || flight.parsed?.includes(name)) known.delete(name)
    }
  }

  /**
   * A flight that failed because a statement was unknown did nothing, so it may be sent once more. A transaction starts
   * over by itself.
   */
  function mayRetry(flight: Flight) {
    const code = flight.error?.code
    return shared && !flight.retried && !broken && (code === UNKNOWN_STATEMENT || code === STALE_PLAN)
  }

  function redispatch(flight: Flight) {
    dispatch({ ...flight, results: [], parsed: undefined, error: undefined, retried: true })
  }

  function dispatch(flight: Flight) {
    inFlight.push(flight)
    if (!pooled || inFlight.length === 1) send(flight)
  }

  /** A connection that lived on would keep its place. */
  function breakDown(reason: Error) {
    if (broken) return
    broken = reason
    for (const [at, flight] of inFlight.splice(0).entries()) {
      const Loss = pooled && at > 0 ? Unavailable : ConnectionLost
      flight.reject(new Loss('the database connection broke', { cause: reason }))
    }
    client.end().catch(() => {})
  }

  /** What cannot be read ends the connection. Thrown to the socket, it would end the process. */
  function reading<Message>(handle: (message: Message) => void) {
    return (message: Message) => {
      if (broken) return
      try {
        handle(message)
      } catch (cause) {
        breakDown(new Error('an answer of the database cannot be read', { cause }))
      }
    }
  }

  const protocolHandler = {
    submit(wire: PgConnection) {
      connection = wire
      // After an error pg releases the protocolHandler; being submitted again means that the Sync has been answered.
      if (inFlight[0]?.error) complete()
    },
    handleRowDescription: reading((message: { fields: FieldDef[] }) => {
      const statement = next()
      if (statement) layouts.set(statement.name, layoutOf(message.fields))
    }),
    handleDataRow: reading((message: { fields: (string | null)[] }) => {
      const received = current()
      if (!received) return
      // Read with the columns of another statement it would look like a row, and every decision based on it would be
      // wrong.
      if (message.fields.length !== layout.length)
        return breakDown(new Error('a row does not have the columns of its statement'))
      received.push(readRow(layout, message.fields))
    }),
    handleCommandComplete: reading((message: { text: string }) => {
      const received = current()
      if (!received) return
      inFlight[0]!.results.push({ rows: received, affected: affectedBy(message.text) })
      rows = undefined
    }),
    handleError(error: Error) {
      if (!(error instanceof pg.DatabaseError)) return breakDown(error)
      const flight = inFlight[0]
      // Terminated after its last statement: the commit may have been the last thing the server did.
      if (flight && flight.results.length === flight.calls.length) return breakDown(error)
      if (flight) {
        flight.error = error as FlightError
        flight.error.statement = flight.results.length
      }
      rows = undefined
      client.query(protocolHandler)
    },
    handleReadyForQuery() {
      complete()
      client.query(protocolHandler)
    },
  }

  let rows: Row[] | undefined
  function current(): Row[] | undefined {
    const statement = rows ? undefined : next()
    if (!statement) return rows
    layout = layouts.get(statement.name) ?? noColumns
    rows = []
    return rows
  }

  /** The statement that the server answers next. Without one, the answers belong to nobody we know. */
  function next(): Prepared | undefined {
    const flight = inFlight[0]
    const call = flight?.calls[flight.results.length]
    if (!call) breakDown(new Error('an answer came that no statement asked for'))
    return call?.prepared
  }

  client.on('error', breakDown)
  client.on('end', () => breakDown(new Error('the connection ended')))
  client.query(protocolHandler)

  return {
    get pending() {
      return inFlight.length
    },
    get address() {
      return (connection?.stream as Socket | undefined)?.remoteAddress
    },
    oldestWait: (now) => (inFlight.length ? now - inFlight[0]!.askedAt : 0),
    destroy: breakDown,
    send(calls) {
      // A client that was lost before it was taken over never submits the handler, and reports it only in the next
      // turn.
      if (broken || !connection)
        return Promise.reject(new Unavailable('the database connection is gone', { cause: broken }))
      return new Promise((resolve, reject) => {
        dispatch({ ...UNSENT, calls, results: [], askedAt: performance.now(), resolve, reject })
      })
    },
  }
}
