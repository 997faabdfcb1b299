import { describe, expect, test } from 'vitest'
import { readSources } from '../support/source.ts'

/**
 * Regular expressions must be linear: an attacker chooses the text. Each one in the source is tried with texts made of
 * its own letters, in sizes that grow until a pattern that is worse than linear would show.
 */
const LITERAL =
  /(?<=(?:^|[=(,:?!&|[{;]|=>|return)\s*)\/(?![*/\s])((?:[^\\/[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+)\/([dgimsuvy]*)/gm
const LONGEST = 50_000
/** Far beyond what a linear pattern needs, far below what another one takes. */
const PATIENCE_MS = 100

const found = readSources().flatMap(({ path, code }) =>
  [...code.matchAll(LITERAL)].map(([, source, flags]) => ({
    path,
    source: source!,
    flags: flags!.replace(/[gy]/g, ''),
  })),
)

test('the patterns of the source are found', () => {
  const known = [
    '/^[1-9]\\d{0,15}$/',
    '/^[A-Za-z0-9._-]{1,64}$/',
    '/^[\\x21-\\x7e]{1,128}$/',
    '/[\\\\%_]/',
    '/_([a-z0-9])/',
    '/"(?:[^"\\\\]|\\\\.)*"(\\s*:)?/',
  ]
  expect(found.map(({ source }) => `/${source}/`)).toEqual(expect.arrayContaining(known))
})

describe.each(found)('/$source/ in $path', ({ source, flags }) => {
  test('takes no longer than its text is long', () => {
    const pattern = new RegExp(source, flags)
    const whole = new RegExp(source, `${flags}g`)
    for (const text of worstTexts(source)) {
      const slowest = (run: () => unknown) =>
        expect(timeOf(run), `on ${text.slice(0, 24)}…, ${text.length} characters`).toBeLessThan(PATIENCE_MS)
      slowest(() => pattern.exec(text))
      slowest(() => text.replace(whole, ''))
    }
  })
})

/** Repetitions of one or two of the pattern's own letters, with an end that does not fit; short ones first. */
function* worstTexts(source: string): Generator<string> {
  const letters = [
    ...new Set([...source.replace(/\\[dDwWsSbB]/g, 'a0 ').replace(/[\\^$()[\]{}|?*+]/g, ''), 'a', ' ']),
  ].slice(0, 12)
  const units = letters.flatMap((one) => [one, ...letters.filter((two) => two !== one).map((two) => one + two)])
  for (const size of [24, 1_000, LONGEST])
    for (const unit of size === LONGEST ? letters : units) {
      yield unit.repeat(size / unit.length)
      yield `${unit.repeat(size / unit.length)}\u0001`
    }
}

/** The better of two runs: the first may have been interrupted. */
function timeOf(run: () => unknown): number {
  const times = [0, 1].map(() => {
    const start = performance.now()
    run()
    return performance.now() - start
  })
  return Math.min(...times)
}
