import { randomUUID } from 'node:crypto'
import type { TenantId, UserId } from '../../kernel/actor.ts'
import type { Channel } from './channel.ts'

/** Called when something has changed in the inboxes of these people. The database has the content. */
export type Listener = (tenantId: TenantId, userIds: readonly UserId[]) => void

/**
 * Published when someone's inbox has changed, so that listeners look immediately and not at the next poll. It has no
 * content and guarantees nothing: a lost signal costs a moment, never a notification.
 */
export interface Signal {
  /** Calls the listeners here immediately, and those of the other replicas if there is a channel. */
  publish: Listener
  /** @returns ends the subscription */
  subscribe(listener: Listener): () => void
  /** Connects the signals of all replicas. */
  connect(openChannel: (receive: (text: string) => void) => Channel): void
  /** Whether signals of other replicas arrive now. */
  isConnected(): boolean
  close(): void
}

export function openSignal(): Signal {
  const listeners = new Set<Listener>()
  const me = randomUUID()
  let channel: Channel | undefined

  function receive(text: string) {
    const message = readMessage(text)
    if (message && message.from !== me) for (const listener of listeners) listener(message.tenant, message.users)
  }

  return {
    publish(tenant, users) {
      if (users.length === 0) return
      for (const listener of listeners) listener(tenant, users)
      channel?.send(JSON.stringify({ from: me, tenant, users }))
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

interface Message {
  from: string
  tenant: TenantId
  users: UserId[]
}

/** Anyone may write into a channel, so foreign messages are ignored. */
function readMessage(text: string): Message | undefined {
  try {
    const { from, tenant, users } = JSON.parse(text)
    return Number.isSafeInteger(tenant) && Array.isArray(users) ? { from, tenant, users } : undefined
  } catch {
    return undefined
  }
}
