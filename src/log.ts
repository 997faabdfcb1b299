import pino, { type DestinationStream, type Logger } from 'pino'

/**
 * What must not be in a log whoever writes it there: secrets by their names, and whole objects in which libraries tell
 * what was sent (@fastify/multipart its headers, at level trace). No wildcards: one alone costs each line as much as all else.
 */
const REDACTED = [
  ...['authorization', 'cookie', 'password', 'token', 'refreshToken', 'accessToken', '["idempotency-key"]'],
  ...['headers', 'body', 'query', 'req', 'res', 'busboyOptions'],
]

/** What processes write into one pipe in pieces of this size stays in one piece. */
const PIECE_BYTES = 4096

export interface Destination {
  stream: DestinationStream
  /** Writes what is left. */
  end(): void
}

/** Where the log goes: JSON in batches for machines, in development lines to read where somebody sits at a terminal. */
export async function openDestination(production: boolean): Promise<Destination> {
  if (!production && process.stdout.isTTY) {
    const { terminalLog } = await import('./terminal-log.ts')
    return { stream: terminalLog(1, !process.env.NO_COLOR), end() {} }
  }
  const stream = pino.destination({ sync: false, minLength: PIECE_BYTES - 1024, maxWrite: PIECE_BYTES })
  setInterval(() => stream.flush(), 1000).unref()
  return { stream, end: () => stream.flushSync() }
}

/** The log: JSON, one object a line, without secrets. */
export function openLog(level: string, destination: DestinationStream): Logger {
  return pino(
    {
      level,
      redact: REDACTED,
      base: undefined,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: describeError },
    },
    destination,
  )
}

/** Errors of the database whose sentence is about our SQL or its own state. That of all others may quote a value. */
const ABOUT_US = /^(08|23|25|40|42|53|54|55|57|58|XX)/

interface DatabaseFacts {
  code?: string
  severity?: string
  table?: string
  column?: string
  constraint?: string
}

/** An error with its stack; of one of the database also what it is about, and never a detail, which quotes whole rows. */
export function describeError(thrown: unknown): object {
  if (!(thrown instanceof Error)) return { message: String(thrown) }
  const { name, message, stack = '', cause } = thrown
  const { code, severity, table, column, constraint } = thrown as DatabaseFacts
  const quotes = severity !== undefined && !ABOUT_US.test(code ?? '')
  return {
    type: name,
    message: quotes ? `a value was refused (${code})` : message,
    code,
    table,
    column,
    constraint,
    stack: quotes ? stack.slice(stack.indexOf('\n    at ') + 1) : stack,
    ...(cause !== undefined && { cause: describeError(cause) }),
  }
}
