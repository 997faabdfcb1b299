import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { TenantId } from '../../kernel/actor.ts'
import { inTenant } from '../connections/connect-alone.ts'
import { quoted } from '../sql/quoted.ts'
import type { Database } from '../wire/database.ts'
import { listTables, ownerColumn, type Table } from './tables.ts'

/** Removes the bytes of all files of a tenant. @returns how many there were */
export type EraseFiles = (tenantId: TenantId) => Promise<number>

export interface Erased {
  /** rows, by table; only tables that had some */
  counts: Record<string, number>
  files: number
}

/** SQLSTATE of `tenant_to_erase()`. */
export const NOT_TO_BE_ERASED = '55000'
const BATCH = 1000

/**
 * Erases a tenant whose time is over: every table of tenants, those that refer to others first, in small transactions with
 * pauses as long as the work; the files; last the tenant itself, with a proof of how much there was. An erasure that is
 * interrupted goes on where it was. Of two that run together one ends it.
 * @param eraseFiles is called before the last transaction
 * @returns undefined if it was stopped
 * @throws NOT_TO_BE_ERASED of the database, also if another erasure has ended it
 */
export async function eraseTenant(
  database: Database,
  tenantId: TenantId,
  eraseFiles: EraseFiles,
  stopping?: AbortSignal,
): Promise<Erased | undefined> {
  const client = await database.connectAlone()
  const erased: Erased = { counts: {}, files: 0 }
  const eraseSome = (table: Table) => eraseRows(client, table)
  try {
    const all = await listTables(client)
    const tables = all.filter(({ ofTenants }) => ofTenants).reverse()
    for (const table of tables)
      for (;;) {
        const start = performance.now()
        if ((await inTenant(client, database.role, tenantId, () => eraseSome(table))) === 0) break
        await sleep(performance.now() - start)
        // After some rows, so that an erasure that is stopped again and again comes to its end.
        if (stopping?.aborted) return undefined
      }
    erased.files = await eraseFiles(tenantId)
    // Apart from what the functions of the owner do: on a cluster the locks of two roles in one transaction would wait for
    // each other.
    await inTenant(client, database.role, tenantId, async () => {
      for (const table of all) await removeAbout(client, table, tenantId)
    })
    await inTenant(client, database.role, tenantId, async () => {
      // What came meanwhile, such as an audit row of the system administrator. From here on the tenant is locked. A job that
      // holds a row, and writes tables that do not refer to the tenant, has ended when that row is gone: the second time
      // finds what it wrote.
      for (const table of [...tables, ...tables]) while ((await eraseSome(table)) > 0);
      const { rows } = await client.query('select finish_erasure($1) as counts', [erased.files])
      erased.counts = rows[0].counts
    })
  } finally {
    await client.end()
  }
  for (const announcement of [{ tenant: tenantId }, 'roles', 'content'] as const)
    database.announcements.publish(announcement, tenantId)
  return erased
}

/** Rows about the tenant in a table that all tenants share. */
async function removeAbout(client: pg.Client, table: Table, tenantId: TenantId): Promise<void> {
  const owner = ownerColumn(table)
  if (!owner) return
  const [name, column] = [quoted(table.name), quoted(owner)]
  await client.query(`delete from ${name} where ${column} = $1`, [tenantId])
}

async function eraseRows(client: pg.Client, { name }: Table): Promise<number> {
  const { rows } = await client.query('select erase_rows($1::regclass, $2)::float8 as removed', [quoted(name), BATCH])
  return rows[0].removed
}
