import { styleText } from 'node:util'
import type { Exchange } from './wire.ts'

const WIDTH = 100
const INDENT = '      '
/** The headers that a reader should see. */
const SHOWN = ['Accept', 'Idempotency-Key', 'X-Tenant-Code', 'Range', 'If-None-Match']

/** @param shown the interesting part of the answer; by default all of it */
export function printExchange(exchange: Exchange, shown = spoken(exchange)): void {
  console.log(`${INDENT}${requestLine(exchange)}`)
  if (exchange.answer) printBehind(status(exchange.answer.status), shown)
}

/** An event of a stream. */
export function printEvent(shown: string): void {
  printBehind(styleText('green', ' ⇠ '), shown)
}

/** After a mark three characters wide. */
function printBehind(mark: string, shown: string): void {
  const [first, ...more] = shown.split('\n').flatMap(wrapped)
  console.log(`${INDENT}${mark}   ${first}`)
  for (const line of more) console.log(`${INDENT}      ${line}`)
}

function requestLine({ method, path, headers, body }: Exchange): string {
  const extras = SHOWN.filter((name) => headers.get(name)).map((name) => `${name}: ${headers.get(name)}`)
  if (typeof body === 'string') extras.push(blanked(body.trimEnd().replaceAll('\n', ' ⏎ ')))
  if (body instanceof FormData)
    for (const [, file] of body) if (file instanceof File) extras.push(`${file.name}, ${file.size} bytes`)
  const line = `${method.padEnd(6)}  ${path}`
  if (extras.length === 0) return styleText('cyan', line)
  const room = WIDTH - INDENT.length - line.length - 2
  const extra = extras.join('  ')
  return `${styleText('cyan', line)}  ${styleText('dim', extra.length > room ? `${extra.slice(0, room - 1)}…` : extra)}`
}

function spoken({ answer, said }: Exchange): string {
  if (said === undefined) return answer?.headers.get('content-type') ?? ''
  if (!said.error) return blanked(JSON.stringify(said.data))
  const { type, details } = said.error
  return [`${type}: ${said.message}`, ...details.map((detail: object) => JSON.stringify(detail))].join('\n')
}

function blanked(json: string): string {
  return json.replace(/("\w*(?:[pP]assword|Token)":)"[^"]*"/g, '$1"…"')
}

/** Breaks a long line between words. */
function wrapped(line: string): string[] {
  const room = WIDTH - INDENT.length - 6
  if (line.length <= room) return [line]
  const cut = line.lastIndexOf(' ', room)
  return cut <= 0 ? [line] : [line.slice(0, cut), ...wrapped(line.slice(cut + 1))]
}

function status(code: number): string {
  return styleText(code < 400 ? 'green' : 'yellow', String(code))
}
