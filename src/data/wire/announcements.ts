import type { TenantId } from '../../kernel/actor.ts'

/**
 * What a commit changes for others, who remember something of it: who may do what, everybody or the bearer of one
 * session; which tenants there are; what the public reads of a tenant.
 */
export type Announcement = 'rights' | { session: number } | 'tenants' | 'content'

export type AnnouncementListener = (announcement: Announcement, tenantId: TenantId) => void

/** Tells this process what its transactions have changed. Other processes learn it when what they remember has expired. */
export interface Announcements {
  /** Tells every listener, before it returns. */
  publish: AnnouncementListener
  /** @returns what ends the listening */
  subscribe(listener: AnnouncementListener): () => void
}

export function openAnnouncements(): Announcements {
  const listeners = new Set<AnnouncementListener>()
  return {
    publish(announcement, tenantId) {
      for (const listener of listeners) listener(announcement, tenantId)
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
