import type { Inspector } from './database.ts'

/** How many rows of each table are so, by a condition on `t`; of all tables, or those of `pg_class c` that are so too. */
export async function countIn(
  look: Inspector,
  where: string,
  values: unknown[],
  tables = `c.relkind in ('r', 'p', 'm')`,
): Promise<Record<string, number>> {
  const names = await look.rows<{ name: string }>(
    `select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname not in ('pg_catalog', 'information_schema') and ${tables}`,
  )
  const counts = names.map(
    ({ name }) => `select '${name}' as name, count(*)::float8 as rows from ${name} t where ${where}`,
  )
  const found = await look.rows<{ name: string; rows: number }>(counts.join(' union all '), values)
  return Object.fromEntries(found.filter(({ rows }) => rows > 0).map(({ name, rows }) => [name, rows]))
}

/** Every table of every schema with a row in which one of the texts occurs. */
export async function tablesWith(look: Inspector, ...texts: string[]): Promise<string[]> {
  const holds = 'exists (select from unnest($1::text[]) text where strpos(t::text, text) > 0)'
  return Object.keys(await countIn(look, holds, [texts]))
}
