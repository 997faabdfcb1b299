import type { DestinationStream } from 'pino'
import pretty from 'pino-pretty'

/** What a line of a request tells first; the rest follows as JSON. */
const REQUEST = '{msg}{if method} {method} {route} {status}{if error} {error}{end} {ms} ms{end}'

/** Lines for somebody who reads along: the time, the level, the sentence, then the facts. */
export function terminalLog(destination: number | NodeJS.WritableStream, colorize: boolean): DestinationStream {
  return pretty({
    destination,
    colorize,
    sync: true,
    singleLine: true,
    translateTime: 'SYS:HH:MM:ss.l',
    messageFormat: REQUEST,
    ignore: 'method,route,status,error,ms,ip',
  })
}
