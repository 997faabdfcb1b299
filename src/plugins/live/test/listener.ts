import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import { onTestFinished } from 'vitest'
import { endsWithFile } from '#test/clean-up.ts'
import { until } from '#test/patience.ts'
import type { Person } from '#test/world.ts'

/** An event as a browser's EventSource would hand it on; `lastEventId` is what it would send when it comes again. */
export interface Heard {
  event: string
  data: any
  lastEventId: string
}

/** A client of the live notifications, over a real connection, that reads as the standard of EventSource says. */
export interface Listener {
  heard: Heard[]
  comments: number
  /** what the server has asked for by `retry:`, latest */
  retry: number | undefined
  lastEventId: string
  headers: IncomingMessage['headers']
  /** The ids of the notifications, in the order in which they came. */
  ids(): number[]
  /** The count that came last. */
  unread(): number | undefined
  /** Waits for the condition; fails with what was heard. */
  until(what: string, isSo: (listener: Listener) => boolean): Promise<void>
  /** false once the connection has ended, by whichever side */
  isOpen: boolean
  ended: Promise<void>
  /** Stops reading, and leaves the connection as it is. */
  stall(): void
  leave(): void
}

export interface ListenerOptions {
  lastEventId?: string | number
  query?: string
  headers?: Record<string, string>
}

/** Resolves when the stream has begun. @throws Refused where the answer is something else */
export async function listen(port: number, token: string, options: ListenerOptions = {}): Promise<Listener> {
  const { lastEventId, query = '', headers = {} } = options
  const call = request({
    host: '127.0.0.1',
    port,
    path: `/api/v1/notifications/stream${query}`,
    agent: false,
    headers: {
      authorization: `Bearer ${token}`,
      accept: 'text/event-stream',
      ...(lastEventId !== undefined && { 'last-event-id': String(lastEventId) }),
      ...headers,
    },
  })
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    call.once('response', resolve)
    call.once('error', reject)
    call.end()
  })
  if (answer.statusCode !== 200) throw await refusalOf(answer)
  return follow(call, answer, String(lastEventId ?? ''))
}

/** A person's open tab, which has been greeted. The test ends it. */
export async function givenTab(port: number, person: Person, options: ListenerOptions = {}): Promise<Listener> {
  const listener = await listen(port, person.token, options)
  onTestFinished(listener.leave)
  await listener.until('a greeting', ({ heard }) => heard.some(({ event }) => event === 'unread-count'))
  return listener
}

export class Refused extends Error {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly body: any
  constructor(status: number, headers: IncomingMessage['headers'], body: any) {
    super(`${status} ${body?.error?.type}`)
    this.status = status
    this.headers = headers
    this.body = body
  }
}

async function refusalOf(answer: IncomingMessage): Promise<Refused> {
  let text = ''
  for await (const chunk of answer.setEncoding('utf8')) text += chunk
  return new Refused(answer.statusCode!, answer.headers, JSON.parse(text))
}

function follow(call: ClientRequest, answer: IncomingMessage, lastEventId: string): Listener {
  let rest = ''
  const listener: Listener = {
    heard: [],
    comments: 0,
    retry: undefined,
    lastEventId,
    headers: answer.headers,
    ids: () => listener.heard.flatMap(({ event, data }) => (event === 'notification' ? [data.id] : [])),
    unread: () => listener.heard.findLast(({ event }) => event === 'unread-count')?.data.count,
    async until(what, isSo) {
      await until(() => {
        if (!isSo(listener)) throw new Error(`${what}: not yet; heard ${JSON.stringify(listener.heard.slice(-20))}`)
      }, 5)
    },
    isOpen: true,
    ended: new Promise((resolve) =>
      answer.once('close', () => {
        listener.isOpen = false
        resolve()
      }),
    ),
    stall: () => void answer.pause(),
    leave: endsWithFile(() => call.destroy()),
  }
  answer.on('error', () => {})
  call.on('error', () => {})
  answer.setEncoding('utf8').on('data', (chunk) => {
    rest += chunk
    for (let end = rest.indexOf('\n\n'); end >= 0; end = rest.indexOf('\n\n')) {
      readBlock(listener, rest.slice(0, end))
      rest = rest.slice(end + 2)
    }
  })
  return listener
}

function readBlock(listener: Listener, block: string) {
  const fields = new Map<string, string>()
  for (const line of block.split('\n')) {
    const colon = line.indexOf(':')
    if (colon === 0) listener.comments++
    else fields.set(line.slice(0, colon), line.slice(colon + 1).replace(/^ /, ''))
  }
  const { event = 'message', data, id, retry } = Object.fromEntries(fields)
  if (retry !== undefined) listener.retry = Number(retry)
  if (id !== undefined) listener.lastEventId = id
  if (data !== undefined) listener.heard.push({ event, data: JSON.parse(data), lastEventId: listener.lastEventId })
}
