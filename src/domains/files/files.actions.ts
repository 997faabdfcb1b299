import { randomBytes } from 'node:crypto'
import {
  type Activity,
  type Actor,
  assertAtHome,
  type Column,
  type Detail,
  type FileSettings,
  nextId,
  OutcomeUnknown,
  only,
  ports,
  type ResourceType,
  type Scope,
  seesEverything,
  type TenantId,
  type Tx,
  takeRoom,
} from '#atrium'
import { type FileChange, resourceOfType } from './file-resources.ts'
import {
  assertMayAttach,
  assertMayDelete,
  assertMayPublish,
  assertRoom,
  attachedFileView,
  fileFaults,
  fileView,
  namesIn,
  type PublicText,
  resourceOf,
  storedName,
} from './files.rules.ts'
import type { AttachedFile, FileView, Resource } from './files.schemas.ts'
import {
  findAttachment,
  insertFile,
  lockFile,
  lockFilesOf,
  lockToAttach,
  removeFile,
  saveResource,
  shareLockFiles,
  sumSizes,
} from './files.store.ts'
import { openStorage } from './storage/open-storage.ts'
import type { Storage } from './storage/storage.ts'
import type { Upload } from './uploads/upload.ts'

/**
 * Stores an upload: first its bytes durably, then its row with `enter`, in one short transaction. If the row fails, the
 * bytes are removed. If the outcome is unknown, they stay and the sweep decides. `quota`: bytes of all the tenant's
 * files, 0 for no limit.
 * @throws STORAGE_FULL, QUOTA_EXCEEDED
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

/** Uploads that end at the same time may exceed `quota` together, but never what the plan allows. */
async function enterFile(tx: Tx, filename: string, upload: Upload, quota: number): Promise<FileView> {
  const { originalName, contentType, size, sha256 } = upload
  const [id, taken] = await Promise.all([nextId(tx, 'files'), quota > 0 ? sumSizes(tx, {}) : undefined])
  assertRoom(taken?.bytes ?? 0, size, quota)
  await takeRoom(tx, 'fileBytes', size)
  const file = { id, filename, originalName, contentType, size, sha256, uploaderId: tx.actor.id, createdAt: tx.now }
  insertFile(tx, file)
  tx.record({
    event: 'file.uploaded',
    subject: id,
    data: only(file, ['filename', 'originalName', 'contentType', 'size', 'sha256']),
  })
  return fileView(tx.tenantId, file)
}

/** What shows or holds files. Each domain that names files in a column provides one. */
export interface FileHolder {
  /** the columns that name them; a contract test knows those that nobody provides */
  readonly columns: readonly Column[]
  /** the uses of a file, as details of the refusal to delete it */
  usesOf(scope: Scope, filename: string): Promise<Detail[]>
}
export const fileHolders = ports<FileHolder>('what shows or holds a file')

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
 * Attaches a file to a thing instead of what it belonged to, or with null detaches it. Both things must be seen, except
 * that a manager of files detaches from anything. What is so already changes nothing.
 * @throws NOT_FOUND (file, thing), PERMISSION_DENIED, NOT_IN_TENANT, the faults of things that are closed
 */
export async function placeFile(tx: Tx, filename: string, wanted: Resource | null): Promise<AttachedFile> {
  assertAtHome(tx)
  const { isHeld, ...file } = await lockToAttach(tx, { filename })
  const before = resourceOf(file)
  const isSo = before?.resourceType === wanted?.resourceType && before?.resourceId === wanted?.resourceId
  const { originalName: name } = file
  const taken =
    before && isHeld && !isSo
      ? await changeResource(tx, before, { action: 'FILE_DETACHED', oldValue: name })
      : undefined
  const given =
    wanted && !isSo ? await changeResource(tx, wanted, { action: 'FILE_ATTACHED', newValue: name }) : undefined
  // After the things: a person who does not see one gets a 404 for it, also with the file of somebody else.
  assertMayAttach(file, wanted, tx.actor)
  if (isSo) return attachedFileView(tx.tenantId, file)
  if (before) recordPlace(tx, 'file.detached', file, before, taken?.history)
  if (wanted) recordPlace(tx, 'file.attached', file, wanted, given?.history)
  const { resourceType = null, resourceId = null } = wanted ?? {}
  const placed = { resourceType, resourceId, goesPublic: given?.goesPublic ?? false }
  saveResource(tx, { id: file.id, ...placed })
  return attachedFileView(tx.tenantId, { ...file, ...placed })
}

