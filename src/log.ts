import pino, { type DestinationStream, type Logger } from 'pino'
import { type Output, openOutput } from './util/lossy-output.ts'
import { onOneLine } from './util/text/json-line.ts'

/**
 * What must not be logged by any code: secrets by their names, and whole objects in which libraries log what was sent
 * (@fastify/multipart its headers, at level trace). No wildcards: one costs each line as much as everything else.
 */
const REDACTED = [
  ...['authorization', 'cookie', 'password', 'token', 'refreshToken', 'accessToken', '["idempotency-key"]'],
  ...['headers', 'body', 'query', 'req', 'res', 'busboyOptions'],
]

/** How long the last lines may take, if something reads them. */
const LAST_LINES_MS = 500

export interface Destination {
  stream: DestinationStream & Partial<Output>
  /** Writes the remaining lines, as far as possible. */
  end(): Promise<void>
}

/** Where the log goes: JSON in batches for machines, readable lines for a developer at a terminal. */
export async function openDestination(production: boolean): Promise<Destination> {
  if (!production && process.stdout.isTTY) {
    const { terminalLog } = await import('./terminal-log.ts')
    return { stream: terminalLog(1, !process.env.NO_COLOR), end: async () => {} }
  }
  const output = openOutput(process.stdout.fd, { onBack: (lines) => output.write(lineOfLoss(lines)) })
  return { stream: output, end: () => output.flush(LAST_LINES_MS) }
}

function lineOfLoss(lines: number): string {
  const msg = 'lines of the log are missing; they could not be written'
  return `${JSON.stringify({ level: 40, time: new Date().toISOString(), lines, msg })}\n`
}

const outputs = new WeakMap<Logger, Partial<Output>>()

/** The log: JSON, one object a line, without secrets. */
export function openLog(level: string, destination: DestinationStream & Partial<Output>): Logger {
  const logger = pino(
    {
      level,
      redact: REDACTED,
      base: undefined,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: describeError },
      hooks: { streamWrite: onOneLine },
    },
    destination,
  )
  outputs.set(logger, destination)
  return logger
}

/** How many lines of the log have been lost so far. */
export function droppedLines(logger: Logger): number {
  return outputs.get(logger)?.dropped ?? 0
}

/**
 * Errors of the database whose message is about our SQL or its own state. The messages of all others may quote a value.
 */
const ABOUT_US = /^(08|23|25|40|42|53|54|55|57|58|XX)/

interface DatabaseFacts {
  code?: string
  severity?: string
  table?: string
  column?: string
  constraint?: string
}

/**
 * An error with its stack. For an error of the database also what it is about, but never the detail, which quotes whole
 * rows.
 */
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
