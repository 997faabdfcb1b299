import { randomUUID } from 'node:crypto'
import type { TenantId } from '../../kernel/actor.ts'
import type { Channel } from '../redis/channel.ts'

/**
 * What a commit changes for others that remember something of it: the rights of everyone or of one session; the
 * tenants; the public content of a tenant. `mail` waits for a worker.
 */
export type Announcement = 'rights' | { session: number } | 'tenants' | 'content' | 'mail'

export type AnnouncementListener = (announcement: Announcement, tenantId: TenantId) => void

/**
 * Notifies this process of what its transactions have changed, and the other replicas if there is a channel. Without
 * one, or if a message is lost, they notice when what they remember has expired, within a second.
 */
export interface Announcements {
  /** Calls every listener here, before it returns. */
  publish: AnnouncementListener
  /** @returns ends the subscription */
  subscribe(listener: AnnouncementListener): () => void
  /** Connects the announcements of all replicas. */
  connect(openChannel: (receive: (text: string) => void) => Channel): void
  close(): void
}

export function openAnnouncements(): Announcements {
  const listeners = new Set<AnnouncementListener>()
  const me = randomUUID()
  let channel: Channel | undefined

  function tell(announcement: Announcement, tenantId: TenantId) {
    for (const listener of listeners) listener(announcement, tenantId)
  }

  function receive(text: string) {
    const message = readMessage(text)
    if (message && message.from !== me) tell(message.announcement, message.tenant)
  }

  return {
    publish(announcement, tenantId) {
      tell(announcement, tenantId)
      channel?.send(JSON.stringify({ from: me, announcement, tenant: tenantId }))
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    connect(openChannel) {
      channel = openChannel(receive)
    },
    close: () => channel?.close(),
  }
}

interface Message {
  from: string
  announcement: Announcement
  tenant: TenantId
}

const KINDS = new Set(['rights', 'tenants', 'content', 'mail'])

/** Anyone may write into a channel, so foreign messages are ignored. */
function readMessage(text: string): Message | undefined {
  try {
    const { from, announcement, tenant } = JSON.parse(text)
    const isOurs = KINDS.has(announcement) || Number.isSafeInteger(announcement?.session)
    return isOurs && Number.isSafeInteger(tenant) ? { from, announcement, tenant } : undefined
  } catch {
    return undefined
  }
}
