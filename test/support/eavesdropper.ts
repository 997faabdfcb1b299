import type { Call } from '../../src/data/wire/connection.ts'
import { CARRIER, type Tx } from '../../src/data/tx/scope.ts'

/** A transaction that leads nowhere: it hears what a statement would send, and never answers. */
export function eavesdropper(tenantId: number): { tx: Tx<any>; heard: Call[] } {
  const heard: Call[] = []
  const carrier = {
    ask(_tenantId: number, call: Call) {
      heard.push(call)
      return new Promise<never>(() => {})
    },
    later(_tenantId: number, call: Call) {
      heard.push(call)
    },
  }
  return {
    heard,
    tx: { tenantId, [CARRIER]: carrier, actor: { id: 7 }, requestId: 'r', now: 'now' } as unknown as Tx<any>,
  }
}
