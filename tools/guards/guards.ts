import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** What keeps two commands apart, at one place of the source. */
export interface Guard {
  /** `src/domains/projects/projects.store.ts stillActive requireAtCommit`, with a number if there are several */
  id: string
  path: string
  start: number
  end: number
  /** what replaces it */
  instead: string
}

const VERBS = join(ROOT, 'src/data/sql/verbs.ts')
const WRITE = `(await import('${VERBS}')).write`
/** Each pattern is the whole of a guard; beside it, what is left of it. */
const KINDS: [kind: string, pattern: RegExp, instead: string][] = [
  ['row lock', /\.for(?:NoKey)?(?:Update|KeyShare|Share)\([^()]*\)(?:\s*\.skipLocked\(\))?/g, ''],
  ['advisory lock', /pg_try_advisory_xact_lock(\(.*?\))(?=`| |\))/g, '($1 is not null)'],
  ['advisory lock', /pg_advisory_xact_lock(\((?:[^()]|\([^()]*\))*\))/g, '($1 is null)'],
  ['condition at commit', /(?<= = )requireAtCommit(?=\()/g, '((..._) => () => {})'],
  ['condition at commit', /(?<= = )updateIfUnchanged(?=\()/g, WRITE],
  ['version that was read', /\.where\('\w+\.version', '=', p\.was\)/g, ''],
  ['claim of a key', /\bidempotent: true\b/g, 'idempotent: false'],
]
/** A session's lock on a folder of development's database: it is not part of a command, and has its own tests. */
const ELSEWHERE = /^src\/embedded\//

export function findGuards(): Guard[] {
  const guards = globSync('src/**/*.ts', { cwd: ROOT })
    .filter((path) => !ELSEWHERE.test(path))
    .sort()
    .flatMap((path) => guardsIn(path, readFileSync(join(ROOT, path), 'utf8')))
  const seen = new Map<string, number>()
  return guards.map((guard) => {
    const times = (seen.get(guard.id) ?? 0) + 1
    seen.set(guard.id, times)
    return times === 1 ? guard : { ...guard, id: `${guard.id} ${times}` }
  })
}

function guardsIn(path: string, text: string): Guard[] {
  const found = KINDS.flatMap(([kind, pattern, instead]) =>
    [...text.matchAll(pattern)]
      .filter(({ index }) => !isComment(text, index))
      .map(({ 0: whole, 1: part, index }) => ({
        id: `${path} ${ownerOf(text, index)} ${kind}`,
        path,
        start: index,
        end: index + whole.length,
        instead: instead.replace('$1', part ?? ''),
      })),
  )
  return found.sort((a, b) => a.start - b.start)
}

function isComment(text: string, at: number): boolean {
  const line = text.slice(text.lastIndexOf('\n', at) + 1, at)
  return /^\s*(\*|\/\/|\/\*)/.test(line)
}

/** The declaration that contains it. */
function ownerOf(text: string, at: number): string {
  const declarations = [...text.slice(0, at).matchAll(/^(?:export )?(?:async )?(?:const|function) (\w+)/gm)]
  return declarations.at(-1)?.[1] ?? '-'
}
