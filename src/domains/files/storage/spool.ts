import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { lstat, mkdir, open, readdir, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { syncFolder, type TenantId, Unavailable } from '#atrium'
import { openFolderClock } from './folder-clock.ts'

/** Incomplete uploads: temporary files in a folder for each tenant. */
export interface Spool {
  /** Creates a temporary file. @throws Unavailable */
  open(tenantId: TenantId): Promise<Spooled>
  /** Removes temporary files of killed processes: those that nobody wrote to for `age` ms. */
  removeAbandoned(age: number): Promise<number>
}

export interface Spooled {
  readonly path: string
  write(chunk: Buffer): Promise<void>
  /** The type by the package file-type; undefined if it knows none. */
  readType(): Promise<string | undefined>
  /** Flushes the file to disk and closes it. */
  finish(): Promise<void>
  /** Closes the file and removes it unless it was moved. Never fails. */
  discard(): Promise<void>
}

const TEMPORARY = /^\.upload-[0-9a-f]{24}$/
const NEW_FILE = constants.O_RDWR | constants.O_CREAT | constants.O_EXCL

export function openSpool(root: string): Spool {
  const now = openFolderClock(root)
  return {
    open: (tenantId) =>
      orUnavailable(async () => {
        const path = join(await makeFolder(root, tenantId), `.upload-${randomBytes(12).toString('hex')}`)
        const file = await open(path, NEW_FILE, 0o600)
        return {
          path,
          write: (chunk) => orUnavailable(() => file.appendFile(chunk)),
          readType: () =>
            orUnavailable(async () => {
              // Loaded by the first upload that needs it: it costs 50 ms and 10 MB.
              const { fileTypeFromFile } = await import('file-type')
              return (await fileTypeFromFile(path))?.ext
            }),
          finish: () =>
            orUnavailable(async () => {
              await file.sync()
              await file.close()
            }),
          async discard() {
            await file.close().catch(() => {})
            await unlink(path).catch(() => {})
          },
        }
      }),

    async removeAbandoned(age) {
      let removed = 0
      const before = (await now()) - age
      for (const folder of await namesIn(root))
        for (const name of /^\d+$/.test(folder) ? await namesIn(join(root, folder)) : [])
          if (TEMPORARY.test(name) && (await removeIfOld(join(root, folder, name), before))) removed++
      return removed
    },
  }
}

/** The tenant's folder, created if missing. */
async function makeFolder(root: string, tenantId: TenantId): Promise<string> {
  const folder = join(root, String(tenantId))
  const first = await mkdir(folder, { recursive: true, mode: 0o700 })
  // A new folder is as durable as its entry in the folder above.
  if (first) for (let at = folder; at.length >= first.length; at = dirname(at)) await syncFolder(dirname(at))
  return folder
}

/** The names in a folder; none if it is missing. */
export async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch(ifMissing([]))
}

/** What is answered instead of the failure that a file or a folder is missing; other failures stay. */
export function ifMissing<T>(answer: T) {
  return (error: unknown): T => {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return answer
    throw error
  }
}

async function removeIfOld(path: string, before: number): Promise<boolean> {
  try {
    if ((await lstat(path)).mtimeMs > before) return false
    await unlink(path)
    return true
  } catch (error) {
    // Another replica's sweep was faster.
    return ifMissing(false)(error)
  }
}

/** A full, read-only or missing disk or too many open files: all are Unavailable to the caller. */
export async function orUnavailable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Unavailable) throw error
    const { code, name } = error as NodeJS.ErrnoException
    throw new Unavailable(`the file storage does not work: ${code ?? name}`, { cause: error })
  }
}
