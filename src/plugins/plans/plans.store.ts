import { cold, directory, sql } from '#atrium'

/** Waits for other transactions that add the same thing to the tenant. It is no row, so nobody else waits for it. */
export const lockQuota = directory.lock((_, p: { quota: string; tenantId: number }) =>
  cold.selectNoFrom(
    sql`pg_advisory_xact_lock(hashtextextended('quota ' || ${p.quota}::text, ${p.tenantId}::bigint))`.as('held'),
  ),
)
