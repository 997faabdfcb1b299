import type { TenantId } from '../../kernel/actor.ts'
import { type Broadcast, openBroadcast } from '../coordination/broadcast.ts'

/**
 * What a commit changes for others that remember something of it: a session, a user with their rights, the roles of the
 * transaction's tenant, the permissions that all tenants share, the row of a tenant, or the public content of the
 * transaction's tenant. `mail` and `webhooks` wait for a worker.
 */
export type Announcement =
  | { session: number }
  | { user: number }
  | { tenant: number }
  | 'roles'
  | 'permissions'
  | 'content'
  | 'mail'
  | 'webhooks'

/**
 * The kinds of remembered things that can change: a session, a user, the roles or the row of a tenant, the permissions.
 */
export type Kind = 'session' | 'user' | 'roles' | 'permissions' | 'tenant'

/**
 * Notifies this process of what its transactions have changed, and the other replicas if there is a channel. Without
 * one, or if a message is lost, they notice when what they remember has expired, within a second.
 */
export type Announcements = Broadcast<[announcement: Announcement, tenantId: TenantId]>

export function openAnnouncements(): Announcements {
  return openBroadcast(
    (announcement, tenant) => ({ announcement, tenant }),
    ({ announcement, tenant }) => {
      const isOurs = typeof announcement === 'object' ? isSubject(announcement) : KINDS.has(announcement)
      return isOurs && Number.isSafeInteger(tenant) ? [announcement, tenant] : undefined
    },
  )
}

const KINDS = new Set(['roles', 'permissions', 'content', 'mail', 'webhooks'])
const SUBJECTS = new Set(['session', 'user', 'tenant'])

function isSubject(announcement: object | null): boolean {
  const [[kind, id] = [], ...others] = Object.entries(announcement ?? {})
  return others.length === 0 && SUBJECTS.has(kind ?? '') && Number.isSafeInteger(id)
}
