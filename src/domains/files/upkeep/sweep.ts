import { type Config, type Database, everyTenant, type Job, type Scope, type TenantId, today } from '#atrium'
import { listNames } from '../files.store.ts'
import { openStorage } from '../storage/open-storage.ts'
import type { Storage } from '../storage/storage.ts'

/** The age in ms from which something counts as left over, not as in progress. */
const AGE = {
  /** temporary files that nobody wrote to */
  temporary: 60_000,
  /** bytes without a row, rows without bytes */
  lost: 600_000,
}
const DAY_MS = 86_400_000
/** What kills and full disks leave at most: this many or a fifth of the matched files, and never more than those. More has another cause. */
const USUAL = { count: 5, share: 0.2 }
const MOST_NAMED = 10

export interface SweepOptions {
  lost?: number
  /** days for which bytes without a row are kept in quarantine */
  keepDays?: number
  /** quarantines everything without a row, however much it is */
  although?: boolean
  /** rows per read */
  batch?: number
  stopping?: AbortSignal
}

export interface Findings {
  matched: number
  /** bytes without a row, from a failed row of an upload or an interrupted deletion */
  strays: Found[]
  /** rows without bytes */
  orphans: Found[]
  /** orphans whose bytes came back from quarantine */
  returned: number
  /** strays moved to quarantine */
  quarantined: number
}
interface Found {
  tenantId: TenantId
  filename: string
}

/**
 * Compares storage and table in both directions, tenant by tenant. It cannot know the cause, so it deletes nothing: bytes
 * without a row go into quarantine for some days, and come back as soon as a row needs them. Rows without bytes are
 * reported. Several replicas may run it at the same time: what one has moved, the other does not find.
 *
 * If too much has no row, something else is wrong (another service's folder, an older database). Then nothing is moved,
 * and the log says so.
 */
export async function sweepFiles(
  database: Database,
  storage: Storage,
  { lost = AGE.lost, keepDays = 30, although = false, batch = 5000, stopping }: SweepOptions = {},
): Promise<Findings> {
  const found: Findings = { matched: 0, strays: [], orphans: [], returned: 0, quarantined: 0 }
  // A tenant that is imported is closing until its last row is there, and its files come before.
  for await (const scope of everyTenant(database, stopping, 'closing'))
    await compare(scope, storage, { lost, batch }, found)
  const day = await today(database)
  if (stopping?.aborted || day === undefined) return found
  const { matched, strays, orphans } = found
  const { log } = database
  if (orphans.length)
    log.error({ matched, count: orphans.length, files: named(orphans) }, 'the bytes of files are gone; their rows stay')
  const usual = Math.min(matched, Math.max(USUAL.count, USUAL.share * matched))
  if (!although && strays.length > usual) {
    log.error(
      { matched, bytesWithoutRow: strays.length, files: named(strays) },
      'storage and table do not belong together, and nothing was moved: look at FILE_STORAGE_ROOT and DATABASE_URL; atrium files sweep --although moves them into quarantine',
    )
    return found
  }
  for (const { tenantId, filename } of strays)
    if (await storage.quarantine(day, tenantId, filename)) found.quarantined++
  if (found.quarantined)
    log.warn(
      { count: found.quarantined, files: named(strays), keepDays },
      'bytes without a row were put into quarantine',
    )
  await emptyQuarantine(database, storage, { today: day, keepDays })
  return found
}

function named(files: readonly Found[]): string[] {
  return files.slice(0, MOST_NAMED).map(({ tenantId, filename }) => `${tenantId}/${filename}`)
}

/** First the bytes, then the rows: uploads and deletions in progress are younger than `lost`, or not seen. */
async function compare(
  scope: Scope,
  storage: Storage,
  { lost, batch }: { lost: number; batch: number },
  found: Findings,
) {
  const { tenantId } = scope
  const stored = new Set(await storage.list(tenantId))
  for (let after = '', rows = batch; rows === batch; ) {
    const names = await listNames(scope, { after, limit: batch })
    for (const { filename, age } of names) {
      if (stored.delete(filename)) found.matched++
      else if (age < lost || (await storage.ageOf(tenantId, filename)) !== undefined) continue
      else if (await storage.release(tenantId, filename)) found.returned++
      else found.orphans.push({ tenantId, filename })
    }
    rows = names.length
    after = names.at(-1)?.filename ?? ''
  }
  for (const filename of stored) {
    const age = await storage.ageOf(tenantId, filename)
    if (age !== undefined && age >= lost) found.strays.push({ tenantId, filename })
  }
}

/** Deletes what no row has needed for `keepDays`. */
async function emptyQuarantine(
  { log }: Database,
  storage: Storage,
  { today, keepDays }: { today: string; keepDays: number },
) {
  const last = Date.parse(today) - keepDays * DAY_MS
  for (const day of await storage.quarantinedDays())
    if (Date.parse(day) < last) {
      const count = await storage.emptyQuarantine(day)
      log.warn({ day, count }, 'bytes that nobody has asked for were removed from quarantine')
    }
}

/** ms between two comparisons of storage and table. Stores charge for each listing. */
const COMPARED_EVERY = { local: 300_000, s3: 3_600_000 }

/** Removes temporary files; it only lists the folders. */
export const temporaryFiles: Job = {
  name: 'temporary files',
  every: 60_000,
  async open({ config }) {
    const storage = await openStorage(config.files)
    return { run: () => storage.spool.removeAbandoned(AGE.temporary), close: () => storage.close() }
  },
}

/** Compares storage and table, immediately and then periodically. */
export function comparisonOfFiles({ files, fileQuarantineDays: keepDays }: Config): Job {
  return {
    name: 'the files',
    every: COMPARED_EVERY[files.storage],
    async open({ database }) {
      const storage = await openStorage(files)
      return {
        run: (_, stopping) => sweepFiles(database, storage, { keepDays, stopping }),
        close: () => storage.close(),
      }
    },
  }
}
