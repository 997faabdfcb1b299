import type { TenantId, UserId } from '../../kernel/actor.ts'
import { type Broadcast, openBroadcast } from './broadcast.ts'

/**
 * Published when something has changed in the inboxes of these people, so that listeners look immediately and not at
 * their next poll. The database has the content.
 */
export type InboxSignal = Broadcast<[tenantId: TenantId, userIds: readonly UserId[]]>

export function openInboxSignal(): InboxSignal {
  return openBroadcast(
    (tenant, users) => ({ tenant, users }),
    ({ tenant, users }) => (Number.isSafeInteger(tenant) && Array.isArray(users) ? [tenant, users] : undefined),
  )
}

/**
 * Published when a tenant has new events, so that those who wait for them read immediately and not at their next poll.
 * Listeners hear of it soon; the commands of a moment share one message for each tenant.
 */
export type EventSignal = Broadcast<[tenantId: TenantId]>

/** Short enough for a reader, long enough to spare a busy tenant most messages. */
const SOON_MS = 20

export function openEventSignal(): EventSignal {
  const broadcast: EventSignal = openBroadcast(
    (tenant) => ({ tenant }),
    ({ tenant }) => (Number.isSafeInteger(tenant) ? [tenant] : undefined),
  )
  const due = new Set<TenantId>()
  let timer: NodeJS.Timeout | undefined

  function publishAll() {
    timer = undefined
    const tenants = [...due]
    due.clear()
    for (const tenant of tenants) broadcast.publish(tenant)
  }

  return {
    ...broadcast,
    publish(tenantId) {
      due.add(tenantId)
      timer ??= setTimeout(publishAll, SOON_MS).unref()
    },
    close() {
      clearTimeout(timer)
      broadcast.close()
    },
  }
}
