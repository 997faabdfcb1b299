import type { FastifyReply } from '#atrium'

/**
 * Server-sent events: an answer that does not end, on which the server sends events as they occur. @see
 * https://html.spec.whatwg.org/multipage/server-sent-events.html
 */
export interface EventStream {
  /** Sends messages, those of one call together; none once the stream has ended. */
  send(messages: readonly StreamMessage[]): void
  /** Ends the stream in an orderly way. `retry`: ms after which the client may reconnect. */
  end(reason: string, retry?: number): void
  /** Calls back once, with the reason, when the stream has ended, on either side. */
  onEnd(listener: (reason: string) => void): void
}

/** Without data nothing is announced, but the client remembers the id for its next Last-Event-ID. */
export interface StreamMessage {
  id: number
  event?: 'notification' | 'unread-count' | 'reset'
  /** JSON */
  data?: string
}

/** Bytes that may wait for a slow reader before it is disconnected: they would fill the memory. */
const MOST_WAITING = 1_048_576
/** How long a reader has to take the end of its stream before the connection is closed. */
const LAST_WORD_MS = 1000
/** How long a client waits before it reconnects. */
const RETRY_MS = 3000

/**
 * Answers with an event stream, which owns the answer from here on; Fastify sends nothing more.
 * @param heartbeat ms of silence after which a comment is sent
 */
export function openEventStream(reply: FastifyReply, heartbeat: number): EventStream {
  const response = reply.hijack().raw
  const endListeners: ((reason: string) => void)[] = []
  let ended: string | undefined

  function conclude(reason: string) {
    if (ended !== undefined) return
    ended = reason
    clearInterval(beats)
    for (const listener of endListeners) listener(reason)
  }

  function write(text: string) {
    if (ended !== undefined) return
    beats.refresh()
    response.write(text)
    if (response.writableLength <= MOST_WAITING) return
    conclude('the reader is too slow')
    response.destroy()
  }

  response.once('close', () => conclude('the client left'))
  // A lost connection is reported by its close.
  response.on('error', () => {})
  response.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    // nginx would hold the events back until a buffer is full.
    'x-accel-buffering': 'no',
  })
  response.write(`retry: ${RETRY_MS}\n\n`)
  // It keeps proxies from closing an idle connection, and clients do not see it.
  const beats = setInterval(() => write(':\n\n'), heartbeat).unref()
  // A client that has already left does not close again.
  if (response.destroyed || response.socket?.destroyed) conclude('the client left')

  return {
    send: (messages) => write(messages.map(textOf).join('')),
    end(reason, retry) {
      if (ended !== undefined) return
      conclude(reason)
      response.end(retry === undefined ? undefined : `retry: ${Math.round(retry)}\n\n`)
      const cut = setTimeout(() => response.destroy(), LAST_WORD_MS).unref()
      response.once('close', () => clearTimeout(cut))
    },
    onEnd(listener) {
      if (ended === undefined) endListeners.push(listener)
      else listener(ended)
    },
  }
}

function textOf({ id, event, data }: StreamMessage): string {
  let text = `id: ${id}\n`
  if (event !== undefined) text += `event: ${event}\n`
  if (data !== undefined) text += `data: ${data.replaceAll('\n', '\ndata: ')}\n`
  return `${text}\n`
}
