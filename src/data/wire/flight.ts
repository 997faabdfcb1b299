/**
 * A flight is a list of statements sent together and answered together: one extended-protocol batch with a single
 * Sync, which PostgreSQL runs as one implicit transaction. One round trip, all or nothing, and a local `set_config`
 * holds exactly as long as the flight does. Flights queue on a connection without waiting for each other.
 *
 * pg offers the way in: an object with `submit` may be passed to `client.query`, and is then handed the messages.
 * See https://www.postgresql.org/docs/18/protocol-flow.html#PROTOCOL-FLOW-PIPELINING
 */
export interface Prepared extends Traits {
  /** UNNAMED if it is parsed each time */
  readonly name: string
  readonly text: string
  /** absent if the statement does not come from a store */
  readonly intent?: Intent
  /** the tables, by their names in the generated schema, that it reads through parts that their owners lend */
  readonly lent?: ReadonlySet<string>
}
/** The name of statements that the server does not keep. */
export const UNNAMED = ''
/** What a statement does to its transaction, as its verb says. */
export type Intent = 'read' | 'lock' | 'write'
/** What a statement says about itself when it is declared. */
export interface Traits {
  /** a read that may be older than the locks after it in its flight */
  readonly beforeLock?: boolean
  /** reads rows that no index serves: it runs on separate connections, few at a time */
  readonly costly?: boolean
  /** its answer may be large: each person gets one at a time */
  readonly large?: boolean
  /** draws an id, which belongs to no tenant; its row has the database's clock as `now` */
  readonly draws?: boolean
  /** its flight shares no commit with others */
  readonly alone?: boolean
  /** it locks or changes rows that belong to no tenant */
  readonly changesShared?: boolean
}
export interface Call {
  readonly prepared: Prepared
  readonly values: readonly unknown[]
}
/** True if it locks rows or changes them. */
export function changes({ prepared }: Call): boolean {
  return prepared.intent === 'lock' || prepared.intent === 'write'
}
/** SQLSTATE of what may succeed when its transaction starts over. */
export const SERIALIZATION_FAILURE = '40001'
/** True if PostgreSQL cancelled the statement because it took too long. */
export function isTimeout({ code }: FlightError): boolean {
  return code === '57014'
}
export type Row = Record<string, unknown>
export interface Result {
  readonly rows: Row[]
  /** changed rows, from the command tag */
  affected: number
}

/** A database error with the position of the failed statement in its flight. */
export interface FlightError extends Error {
  code?: string
  constraint?: string
  statement?: number
}

/**
 * The name of the violated constraint, as the migration gave it. A shard of Citus adds its number to the name, and an
 * error that comes from another node has the name only in its message.
 */
export function constraintOf({ code, constraint, message }: FlightError): string | undefined {
  const name = constraint ?? (code?.startsWith('23') ? / constraint "([^"]+)"/.exec(message)?.[1] : undefined)
  return name?.replace(/_\d{6,}$/, '')
}
