import type { DestinationStream } from 'pino'
import pretty from 'pino-pretty'

/** Lines for a reader at a terminal: the time, the level, the sentence, then the facts. */
export function terminalLog(destination: number | NodeJS.WritableStream, colorize: boolean): DestinationStream {
  return pretty({
    destination,
    colorize,
    sync: true,
    singleLine: true,
    translateTime: 'SYS:HH:MM:ss.l',
    messageFormat: sentenceOf,
    ignore: 'method,route,status,error,ms,ip',
  })
}

/** What a request was and how it ended; the rest follows as JSON. */
function sentenceOf(line: Record<string, unknown>): string {
  const { msg, method, route, status, error, ms } = line
  const request = method ? [method, route, status, error, `${ms} ms`] : []
  return [msg, ...request].filter(Boolean).join(' ')
}
