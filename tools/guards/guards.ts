import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { KINDS, type Kind } from './kinds.ts'

export const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** What a promise rests on, at one place of the source. */
export interface Guard {
  /** `src/domains/projects/projects.store.ts stillActive requireAtCommit`, with a number if there are several */
  id: string
  path: string
  start: number
  end: number
  /** what replaces it */
  instead: string
  /** globs of the tests of which one has to fail without it: those of its kind, then those of its plug-in */
  noticedBy: string[][]
}

/** @throws Error if there is none of a kind any more, or no test for it: a pattern is old */
export function findGuards(): Guard[] {
  const guards = KINDS.flatMap((kind) => {
    const found = globSync(kind.in, { cwd: ROOT, exclude: ['**/test/**'] })
      .sort()
      .flatMap((path) => guardsIn(path, readFileSync(join(ROOT, path), 'utf8'), kind))
    if (!found.length) throw new Error(`There is no ${kind.kind} like ${kind.pattern} in ${kind.in}`)
    for (const tests of kind.noticedBy)
      if (!globSync(tests, { cwd: ROOT }).length) throw new Error(`There is no test like ${tests} for ${kind.kind}`)
    return found
  })
  const seen = new Map<string, number>()
  return guards.map((guard) => {
    const times = (seen.get(guard.id) ?? 0) + 1
    seen.set(guard.id, times)
    return times === 1 ? guard : { ...guard, id: `${guard.id} ${times}` }
  })
}

function guardsIn(path: string, text: string, { kind, pattern, instead, noticedBy }: Kind): Guard[] {
  return [...text.matchAll(pattern)]
    .filter(({ index }) => !isComment(text, index))
    .map(({ 0: whole, 1: part, index }) => ({
      id: `${path} ${ownerOf(text, index)} ${kind}`,
      ...{ path, noticedBy: [noticedBy, ...testsBeside(path)] },
      start: index,
      end: index + whole.length,
      instead: typeof instead === 'string' ? instead.replace('$1', part ?? '') : instead(whole),
    }))
}

function testsBeside(path: string): string[][] {
  const [plugin] = /^src\/plugins\/[^/]+\//.exec(path) ?? []
  return plugin ? [[`${plugin}test/**/*.test.ts`]] : []
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
