import { lstat, mkdir, open, realpath, rename, rm, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { type LocalSettings, syncFolder } from '#atrium'
import { isStoredName } from '../files.rules.ts'
import { openFolderClock } from './folder-clock.ts'
import { ifMissing, namesIn, openSpool, orUnavailable } from './spool.ts'
import type { Storage } from './storage.ts'

/** Beside the folders of the tenants, which are numbers. */
const QUARANTINE = 'quarantine'
const IS_DAY = /^\d{4}-\d\d-\d\d$/
/** Conditions are already checked, and the range is read; @fastify/send would do both again in its own way. */
const WEIGHED = ['if-match', 'if-none-match', 'if-modified-since', 'if-unmodified-since', 'if-range', 'range']

/** Files in a folder for each tenant. Replicas share it. Uploads are spooled in the same folder, so that moving them is atomic. */
export function openLocal({ root }: LocalSettings): Storage {
  const folderOf = (tenantId: number) => join(root, String(tenantId))
  const now = openFolderClock(root)
  const quarantine = join(root, QUARANTINE)
  const days = async () => (await namesIn(quarantine)).filter((name) => IS_DAY.test(name)).sort()

  /** The status of a plain file at its path; links below the root do not count, and no name leads elsewhere. */
  async function statOf(tenantId: number, filename: string) {
    if (!isStoredName(filename)) return undefined
    try {
      const path = join(await realpath(root), String(tenantId), filename)
      const stat = await lstat(path)
      return stat.isFile() && (await realpath(path)) === path ? stat : undefined
    } catch (error) {
      return ifMissing(undefined)(error)
    }
  }

  return {
    spool: openSpool(root),

    put: (tenantId, filename, { path }) =>
      orUnavailable(async () => {
        const place = join(folderOf(tenantId), filename)
        await rename(path, place)
        await syncFolder(folderOf(tenantId)).catch(async (error) => {
          await unlink(place).catch(() => {})
          throw error
        })
      }),

    async deliver(reply, { tenantId, filename }, range) {
      if (!(await orUnavailable(() => statOf(tenantId, filename)))) return false
      const { headers } = reply.request.raw
      for (const name of WEIGHED) delete headers[name]
      if (range) headers.range = `bytes=${range.first}-${range.last}`
      reply.sendFile(filename, folderOf(tenantId), {
        acceptRanges: range !== undefined,
        cacheControl: false,
        contentType: false,
        etag: false,
        lastModified: false,
        index: false,
        dotfiles: 'deny',
      })
      return true
    },

    remove: (tenantId, filename) =>
      orUnavailable(async () => {
        if (!isStoredName(filename)) return
        await unlink(join(folderOf(tenantId), filename)).catch(ifMissing(undefined))
      }),

    read: (tenantId, filename) =>
      orUnavailable(async () => {
        if (!(await statOf(tenantId, filename))) return undefined
        const file = await open(join(folderOf(tenantId), filename)).catch(ifMissing(undefined))
        return file && { size: (await file.stat()).size, body: file.createReadStream() }
      }),

    quarantine: (day, tenantId, filename) =>
      orUnavailable(() => move(join(folderOf(tenantId), filename), join(quarantine, day, String(tenantId)), filename)),

    release: (tenantId, filename) =>
      orUnavailable(async () => {
        for (const day of (await days()).reverse())
          if (await move(join(quarantine, day, String(tenantId), filename), folderOf(tenantId), filename)) return true
        return false
      }),

    quarantinedDays: () => orUnavailable(days),

    emptyQuarantine: (day) =>
      orUnavailable(async () => {
        const folders = await namesIn(join(quarantine, day))
        const names = await Promise.all(folders.map((folder) => namesIn(join(quarantine, day, folder))))
        await rm(join(quarantine, day), { recursive: true, force: true })
        return names.flat().length
      }),

    removeAll: (tenantId) =>
      orUnavailable(async () => {
        const folders = (await days()).map((day) => join(quarantine, day, String(tenantId)))
        let count = 0
        for (const folder of [folderOf(tenantId), ...folders]) {
          count += (await namesIn(folder)).filter(isStoredName).length
          await rm(folder, { recursive: true, force: true })
        }
        return count
      }),

    list: async (tenantId) => (await orUnavailable(() => namesIn(folderOf(tenantId)))).filter(isStoredName),

    async ageOf(tenantId, filename) {
      const stat = await orUnavailable(() => statOf(tenantId, filename))
      // The change time is the time of the move here.
      return stat && (await orUnavailable(now)) - Math.max(stat.mtimeMs, stat.ctimeMs)
    },

    close() {},
  }
}

/** If two callers move the same file, one succeeds. */
async function move(from: string, folder: string, name: string): Promise<boolean> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await rename(from, join(folder, name))
  } catch (error) {
    return ifMissing(false)(error)
  }
  await syncFolder(folder)
  return true
}
