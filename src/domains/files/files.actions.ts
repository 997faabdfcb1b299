import { randomBytes } from 'node:crypto'
import { type Detail, nextId, OutcomeUnknown, ports, type Scope, type TenantId, type Tx } from '#atrium'
import {
  assertMayDelete,
  assertMayPublish,
  assertRoom,
  fileFaults,
  fileView,
  namesIn,
  type PublicText,
  storedName,
} from './files.rules.ts'
import type { FileView } from './files.schemas.ts'
import { insertFile, lockFile, removeFile, shareLockFiles, sumSizes } from './files.store.ts'
import type { Storage } from './storage/storage.ts'
import type { Upload } from './upload.ts'

/**
 * Stores an upload: first its bytes durably, then its row with `enter`, in one short transaction. If the row fails, the
 * bytes are removed. If the outcome is unknown, they stay and the sweep decides. `quota`: bytes of all the tenant's
 * files, 0 for no limit.
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

/** Uploads that end at the same time may exceed the quota together; the next one is refused. */
async function enterFile(tx: Tx, filename: string, upload: Upload, quota: number): Promise<FileView> {
  const { originalName, contentType, size, sha256 } = upload
  const [id, taken] = await Promise.all([nextId(tx, 'files'), quota > 0 ? sumSizes(tx, {}) : undefined])
  assertRoom(taken?.bytes ?? 0, size, quota)
  const file = { id, filename, originalName, contentType, size, sha256, uploaderId: tx.actor.id, createdAt: tx.now }
  insertFile(tx, file)
  return fileView(tx.tenantId, file)
}

/** The uses of a file, as details of the refusal to delete it. Each domain that refers to files provides one. */
export const fileHolders = ports<(scope: Scope, filename: string) => Promise<Detail[]>>('what shows or holds a file')

/**
 * Lets a command publish the files that these texts name. They cannot be deleted until its commit.
 * @throws NOT_FOUND, PERMISSION_DENIED, VALIDATION_FAILED
 */
export async function publishFiles(tx: Tx, texts: readonly PublicText[]): Promise<void> {
  const filenames = [...new Set(texts.flatMap(namesIn))]
  if (filenames.length === 0) return
  const files = await shareLockFiles(tx, { filenames })
  for (const text of texts) {
    const names = namesIn(text)
    const found = files.filter(({ filename }) => names.includes(filename))
    assertMayPublish(text, found, tx.tenantId, tx.actor)
  }
}

/**
 * Deletes a file: the row with the commit, then the bytes. The sweep removes leftovers.
 * @throws NOT_FOUND, PERMISSION_DENIED, FILE_IN_USE naming its uses
 */
export async function deleteFile(tx: Tx, storage: Storage, filename: string): Promise<void> {
  // Waits for a command that is about to name the file, then sees what it names.
  const [file, ...uses] = await tx.inOrder([
    lockFile(tx, { filename }),
    ...fileHolders.all().map((usesOf) => usesOf(tx, filename)),
  ])
  assertMayDelete(file, tx.actor)
  if (uses.flat().length) throw fileFaults.inUse(uses.flat())
  removeFile(tx, { filename })
  tx.afterCommit('remove the bytes of a deleted file', () => storage.remove(tx.tenantId, filename))
}
