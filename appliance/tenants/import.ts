import { type Database, eraseTenant } from '#atrium'
import { fileKeysOf, isStoredName, type Storage } from '#atrium/files'
import { beginFilling, type Filling } from '../../src/data/archive/fill-tenant.ts'
import { summed } from '../../src/data/archive/sums.ts'
import { entriesOf, type TenantManifest } from '../../src/data/archive/tenant-archive.ts'
import type { Progress } from '../backup/format.ts'
import { keepFile } from '../backup/load-archive.ts'
import { Refusal } from '../cli/refusal.ts'

export interface Imported {
  tenantId: number
  rows: number
  files: number
  /** rows of each table that need something that does not exist here: a menu, a permission */
  leftOut: Record<string, number>
}

const NOT_ON_A_CLUSTER =
  'A tenant cannot be imported into a cluster of Citus: import it into one PostgreSQL, and distribute that one.'

/**
 * Makes a tenant of a verified archive. It is invisible until it is whole: if anything fails, what was written is erased.
 * @throws Refusal if the code is taken, the archive is not what was verified, or the database is a cluster
 */
export async function importTenant(
  database: Database,
  storage: Storage,
  path: string,
  manifest: TenantManifest,
  code: string,
  progress: Progress,
): Promise<Imported> {
  if (database.onCluster) throw new Refusal(NOT_ON_A_CLUSTER)
  const filling = await beginFilling(database, code, manifest).catch((error) => {
    throw error.code === '23505' ? new Refusal(`There is a tenant ${code} already.`) : error
  })
  try {
    const files = await load(filling, storage, path, manifest, progress)
    const counts = await filling.commit()
    await filling.close()
    database.announcements.publish({ tenant: filling.tenantId }, filling.tenantId)
    const leftOut = Object.entries(counts).flatMap(([table, count]) => {
      const missing = manifest.rows[table]! - count
      return missing > 0 ? [[table, missing] as const] : []
    })
    const rows = Object.values(counts).reduce((sum, count) => sum + count, 0)
    return { tenantId: filling.tenantId, rows, files, leftOut: Object.fromEntries(leftOut) }
  } catch (error) {
    await discard(database, storage, filling).catch(() => {})
    throw error
  }
}

/** If this fails too, or the import is killed, the service erases what is left of it a day later. */
async function discard(database: Database, storage: Storage, filling: Filling): Promise<void> {
  await filling.abandon()
  await eraseTenant(database, filling.tenantId, (id) => storage.removeAll(id))
}

async function load(
  filling: Filling,
  storage: Storage,
  path: string,
  manifest: TenantManifest,
  progress: Progress,
): Promise<number> {
  const sums = new Map(manifest.entries.map(({ name, sha256 }) => [name, sha256]))
  let [files, bytes] = [0, 0]
  for await (const entry of entriesOf(path)) {
    const [, kind, rest] = /^(files|tables|shared)\/(.+)$/.exec(entry.name) ?? []
    if (!kind) continue
    let sum = ''
    const body = summed(entry.body, (it) => (sum = it))
    if (kind === 'files') {
      if (!isStoredName(rest!)) throw new Refusal(`${entry.name} is not a file of the service.`)
      await keepFile(storage, filling.tenantId, rest!, { ...entry, body }, sums.get(entry.name)!)
      files++
    } else {
      const table = rest!.replace(/\.ndjson$/, '')
      const lines = withKeys(body, manifest.tenant.id, filling.tenantId)
      if (!(await filling.take(table, lines))) throw new Refusal(`There is no table ${table} here.`)
    }
    bytes += entry.size
    progress(kind === 'files' ? 'files' : entry.name, files, bytes)
    if (sum !== sums.get(entry.name))
      throw new Refusal(`The second read of ${path} differed at ${entry.name}: copy it to another disk.`)
  }
  return files
}

/** Keys and addresses of files begin with the number of their tenant, in texts and JSON too. */
async function* withKeys(body: AsyncIterable<Buffer>, from: number, to: number): AsyncGenerator<Buffer> {
  const keys = fileKeysOf(from)
  const replaced = (lines: string) => Buffer.from(lines.replaceAll(keys, `${to}/`))
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of body) {
    const end = chunk.lastIndexOf(10) + 1
    if (end > 0) yield replaced(Buffer.concat([rest, chunk.subarray(0, end)]).toString())
    rest = end > 0 ? chunk.subarray(end) : Buffer.concat([rest, chunk])
  }
  if (rest.length > 0) yield replaced(rest.toString())
}
