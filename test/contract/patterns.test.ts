import { analyse } from 'scslre'
import { expect, test } from 'vitest'
import { expectNone } from '../support/expect-none.ts'
import { readSources } from '../support/source.ts'

/**
 * Regular expressions must be linear: an attacker chooses the text. Each one in the source is taken apart, and may hold
 * no two ways to read the same text whose number grows with it.
 */
const LITERAL =
  /(?<=(?:^|[=(,:?!&|[{;]|=>|return)\s*)\/(?![*/\s])((?:[^\\/[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+)\/([dgimsuvy]*)/gm

const found = readSources().flatMap(({ path, code }) =>
  [...code.matchAll(LITERAL)].map(([, source, flags]) => ({ path, source: source!, flags: flags! })),
)

test('the patterns of the source are found', () => {
  const known = [
    '/^[1-9]\\d{0,15}$/',
    '/^[A-Za-z0-9._-]{1,64}$/',
    '/^[\\x21-\\x7e]{1,128}$/',
    '/[\\\\%_]/',
    '/_([a-z0-9])/',
  ]
  expect(found.map(({ source }) => `/${source}/`)).toEqual(expect.arrayContaining(known))
})

test.each(['^(a+)+$', '^(\\w+\\s?)*$', '\\d+\\d+x', '(\\w+)\\s*:$', 'x.*y'])('/%s/ would be noticed', (source) => {
  expect(slowParts(source, '')).not.toEqual([])
})

test('each takes no longer than its text is long', () => {
  const slow = found.flatMap(({ path, source, flags }) =>
    slowParts(source, flags).map(
      (why) => `${path}: /${source}/ ${why}; write it so that no part can be read in two ways`,
    ),
  )
  expectNone(slow)
})

/** Why a pattern takes longer than its text is long. */
function slowParts(source: string, flags: string): string[] {
  return analyse({ source, flags }).reports.map(({ type, exponential }) => {
    const growth = exponential ? 'exponential' : 'polynomial'
    return type === 'Move' ? `is ${growth}, as it is tried again from each letter` : `is ${growth}, as it goes back`
  })
}
