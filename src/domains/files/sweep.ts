import { everyTenant } from '../../data/jobs/every-tenant.ts'
import { type Sweep, startSweep } from '../../data/jobs/sweep.ts'
import type { Scope } from '../../data/tx/scope.ts'
import { transact } from '../../data/tx/transact.ts'
import type { Database } from '../../data/wire/database.ts'
import { system, type TenantId } from '../../kernel/actor.ts'
import { listNames, removeFile } from './files.store.ts'
import type { Storage } from './storage/storage.ts'

/** From which age on, in ms, something counts as left behind and not as under way. */
const AGE = {
  /** temporary files that nobody wrote to */
  temporary: 60_000,
  /** bytes without a row, rows without bytes */
  lost: 600_000,
}
export interface SweepOptions {
  lost?: number
  /** rows read at once */
  batch?: number
  stopping?: AbortSignal
}

/** What a comparison of storage and table has found. */
export interface Findings {
  matched: number
  /** bytes without a row: of an upload whose row failed, of a deletion that was cut off */
  strays: Found[]
  /** rows without bytes */
  orphans: Found[]
}
interface Found {
  tenantId: TenantId
  filename: string
}

/**
 * Compares storage and table in both directions, tenant by tenant, and removes what either side lacks. Several replicas
 * may do so at once: whatever one has removed is no longer there for the other, and that is no mistake.
 *
 * Where more is missing than matches, something else is wrong (a folder that is not mounted, a database from another
 * day), and removing would make it final: then it is only reported, loudly.
 */
export async function sweepFiles(
  database: Database,
  storage: Storage,
  { lost = AGE.lost, batch = 5000, stopping }: SweepOptions = {},
): Promise<Findings> {
  const found: Findings = { matched: 0, strays: [], orphans: [] }
  for await (const scope of everyTenant(database, stopping)) await compare(scope, storage, { lost, batch }, found)
  if (stopping?.aborted) return found
  const { matched, strays, orphans } = found
  const { log } = database
  if (strays.length > matched || orphans.length > matched)
    log.error(
      { matched, bytesWithoutRow: strays.length, rowsWithoutBytes: orphans.length },
      'storage and table do not belong together; nothing was removed: look at FILE_STORAGE_ROOT and DATABASE_URL',
    )
  if (strays.length <= matched) for (const stray of strays) await storage.remove(stray.tenantId, stray.filename)
  if (orphans.length <= matched)
    for (const orphan of orphans) {
      log.error(orphan, 'the bytes of a file are gone; its row is removed')
      await removeRow(database, orphan)
    }
  return found
}

/** First the bytes, then the rows: what is in the middle of being uploaded or deleted shows as younger than `lost`, or not at all. */
async function compare(
  scope: Scope,
  storage: Storage,
  { lost, batch }: Required<Omit<SweepOptions, 'stopping'>>,
  found: Findings,
) {
  const { tenantId } = scope
  const stored = new Set(await storage.list(tenantId))
  for (let after = '', rows = batch; rows === batch; ) {
    const names = await listNames(scope, { after, limit: batch })
    for (const { filename, createdAt } of names) {
      if (stored.delete(filename)) found.matched++
      else if (Date.now() - Date.parse(createdAt) >= lost && (await storage.ageOf(tenantId, filename)) === undefined)
        found.orphans.push({ tenantId, filename })
    }
    rows = names.length
    after = names.at(-1)?.filename ?? ''
  }
  for (const filename of stored) {
    const age = await storage.ageOf(tenantId, filename)
    if (age !== undefined && age >= lost) found.strays.push({ tenantId, filename })
  }
}

async function removeRow(database: Database, { tenantId, filename }: Found) {
  const command = { tenantId, actor: system, requestId: 'file-sweep' }
  await transact(database, command, async (tx) => removeFile(tx, { filename }))
}

/** How often temporary files are looked for; that costs nothing but a look into the folders. */
const EVERY_MS = 60_000

/** Looks for temporary files, and compares storage and table, at once and then again and again. */
export function startSweeper(database: Database, storage: Storage): Sweep {
  const { log } = database
  const sweeps = [
    startSweep(log, { what: 'temporary files', pause: EVERY_MS }, () => storage.spool.removeAbandoned(AGE.temporary)),
    startSweep(log, { what: 'the files', pause: storage.sweepEvery }, (stopping) =>
      sweepFiles(database, storage, { stopping }),
    ),
  ]
  return {
    async stop() {
      await Promise.all(sweeps.map((sweep) => sweep.stop()))
    },
  }
}
