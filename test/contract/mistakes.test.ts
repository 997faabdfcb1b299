import { describe, expect, test } from 'vitest'
import { isStale, MISTAKES } from '../../tools/mistakes.ts'
import { expectOnlyExceptions } from '../support/exceptions.ts'
import { CALLS } from '../support/mistakes/calls.ts'
import { COMMANDS } from '../support/mistakes/commands.ts'
import { LINES } from '../support/mistakes/lines.ts'
import { readDomains, readSources, sourceOf } from '../support/source.ts'

/** Mistakes that compile and start. Each is made once here, to check that it is reported with its place and its cure. */
const STORE = `
export const findHat = find((from) => from('hats'))
export const admitHat = writeReturning(({ insert }) => insert('hats'))
`
/** These hold for the whole service. */
const EVERYWHERE = [
  ...['the time zone of the machine', 'an async function that nobody waits for', 'an error that nobody hears of'],
  ...['a secret that is compared by ===', 'a secret in the log'],
]

describe.each([...LINES, ...CALLS, ...COMMANDS])('$what', ({ what, find, file = 'rules', wrong, right = [] }) => {
  const among = (text: string) =>
    find([sourceOf('src/domains/hats/hats.store.ts', STORE), sourceOf(`src/domains/hats/hats.${file}.ts`, text)])

  test('is nowhere', () =>
    expectOnlyExceptions(what, find([...(EVERYWHERE.includes(what) ? readSources() : []), ...readDomains()])))

  test.each(wrong)('is named: %s', (text, says) => {
    expect(among(text)).toEqual([
      {
        place: expect.stringContaining(`src/domains/hats/hats.${file}.ts`),
        says: expect.stringMatching(new RegExp(`^src/domains/hats/hats\\.${file}\\.ts.* ${RegExp.escape(says)}`)),
      },
    ])
  })

  test.each(right)('is not %s', (text) => expect(among(text)).toEqual([]))
})

test('those that npm run prove:mistakes makes change the source as it is now', () => {
  expect(MISTAKES.filter(isStale)).toEqual([])
})
