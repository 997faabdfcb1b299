import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

const STRING = /(['"`])([\w#@./-]{2,})\1/g
/** Of these everything depends: the tests themselves, and what their run is made of. */
const OF_ALL =
  /^(package(-lock)?\.json|vitest\.config\.ts|tools\/(test|throwaway)\b|test\/support\/(server|each-file)\.ts)/

/**
 * The test files that a change can affect: those that import a changed file or name it as a text, such as a program that
 * they start or a document that they read, directly or through others.
 * @param since a commit; what has changed since, and what is not committed yet
 */
export function affectedTests(since = 'HEAD'): string[] {
  const known = new Set(git('ls-files', '--cached', '--others', '--exclude-standard'))
  const changed = new Set([...git('diff', '--name-only', since), ...git('ls-files', '--others', '--exclude-standard')])
  const tests = [...known].filter((path) => /\.test\.ts$/.test(path) && existsSync(path))
  if ([...changed].some((path) => OF_ALL.test(path))) return tests
  const users = usersOf(
    [...known].filter((path) => /\.[cm]?[jt]s$/.test(path) && existsSync(path)),
    known,
  )
  const reached = new Set(changed)
  for (const path of reached) for (const user of users.get(path) ?? []) reached.add(user)
  return tests.filter((path) => reached.has(path))
}

/** For each file, those that name it. */
function usersOf(sources: readonly string[], known: ReadonlySet<string>): Map<string, string[]> {
  const users = new Map<string, string[]>()
  const folders = new Map<string, string[]>()
  for (const path of known)
    for (let folder = dirname(path); folder !== '.'; folder = dirname(folder))
      folders.set(`${folder}/`, [...(folders.get(`${folder}/`) ?? []), path])
  const pathsOf = (place: string) => (known.has(place) ? [place] : (folders.get(place) ?? []))
  for (const source of sources)
    for (const [, , text] of readFileSync(source, 'utf8').matchAll(STRING))
      for (const path of pathsOf(placeOf(text!, source))) users.set(path, [...(users.get(path) ?? []), source])
  return users
}

/** What a text in a file means: a path from that file or from the root, or a face as `#atrium/tasks` or `#plugins/mail`. */
function placeOf(text: string, source: string): string {
  if (text.startsWith('#test/')) return text.replace('#test/', 'test/support/')
  const plugin = /^(?:#|atrium\/)plugins\/(.+)$/.exec(text)
  if (plugin) return `src/plugins/${plugin[1]}/${plugin[1]}.ts`
  const face = /^#?atrium(?:\/(.+))?$/.exec(text)
  if (face) return face[1] ? `src/domains/${face[1]}/${face[1]}.ts` : 'src/atrium/atrium.ts'
  return text.startsWith('.') ? join(dirname(source), text) : normalize(text)
}

function git(...words: string[]): string[] {
  const lines = execFileSync('git', words, { encoding: 'utf8' }).split('\n')
  return lines.filter(Boolean)
}
