import { randomBytes } from 'node:crypto'
import { nextId, OutcomeUnknown, type TenantId, type Tx } from '#atrium'
import { assertMayDelete, assertRoom, fileView, storedName } from './files.rules.ts'
import type { FileView } from './files.schemas.ts'
import { insertFile, lockFile, removeFile, sumSizes } from './files.store.ts'
import type { Storage } from './storage/storage.ts'
import type { Upload } from './upload.ts'

/**
 * Keeps an upload: first its bytes, for good, then its row, by `enter`, in one short transaction. When the row fails
 * the bytes go; when nobody knows whether it did, they stay, and the sweep finds out. `quota`: bytes of all files of
 * the tenant, 0 for any number.
 * @throws STORAGE_FULL
 */
export async function keepUpload(
  storage: Storage,
  tenantId: TenantId,
  upload: Upload,
  enter: (action: (tx: Tx) => Promise<FileView>) => Promise<FileView>,
  quota = 0,
): Promise<FileView> {
  const filename = storedName(upload.extension, randomBytes(16).toString('hex'))
  await storage.put(tenantId, filename, upload)
  try {
    return await enter((tx) => enterFile(tx, filename, upload, quota))
  } catch (error) {
    if (!(error instanceof OutcomeUnknown)) await storage.remove(tenantId, filename).catch(() => {})
    throw error
  }
}

/** Uploads that end at the same moment may go past the quota together; the next one is refused. */
async function enterFile(tx: Tx, filename: string, upload: Upload, quota: number): Promise<FileView> {
  const { originalName, contentType, size, sha256 } = upload
  const [id, taken] = await Promise.all([nextId(tx, 'files'), quota > 0 ? sumSizes(tx, {}) : undefined])
  assertRoom(taken?.bytes ?? 0, size, quota)
  const file = { id, filename, originalName, contentType, size, sha256, uploaderId: tx.actor.id, createdAt: tx.now }
  insertFile(tx, file)
  return fileView(tx.tenantId, file)
}

/** Deletes a file: the row with the commit, then the bytes; what is left of them the sweep removes. @throws NOT_FOUND, PERMISSION_DENIED */
export async function deleteFile(tx: Tx, storage: Storage, filename: string): Promise<void> {
  const file = await lockFile(tx, { filename })
  assertMayDelete(file, tx.actor)
  removeFile(tx, { filename })
  tx.afterCommit('remove the bytes of a deleted file', () => storage.remove(tx.tenantId, filename))
}
