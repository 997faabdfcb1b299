import { randomUUID } from 'node:crypto'
import type { Channel } from './channel.ts'

/**
 * Messages to everyone who listens, in this process and in the other replicas if there is a channel. A message
 * guarantees nothing: one that is lost costs a moment, until somebody looks into the database anyway.
 */
export interface Broadcast<Message> {
  /** Calls the listeners here before it returns. */
  publish(message: Message): void
  /** @returns ends the subscription */
  subscribe(listener: (message: Message) => void): () => void
  /** Connects the broadcasts of all replicas. */
  connect(openChannel: (receive: (text: string) => void) => Channel): void
  /** Whether messages of other replicas arrive now. */
  isConnected(): boolean
  close(): void
}

/** @param read returns a message that arrived as JSON, or undefined: anyone may write into a channel */
export function openBroadcast<Message extends object>(read: (parsed: any) => Message | undefined): Broadcast<Message> {
  const listeners = new Set<(message: Message) => void>()
  const me = randomUUID()
  let channel: Channel | undefined

  function receive(text: string) {
    const parsed = parse(text)
    const message = parsed && parsed.from !== me ? read(parsed) : undefined
    if (message) for (const listener of listeners) listener(message)
  }

  return {
    publish(message) {
      for (const listener of listeners) listener(message)
      channel?.send(JSON.stringify({ from: me, ...message }))
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
