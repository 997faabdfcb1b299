import { wait } from './again.ts'
import { AtriumError } from './failure.ts'
import type { Notification } from './operations.ts'

/** What the stream of notifications brings. */
export type NotificationEvent =
  | { type: 'notification'; notification: Notification }
  | { type: 'unread-count'; count: number }
  /** too much was missed to be told one by one: read the list again */
  | { type: 'reset' }

interface RawEvent {
  event: string
  data: string
  id: string | undefined
}

const LONGEST_PAUSE_MS = 30_000
/** A service sends a heartbeat every 30 seconds at the least: after so long a silence the connection is lost. */
const LONGEST_SILENCE_MS = 70_000

/**
 * Listens until the signal aborts. A connection that ends or falls silent is opened again behind the last notification
 * seen, at growing intervals with jitter; a refusal that no waiting will cure is thrown.
 * @param open asks for the stream with these headers more
 */
export async function* notificationEvents(
  open: (headers: Record<string, string>) => Promise<Response>,
  { signal, after }: { signal?: AbortSignal; after?: number },
): AsyncGenerator<NotificationEvent> {
  let last = after?.toString()
  for (let failures = 0; !signal?.aborted; failures++) {
    try {
      const answer = await open({ accept: 'text/event-stream', ...(last !== undefined && { 'last-event-id': last }) })
      for await (const { event, data, id } of eventsOf(answer.body!)) {
        failures = 0
        if (id) last = id
        const told = toldBy(event, data)
        if (told) yield told
      }
    } catch (error) {
      if (signal?.aborted) return
      if (error instanceof AtriumError && error.status > 0 && error.status < 500 && error.status !== 429) throw error
    }
    const pause = Math.min(1000 * 2 ** failures, LONGEST_PAUSE_MS)
    await wait(pause * (0.5 + Math.random() / 2), signal).catch(() => {})
  }
}

function toldBy(event: string, data: string): NotificationEvent | undefined {
  switch (event) {
    case 'notification':
      return { type: event, notification: JSON.parse(data) }
    case 'unread-count':
      return { type: event, ...JSON.parse(data) }
    case 'reset':
      return { type: event }
  }
  return undefined
}

/** The events of a stream. See https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation */
async function* eventsOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<RawEvent> {
  const reader = stream
    .pipeThrough(new TextDecoderStream() as unknown as TransformStream<Uint8Array, string>)
    .getReader()
  let text = ''
  try {
    for (;;) {
      const silence = setTimeout(() => void reader.cancel().catch(() => {}), LONGEST_SILENCE_MS)
      const { done, value } = await reader.read().finally(() => clearTimeout(silence))
      if (done) return
      text += value
      for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
        const event = eventOf(text.slice(0, end))
        text = text.slice(end + 2)
        if (event) yield event
      }
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}

/** A block without data is a comment, such as a heartbeat. */
function eventOf(block: string): RawEvent | undefined {
  const found = { event: 'message', data: [] as string[], id: undefined as string | undefined }
  for (const line of block.split('\n')) {
    const [, field, value] = /^(\w+): ?(.*)$/.exec(line) ?? []
    if (field === 'data') found.data.push(value!)
    else if (field === 'event' || field === 'id') found[field] = value!
  }
  return found.data.length ? { ...found, data: found.data.join('\n') } : undefined
}
