import { once } from 'node:events'
import { finished } from 'node:stream/promises'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import {
  BrokenArchive,
  type Database,
  enterAlone,
  inTenant,
  LOOK_FOR_CLIENT,
  listTables,
  ownerColumn,
  quoted,
  type Table,
  type TenantId,
} from '#atrium'
import {
  circlesIn,
  idsOf,
  insertAboutTenant,
  insertOf,
  keptBackIn,
  stagedOf,
  unnumberedIn,
  unreadableIn,
} from './insert-rows.ts'
import { rowsEntry, type TenantManifest } from './tenant-archive.ts'
import { withheldOf } from './withheld.ts'

/** A tenant that comes from an archive. Nobody enters it before it is whole. */
export interface Filling {
  tenantId: TenantId
  /** Takes an entry with the rows of a table, as lines of JSON. @throws BrokenArchive if there is no such table */
  take(entry: string, lines: AsyncIterable<Buffer>): Promise<void>
  /**
   * Inserts all rows with new ids, and opens the tenant, in one commit.
   * @returns how many rows each table got
   * @throws BrokenArchive if a table does not take its rows, or if there are some that no export writes
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
 * tenant. The transaction holds a lock of the code, which ends with the import, however that ends.
 * @param erase erases what an earlier import into this code has left when it was killed
 * @returns undefined if an import into this code is running
 * @throws the database's error 23505 if the code is taken; BrokenArchive if the row of the tenant does not fit
 */
export async function beginFilling(
  database: Database,
  code: string,
  { tenant }: TenantManifest,
  erase: (tenantId: TenantId) => Promise<unknown>,
): Promise<Filling | undefined> {
  const client = await database.connectAlone()
  try {
    await client.query('begin')
    await enterAlone(client, database.role, '')
    const { rows } = await client.query(
      `select pg_try_advisory_xact_lock(hashtextextended('import', hashtext($1))) as held`,
      [code],
    )
    if (!rows[0].held) {
      await client.end()
      return undefined
    }
    await client.query(LOOK_FOR_CLIENT)
    const left = await findLeft(client, database, code)
    if (left !== undefined) {
      await makeDue(database, left)
      await erase(left)
    }
    const tenantId = await alone(database, '', (other) => about('tenants', () => insertTenant(other, code, tenant)))
    await enterAlone(client, database.role, tenantId)
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

/** A transaction on a connection of its own. */
async function alone<T>(database: Database, tenantId: TenantId | '', act: (client: pg.Client) => Promise<T>) {
  const client = await database.connectAlone()
  try {
    return await inTenant(client, database.role, tenantId, () => act(client))
  } finally {
    await client.end()
  }
}

/** A tenant that was to be filled, and has nothing in it: every other one has its organization. */
async function findLeft(client: pg.Client, database: Database, code: string): Promise<TenantId | undefined> {
  const { rows } = await client.query<{ id: number }>(
    `select id::float8 as id from tenants where code = $1 and status = 'closing'`,
    [code],
  )
  if (!rows[0]) return undefined
  const { id } = rows[0]
  const isEmpty = await alone(database, id, async (other) => !(await other.query('select from organizations')).rowCount)
  return isEmpty ? id : undefined
}

async function makeDue(database: Database, tenantId: TenantId): Promise<void> {
  await alone(database, tenantId, (client) =>
    client.query(`update tenants set erase_at = now() where id = $1 and status = 'closing'`, [tenantId]),
  )
}

/** What the database refuses because of what it was given, and not because it cannot be reached or is busy. */
const REFUSES_VALUE = /^(0A|2[23]|42501|44|54|P0)/

/** @throws BrokenArchive that names the table, if the database does not take its rows */
async function about<T>(table: string, act: () => Promise<T>): Promise<T> {
  return act().catch((error) => {
    const isTaken = error.constraint === 'tenants_code_taken'
    throw REFUSES_VALUE.test(error.code) && !isTaken
      ? new BrokenArchive(`${table} does not take its rows: ${error.message}`)
      : error
  })
}

/** What it becomes when it is whole: active or disabled, as it was. */
async function insertTenant(client: pg.Client, code: string, row: TenantManifest['tenant']): Promise<TenantId> {
  const { rows: columns } = await client.query<{ name: string }>(
    `select attname::text as name from pg_attribute where attrelid = 'tenants'::regclass and attnum > 0 and not attisdropped
        and attgenerated = '' and attname not in ('id', 'code', 'status', 'status_before', 'erase_at')`,
  )
  const names = columns.map(({ name }) => name).filter((name) => name in row)
  const status = row.status === 'closing' ? row.status_before : row.status
  const { rows } = await client.query<{ id: number }>(
    `insert into tenants (code, status, status_before, erase_at, ${names.map(quoted).join(', ')})
     select $1, 'closing', $2, clock_timestamp() + interval '1 day', ${names.map((name) => `r.${quoted(name)}`).join(', ')}
       from jsonb_populate_record(null::tenants, $3::jsonb) r returning id::float8 as id`,
    [code, status ?? 'active', JSON.stringify(row)],
  )
  return rows[0]!.id
}

function fill(client: pg.Client, tenantId: TenantId, tables: ReadonlyMap<string, Table>): Omit<Filling, 'abandon'> {
  const staged: Table[] = []
  return {
    tenantId,

    async take(entry, lines) {
      const table = [...tables.values()].find((it) => rowsEntry(it) === entry)
      if (!table) throw new BrokenArchive(`${entry} is of no table here`)
      const { name } = table
      await client.query(
        `create temporary table ${stagedOf(name)} (at bigint generated always as identity, line jsonb not null) on commit drop`,
      )
      const stream = client.query(
        copyFrom(`copy ${stagedOf(name)} (line) from stdin with (format csv, quote e'\\x01', delimiter e'\\x02')`),
      )
      const failed = once(stream, 'error').then(([error]) => Promise.reject(error))
      failed.catch(() => {})
      await about(name, async () => {
        for await (const chunk of lines) if (!stream.write(chunk)) await Promise.race([once(stream, 'drain'), failed])
        stream.end()
        await Promise.race([finished(stream), failed])
      })
      staged.push(table)
    },

    async commit() {
      for (const table of staged) await assertNone(table.name, keptBackIn(table), 'has what no export writes')
      for (const table of tables.values()) await about(table.name, () => drawIds(client, table, staged.includes(table)))
      const counts: Record<string, number> = {}
      // In the order of the tables, which has referenced ones first.
      for (const table of tables.values())
        if (table.ofTenants && staged.includes(table) && withheldOf(table).isImported)
          counts[table.name] = await about(
            table.name,
            async () => (await client.query(insertOf(tables, table, tenantId))).rowCount ?? 0,
          )
      if (!counts.organizations) throw new BrokenArchive('it has no organization')
      for (const table of staged)
        if (ownerColumn(table)) await about(table.name, () => client.query(insertAboutTenant(table, tenantId)))
      for (const table of tables.values()) {
        await assertNone(table.name, unreadableIn(table, tenantId), 'has an instant or a number that is out of range')
        await assertNone(table.name, circlesIn(table, tenantId), 'has rows that lie below themselves')
      }
      await assertNone('events', unnumberedIn(tenantId), 'has numbers that were not given out')
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

  async function assertNone(name: string, query: string | undefined, otherwise: string): Promise<void> {
    if (query && (await about(name, () => client.query(query))).rows[0].found)
      throw new BrokenArchive(`${name} ${otherwise}`)
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
         join ${quoted(name)} here on ${same.join(' and ')} group by 1`,
    )
  await client.query(`analyze ${idsOf(name)}`)
}
