import { Gauge, type Registry } from '@prometheus-io/client'
import { type Database, tenantsTogether, withinBounds } from '#atrium'
import { findLongestWait } from '../chain.store.ts'

/** Reports how long links are missing, which is asked of the database at a scrape. */
export function reportChains(registry: Registry, database: Database): void {
  const read = withinBounds(() => longestWait(database))
  new Gauge({
    name: 'audit_chain_oldest_seconds',
    help: 'How long the oldest audit row without a link in its chain has waited',
    aggregator: 'max',
    registers: [registry],
    async collect() {
      const seconds = await read()
      if (seconds === undefined) this.remove()
      else this.set(seconds)
    },
  })
}

/**
 * Asks tenant by tenant, because row security shows nobody all of them.
 * @returns seconds; 0 if every row of every tenant has its link
 */
export async function longestWait(database: Database): Promise<number> {
  let longest = 0
  for await (const group of tenantsTogether(database)) {
    const waits = await Promise.all(group.map((scope) => findLongestWait(scope, {})))
    longest = Math.max(longest, ...waits.map((wait) => wait?.seconds ?? 0))
  }
  return longest
}
