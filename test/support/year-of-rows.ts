import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { administer } from '../../tools/throwaway.ts'
import { type Inspector, openInspector } from './database.ts'
import { untilDelivered } from './invariants.ts'
import type { Remote } from './remote.ts'

/** A database with such rows that this release has taken over. */
export interface Upgraded {
  look: Inspector
  remote: Remote
  year: Year
  /** when the first replica of the release before got its signal to stop */
  since: number
}

const TENANTS = [5001, 5002, 5003]
const LARGE = ['tasks', 'notifications', 'audit', 'events'] as const
/** The rows of all other tables, more than the projects that tasks are in. */
const FEW = 300
const OVER_A_YEAR = `now() - n % 365 * interval '1 day'`
/** The service writes them itself. */
const LINKS = 'audit_links'

/**
 * Fills the database of a release with what its own `tools/growth` makes: three tenants with the rows of a year, in which
 * nobody works.
 * @param folder of the release @param rows of each large table, in each tenant
 */
export async function givenYearOfRows(look: Inspector, folder: string, rows: number) {
  const growth = pathToFileURL(join(folder, 'tools/growth/rows.ts')).href
  const { FAMILIES, growthOf }: typeof import('../../tools/growth/rows.ts') = await import(growth)
  const there = await look.rows<{ name: string; columns: string }>(
    `select table_name as name, string_agg(quote_ident(column_name), ', ' order by ordinal_position) as columns
       from information_schema.columns where table_schema = 'public' group by 1`,
  )
  const isForATable = (statement: string) => {
    const [, table] = /^insert into (\w+)/.exec(statement) ?? []
    return table !== LINKS && there.some(({ name }) => name === table)
  }
  for (const tenant of TENANTS) {
    const large = LARGE.flatMap((family) => FAMILIES[family].fill(tenant, FEW + 1, rows))
    const statements = [...growthOf(tenant, FEW), ...large.map((insert) => insert.replaceAll('now()', OVER_A_YEAR))]
    const counter = `insert into event_counters (tenant_id, last_number) values (${tenant}, ${rows})`
    const inserts = [...statements, counter].filter(isForATable)
    await administer(look.url, ['set session_replication_role = replica', ...inserts].join(';'))
  }
  // What the service makes there later gets ids beyond theirs.
  await look.rows(
    `select setval(format('%I', sequencename)::regclass, greatest(last_value, 1000, $1)) from pg_sequences where schemaname = 'public'`,
    [rows],
  )
  await look.rows('vacuum (analyze)')

  const tables = LARGE.flatMap((family) => FAMILIES[family].tables)
  const summed = there.filter(({ name }) => tables.includes(name) && name !== LINKS)
  return {
    codes: TENANTS.map((tenant) => `growing-${tenant}`),
    /** the tasks of each have the numbers from 1 to this */
    rows,
    /** A sum over every byte that their rows had at first, by table. */
    async sums() {
      const sums: Record<string, string> = {}
      for (const { name, columns } of summed) {
        const [found] = await look.rows<{ rows: number; sum: string }>(
          `select count(*)::int as rows, md5(string_agg(md5(row(${columns})::text), '' order by tenant_id, id)) as sum
             from ${name} where tenant_id = any ($1) and id <= $2`,
          [TENANTS, rows],
        )
        sums[name] = `${found!.rows} rows, ${found!.sum}`
      }
      return sums
    },
    /** Copies the other tenants and looks at them alone: rows that SQL has made are not all that the API would have made. */
    async openOthers() {
      await untilDelivered(look)
      await look.rows(`begin isolation level repeatable read; do $$ declare it record; begin
        create schema others;
        for it in select table_name as name from information_schema.columns
                   where table_schema = 'public' and column_name = 'tenant_id' loop
          execute format('create table others.%1$I (like public.%1$I including indexes)', it.name);
          execute format('insert into others.%1$I select * from public.%1$I where tenant_id not in (${TENANTS})', it.name);
        end loop;
      end $$; commit`)
      return openInspector(`${look.url}?options=-c%20search_path%3Dothers,public`)
    },
  }
}
export type Year = Awaited<ReturnType<typeof givenYearOfRows>>
