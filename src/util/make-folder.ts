import { existsSync, mkdirSync, statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Makes a folder and its parents. Node's own `recursive` never returns if an existing folder accepts no new one and
 * reports ENOENT, as /proc does.
 * @throws the error of the system
 */
export function makeFolder(path: string, mode = 0o777): void {
  if (isFolder(path)) return
  if (!existsSync(dirname(path))) makeFolder(dirname(path), mode)
  try {
    mkdirSync(path, mode)
  } catch (error) {
    // Another process was faster.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || !isFolder(path)) throw error
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}

/** Flushes the entries of a folder to disk. Windows neither needs nor allows it. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
