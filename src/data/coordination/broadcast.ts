import { randomUUID } from 'node:crypto'

/** Messages between all replicas. Nothing is kept for one that is away. */
export interface Channel {
  /** Fire and forget. The sender may or may not receive its own message. */
  send(text: string): void
  /** Whether messages of every other replica arrive now. */
  isOpen(): boolean
  close(): void
}

/**
 * News for everyone who listens, in this process and in the other replicas if there is a channel. It guarantees nothing:
 * news that is lost costs a moment, until somebody looks into the database anyway.
 */
export interface Broadcast<News extends unknown[]> {
  /** Calls the listeners here before it returns. */
  publish(...news: News): void
  /** @returns ends the subscription */
  subscribe(listener: (...news: News) => void): () => void
  /** Connects the broadcasts of all replicas. */
  connect(openChannel: (receive: (text: string) => void) => Channel): void
  /** Whether messages of other replicas arrive now. */
  isConnected(): boolean
  close(): void
}

/**
 * @param write the message of some news, which travels as JSON
 * @param read the news of a message that arrived, or undefined: anyone may write into a channel
 */
export function openBroadcast<News extends unknown[]>(
  write: (...news: News) => object,
  read: (message: any) => News | undefined,
): Broadcast<News> {
  const listeners = new Set<(...news: News) => void>()
  const me = randomUUID()
  let channel: Channel | undefined

  function receive(text: string) {
    const message = parse(text)
    const news = message && message.from !== me ? read(message) : undefined
    if (news) for (const listener of listeners) listener(...news)
  }

  return {
    publish(...news) {
      for (const listener of listeners) listener(...news)
      channel?.send(JSON.stringify({ from: me, ...write(...news) }))
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    connect(openChannel) {
      channel = openChannel(receive)
    },
    isConnected: () => channel?.isOpen() ?? false,
    close: () => channel?.close(),
  }
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    const parsed = JSON.parse(text)
    return typeof parsed === 'object' ? (parsed ?? undefined) : undefined
  } catch {
    return undefined
  }
}
