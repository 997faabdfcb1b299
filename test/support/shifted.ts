import type { Inspector } from './database.ts'
import { againOn } from './patience.ts'

/** SQL of a time that is moved by an interval. Citus refuses the plain sum in an UPDATE: it depends on the time zone. */
export const shifted = (column: string, by: string) =>
  `(${column} at time zone 'UTC' + interval '${by}') at time zone 'UTC'`

/** The audit has its instants in its hashes; sessions are continued and mails are sent meanwhile. */
const UNMOVED = '^(audit_|mails$|sessions$|refresh_tokens$)'

/** Lets days pass: everything that is stored is so much older, as if the clock had been moved. */
export async function passDays(look: Inspector, days: number): Promise<void> {
  const columns = await look.rows<{ name: string; column: string; isDay: boolean }>(
    `select c.relname as name, a.attname as column, a.atttypid = 'date'::regtype as "isDay"
       from pg_class c join pg_attribute a on a.attrelid = c.oid
      where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = 'public'::regnamespace and a.attnum > 0
        and not a.attisdropped and a.attgenerated = '' and a.atttypid in ('timestamptz'::regtype, 'date'::regtype)
        and exists (select from pg_attribute t where t.attrelid = c.oid and t.attname = 'tenant_id') and c.relname !~ $1
      union all select 'tenants', 'expired_at', false`,
    [UNMOVED],
  )
  for (const [name, of] of Map.groupBy(columns, (each) => each.name)) {
    const moves = of.map(({ column, isDay }) =>
      isDay ? `"${column}" = "${column}" - ${days}` : `"${column}" = ${shifted(`"${column}"`, `-${days} days`)}`,
    )
    // A job may lock the same rows in another order.
    await againOn('40P01', () => look.rows(`update "${name}" set ${moves.join(', ')}`))
  }
}
