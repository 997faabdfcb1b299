import {
  BrokenArchive,
  type Database,
  damaged,
  entriesOf,
  eraseTenant,
  type FileBytes,
  keepFile,
  type Progress,
  Refusal,
  summed,
} from '#atrium'
import { fileKeysOf } from '#atrium/files'
import { beginFilling, type Filling } from './fill-tenant.ts'
import { takeOnce } from './take-once.ts'
import type { TenantManifest } from './tenant-archive.ts'
import { assertUsable, withUsable } from './with-usable.ts'

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
 * Makes a tenant of a verified archive. It is invisible until it is whole: if anything fails, or if it is to stop, what was
 * written is erased. What a killed import into this code has left is erased first.
 * @throws Refusal if the code is taken, the archive has what this service cannot use, or the database is a cluster
 */
export async function importTenant(
  database: Database,
  storage: FileBytes,
  path: string,
  manifest: TenantManifest,
  code: string,
  progress: Progress,
  stopping?: AbortSignal,
): Promise<Imported> {
  if (database.onCluster) throw new Refusal(NOT_ON_A_CLUSTER)
  const erase = (tenantId: number) => eraseTenant(database, tenantId, (id) => storage.removeAll(id))
  const explained = (error: Error & { code?: string }) => {
    if (error instanceof BrokenArchive) return damaged(path, error.message)
    return error.code === '23505' ? new Refusal(`There is a tenant ${code} already.`) : error
  }
  const begin = async () => {
    assertUsable('tenants', manifest.tenant)
    return beginFilling(database, code, manifest, erase)
  }
  const filling = await takeOnce(begin).catch((error) => {
    throw explained(error)
  })
  if (!filling) throw new Refusal(`An import into ${code} is running.`)
  const stop = () => void filling.close()
  stopping?.addEventListener('abort', stop)
  try {
    const files = await load(filling, storage, path, manifest, progress, stopping)
    const counts = await filling.commit()
    stopping?.removeEventListener('abort', stop)
    await filling.close()
    database.announcements.publish({ tenant: filling.tenantId }, filling.tenantId)
    const leftOut = Object.entries(counts).flatMap(([table, count]) => {
      const missing = manifest.rows[table]! - count
      return missing > 0 ? [[table, missing] as const] : []
    })
    const rows = Object.values(counts).reduce((sum, count) => sum + count, 0)
    return { tenantId: filling.tenantId, rows, files, leftOut: Object.fromEntries(leftOut) }
  } catch (error) {
    // If this fails too, or the import is killed, the service erases what is left of it a day later.
    await filling
      .abandon()
      .then(() => erase(filling.tenantId))
      .catch(() => {})
    throw explained(error as Error)
  }
}

async function load(
  filling: Filling,
  storage: FileBytes,
  path: string,
  manifest: TenantManifest,
  progress: Progress,
  stopping?: AbortSignal,
): Promise<number> {
  const sums = new Map(manifest.entries.map(({ name, sha256 }) => [name, sha256]))
  let [files, bytes] = [0, 0]
  for await (const entry of entriesOf(path, stopping)) {
    const [, kind, rest] = /^(files|tables|shared)\/(.+)$/.exec(entry.name) ?? []
    if (!kind) continue
    let sum = ''
    const body = summed(entry.body, (it) => (sum = it))
    if (kind === 'files') {
      await keepFile(storage, filling.tenantId, rest!, { ...entry, body }, sums.get(entry.name)!)
      files++
    } else {
      const lines = withKeys(body, manifest.tenant.id, filling.tenantId)
      await filling.take(entry.name, withUsable(rest!.replace(/\.ndjson$/, ''), lines))
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