/** @param history of the thing, unless it is gone */
function recordPlace(
  tx: Tx,
  event: 'file.attached' | 'file.detached',
  { id, filename }: { id: number; filename: string },
  { resourceType, resourceId }: Resource,
  history: Activity | undefined,
): void {
  tx.record({ event, subject: id, data: { filename, resourceType, resourceId }, history })
}

/** Anyone must see the thing, except a manager of files who detaches what somebody else has uploaded. */
async function changeResource(tx: Tx, { resourceType, resourceId }: Resource, change: FileChange) {
  const resource = resourceOfType(resourceType)!
  const isManaged = change.action === 'FILE_DETACHED' && tx.actor.permissions.has('file:manage')
  const sees = isManaged ? seesEverything('a manager of files may detach any') : resource.seenBy(tx.actor)
  if (!sees) throw resource.notFound()
  return resource.change(tx, resourceId, sees, change)
}

/** What files belong to, of any kind. */
export const things: FileHolder = {
  columns: ['files.resourceId'],
  async usesOf(scope, filename) {
    const held = await findAttachment(scope, { filename })
    return held ? [{ path: 'resource', ...held, message: 'it belongs to {resourceType} {resourceId}' }] : []
  },
}

/**
 * Deletes a file: the row with the commit, then the bytes. The sweep removes leftovers.
 * @throws NOT_FOUND, PERMISSION_DENIED, FILE_IN_USE naming its uses
 */
export async function deleteFile(tx: Tx, storage: Storage, filename: string): Promise<void> {
  const [file, uses] = await lockWithUses(tx, filename)
  assertMayDelete(file, tx.actor)
  if (uses.length) throw fileFaults.inUse(uses)
  forgetFile(tx, file)
  tx.afterCommit('remove the bytes of a deleted file', () => storage.remove(tx.tenantId, filename))
}

/**
 * Deletes a file that a domain has given up, unless something else uses it; the bytes after the commit.
 * @throws NOT_FOUND
 */
export async function discardFile(tx: Tx, settings: FileSettings, filename: string): Promise<void> {
  const [file, uses] = await lockWithUses(tx, filename)
  if (uses.length > 0) return
  forgetFile(tx, file)
  removeBytes(tx, settings, [file])
}

/** Deletes the files of things that are gone for good, and their bytes after the commit; not what something else uses. */
export async function discardFilesOf(
  tx: Tx<Actor>,
  settings: FileSettings,
  of: { resourceType: ResourceType; ids: readonly number[] },
): Promise<void> {
  const files = await lockFilesOf(tx, of)
  const uses = await Promise.all(
    files.map(({ filename }) => Promise.all(fileHolders.all().map(({ usesOf }) => usesOf(tx, filename)))),
  )
  const unused = files.filter((_, at) => uses[at]!.flat().length === 0)
  for (const file of unused) forgetFile(tx, file)
  if (unused.length > 0) removeBytes(tx, settings, unused)
}

/** After the commit. The sweep removes what is left over, unless it is so much that it looks like a mistake. */
function removeBytes(tx: Tx<Actor>, settings: FileSettings, files: readonly { filename: string }[]): void {
  tx.afterCommit('remove the bytes of discarded files', async () => {
    const storage = await openStorage(settings)
    await Promise.all(files.map(({ filename }) => storage.remove(tx.tenantId, filename))).finally(() => storage.close())
  })
}

function forgetFile(tx: Tx<Actor>, { id, filename }: { id: number; filename: string }): void {
  removeFile(tx, { filename })
  tx.record({ event: 'file.deleted', subject: id, data: { filename } })
}

/** Waits for a command that is about to name the file, then sees what it names. */
async function lockWithUses(tx: Tx, filename: string) {
  const [file, ...uses] = await tx.inOrder([
    lockFile(tx, { filename }),
    ...fileHolders.all().map(({ usesOf }) => usesOf(tx, filename)),
  ])
  return [file, uses.flat()] as const
}
