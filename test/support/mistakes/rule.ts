import type { Breach } from '../exceptions.ts'
import { lineOf, type SourceFile } from '../source.ts'

/**
 * A mistake that compiles, starts and answers, and that only a reader would see. What is looked for in the text is written
 * in one way only, as the formatter wants it.
 */
export interface Rule {
  /** as exceptions.json names it */
  what: string
  find: (sources: readonly SourceFile[]) => Breach[]
  /** Texts that are named, with a part of what is said; `file` is what they stand in, by default a rule. */
  file?: 'routes' | 'actions' | 'rules'
  wrong: readonly (readonly [text: string, says: string])[]
  /** texts that are passed over */
  right?: readonly string[]
}

/** A place that a pattern has found, with its first two groups. */
export interface Hit {
  source: SourceFile
  index: number
  text: string
  one: string | undefined
  two: string | undefined
}

interface Terms {
  /** the files that are looked at */
  files?: RegExp
  isFine?: (hit: Hit) => boolean
  /** what an exception names; by default the path */
  place?: (hit: Hit) => string
}

/** Finds what a pattern matches, but in comments. @param says the sentence behind the place, with the cure */
export function matching(pattern: RegExp, says: (hit: Hit) => string, terms: Terms = {}): Rule['find'] {
  const { files = /(?<!\/demo)\.ts$/, isFine = () => false, place = ({ source }) => source.path } = terms
  return (sources) =>
    sources
      .filter(({ path }) => files.test(path))
      .flatMap((source) =>
        [...source.text.matchAll(pattern)].map(({ index, 0: text, 1: one, 2: two }) => ({
          ...{ source, index, text, one, two },
        })),
      )
      .filter((hit) => !isComment(hit) && !isFine(hit))
      .map((hit) => breachAt(hit, says(hit), place(hit)))
}

/** A breach at a place of a text. @param at the name of it for exceptions; by default the path */
export function breachAt({ source, index }: Pick<Hit, 'source' | 'index'>, says: string, at = source.path): Breach {
  return { place: at, says: `${source.path}:${lineOf(source.text, index)} ${says}` }
}

/** Whether a place is in a comment that begins its line. */
function isComment({ source: { text }, index }: Hit): boolean {
  return /^\s*(\*|\/\/|\/\*)/.test(text.slice(text.lastIndexOf('\n', index) + 1, index))
}

/** The names of statements that answer. */
export function statementsOf(sources: readonly SourceFile[]): string {
  const answering =
    /^export const (\w+) = (?:directory\s*\.)?(?:find|get|list|lock|lockAll|writeReturning|paginate\w*)(?:<.*>)?\(/gm
  const stores = sources.filter(({ path }) => path.endsWith('.store.ts'))
  return stores.flatMap(({ text }) => [...text.matchAll(answering)].map(([, name]) => name!)).join('|')
}

export const notInStores = ({ path }: SourceFile) => !path.endsWith('.store.ts')
