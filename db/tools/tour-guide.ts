import { styleText } from 'node:util'
import { eventsOf } from './tour-line.ts'

/** Sends requests as any client would, prints what is sent and what comes back, and insists on what it expects. */
export interface Call {
  method: 'GET' | 'POST' | 'PUT'
  path: string
  body?: unknown
  /** a file to upload, in place of a body */
  file?: File
  headers?: Record<string, string>
}

export interface Answer {
  status: number
  headers: Headers
  /** JSON as a value, everything else as text */
  body: any
}

/** An open event stream. */
export interface Line {
  /** Waits for the next event of this name and tells about it. @returns its data */
  hear(sentence: string, event: string, show: (data: any) => string): Promise<any>
  hangUp(): void
}

/** The answer is not the one that was announced. */
export class Surprise extends Error {}
/** Nobody listens at the address. */
export class NobodyThere extends Error {}

/** A status, and for a refusal the type of its error. */
export type Expected = number | [status: number, type: string]

export interface Guide {
  chapter(title: string): void
  /**
   * Sends a call and tells about it.
   * @param sentence what happens, for the reader
   * @param show the interesting part of a success's data, or of a refusal's error; throws Surprise when it is not as it should be
   * @returns the data of a success, or its text where it is no JSON; the error of a refusal
   */
  tell(sentence: string, call: Call, expected: Expected, show: (told: any, answer: Answer) => string): Promise<any>
  /** Opens an event stream, which stays open while the tour goes on. */
  listen(sentence: string, call: Call): Promise<Line>
  summary(): string
}

const WIDTH = 100
const INDENT = '      '
const PATIENCE_MS = 2000

export function openGuide(base: string): Guide {
  const started = performance.now()
  let calls = 0

  function request({ method, path, body, file, headers }: Call, signal?: AbortSignal): Promise<Response> {
    calls++
    const json = body === undefined ? {} : { 'content-type': 'application/json' }
    const form = new FormData()
    if (file) form.set('file', file)
    return fetch(`${base}/api/v1${path}`, {
      method,
      headers: { ...json, ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(file && { body: form }),
      ...(signal && { signal }),
    }).catch((error) => {
      throw new NobodyThere(base, { cause: error })
    })
  }

  async function send(call: Call): Promise<Answer> {
    const response = await request(call)
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.startsWith('application/json')
    return { status: response.status, headers: response.headers, body: isJson ? parse(text) : text }
  }

  /** News arrives a moment after the act it tells of: a GET is asked again for a while before it counts as a surprise. */
  async function ask(call: Call, expected: Expected, show: (told: any, answer: Answer) => string) {
    for (const end = performance.now() + PATIENCE_MS; ; await new Promise((resolve) => setTimeout(resolve, 50))) {
      const answer = await send(call)
      try {
        const told = insist(answer, expected)
        return { answer, told, shown: show(told, answer) }
      } catch (error) {
        const hope = error instanceof Surprise && answer.status === 200 && call.method === 'GET'
        if (!hope || performance.now() > end) throw error
      }
    }
  }

  return {
    chapter: (title) => console.log(`\n\n${styleText('bold', title)}`),
    async tell(sentence, call, expected, show) {
      announce(sentence, call)
      const { answer, told, shown } = await ask(call, expected, show)
      print(status(answer.status), shown)
      return told
    },
    async listen(sentence, call) {
      announce(sentence, call)
      const hangUp = new AbortController()
      const response = await request(call, hangUp.signal)
      if (!response.body || response.status !== 200) throw new Surprise(`expected a stream, but got ${response.status}`)
      print(status(response.status), response.headers.get('content-type')!)
      const events = eventsOf(response.body)
      return {
        async hear(sentence, event, show) {
          console.log(`\n  ${sentence}`)
          const late = AbortSignal.timeout(PATIENCE_MS)
          late.onabort = () => hangUp.abort(new Surprise(`expected the event ${event} within ${PATIENCE_MS} ms`))
          for (let next = await events.next(); !next.done; next = await events.next()) {
            if (next.value.event !== event) continue
            late.onabort = null
            print(styleText('green', ' ⇠ '), `${event}: ${show(next.value.data)}`)
            return next.value.data
          }
          throw new Surprise(`expected the event ${event}, but the stream has ended`)
        },
        hangUp: () => hangUp.abort(),
      }
    },
    summary: () =>
      `${calls} requests, every answer as expected, ${((performance.now() - started) / 1000).toFixed(1)} s`,
  }
}

function announce(sentence: string, call: Call) {
  console.log(`\n  ${sentence}`)
  console.log(`${INDENT}${requestLine(call)}`)
}

/** What came back, behind a mark three characters wide. */
function print(mark: string, shown: string) {
  const [first, ...more] = shown.split('\n').flatMap(wrapped)
  console.log(`${INDENT}${mark}   ${first}`)
  for (const line of more) console.log(`${INDENT}      ${line}`)
}

function requestLine({ method, path, body, file, headers = {} }: Call): string {
  const { authorization: _, ...shown } = headers
  const extras = Object.entries(shown).map(([name, value]) => `${name}: ${value}`)
  if (body !== undefined) extras.push(JSON.stringify(body).replace(/("\w*[pP]assword":)"[^"]*"/g, '$1"…"'))
  if (file) extras.push(`${file.name}, ${file.size} bytes`)
  const line = `${method.padEnd(4)}  ${path}`
  if (extras.length === 0) return styleText('cyan', line)
  const room = WIDTH - INDENT.length - line.length - 2
  const extra = extras.join('  ')
  return `${styleText('cyan', line)}  ${styleText('dim', extra.length > room ? `${extra.slice(0, room - 1)}…` : extra)}`
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

function insist(answer: Answer, expected: Expected): any {
  const [wanted, type] = [expected].flat() as [number, string?]
  const { status, body } = answer
  if (status === wanted && typeof body === 'string') return body
  if (status === wanted && body?.error?.type === type) return wanted < 400 ? body.data : body.error
  const got = `${status} ${body?.error?.type ?? ''}`.trim()
  throw new Surprise(`expected ${[wanted, type].join(' ').trim()}, but got ${got}\n${JSON.stringify(body, null, 2)}`)
}

/** For what a status does not say: throws Surprise unless it is so. */
export function hold(so: boolean, what: string): void {
  if (!so) throw new Surprise(`expected ${what}`)
}

function parse(text: string): any {
  try {
    return JSON.parse(text)
  } catch {
    throw new Surprise(`expected JSON, but got:\n${text.slice(0, 500)}`)
  }
}
