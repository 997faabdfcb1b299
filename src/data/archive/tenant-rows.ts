import pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import type { TenantId } from '../../kernel/actor.ts'
import { escapedInJson, LINE_ENDS } from '../../util/text/json-line.ts'
import { enterAlone, LOOK_FOR_CLIENT } from '../connections/connect-alone.ts'
import type { Database } from '../wire/database.ts'
import { listTables, ownerColumn, type Table } from './tables.ts'
import { withheldOf } from './withheld.ts'

export interface StoredBytes {
  tenantId: TenantId
  filename: string
  size: number
  sha256: string
}

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
  lines(table: Table, without: readonly StoredBytes[]): Promise<Lines>
  close(): Promise<void>
}
export interface Lines {
  rows: number
  size: number
  body: AsyncIterable<Buffer>
}

/** How many names of files are read at a time. */
const BATCH = 5000
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
    await enter(client, database.role, tenantId)
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

async function enter(client: pg.Client, role: string, tenantId: TenantId): Promise<void> {
  await client.query('begin isolation level repeatable read, read only')
  await enterAlone(client, role, tenantId)
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
        await enter(present, database.role, tenantId)
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

/** Every file of a tenant that has a row, by name. */
export async function* listFiles(client: pg.Client, tenantId: TenantId): AsyncGenerator<StoredBytes> {
  for (let after = ''; ; ) {
    const { rows } = await client.query<StoredBytes>(
      `select tenant_id::float8 as "tenantId", filename, size::float8 as size, sha256 from files
        where tenant_id = $1 and filename > $2 order by filename limit ${BATCH}`,
      [tenantId, after],
    )
    yield* rows
    if (rows.length < BATCH) return
    after = rows.at(-1)!.filename
  }
}

export async function hasFile(client: pg.Client, { tenantId, filename }: StoredBytes): Promise<boolean> {
  const found = await client.query('select from files where tenant_id = $1 and filename = $2', [tenantId, filename])
  return found.rowCount === 1
}

/** The condition that leaves files out. */
export function leaveOut(files: readonly StoredBytes[]): string {
  if (files.length === 0) return 'true'
  const pairs = files.map(({ tenantId, filename }) => `(${Number(tenantId)}, ${pg.escapeLiteral(filename)})`)
  return `(tenant_id, filename) not in (${pairs.join(', ')})`
}

/**
 * PostgreSQL rests for 1 ms after about 33 rows, so that requests do not have to share its processors with an export. Many
 * short rests: after 100 rows in a row, a request waited for several milliseconds more often than one in a hundred times.
 */
const RESTS = 'random() > 1.0 / 33 or pg_sleep(0.001) is not null'

/** A query whose column `line` is a row as JSON, ordered by the primary key. */
function linesOf(table: Table, tenantId: TenantId, without: readonly StoredBytes[]): string {
  const { columns, rows } = withheldOf(table.name)
  const owner = table.ofTenants ? 'tenant_id' : ownerColumn(table)
  const selected = table.columns.map(({ name, type }) => {
    const column = pg.escapeIdentifier(name)
    if (columns.includes(name)) return `null as ${column}`
    // JSON keeps the line breaks of its text, JSONB has none.
    return type === 'json' ? `${column}::jsonb as ${column}` : column
  })
  const conditions = [
    ...(owner ? [`${pg.escapeIdentifier(owner)} = ${Number(tenantId)}`] : []),
    ...(rows === true ? ['false'] : rows ? [`not (${rows})`] : []),
    ...(table.name === 'files' ? [leaveOut(without)] : []),
    'true',
  ]
  const order = table.primaryKey.map((name) => pg.escapeIdentifier(name)).join(', ')
  return `select ${escaped('row_to_json(r)::text')} as line from (
    select ${selected.join(', ')} from ${pg.escapeIdentifier(table.name)} where ${conditions.join(' and ')} order by ${order}) as r where ${RESTS}`
}

/** JSON in SQL, with the characters escaped that some programs take for the end of a line. */
function escaped(json: string): string {
  return LINE_ENDS.reduce(
    (text, end) => `replace(${text}, ${pg.escapeLiteral(end)}, ${pg.escapeLiteral(escapedInJson(end))})`,
    json,
  )
}

/** JSON contains neither of the two control characters, so each row is a line as it is. */
const AS_THEY_ARE = `(format csv, quote e'\\x01', delimiter e'\\x02')`

async function* copyLines(client: pg.Client, query: string): AsyncGenerator<Buffer> {
  yield* client.query(copyTo(`copy (${query}) to stdout with ${AS_THEY_ARE}`))
}
