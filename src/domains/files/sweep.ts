import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../../data/database.ts'
import { nowhere, openScope, transact } from '../../data/transaction.ts'
import { system, type TenantId } from '../../kernel/actor.ts'
import { listNames, listTenants, removeFile } from './files.store.ts'
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
  for (const { id } of await listTenants(nowhere(database), {})) {
    if (stopping?.aborted) return found
    await compare(database, storage, id, { lost, batch }, found)
  }
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
  database: Database,
  storage: Storage,
  tenantId: TenantId,
  { lost, batch }: Required<Omit<SweepOptions, 'stopping'>>,
  found: Findings,
) {
  const scope = openScope(database, tenantId)
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

/** Sweeps at once and then again and again. The pause is at least 50 times what a sweep takes. */
export function startSweeper(database: Database, storage: Storage): { stop(): Promise<void> } {
  const stopping = new AbortController()
  const running = run()
  return {
    async stop() {
      stopping.abort()
      await running
    },
  }

  async function run() {
    let compareAt = performance.now()
    while (!stopping.signal.aborted) {
      const start = performance.now()
      await quietly(() => storage.spool.removeAbandoned(AGE.temporary))
      if (start >= compareAt) {
        await quietly(() => sweepFiles(database, storage, { stopping: stopping.signal }))
        compareAt = start + Math.max(storage.sweepEvery, 50 * (performance.now() - start))
      }
      await sleep(EVERY_MS, undefined, { signal: stopping.signal, ref: false }).catch(() => {})
    }
  }

  async function quietly(work: () => Promise<unknown>) {
    await work().catch((error) => database.log.warn({ err: String(error) }, 'the files could not be swept'))
  }
}
