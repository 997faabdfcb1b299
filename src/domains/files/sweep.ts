import { type Database, everyTenant, type Scope, type Sweep, startSweep, type TenantId, today } from '#atrium'
import { listNames } from './files.store.ts'
import type { Storage } from './storage/storage.ts'

/** From which age on, in ms, something counts as left behind and not as under way. */
const AGE = {
  /** temporary files that nobody wrote to */
  temporary: 60_000,
  /** bytes without a row, rows without bytes */
  lost: 600_000,
}
const DAY_MS = 86_400_000
/** What kills and full disks leave: so many, or a fifth of what there is, and never more than that. More has another reason. */
const USUAL = { count: 5, share: 0.2 }
/** So many names stand in one line of the log. */
const MOST_NAMED = 10

export interface SweepOptions {
  lost?: number
  /** days for which bytes without a row are kept in quarantine */
  keepDays?: number
  /** puts aside what has no row however much that is */
  although?: boolean
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
  /** orphans whose bytes were in quarantine, and are back */
  returned: number
  /** strays that are in quarantine now */
  quarantined: number
}
interface Found {
  tenantId: TenantId
  filename: string
}

/**
 * Compares storage and table in both directions, tenant by tenant. It has not seen what it finds die, so it removes
 * nothing: bytes without a row are put into quarantine for some days, and come back as soon as a row asks for them; rows
 * without bytes are told of. Several replicas may do so at once: what one has moved is no longer there for the other.
 *
 * Where much has no row something else is wrong (a folder of another service, a database of another day): then nothing
 * is moved either, and the log says so.
 */
export async function sweepFiles(
  database: Database,
  storage: Storage,
  { lost = AGE.lost, keepDays = 30, although = false, batch = 5000, stopping }: SweepOptions = {},
): Promise<Findings> {
  const found: Findings = { matched: 0, strays: [], orphans: [], returned: 0, quarantined: 0 }
  for await (const scope of everyTenant(database, stopping)) await compare(scope, storage, { lost, batch }, found)
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

/** First the bytes, then the rows: what is in the middle of being uploaded or deleted shows as younger than `lost`, or not at all. */
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

/** What nobody has asked for in so many days goes. */
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

/** How often temporary files are looked for; that costs nothing but a look into the folders. */
const EVERY_MS = 60_000

/** Looks for temporary files, and compares storage and table, at once and then again and again. */
export function startSweeper(database: Database, storage: Storage, keepDays: number): Sweep {
  const { log } = database
  const sweeps = [
    startSweep(log, { what: 'temporary files', pause: EVERY_MS }, () => storage.spool.removeAbandoned(AGE.temporary)),
    startSweep(log, { what: 'the files', pause: storage.sweepEvery }, (stopping) =>
      sweepFiles(database, storage, { keepDays, stopping }),
    ),
  ]
  return {
    async stop() {
      await Promise.all(sweeps.map((sweep) => sweep.stop()))
    },
  }
}
