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

/** What shows or holds a file, as details of the refusal to delete it. Each domain that refers to files provides one. */
export const fileHolders = ports<(scope: Scope, filename: string) => Promise<Detail[]>>('what shows or holds a file')

/**
 * Lets a command publish the files that these texts name. They stay until its commit.
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
 * Deletes a file: the row with the commit, then the bytes; what is left of them the sweep removes.
 * @throws NOT_FOUND, PERMISSION_DENIED, FILE_IN_USE naming what shows or holds it
 */
export async function deleteFile(tx: Tx, storage: Storage, filename: string): Promise<void> {
  // A command that is about to name the file is waited for, and then what it names is seen.
  const [file, ...uses] = await tx.inOrder([
    lockFile(tx, { filename }),
    ...fileHolders.all().map((usesOf) => usesOf(tx, filename)),
  ])
  assertMayDelete(file, tx.actor)
  if (uses.flat().length) throw fileFaults.inUse(uses.flat())
  removeFile(tx, { filename })
  tx.afterCommit('remove the bytes of a deleted file', () => storage.remove(tx.tenantId, filename))
}
