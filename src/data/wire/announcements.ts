import type { TenantId } from '../../kernel/actor.ts'
import { type Broadcast, openBroadcast } from '../redis/broadcast.ts'

/**
 * What a commit changes for others that remember something of it: the rights of everyone or of one session; the
 * tenants; the public content of a tenant. `mail` and `webhooks` wait for a worker.
 */
export type Announcement = 'rights' | { session: number } | 'tenants' | 'content' | 'mail' | 'webhooks'

export type AnnouncementListener = (announcement: Announcement, tenantId: TenantId) => void

/**
 * Notifies this process of what its transactions have changed, and the other replicas if there is a channel. Without
 * one, or if a message is lost, they notice when what they remember has expired, within a second.
 */
export interface Announcements extends Pick<Broadcast<Message>, 'connect' | 'close'> {
  /** Calls every listener here, before it returns. */
  publish: AnnouncementListener
  /** @returns ends the subscription */
  subscribe(listener: AnnouncementListener): () => void
}

export function openAnnouncements(): Announcements {
  const broadcast = openBroadcast<Message>(({ announcement, tenant }) => {
    const isOurs = KINDS.has(announcement) || Number.isSafeInteger(announcement?.session)
    return isOurs && Number.isSafeInteger(tenant) ? { announcement, tenant } : undefined
  })
  return {
    ...broadcast,
    publish: (announcement, tenant) => broadcast.publish({ announcement, tenant }),
    subscribe: (listener) => broadcast.subscribe(({ announcement, tenant }) => listener(announcement, tenant)),
  }
}

interface Message {
  announcement: Announcement
  tenant: TenantId
}

const KINDS = new Set(['rights', 'tenants', 'content', 'mail', 'webhooks'])
