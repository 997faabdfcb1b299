import { type Database, enterTenant, system, type TenantId, transact, whileNeeded } from '#atrium'
import { noteUses } from './keys.store.ts'

const PAUSE_MS = 4000

/**
 * Writes when keys were last used: not in the request, but every few seconds for all keys that were used meanwhile. What
 * cannot be written now is written later.
 */
export function noteKeyUses(database: Database) {
  const used = new Map<TenantId, Set<number>>()
  const writing = whileNeeded(PAUSE_MS, () => used.size > 0, flush)

  async function flush(): Promise<void> {
    // In the order of tenants and keys, so that two processes do not wait for each other.
    const leaving = [...used].sort(([one], [other]) => one - other)
    used.clear()
    if (leaving.length === 0) return
    try {
      await transact(database, { tenantId: leaving[0]![0], actor: system, requestId: 'key-uses' }, async (tx) => {
        for (const [tenantId, ids] of leaving)
          noteUses(enterTenant(tx, tenantId, 'note when keys were used'), { ids: [...ids].sort((a, b) => a - b) })
      })
    } catch (error) {
      database.log.warn({ err: String(error) }, 'the last use of keys could not be written yet')
      for (const [tenantId, ids] of leaving) for (const id of ids) note(tenantId, id)
    }
  }

  function note(tenantId: TenantId, keyId: number): void {
    const keys = used.get(tenantId)
    if (keys) keys.add(keyId)
    else used.set(tenantId, new Set([keyId]))
    writing.start()
  }

  return {
    note,
    async close() {
      writing.stop()
      await flush()
    },
  }
}
