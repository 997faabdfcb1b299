import { literal, ownerColumn, quoted, type SoftReference, type Table, type TenantId } from '#atrium'
import { withheldOf } from './withheld.ts'

type Tables = ReadonlyMap<string, Table>
type Column = Table['columns'][number]

/** Columns whose texts and JSON may name ids that cannot be followed. */
export const UNFOLLOWED = [
  'ids in events.data, outbox.facts and notifications.facts',
  'ids in paths of audit_operations',
  'ids in texts that people wrote',
]

/** Kinds of things, as events and notifications name them, whose table is not their name with an s. */
export const OTHER_TABLES: Record<string, string> = { category: 'categories', order: 'payment_orders' }

/** The temporary table with the rows of a table as they came. */
export const stagedOf = (table: string) => quoted(`staged_${table}`)
/** The temporary table with the new id of each old one. */
export const idsOf = (table: string) => quoted(`ids_${table}`)

/** The table whose ids a column holds; undefined if it holds something else, as the name of a file. */
export function targetOf(tables: Tables, table: Table, column: string): string | undefined {
  for (const reference of table.references.filter((it) => it.column === column)) {
    if (reference.isId) return reference.table
    const owner = tables.get(reference.table)
    const target = owner && reference.table !== table.name ? targetOf(tables, owner, reference.key) : undefined
    if (target) return target
  }
  return undefined
}

/**
 * The statement that inserts the staged rows of a table for a tenant, with new ids and with references to them. A row that
 * needs something that all tenants share, and that does not exist here, is left out.
 */
export function insertOf(tables: Tables, table: Table, tenantId: TenantId): string {
  const columns = table.columns.filter(({ name }) => name !== 'tenant_id')
  const values = columns.map((column) => valueFor(tables, table, column, tenantId))
  const needed = columns.flatMap(({ name, required }) => {
    const target = required ? targetOf(tables, table, name) : undefined
    return target && !tables.get(target)!.ofTenants
      ? [`exists (select from ${idsOf(target)} m where m.old = r.${quoted(name)})`]
      : []
  })
  return `insert into ${quoted(table.name)} (tenant_id, ${columns.map(({ name }) => quoted(name)).join(', ')})
    select ${Number(tenantId)}, ${values.join(', ')}
      from ${rowsOf(table)}
     ${needed.length > 0 ? `where ${needed.join(' and ')}` : ''} order by s.at`
}

/** The statement that inserts the staged rows of a directory that all tenants share. What is there already stays. */
export function insertAboutTenant(table: Table, tenantId: TenantId): string {
  const owner = ownerColumn(table)
  const values = table.columns.map(({ name }) => (name === owner ? Number(tenantId) : `r.${quoted(name)}`))
  return `insert into ${quoted(table.name)} (${table.columns.map(({ name }) => quoted(name)).join(', ')})
    select ${values.join(', ')} from ${rowsOf(table)} on conflict do nothing`
}

const rowsOf = ({ name }: Table) =>
  `${stagedOf(name)} s cross join lateral jsonb_populate_record(null::${quoted(name)}, s.line) r`

/** Asks whether staged rows have what an export keeps back; undefined if it keeps nothing back of the table. */
export function keptBackIn(table: Table): string | undefined {
  const { columns, rows } = withheldOf(table)
  const conditions = [
    ...columns.map((name) => `r.${quoted(name)} is not null`),
    ...(rows === true ? ['true'] : rows ? [`(${rows})`] : []),
  ]
  if (conditions.length === 0) return undefined
  return `select exists (select from ${rowsOf(table)} where ${conditions.join(' or ')}) as found`
}

/** What the service can read of a type: instants for which ISO 8601 has four digits, and whole numbers of JavaScript. */
const READABLE: Record<string, [least: string, most: string]> = {
  timestamptz: [`'0001-01-01'`, `'9999-12-31 23:59:59.999'`],
  timestamp: [`'0001-01-01'`, `'9999-12-31 23:59:59.999'`],
  date: [`'0001-01-01'`, `'9999-12-31'`],
  int8: [String(Number.MIN_SAFE_INTEGER), String(Number.MAX_SAFE_INTEGER)],
}

