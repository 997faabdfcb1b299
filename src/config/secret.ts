import { randomBytes } from 'node:crypto'
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolder } from '../util/make-folder.ts'
import type { Config } from './config.ts'

/** The system administrator's if ADMIN_PASSWORD is not set; production does not start without it. */
export const DEVELOPMENT_PASSWORD = 'admin123'

/** The account of development; undefined in production, and if ADMIN_PASSWORD is set. */
export function developmentAccount({ production, adminPassword }: Config) {
  return production || adminPassword ? undefined : { username: 'admin', password: DEVELOPMENT_PASSWORD }
}

/** The same if a start has made it already. */
export function madeSecret(dir: string): string | undefined {
  return read(join(dir, FILE))
}

const FILE = 'token.secret'
/**
 * The number of characters that JWT_SECRET must have. A shorter file was truncated by a full disk, and has signed
 * nothing.
 */
const SHORTEST = 32

/**
 * The development key for tokens: made once and kept beside the data, so that tokens survive a restart. It is written
 * elsewhere and moved into place when complete, so that no one sees half a key.
 */
export function developmentSecret(dir: string): string {
  const file = join(dir, FILE)
  const found = read(file)
  if (found && found.length >= SHORTEST) return found
  makeFolder(dir)
  const draft = `${file}.new-${process.pid}`
  try {
    writeFileSync(draft, randomBytes(48).toString('base64url'), { mode: 0o600, flush: true })
    if (found === undefined) linkUnlessExists(draft, file)
    else renameSync(draft, file)
  } finally {
    rmSync(draft, { force: true })
  }
  return readFileSync(file, 'utf8').trim()
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** Of several processes that start together, one wins, and all read the same key. */
function linkUnlessExists(draft: string, file: string): void {
  try {
    linkSync(draft, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}
