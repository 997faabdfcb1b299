import type { TenantId } from '../../kernel/actor.ts'
import { type Broadcast, openBroadcast } from '../coordination/broadcast.ts'

/**
 * Published when a tenant has new events, so that those who wait for them read immediately and not at their next poll.
 * It has no content and guarantees nothing.
 */
export interface EventSignal extends Pick<Broadcast<Message>, 'connect' | 'isConnected' | 'close'> {
  /** Tells listeners in all processes soon; the commands of a moment share one message for each tenant. */
  publish(tenantId: TenantId): void
  /** @returns ends the subscription */
  subscribe(listener: (tenantId: TenantId) => void): () => void
}

interface Message {
  tenant: TenantId
}

/** Short enough for a reader, long enough to spare a busy tenant most messages. */
const SOON_MS = 20

export function openEventSignal(): EventSignal {
  const broadcast = openBroadcast<Message>(({ tenant }) => (Number.isSafeInteger(tenant) ? { tenant } : undefined))
  const due = new Set<TenantId>()
  let timer: NodeJS.Timeout | undefined

  function tellAll() {
    timer = undefined
    const tenants = [...due]
    due.clear()
    for (const tenant of tenants) broadcast.publish({ tenant })
  }

  return {
    ...broadcast,
    publish(tenantId) {
      due.add(tenantId)
      timer ??= setTimeout(tellAll, SOON_MS).unref()
    },
    subscribe: (listener) => broadcast.subscribe(({ tenant }) => listener(tenant)),
    close() {
      clearTimeout(timer)
      broadcast.close()
    },
  }
}
