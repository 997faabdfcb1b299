import '../domains.ts'
import { isSentence } from '../../../src/kernel/words/sentence.ts'
import { lineOf, type Source } from '../source.ts'

/**
 * Mistakes that compile, start and answer, and that only a reader would see. Each finder names the place and the cure.
 * They look at the text: what they look for is written in one way only, as the formatter wants it.
 */

const VERBS = 'find|list|lock|lockAll|write|writeReturning|updateIfUnchanged|requireAtCommit|paginate|paginateSearch'
const DECLARED = new RegExp(
  `^(?:export )?const (\\w+) = (?:directory\\s*\\.)?(${VERBS})(?:<.*>)?\\($`.replace('\\($', '\\('),
  'gm',
)

/** A statement of a domain is in its store, where it is checked, guarded and reviewed with the others. */
export function findStatementsOutsideOfStores(sources: readonly Source[], allowed: readonly string[]): string[] {
  return sources
    .filter(({ path }) => !path.endsWith('.store.ts') && !allowed.includes(path))
    .flatMap(({ path, text }) =>
      [...text.matchAll(DECLARED)].map(
        ({ 1: name, 2: verb, index }) =>
          `${path}:${lineOf(text, index)} declares the statement ${name} by ${verb}: statements belong into the store of the domain, *.store.ts`,
      ),
    )
}

/** A GET reads; what opens a transaction is refused there, with a 500. */
export function findTransactionsInReads(sources: readonly Source[]): string[] {
  return sources
    .filter(({ path }) => path.endsWith('.routes.ts'))
    .flatMap(({ path, text }) => {
      const routes = [...text.matchAll(/\w\.(get|head|post|put|patch|delete)(?:<\w*>)?\(\s*['`]\//g)]
      return routes.flatMap(({ 1: method, index }, at) => {
        const body = text.slice(index, routes[at + 1]?.index ?? text.length)
        const found = /\btransact\(/.exec(body)
        if (!found || (method !== 'get' && method !== 'head')) return []
        const line = lineOf(text, index + found.index)
        return [
          `${path}:${line} transacts in a ${method!.toUpperCase()}, which only reads: use req.scope, or make it a POST`,
        ]
      })
    })
}

/** The clock is read after the first statement, and so after its locks: before that there is no tx.now. */
export function findClockBeforeStatement(sources: readonly Source[]): string[] {
  return sources
    .filter(({ path }) => path.endsWith('.actions.ts'))
    .flatMap(({ path, text }) =>
      [...text.matchAll(/^(?:export )?async function (\w+)\([\s\S]*?^\}/gm)].flatMap(({ 0: whole, 1: name, index }) => {
        const clock = whole.search(/\btx\.now\b/)
        const waits = whole.search(/\bawait\b/)
        if (clock < 0 || waits < 0 || waits < clock) return []
        const line = lineOf(text, index + clock)
        return [
          `${path}:${line} ${name} reads tx.now before it has awaited a statement: move this after the first await`,
        ]
      }),
    )
}

const ANSWERS =
  /^export const (\w+) = (?:directory\s*\.)?(?:find|list|lock|lockAll|writeReturning|paginate|paginateSearch)(?:<.*>)?\(/gm
/** What a line ends with whose expression goes on in the next one. */
const GOES_ON = /(?:=>|[(,?:=[|&+]|\b(?:return|await|void))$/

/** The linter sees a promise that is made in the same file; statements come from their store. */
export function findUnawaitedStatements(sources: readonly Source[]): string[] {
  const names = sources
    .filter(({ path }) => path.endsWith('.store.ts'))
    .flatMap(({ text }) => [...text.matchAll(ANSWERS)].map(([, name]) => name!))
  const call = new RegExp(`^\\s+(${names.join('|')})\\(.*\\)$`)
  return sources
    .filter(({ path }) => !path.endsWith('.store.ts'))
    .flatMap(({ path, text }) => {
      const lines = text.split('\n')
      return lines.flatMap((line, at) => {
        const [, name] = call.exec(line) ?? []
        if (!name || GOES_ON.test(lines[at - 1]!.trim())) return []
        return [`${path}:${at + 1} does not wait for ${name}: await it, or declare it by write`]
      })
    })
}

const SAID = /(?:\bfault\(\s*'[A-Z_]+',\s*\d+,\s*|\bmessage: )'((?:[^'\\\n]|\\.)*)'/g

/** The compiler knows it too, and says it in types; here it is said in words. */
export function findForgottenTranslations(sources: readonly Source[]): string[] {
  return sources
    .filter(({ path }) => /\.(rules|actions|routes|store)\.ts$/.test(path))
    .flatMap(({ path, text }) =>
      [...text.matchAll(SAID)]
        .map(({ 1: sentence, index }) => ({ sentence: sentence!.replaceAll("\\'", "'"), line: lineOf(text, index) }))
        .filter(({ sentence }) => !isSentence(sentence))
        .map(
          ({ sentence, line }) =>
            `${path}:${line} says '${sentence}', which has no translation: write it, with its Chinese, where the sentences of the domain are`,
        ),
    )
}
