import { execFileSync } from 'node:child_process'
import { existsSync, globSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { newFolder } from './folder.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const MIGRATIONS = '{db/migrations,src/plugins/*/migrations}/*.sql'

export interface PreviousRelease {
  revision: string
  folder: string
  /** it lacks a migration of this one */
  isBehind: boolean
}

/**
 * The previous release, with its files from the history and the packages of this one: the newest tag. PREVIOUS_RELEASE
 * names another revision. Undefined if there is no tag.
 */
export function openPreviousRelease(): PreviousRelease | undefined {
  const revision = process.env.PREVIOUS_RELEASE ?? newestTag()
  if (revision === undefined) return undefined
  const folder = newFolder()
  execFileSync('sh', ['-c', 'git -C "$1" archive "$2" | tar -x -C "$3"', 'sh', ROOT, revision, folder])
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  const isBehind = globSync(MIGRATIONS, { cwd: ROOT }).some((path) => !existsSync(join(folder, path)))
  return { revision, folder, isBehind }
}

function newestTag(): string | undefined {
  return git('tag', '--sort=-creatordate', '--no-contains', 'HEAD').split('\n')[0] || undefined
}

/** The output of git; nothing if there is no git, or no history. */
function git(...args: string[]): string {
  try {
    return execFileSync('git', ['-C', ROOT, ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  } catch {
    return ''
  }
}
