import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, relative, resolve } from 'node:path'

/**
 * The linter finds floating promises only below the folder with its settings. So a domain from elsewhere is copied
 * beside a file that extends ours.
 * @param paths as in DOMAINS
 * @returns undefined if all are below the working directory, where `.` includes them
 */
export function lintOutside(paths: readonly string[]) {
  const foreign = paths.map((path) => resolve(path)).filter((path) => relative('.', path).startsWith('..'))
  if (foreign.length === 0) return undefined
  const cwd = mkdtempSync(join(tmpdir(), 'lint-'))
  const settings = {
    extends: [resolve('biome.jsonc')],
    vcs: { enabled: false },
    files: { includes: ['**', '!**/schema.ts', '!**/openapi.json', '!**/*.md'] },
  }
  writeFileSync(join(cwd, 'biome.json'), JSON.stringify(settings))
  const copies = foreign.map((path, at) => ({ path, name: `${at}-${basename(path)}` }))
  const isOurs = (path: string) => !path.includes('node_modules')
  for (const { path, name } of copies) cpSync(path, join(cwd, name), { recursive: true, filter: isOurs })
  return {
    /** where the copies are */
    cwd,
    folders: copies.map(({ name }) => name),
    /** Replaces paths of copies in the output by the original ones. */
    original: (output: string) =>
      copies.reduce((text, { path, name }) => text.replaceAll(`${name}/`, `${relative('.', path)}/`), output),
    remove: () => rmSync(cwd, { recursive: true }),
  }
}
