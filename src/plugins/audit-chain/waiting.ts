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

const HELP = {
  waiting: 'Audit rows without a link in their chain',
  oldest_seconds: 'How long the oldest audit row without a link in its chain has waited',
  stalled_seconds: 'How long a chain has not moved that has audit rows to link',
} as const

/** Reports what has no link yet, which is asked of the database at a scrape. */
export function reportChains(metrics: Metrics, database: Database): void {
  const read = withinBounds(() => countAllUnlinked(database))
  for (const [name, help] of Object.entries(HELP))
    metrics.gauge(
      `audit_chain_${name}`,
      help,
      async () => {
        const { rows: waiting, oldest: oldest_seconds, stalled: stalled_seconds } = (await read()) ?? {}
        return { waiting, oldest_seconds, stalled_seconds }[name]
      },
      'max',
    )
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
