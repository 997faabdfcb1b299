import { encodeExtended } from 'content-disposition'
import {
  type Detail,
  fault,
  faults,
  notFound,
  type RowOf,
  type Seen,
  seen,
  type TenantId,
  type User,
  type UserId,
} from '#atrium'
import { fileResources, type Viewer } from './file-resources.ts'
import type { AttachedFile, FileView, Resource } from './files.schemas.ts'
import { KINDS } from './uploads/magic.ts'

export const fileFaults = {
  notFound: notFound('File'),
  rejected: fault('FILE_REJECTED', 400, 'The upload is not one complete file in the part "file"'),
  kind: fault('UNSUPPORTED_MEDIA_TYPE', 415, 'Files of this kind are not accepted'),
  tooLarge: fault('PAYLOAD_TOO_LARGE', 413, 'The file is too large'),
  full: fault('STORAGE_FULL', 409, 'The files of this tenant take all the room that they may'),
  inUse: fault('FILE_IN_USE', 409, 'The file is in use'),
  notYoursToPublish: fault(
    'PERMISSION_DENIED',
    403,
    'Only the person who uploaded a file, or a manager of files, may publish it',
  ),
  notYours: fault('PERMISSION_DENIED', 403, 'Only who uploaded a file, or who manages files, may delete it'),
  notYoursToAttach: fault('PERMISSION_DENIED', 403, 'Only the person who uploaded a file may attach it'),
  notYoursToDetach: fault(
    'PERMISSION_DENIED',
    403,
    'Only the person who uploaded a file, or a manager of files, may detach it',
  ),
  changed: fault('PRECONDITION_FAILED', 412, 'The file is not the one that was asked for'),
  noSuchRange: fault('RANGE_NOT_SATISFIABLE', 416, 'The file has no such range'),
}

const MOST_CHARACTERS = 255
/** Controls, line ends, bidirectional characters (`gnp.exe` shown as `exe.png`), and bytes that are not text. */
const UNFIT = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069\ufffd]/u

/**
 * The client's name for its file, as stored and shown: without folders, in NFC.
 * @throws VALIDATION_FAILED
 */
export function originalName(sent: string | undefined): string {
  const name = (sent ?? '').slice(0, 10_000).split(/[/\\]/).at(-1)!.normalize('NFC').trim()
  if (name === '') throw unfit({ message: 'the file needs a name' })
  if ([...name].length > MOST_CHARACTERS)
    throw unfit({ message: 'the name has more than {maximum} characters', maximum: MOST_CHARACTERS })
  if (UNFIT.test(name) || !name.isWellFormed())
    throw unfit({ message: 'the name contains characters that are not allowed' })
  return name
}

function unfit(detail: Detail) {
  return faults.validation([{ path: 'body.file', ...detail }])
}

/** The extension, which is the claimed kind of the file. @throws UNSUPPORTED_MEDIA_TYPE */
export function extensionOf(name: string): string {
  const extension = /.\.([A-Za-z]{2,4})$/.exec(name)?.[1]?.toLowerCase() ?? ''
  if (KINDS.has(extension)) return extension
  const allowed = [...KINDS.keys()]
  throw fileFaults.kind([{ path: 'body.file', allowed, message: 'the extension is not one of the accepted' }])
}

/** The stored name of a file: only the kind comes from the client. `random`: 32 hexadecimal digits. */
export function storedName(extension: string, random: string): string {
  return `${random}.${extension}`
}

const NAME = `[0-9a-f]{32}\\.(?:${[...KINDS.keys()].join('|')})`
const STORED_NAME = new RegExp(`^${NAME}$`)
const ANY_NAME = new RegExp(NAME, 'g')

/** Whether the service can have generated a name. No other name becomes part of a path. */
export function isStoredName(filename: string): boolean {
  return STORED_NAME.test(filename)
}

/**
 * Every file of the tenant, or what one reader sees: their own files, `loose` ones, which belong to nothing, and those of
 * the things that they see. What they see of a kind stands under its name: `task.seen`, `task.memberId`.
 */
export type SeesFiles = Seen<
  'files',
  { readerId?: UserId; loose?: true } & { readonly [filter: `${string}.${string}`]: unknown }
>

/**
 * The files that a person may see. Managers see all. Others see their own, those of things that they see, and, unless
 * they are self-registered, those that belong to nothing.
 */
export function filesSeenBy(user: Viewer & Pick<User, 'selfRegistered'>): SeesFiles {
  if (user.permissions.has('file:manage')) return seen({})
  const filters = fileResources.all().flatMap(({ type, seenBy }) => {
    const sees = seenBy(user)
    return sees ? Object.entries({ seen: true, ...sees }).map(([name, value]) => [`${type}.${name}`, value]) : []
  })
  const loose = user.selfRegistered ? {} : { loose: true as const }
  return seen({ readerId: user.id, ...loose, ...Object.fromEntries(filters) })
}

/** What a reader sees of one kind of thing, from the filters of `filesSeenBy`; undefined if nothing. */
export function seenOfKind(p: SeesFiles, type: string): object | undefined {
  const prefix = `${type}.`
  if (p[`${type}.seen`] === undefined) return undefined
  const own = Object.entries(p).filter(([name]) => name.startsWith(prefix) && name !== `${type}.seen`)
  return Object.fromEntries(own.map(([name, value]) => [name.slice(prefix.length), value]))
}

export type Attachable = Pick<RowOf<'files'>, 'uploaderId' | 'resourceType' | 'resourceId'>

