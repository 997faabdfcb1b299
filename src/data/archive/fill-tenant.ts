import { once } from 'node:events'
import { finished } from 'node:stream/promises'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import type { TenantId } from '../../kernel/actor.ts'
import { enterAlone } from '../connections/connect-alone.ts'
import type { Database } from '../wire/database.ts'
import { idsOf, insertAboutTenant, insertOf, stagedOf } from './insert-rows.ts'
import { listTables, ownerColumn, type Table } from './tables.ts'
import type { TenantManifest } from './tenant-archive.ts'
import { withheldOf } from './withheld.ts'

/** A tenant that comes from an archive. Nobody enters it before it is whole. */
export interface Filling {
  tenantId: TenantId
  /** Takes the rows of a table, as lines of JSON. False if there is no such table. */
  take(name: string, lines: AsyncIterable<Buffer>): Promise<boolean>
  /**
   * Inserts all rows with new ids, and opens the tenant, in one commit.
   * @returns how many rows each table got
   */
  commit(): Promise<Record<string, number>>
  close(): Promise<void>
  /** Gives up: nothing of it stays but the tenant's row, which from now on is due for erasure. */
  abandon(): Promise<void>
}

/** By what a row that all tenants share is recognised in another installation. */
const SAME: Record<string, string[]> = {
  permissions: ['code'],
  menus: ['name', 'path', 'permission', 'type'],
}

/**
 * Makes the tenant of an archive: first its row, which is `closing`, so that what a killed import leaves is erased by the
 * service a day later. The rows follow in one transaction, in the service's own role: row security keeps them inside the
 * tenant.
 * @throws the database's error 23505 if the code is taken
 */
export async function beginFilling(database: Database, code: string, { tenant }: TenantManifest): Promise<Filling> {
  const client = await database.connectAlone()
  try {
    const tenantId = await insertTenant(client, database.role, code, tenant)
    await enter(client, database.role, tenantId)
    await client.query('select from tenants where id = $1 for update', [tenantId])
    const tables = new Map((await listTables(client)).map((table) => [table.name, table]))
    const abandon = async () => {
      await client.end()
      await makeDue(database, tenantId)
    }
    return { ...fill(client, tenantId, tables), abandon }
  } catch (error) {
    await client.end()
    throw error
  }
}

async function enter(client: pg.Client, role: string, tenantId: TenantId | ''): Promise<void> {
  await client.query('begin')
  await enterAlone(client, role, tenantId)
}

async function makeDue(database: Database, tenantId: TenantId): Promise<void> {
  const client = await database.connectAlone()
  try {
    await enter(client, database.role, tenantId)
    await client.query(`update tenants set erase_at = now() where id = $1 and status = 'closing'`, [tenantId])
    await client.query('commit')
  } finally {
    await client.end()
  }
}

/** What it becomes when it is whole: active or disabled, as it was. */
async function insertTenant(
  client: pg.Client,
  role: string,
  code: string,
  row: TenantManifest['tenant'],
): Promise<TenantId> {
  await enter(client, role, '')
  const { rows: columns } = await client.query<{ name: string }>(
    `select attname::text as name from pg_attribute where attrelid = 'tenants'::regclass and attnum > 0 and not attisdropped
        and attgenerated = '' and attname not in ('id', 'code', 'status', 'status_before', 'erase_at')`,
  )
  const names = columns.map(({ name }) => name).filter((name) => name in row)
  const status = row.status === 'closing' ? row.status_before : row.status
  const { rows } = await client.query<{ id: number }>(
    `insert into tenants (code, status, status_before, erase_at, ${names.map(pg.escapeIdentifier).join(', ')})
     select $1, 'closing', $2, clock_timestamp() + interval '1 day', ${names.map((name) => `r.${pg.escapeIdentifier(name)}`).join(', ')}
       from jsonb_populate_record(null::tenants, $3::jsonb) r returning id::float8 as id`,
    [code, status ?? 'active', JSON.stringify(row)],
  )
  await client.query('commit')
  return rows[0]!.id
}

function fill(client: pg.Client, tenantId: TenantId, tables: ReadonlyMap<string, Table>): Omit<Filling, 'abandon'> {
  const staged: Table[] = []
  return {
    tenantId,

    async take(name, lines) {
      const table = tables.get(name)
      if (!table) return false
      await client.query(
        `create temporary table ${stagedOf(name)} (at bigint generated always as identity, line jsonb not null) on commit drop`,
      )
      const stream = client.query(
        copyFrom(`copy ${stagedOf(name)} (line) from stdin with (format csv, quote e'\\x01', delimiter e'\\x02')`),
      )
      const failed = once(stream, 'error').then(([error]) => Promise.reject(error))
      failed.catch(() => {})
      for await (const chunk of lines) if (!stream.write(chunk)) await Promise.race([once(stream, 'drain'), failed])
      stream.end()
      await Promise.race([finished(stream), failed])
      staged.push(table)
      return true
    },

    async commit() {
      for (const table of tables.values()) await drawIds(client, table, staged.includes(table))
      const counts: Record<string, number> = {}
      // In the order of the tables, which has referenced ones first.
      for (const table of tables.values())
        if (table.ofTenants && staged.includes(table) && withheldOf(table.name).isImported)
          counts[table.name] = (await client.query(insertOf(tables, table, tenantId))).rowCount ?? 0
      for (const table of staged) if (ownerColumn(table)) await client.query(insertAboutTenant(table, tenantId))
      await client.query(
        'update tenants set status = status_before, status_before = null, erase_at = null where id = $1',
        [tenantId],
      )
      await client.query(`insert into invalidations (kind, subject) values ('tenant', $1) on conflict do nothing`, [
        tenantId,
      ])
      await client.query('commit')
      return counts
    },

    close: () => client.end(),
  }
}

/** New ids in the order of the old ones: what was first stays first. */
async function drawIds(client: pg.Client, { name, drawsIds, ofTenants }: Table, isStaged: boolean): Promise<void> {
  if (!drawsIds || name === 'tenants') return
  await client.query(`create temporary table ${idsOf(name)} (old bigint primary key, new bigint) on commit drop`)
  if (!isStaged) return
  const old = `(s.line ->> 'id')::bigint`
  const same = (SAME[name] ?? []).map((column) => `here.${column} is not distinct from s.line ->> '${column}'`)
  if (ofTenants)
    await client.query(
      `insert into ${idsOf(name)} select old, nextval(pg_get_serial_sequence('${name}', 'id'))
         from (select ${old} as old from ${stagedOf(name)} s order by 1) as ordered`,
    )
  else if (same.length > 0)
    await client.query(
      `insert into ${idsOf(name)} select ${old}, min(here.id) from ${stagedOf(name)} s
         join ${pg.escapeIdentifier(name)} here on ${same.join(' and ')} group by 1`,
    )
  await client.query(`analyze ${idsOf(name)}`)
}
