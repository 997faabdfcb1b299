import type pg from 'pg'
import { SetupProblem } from '../setup/setup-problem.ts'

export interface Column {
  name: string
  /** of PostgreSQL: int8, text, jsonb */
  type: string
  required: boolean
}

/** A foreign key, without the column of the tenant. */
export interface Reference {
  column: string
  table: string
  /** the referenced column; `living_id` and its like are copies of `id` */
  key: string
  isId: boolean
}

/** A table of the service and its domains, as the database describes it. */
export interface Table {
  name: string
  /** whether its rows belong to tenants and are visible only within one */
  ofTenants: boolean
  /** those that are stored: generated ones follow from them */
  columns: Column[]
  primaryKey: string[]
  references: Reference[]
  /** whether its ids are drawn from a sequence of its own */
  drawsIds: boolean
  facts: Facts
}

/**
 * What a table is beyond its columns, as its migration says with `protect`: db/migrations/0001_tenants.sql explains each.
 * It is read from the database, so that it holds where the code of a plug-in is gone.
 */
export interface Facts {
  withheld?: true | 'not imported' | { columns?: string[]; rows?: string }
  sealed?: Record<string, string>
  secretOf?: string
  references?: Record<string, SoftReference>
}

/**
 * A column that names rows and has no foreign key:
 * - by the name of their table: their id, or an array of ids
 * - `by`: the id of a thing of a kind, which another column names
 * - `upTo`: a position in a table: the highest id that was dealt with
 * - `text`: an id as text, if a condition in SQL about the row `r` holds; or after a prefix, in texts that begin with it
 */
export type SoftReference =
  | string
  | { by: string }
  | { upTo: string }
  | { text: string; when: string }
  | { text: string; prefix: string }

/** The column that names the tenant in a table that all tenants share, such as the directory of orders; undefined if none does. */
export function ownerColumn({ ofTenants, name, references }: Table): string | undefined {
  if (ofTenants || name === 'tenants') return undefined
  return references.find(({ table }) => table === 'tenants')?.column
}

const TABLES = `
  select c.oid, c.relname::text as name, bool_or(a.attname = 'tenant_id') as "ofTenants",
         coalesce(json_agg(json_build_object('name', a.attname, 'type', t.typname, 'required', a.attnotnull) order by a.attnum)
           filter (where a.attgenerated = ''), '[]') as columns,
         coalesce(bool_or(a.attname = 'id' and a.attidentity <> ''), false) as "drawsIds",
         (select f.facts from table_facts f where f.name = c.relname) as facts,
         array(select k.attname::text from pg_index i join pg_attribute k on k.attrelid = c.oid and k.attnum = any(i.indkey)
                where i.indrelid = c.oid and i.indisprimary order by array_position(i.indkey::int2[], k.attnum)) as "primaryKey"
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    join pg_type t on t.oid = a.atttypid
   where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and c.relname not in ('schema_migrations', 'table_facts')
   group by c.oid, c.relname order by 2`

const REFERENCES = `
  select f.conrelid as oid, r.relname::text as "table", own.attname::text as column, theirs.attname::text as key,
         theirs.attname = 'id' or coalesce(pg_get_expr(d.adbin, d.adrelid) ~ '\\mid\\M', false) and theirs.attgenerated <> '' as "isId"
    from pg_constraint f join pg_class r on r.oid = f.confrelid
    cross join lateral unnest(f.conkey, f.confkey) as pair(own, theirs)
    join pg_attribute own on own.attrelid = f.conrelid and own.attnum = pair.own
    join pg_attribute theirs on theirs.attrelid = f.confrelid and theirs.attnum = pair.theirs
    left join pg_attrdef d on d.adrelid = f.confrelid and d.adnum = theirs.attnum
   where f.contype = 'f' and f.conrelid <> 0 and own.attname <> 'tenant_id' and f.conparentid = 0
   order by 1, 3, 2`

/**
 * All tables except that of the migrations, referenced ones first: the order in which they can be filled. Nobody keeps a
 * list, so no table can be forgotten.
 * @throws SetupProblem if they refer to each other in a circle, or if nothing says what one of them is
 */
export async function listTables(client: pg.ClientBase): Promise<Table[]> {
  const { rows } = await client.query<Table & { oid: number }>(TABLES)
  const { rows: references } = await client.query<Reference & { oid: number }>(REFERENCES)
  const { rows: needs } = await client.query<{ oid: number; needs: string }>(
    `select conrelid as oid, confrelid::regclass::text as needs from pg_constraint where contype = 'f' and conrelid <> confrelid`,
  )
  const unknown = rows.filter(({ ofTenants, facts }) => ofTenants && !facts).map(({ name }) => name)
  if (unknown.length > 0)
    throw new SetupProblem(
      `Nothing says what is secret in ${unknown.join(', ')}: their migrations did not call protect`,
    )
  const left = new Map(rows.map((row) => [row.name, row]))
  const sorted: Table[] = []
  while (left.size > 0) {
    const ready = [...left.values()].filter(({ oid }) => !needs.some((it) => it.oid === oid && left.has(it.needs)))
    if (ready.length === 0)
      throw new SetupProblem(`These tables refer to each other in a circle: ${[...left.keys()].join(', ')}`)
    for (const { oid, ...table } of ready) {
      const own = references.filter((it) => it.oid === oid).map(({ oid: _, ...it }) => it)
      sorted.push({ ...table, facts: table.facts ?? {}, references: own })
      left.delete(table.name)
    }
  }
  return sorted
}
