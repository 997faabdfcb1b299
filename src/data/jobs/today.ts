import { sql } from 'kysely'
import { directory } from '../sql/verbs.ts'
import { sharedScope } from '../tx/open-scope.ts'
import type { Database } from '../wire/database.ts'

const findToday = directory.find((from, p: { most: number }) =>
  from('tenants')
    .select(sql<string>`to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD')`.as('day'))
    .limit(p.most),
)

/** The day by the clock of the database, in UTC: `2026-11-22`. Undefined if there is no tenant yet. */
export async function today(database: Database): Promise<string | undefined> {
  return (await findToday(sharedScope(database), { most: 1 }))?.day
}
