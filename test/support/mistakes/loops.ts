import type { Breach } from '../exceptions.ts'
import { lineOf, type Source } from '../source.ts'

const ANSWERS =
  /^export const (\w+) = (?:directory\s*\.)?(?:find|get|list|lock|lockAll|writeReturning|paginate\w*)(?:<.*>)?\(/gm
const LOOP = /\b(?:for \(|while \(|\.(?:map|flatMap|forEach|reduce)\()/g

/** A list of a hundred rows would ask a hundred times. `test/api/page-costs.test.ts` counts what is hidden in a helper. */
export function findStatementsInLoops(sources: readonly Source[]): Breach[] {
  const names = sources
    .filter(({ path }) => path.endsWith('.store.ts'))
    .flatMap(({ text }) => [...text.matchAll(ANSWERS)].map(([, name]) => name!))
  const call = new RegExp(`\\b(${names.join('|')})\\(`, 'g')
  return sources
    .filter(({ path }) => !path.endsWith('.store.ts'))
    .flatMap(({ path, text }) =>
      [...text.matchAll(LOOP)].flatMap((loop) =>
        [...repeatedPart(text, loop.index, loop[0]).matchAll(call)].map(([, name]) => ({
          place: `${path} ${name}`,
          says: `${path}:${lineOf(text, loop.index)} asks ${name} once for each element: ask once for all, with a statement that takes their ids`,
        })),
      ),
    )
}

/** The callback of a method, or the body of a loop; not the list that is gone through. */
function repeatedPart(text: string, start: number, opening: string): string {
  const open = start + opening.length - 1
  const close = closingOf(text, open)
  if (opening.startsWith('.')) return text.slice(open, close)
  const rest = text.slice(close + 1)
  return /^ \{/.test(rest)
    ? text.slice(close + 2, closingOf(text, close + 2))
    : rest.slice(0, rest.search(/\n {0,4}\S/))
}

function closingOf(text: string, open: number): number {
  let depth = 0
  for (let at = open; at < text.length; at++) {
    if ('([{'.includes(text[at]!)) depth++
    if (')]}'.includes(text[at]!) && --depth === 0) return at
  }
  return text.length
}