/** Asks whether rows of the tenant have a value that the service cannot read, such as `infinity`. */
export function unreadableIn({ name, ofTenants, columns }: Table, tenantId: TenantId): string | undefined {
  const owner = ofTenants ? 'tenant_id' : name === 'tenants' ? 'id' : undefined
  const isReadable = columns
    .filter(({ type }) => READABLE[type])
    .map((column) => `${quoted(column.name)} between ${READABLE[column.type]!.join(' and ')}`)
  if (!owner || isReadable.length === 0) return undefined
  return `select exists (select from ${quoted(name)} where ${owner} = ${Number(tenantId)} and not (${isReadable.join(' and ')})) as found`
}

/** Asks whether rows of the tenant refer to each other in a circle, as departments that lie below themselves. */
export function circlesIn({ name, ofTenants, references }: Table, tenantId: TenantId): string | undefined {
  const above = references.find((it) => it.table === name && it.isId)?.column
  if (!ofTenants || !above) return undefined
  const ofTenant = `${quoted(name)} t where t.tenant_id = ${Number(tenantId)}`
  return `with recursive reached as (
      select t.id from ${ofTenant} and t.${quoted(above)} is null
      union all select t.id from reached r cross join ${ofTenant} and t.${quoted(above)} = r.id)
    select (select count(*) from ${ofTenant}) > (select count(*) from reached) as found`
}

/** Asks whether the tenant has events with numbers that its counter has not given out, and so would give out again. */
export function unnumberedIn(tenantId: TenantId): string {
  const last = `select last_number from event_counters where tenant_id = ${Number(tenantId)}`
  return `select exists (select from events where tenant_id = ${Number(tenantId)} and id > coalesce((${last}), 0)) as found`
}

function valueFor(tables: Tables, table: Table, { name, required, type }: Column, tenantId: TenantId): string {
  const column = `r.${quoted(name)}`
  const soft = table.facts.references?.[name]
  if (name === 'id' && table.drawsIds) return newId(table.name, column)
  if (soft !== undefined) return softValue(tables, soft, column, type)
  const target = targetOf(tables, table, name)
  if (target) return tables.get(target)!.drawsIds ? newId(target, column) : column
  const other = table.references.find((it) => it.column === name)
  if (other)
    return `(select x.${quoted(other.key)} from ${quoted(other.table)} x where x.tenant_id = ${Number(tenantId)} and x.${quoted(other.key)} = ${column})`
  // Nobody knows this one, so what it stood for cannot be used.
  if (required && withheldOf(table).columns.includes(name)) return `coalesce(${column}, gen_random_uuid()::text)`
  return column
}

const newId = (table: string, old: string) => `(select m.new from ${idsOf(table)} m where m.old = ${old})`

/**
 * An id that leads nowhere here, because its row was deleted or belongs to another tenant, becomes negative: no row ever
 * gets such an id, so it names nobody else by accident.
 */
const orNobody = (found: string, old: string) => `coalesce(${found}, -abs(${old}))`

function softValue(tables: Tables, soft: SoftReference, column: string, type: string): string {
  const known = (table: string) => tables.get(table)?.drawsIds === true
  if (typeof soft === 'string' && type === '_int8')
    return `(select coalesce(array_agg(${orNobody(newId(soft, 'one'), 'one')}), '{}') from unnest(${column}) as one)`
  if (typeof soft === 'string') return known(soft) ? orNobody(newId(soft, column), column) : `-abs(${column})`
  if ('upTo' in soft) return `coalesce((select max(m.new) from ${idsOf(soft.upTo)} m where m.old <= ${column}), 0)`
  if ('text' in soft) {
    const [prefix, isMeant] = 'prefix' in soft ? [soft.prefix, 'true'] : ['', soft.when]
    const [before, id] = [literal(prefix), `substr(${column}, ${prefix.length + 1})`]
    const isId = `(${isMeant}) and starts_with(${column}, ${before}) and ${id} ~ '^[0-9]{1,18}$'`
    return `case when ${isId} then ${before} || ${orNobody(newId(soft.text, `${id}::bigint`), `${id}::bigint`)} else ${column} end`
  }
  const kinds = [...tables.values()].filter(({ drawsIds, ofTenants }) => drawsIds && ofTenants)
  const cases = kinds.map(({ name }) => `when ${literal(name)} then ${newId(name, column)}`)
  return orNobody(`case ${tableExpression(soft.by)} ${cases.join(' ')} end`, column)
}

function tableExpression(by: string): string {
  const cases = Object.entries(OTHER_TABLES).map(([kind, table]) => `when ${literal(kind)} then ${literal(table)}`)
  return `(case r.${quoted(by)} ${cases.join(' ')} else r.${quoted(by)} || 's' end)`
}
