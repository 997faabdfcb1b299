import { createHash, randomBytes } from 'node:crypto'
import { rmdir, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { type Checks, type FileSettings, type Finding, failed, makeFolder, ok, Refusal, reasonOf, warn } from '#atrium'
import { storedName } from '../files.rules.ts'
import { openStorage } from '../storage/open-storage.ts'
import type { Storage } from '../storage/storage.ts'

export const checks: Checks = { surroundings: ({ files }) => checkFiles(files) }

/** No tenant has this number. */
const NOBODY = 0
const LITTLE_BYTES = 2 ** 30

/** Stores a small file as an upload does, looks for it, and removes it. */
async function checkFiles(settings: FileSettings): Promise<Finding[]> {
  const where = settings.storage === 'local' ? settings.root : `${settings.bucket} at ${settings.endpoint ?? 'AWS'}`
  const spool = settings.storage === 'local' ? settings.root : settings.spool
  try {
    makeFolder(spool, 0o700)
    const storage = await openStorage(settings)
    await keepAndRemove(storage).finally(() => storage.close())
    await rmdir(join(spool, String(NOBODY))).catch(() => {})
    return [ok('files', `${where} takes files and gives them back`), ...(await checkSpace(spool))]
  } catch (error) {
    if (error instanceof Refusal) return [failed('files', `${where} is not available`, error.message)]
    const { cause } = error as Error
    const reason = cause instanceof Error ? cause : (error as Error)
    return [failed('files', `${where}: ${reasonOf(reason)}`, remedyOf(settings, reason, spool))]
  }
}

export function remedyOf(settings: FileSettings, { code = '' }: Error & { code?: string }, folder: string): string {
  if (code === 'ENOSPC' || code === 'EDQUOT') return `the disk of ${folder} is full: make room on it`
  if (code === 'EROFS') return `the disk of ${folder} is read-only: mount it for writing, or choose another folder`
  if (settings.storage === 's3') return 'does the bucket exist, and may these keys read and write in it?'
  return 'make the folder, and let the user of the service write in it'
}

async function keepAndRemove(storage: Storage): Promise<void> {
  const bytes = Buffer.from('atrium doctor was here\n')
  const filename = storedName('txt', randomBytes(16).toString('hex'))
  const spooled = await storage.spool.open(NOBODY)
  try {
    await spooled.write(bytes)
    await spooled.finish()
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    await storage.put(NOBODY, filename, { path: spooled.path, size: bytes.length, sha256, contentType: 'text/plain' })
  } finally {
    await spooled.discard()
  }
  const age = await storage.ageOf(NOBODY, filename)
  await storage.remove(NOBODY, filename)
  if (age === undefined) throw new Error('what was stored is not there')
}

async function checkSpace(folder: string): Promise<Finding[]> {
  const { bavail, bsize } = await statfs(folder)
  const freeBytes = bavail * bsize
  if (freeBytes >= LITTLE_BYTES) return []
  const finding = `${Math.round(freeBytes / 2 ** 20)} MiB are free in ${folder}`
  return [warn('files', finding, 'make room: a full disk refuses uploads')]
}
