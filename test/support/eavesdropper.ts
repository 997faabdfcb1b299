import { EXECUTOR, type Terms, type Tx } from '../../src/data/tx/scope.ts'
import type { Call } from '../../src/data/wire/flight.ts'

/** A transaction that leads nowhere: it hears what a statement would send, and never answers. */
export function eavesdropper(tenantId: number): { tx: Tx<any>; heard: (Call & { terms: Terms | undefined })[] } {
  const heard: (Call & { terms: Terms | undefined })[] = []
  const executor = {
    run(_tenantId: number, call: Call, terms?: Terms) {
      heard.push({ ...call, terms })
      return new Promise<never>(() => {})
    },
    queue(_tenantId: number, call: Call, terms?: Terms) {
      heard.push({ ...call, terms })
    },
  }
  return {
    heard,
    tx: {
      tenantId,
      [EXECUTOR]: executor,
      actor: { id: 7, tenantId },
      requestId: 'r',
      now: 'now',
      sealer: { seal: (text: string) => text },
    } as unknown as Tx<any>,
  }
}
