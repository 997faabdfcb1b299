import { randomUUID } from 'node:crypto'
import type { TenantId } from '../../kernel/actor.ts'
import type { Channel } from '../redis/channel.ts'

/**
 * What a commit changes for others, who remember something of it: who may do what, everybody or the bearer of one
 * session; which tenants there are; what the public reads of a tenant.
 */
export type Announcement = 'rights' | { session: number } | 'tenants' | 'content'

export type AnnouncementListener = (announcement: Announcement, tenantId: TenantId) => void

/**
 * Tells this process what its transactions have changed, and the other replicas where there is a channel. Where there is
 * none, or a message is lost, they learn it when what they remember has expired, within a second.
 */
export interface Announcements {
  /** Tells every listener here, before it returns. */
  publish: AnnouncementListener
  /** @returns what ends the listening */
  subscribe(listener: AnnouncementListener): () => void
  /** Lets announcements travel between replicas from now on. */
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

const KINDS = new Set(['rights', 'tenants', 'content'])

/** Anybody may write into a channel: foreign messages are ignored. */
function readMessage(text: string): Message | undefined {
  try {
    const { from, announcement, tenant } = JSON.parse(text)
    const isOurs = KINDS.has(announcement) || Number.isSafeInteger(announcement?.session)
    return isOurs && Number.isSafeInteger(tenant) ? { from, announcement, tenant } : undefined
  } catch {
    return undefined
  }
}
