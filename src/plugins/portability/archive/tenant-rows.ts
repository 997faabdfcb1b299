import type pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import {
  type Database,
  enterMoment,
  escapedInJson,
  hasFile,
  LINE_ENDS,
  LOOK_FOR_CLIENT,
  leaveOut,
  listFiles,
  listTables,
  literal,
  ownerColumn,
  quoted,
  type StoredBytes,
  type Table,
  type TenantId,
} from '#atrium'
import { withheldOf } from './withheld.ts'

/** All rows of one tenant as of one moment, however long it takes to read them. */
export interface TenantRows {
  /** by the clock of the database */
  takenAt: Date
  /** the tenant's own row */
  tenant: { id: number; code: string; name: string } & Record<string, unknown>
  migrations: { name: string; checksum: string }[]
  /** those with rows of tenants, referenced ones first */
  tables: Table[]
  /** those that all tenants share: what rows of this one refer to, and directories with rows about it */
  shared: Table[]
  files(): AsyncGenerator<StoredBytes>
  /** whether the row of a file still exists now, outside the snapshot */
  isThere(file: StoredBytes): Promise<boolean>
  /** The rows of a table as lines of JSON, with their number and size in bytes. */
  lines(
    table: Table,
    without: readonly StoredBytes[],
  ): Promise<{ rows: number; size: number; body: AsyncIterable<Buffer> }>
  close(): Promise<void>
}

/** A snapshot keeps VACUUM from removing rows that were changed after it, so it does not last forever. */
const LONGEST_MS = 6 * 3_600_000

/**
 * Opens a snapshot of a tenant in the service's own role, so row security shows no other tenant. It uses one connection of
 * its own, and locks nothing but the shape of the tables.
 * @param onClose called once, however it ends
 * @returns undefined if one of this tenant is open anywhere. @throws Unavailable
 */
export async function openTenantRows(
  database: Database,
  tenantId: TenantId,
  onClose: () => void = () => {},
): Promise<TenantRows | undefined> {
  const client = await database.connectAlone().catch((error) => {
    onClose()
    throw error
  })
  const tooLong = setTimeout(() => client.end(), LONGEST_MS).unref()
  let ending: Promise<void> | undefined
  async function end() {
    clearTimeout(tooLong)
    onClose()
    await client.end().catch(() => {})
  }
  const close = () => (ending ??= end())
  try {
    await enterMoment(client, database.role, tenantId)
    const { rows: locks } = await client.query(
      `select pg_try_advisory_xact_lock(hashtextextended('export', $1::bigint)) as held`,
      [tenantId],
    )
    if (!locks[0].held) {
      await close()
      return undefined
    }
    await client.query(LOOK_FOR_CLIENT)
    return { ...(await open(client, database, tenantId)), close }
  } catch (error) {
    await close()
    throw error
  }
}

async function open(client: pg.Client, database: Database, tenantId: TenantId): Promise<Omit<TenantRows, 'close'>> {
  const all = await listTables(client)
  const tables = all.filter(({ ofTenants }) => ofTenants)
  const referred = new Set(tables.flatMap(({ references }) => references.map(({ table }) => table)))
  const { rows: moments } = await client.query('select clock_timestamp() as "takenAt"')
  const { rows: tenants } = await client.query('select row_to_json(t) as tenant from tenants t where id = $1', [
    tenantId,
  ])
  const { rows: migrations } = await client.query('select name, checksum from schema_migrations order by name')
  return {
    takenAt: moments[0].takenAt,
    tenant: tenants[0].tenant,
    migrations,
    tables,
    shared: all.filter((it) => !it.ofTenants && it.name !== 'tenants' && (referred.has(it.name) || ownerColumn(it))),

    files: () => listFiles(client, tenantId),

    async isThere(file) {
      const present = await database.connectAlone()
      try {
        await enterMoment(present, database.role, tenantId)
        return await hasFile(present, file)
      } finally {
        await present.end()
      }
    },

    async lines(table, without) {
      const query = linesOf(table, tenantId, without)
      const { rows } = await client.query<{ rows: number; size: number }>(
        `select count(*)::float8 as rows, coalesce(sum(octet_length(line) + 1), 0)::float8 as size from (${query}) as measured`,
      )
      return { ...rows[0]!, body: copyLines(client, query) }
    },
  }
}

/**
 * A sleep of 1 ms after about 33 rows, so that requests do not have to share the processors of PostgreSQL with an export.
 * Many short pauses: after 100 rows in a row, a request waited for several milliseconds more often than one in a hundred times.
 */
const PAUSES = 'random() > 1.0 / 33 or pg_sleep(0.001) is not null'

/** A query whose column `line` is a row as JSON, ordered by the primary key. */
function linesOf(table: Table, tenantId: TenantId, without: readonly StoredBytes[]): string {
  const { columns, rows } = withheldOf(table)
  const owner = table.ofTenants ? 'tenant_id' : ownerColumn(table)
  const selected = table.columns.map(({ name, type }) => {
    const column = quoted(name)
    if (columns.includes(name)) return `null as ${column}`
    // JSON keeps the line breaks of its text, JSONB has none.
    return type === 'json' ? `${column}::jsonb as ${column}` : column
  })
  const conditions = [
    ...(owner ? [`${quoted(owner)} = ${Number(tenantId)}`] : []),
    ...(rows === true ? ['false'] : rows ? [`not (${rows})`] : []),
    ...(table.name === 'files' ? [leaveOut(without)] : []),
    'true',
  ]
  const order = table.primaryKey.map((name) => quoted(name)).join(', ')
  return `select ${escaped('row_to_json(r)::text')} as line from (
    select ${selected.join(', ')} from ${quoted(table.name)} where ${conditions.join(' and ')} order by ${order}) as r where ${PAUSES}`
}

/** JSON in SQL, with the characters escaped that some programs take for the end of a line. */
function escaped(json: string): string {
  return LINE_ENDS.reduce((text, end) => `replace(${text}, ${literal(end)}, ${literal(escapedInJson(end))})`, json)
}

/** JSON contains neither of the two control characters, so each row is a line as it is. */
const AS_THEY_ARE = `(format csv, quote e'\\x01', delimiter e'\\x02')`

async function* copyLines(client: pg.Client, query: string): AsyncGenerator<Buffer> {
  yield* client.query(copyTo(`copy (${query}) to stdout with ${AS_THEY_ARE}`))
}
