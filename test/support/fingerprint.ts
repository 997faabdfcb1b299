import type { Inspector } from './database.ts'
import { excusedFrom } from './exceptions.ts'

/** Events get their ids some time after their commit, which changes nothing: both tables count as one, without the ids. */
const EVENTS = `(select tenant_id, to_jsonb(e) - 'id' as event from events e
  union all select tenant_id, to_jsonb(e) - 'id' from unnumbered_events e)`
/** Tables that jobs write some time after a commit, or by the clock. */
export const WRITTEN_LATER = new Set([
  ...Object.keys(excusedFrom('a table that a job writes later')),
  'events',
  'unnumbered_events',
  'event_counters',
  'session_sightings',
])

/** All rows of a tenant, in all tables: the same as long as nothing of it has changed by a single byte. */
export async function fingerprintOf(look: Inspector, tenantId: number): Promise<string> {
  const tables = await look.rows<{ name: string }>(
    `select table_name as name from information_schema.columns where table_schema = 'public' and column_name = 'tenant_id' order by 1`,
  )
  const sources = [
    { name: 'events', source: EVENTS },
    ...tables.filter(({ name }) => !WRITTEN_LATER.has(name)).map(({ name }) => ({ name, source: name })),
  ]
  const rows = await Promise.all(
    sources.map(({ source }) =>
      look.rows(`select md5(string_agg(t::text, '|' order by t::text)) as sum from ${source} t where tenant_id = $1`, [
        tenantId,
      ]),
    ),
  )
  return JSON.stringify(rows.map(([row], at) => [sources[at]!.name, row]))
}
