import type { Entry } from '../data/archive/tar.ts'
import type { TenantId } from '../kernel/actor.ts'
import { Refusal } from './command-line.ts'
import { type FileBytes, fileStore } from './ports/file-store.ts'

/** Says that what is read back, such as a backup, is not what was written. */
export function damaged(path: string, what: string): Refusal {
  return new Refusal(`${path} cannot be restored: ${what}. Nothing was changed.`)
}

/**
 * Stores a file that is read back. As for an upload: first complete on the disk, then moved into place.
 * @throws Refusal if it is not a file of the service
 */
export async function keepFile(
  storage: FileBytes,
  tenantId: TenantId,
  filename: string,
  entry: Entry,
  sha256: string,
): Promise<void> {
  if (!fileStore.get().isStoredName(filename) || !Number.isSafeInteger(tenantId))
    throw new Refusal(`${entry.name} is not a file of the service.`)
  const spooled = await storage.spool.open(tenantId)
  try {
    for await (const chunk of entry.body) await spooled.write(chunk)
    await spooled.finish()
    const contentType = 'application/octet-stream'
    await storage.put(tenantId, filename, { path: spooled.path, size: entry.size, sha256, contentType })
  } finally {
    await spooled.discard()
  }
}
