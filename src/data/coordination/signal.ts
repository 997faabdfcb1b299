import type { TenantId, UserId } from '../../kernel/actor.ts'
import { type Broadcast, openBroadcast } from './broadcast.ts'

/** Called when something has changed in the inboxes of these people. The database has the content. */
export type Listener = (tenantId: TenantId, userIds: readonly UserId[]) => void

/**
 * Published when someone's inbox has changed, so that listeners look immediately and not at the next poll. It has no
 * content and guarantees nothing: a lost signal costs a moment, never a notification.
 */
export interface Signal extends Pick<Broadcast<Message>, 'connect' | 'isConnected' | 'close'> {
  /** Calls the listeners here immediately, and those of the other replicas if there is a channel. */
  publish: Listener
  /** @returns ends the subscription */
  subscribe(listener: Listener): () => void
}

interface Message {
  tenant: TenantId
  users: readonly UserId[]
}

export function openSignal(): Signal {
  const broadcast = openBroadcast<Message>(({ tenant, users }) =>
    Number.isSafeInteger(tenant) && Array.isArray(users) ? { tenant, users } : undefined,
  )
  return {
    ...broadcast,
    publish(tenant, users) {
      if (users.length > 0) broadcast.publish({ tenant, users })
    },
    subscribe: (listener) => broadcast.subscribe(({ tenant, users }) => listener(tenant, users)),
  }
}
