import { type Database, type Metrics, tenantsTogether, withinBounds } from '#atrium'
import { countUnlinked } from './audit-chain.store.ts'

/** What has no link yet, in all tenants together. */
export interface Unlinked {
  rows: number
  /** seconds that the oldest has waited */
  oldest: number
  /** seconds for which the chain of a tenant with such rows has not moved; few while older rows are linked */
  stalled: number
}

/** Reports what has no link yet, which is asked of the database at a scrape. */
export function reportChains(metrics: Metrics, database: Database): void {
  const read = withinBounds(() => countAllUnlinked(database))
  const gauge = (name: string, of: keyof Unlinked, help: string) =>
    metrics.gauge(`audit_chain_${name}`, help, async () => (await read())?.[of], 'max')
  gauge('waiting', 'rows', 'Audit rows without a link in their chain')
  gauge('oldest_seconds', 'oldest', 'How long the oldest audit row without a link in its chain has waited')
  gauge('stalled_seconds', 'stalled', 'How long a chain has not moved that has audit rows to link')
}

/** Asks tenant by tenant, because row security shows nobody all of them. */
export async function countAllUnlinked(database: Database): Promise<Unlinked> {
  const all = { rows: 0, oldest: 0, stalled: 0 }
  for await (const group of tenantsTogether(database))
    for (const found of await Promise.all(group.map((scope) => countUnlinked(scope, {})))) {
      all.rows += found!.rows
      all.oldest = Math.max(all.oldest, found!.oldest)
      all.stalled = Math.max(all.stalled, found!.stalled)
    }
  return all
}
