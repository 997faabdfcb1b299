import { styleText } from 'node:util'

/** Sends requests as any client would, prints what is sent and what comes back, and insists on what it expects. */
export interface Call {
  method: 'GET' | 'POST' | 'PUT'
  path: string
  body?: unknown
  headers?: Record<string, string>
}

export interface Answer {
  status: number
  headers: Headers
  body: any
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
   * @returns the data of a success, the error of a refusal
   */
  tell(sentence: string, call: Call, expected: Expected, show: (told: any, answer: Answer) => string): Promise<any>
  summary(): string
}

const WIDTH = 100
const INDENT = '      '
const PATIENCE_MS = 2000

export function openGuide(base: string): Guide {
  const started = performance.now()
  let calls = 0

  async function send({ method, path, body, headers }: Call): Promise<Answer> {
    calls++
    const json = body === undefined ? {} : { 'content-type': 'application/json' }
    const response = await fetch(`${base}/api/v1${path}`, {
      method,
      headers: { ...json, ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }).catch((error) => {
      throw new NobodyThere(base, { cause: error })
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, body: parse(text) }
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
      console.log(`\n  ${sentence}`)
      console.log(`${INDENT}${requestLine(call)}`)
      const { answer, told, shown } = await ask(call, expected, show)
      const [first, ...more] = shown.split('\n').flatMap(wrapped)
      console.log(`${INDENT}${status(answer.status)}   ${first}`)
      for (const line of more) console.log(`${INDENT}      ${line}`)
      return told
    },
    summary: () =>
      `${calls} requests, every answer as expected, ${((performance.now() - started) / 1000).toFixed(1)} s`,
  }
}

function requestLine({ method, path, body, headers = {} }: Call): string {
  const { authorization: _, ...shown } = headers
  const extras = Object.entries(shown).map(([name, value]) => `${name}: ${value}`)
  if (body !== undefined) extras.push(JSON.stringify(body).replace(/("\w*[pP]assword":)"[^"]*"/g, '$1"…"'))
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