/** The thing that a file belongs to, if any. */
export function resourceOf({ resourceType, resourceId }: Omit<Attachable, 'uploaderId'>): Resource | null {
  return resourceType && resourceId ? { resourceType, resourceId } : null
}

/** Its uploader attaches a file; a manager of files may detach it as well. @throws PERMISSION_DENIED */
export function assertMayAttach(
  { uploaderId }: Attachable,
  wanted: Resource | null,
  actor: Pick<User, 'id' | 'permissions'>,
): void {
  if (uploaderId === actor.id) return
  if (wanted) throw fileFaults.notYoursToAttach()
  if (!actor.permissions.has('file:manage')) throw fileFaults.notYoursToDetach()
}

/** @throws PERMISSION_DENIED */
export function assertMayDelete(file: { uploaderId: number }, actor: Pick<User, 'id' | 'permissions'>): void {
  if (file.uploaderId !== actor.id && !actor.permissions.has('file:manage')) throw fileFaults.notYours()
}

/**
 * Content-Disposition: whether the browser shows or saves the file, and its name.
 * @see RFC 6266, RFC 8187
 */
export function dispositionOf({ filename, originalName }: { filename: string; originalName: string }): string {
  const kind = KINDS.get(filename.split('.')[1]!)
  const plain = originalName.replace(/[^\x20-\x7e]|["\\%]/gu, '_')
  // The package omits the first name's quotes if the grammar allows; older clients require them.
  const names = `filename="${plain}"${plain === originalName ? '' : `; filename*=${encodeExtended(originalName)}`}`
  return `${kind?.inline ? 'inline' : 'attachment'}; ${names}`
}

/** The paths of files for a tenant's people and for the public. */
const INSIDE = '/api/v1/files/'
export const OUTSIDE = '/api/v1/public/files/'

/** The addresses of a file. */
export function addressesOf(tenantId: TenantId, filename: string): string[] {
  const key = `${tenantId}/${filename}`
  return [INSIDE + key, OUTSIDE + key]
}

/** The tenant in the keys of its files, wherever they stand in a text. */
export function fileKeysOf(tenantId: TenantId): RegExp {
  return new RegExp(`(?<!\\d)${tenantId}/(?=${NAME})`, 'g')
}

const KEY = new RegExp(`^[1-9]\\d{0,14}/${NAME}$`)

/** Whether a text has the form of a file's key. */
export function isFileKey(text: string): boolean {
  return KEY.test(text)
}

/** The address of the file with a key. */
export function addressOfKey(key: string): string {
  return INSIDE + key
}

const ADDRESS = new RegExp(`^(?:${INSIDE}|${OUTSIDE})([1-9]\\d{0,14})/(${NAME})$`)

/** A text that a command is about to publish. */
export interface PublicText {
  /** its path in the request: `body.cover` */
  path: string
  text: string
  /** the text is the address of a picture */
  isPicture: boolean
}

/** The names of stored files in a text; a file is public if something public names it. */
export function namesIn({ text }: PublicText): string[] {
  return text.match(ANY_NAME) ?? []
}

type Publishable = Pick<RowOf<'files'>, 'filename' | 'contentType' | 'uploaderId'>

/**
 * Only its uploader or a manager of files may publish a file, and as a picture only an image. Text that is not an address
 * of a stored file is unrestricted.
 * @param found the tenant's files that the text names
 * @throws NOT_FOUND, PERMISSION_DENIED, VALIDATION_FAILED
 */
export function assertMayPublish(
  { path, text, isPicture }: PublicText,
  found: readonly Publishable[],
  tenantId: TenantId,
  actor: Pick<User, 'id' | 'permissions'>,
): void {
  const [, itsTenant] = ADDRESS.exec(text) ?? []
  if (itsTenant && (found.length === 0 || Number(itsTenant) !== tenantId)) throw fileFaults.notFound()
  for (const { uploaderId, contentType } of found) {
    if (uploaderId !== actor.id && !actor.permissions.has('file:manage'))
      throw fileFaults.notYoursToPublish([{ path, message: 'the file would become public' }])
    if (isPicture && !contentType.startsWith('image/')) throw faults.validation([{ path, message: 'must be an image' }])
  }
}

/** A public address: the inside address of a file becomes the outside one. */
export function inPublic(address: string): string {
  return address.startsWith(INSIDE) ? OUTSIDE + address.slice(INSIDE.length) : address
}

/** A file as its tenant sees it. */
export function fileView(tenantId: TenantId, file: Omit<FileView, 'key' | 'url'> & { filename: string }): FileView {
  const key = `${tenantId}/${file.filename}`
  const { originalName, contentType, size, sha256, createdAt } = file
  return { key, originalName, contentType, size, sha256, url: INSIDE + key, createdAt }
}

/** The same with its uploader and the thing that the file belongs to. */
export function attachedFileView(tenantId: TenantId, file: Parameters<typeof fileView>[1] & Attachable): AttachedFile {
  const { uploaderId, resourceType, resourceId } = file
  return { ...fileView(tenantId, file), uploaderId, resourceType, resourceId }
}

/** @throws STORAGE_FULL if a tenant's files would exceed `quota` bytes; 0 means no quota */
export function assertRoom(used: number, size: number, quota: number): void {
  if (quota === 0 || used + size <= quota) return
  const message = 'no more than {limit} bytes together, and {used} are taken'
  throw fileFaults.full([{ path: 'body.file', limit: quota, used, message }])
}
