import { existsSync, readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import packageJson from '../../package.json' with { type: 'json' }

/** What runs: the version of the package, and the commit if it is known. */
export interface Build {
  version: string
  commit: string | undefined
}

export const VERSION = packageJson.version
const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/**
 * The commit that is checked out in `folder`; undefined if that is no checkout. It reads Git's own files, so Git need
 * not be installed.
 */
export function commitOf(folder = ROOT): string | undefined {
  const git = gitFolderOf(folder)
  if (!git) return undefined
  const head = lineOf(join(git, 'HEAD'))
  const [, ref] = /^ref: (.+)$/.exec(head ?? '') ?? []
  const shared = resolve(git, lineOf(join(git, 'commondir')) ?? '.')
  const commit = ref ? (lineOf(join(git, ref)) ?? lineOf(join(shared, ref)) ?? packed(shared, ref)) : head
  return commit && /^[0-9a-f]{40,64}$/.test(commit) ? commit : undefined
}

/** A folder, or in a second worktree, a file that names one. */
function gitFolderOf(folder: string): string | undefined {
  const git = join(folder, '.git')
  if (!existsSync(git)) return undefined
  if (statSync(git).isDirectory()) return git
  const [, named] = /^gitdir: (.+)$/.exec(lineOf(git) ?? '') ?? []
  return named && resolve(folder, named)
}

function packed(git: string, ref: string): string | undefined {
  return textOf(join(git, 'packed-refs'))
    ?.split('\n')
    .find((line) => line.endsWith(` ${ref}`))
    ?.split(' ')[0]
}

function lineOf(path: string): string | undefined {
  return textOf(path)?.split('\n', 1)[0]?.trim()
}

/** A file that cannot be read does not prevent the start. */
function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
