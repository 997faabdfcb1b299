import { randomUUID } from 'node:crypto'
import type { TenantId, UserId } from '../../kernel/actor.ts'
import type { Channel } from './coordination.ts'

/** Hears that something has changed in the inboxes of these people. What it is, the database says. */
export type Listener = (tenantId: TenantId, userIds: readonly UserId[]) => void

/**
 * Rung when somebody's inbox has changed, so that whoever waits for it looks at once and not with the next poll. It
 * carries no content and promises nothing: a ring that is lost costs a moment, never a notification.
 */
export interface Signal {
  /** Rings here at once, and in the other replicas where there is a channel. */
  publish: Listener
  /** @returns what ends the listening */
  subscribe(ear: Listener): () => void
  /** Lets rings travel between replicas from now on. */
  connect(openChannel: (hear: (text: string) => void) => Channel): void
  /** Whether the rings of other replicas are heard at this moment. */
  isConnected(): boolean
  close(): void
}

export function openSignal(): Signal {
  const ears = new Set<Listener>()
  const me = randomUUID()
  let channel: Channel | undefined

  function hear(text: string) {
    const message = readMessage(text)
    if (message && message.from !== me) for (const ear of ears) ear(message.tenant, message.users)
  }

  return {
    publish(tenant, users) {
      if (users.length === 0) return
      for (const ear of ears) ear(tenant, users)
      channel?.send(JSON.stringify({ from: me, tenant, users }))
    },
    subscribe(ear) {
      ears.add(ear)
      return () => void ears.delete(ear)
    },
    connect(openChannel) {
      channel = openChannel(hear)
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

/** Anybody may write into a channel; what is no message of ours is nothing. */
function readMessage(text: string): Message | undefined {
  try {
    const { from, tenant, users } = JSON.parse(text)
    return Number.isSafeInteger(tenant) && Array.isArray(users) ? { from, tenant, users } : undefined
  } catch {
    return undefined
  }
}
