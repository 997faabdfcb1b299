import { globSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { expectNone } from '../support/expect-none.ts'
import { findImpatience } from '../support/mistakes/patience.ts'

const ROOT = new URL('../../', import.meta.url)
const sources = globSync('{test,examples/*/test,src/{domains,plugins}/*/test}/**/*.test.ts', { cwd: ROOT }).map(
  (path) => ({
    path,
    text: readFileSync(new URL(path, ROOT), 'utf8'),
  }),
)

test('no test counts on a quick machine, and none prints when it passes', () => {
  expect(sources.length).toBeGreaterThan(200)
  expectNone(findImpatience(sources))
})

describe('what does is named', () => {
  const UNTIL = 'use until() of test/support/patience.ts, or expect.poll()'
  const LIMIT = 'has a limit of its own: leave it out, all tests have one patience'
  const DURATION = 'holds a duration that a slow machine exceeds: compare with inTime() of test/support/patience.ts'

  test.each([
    ['await vi.waitFor(look)', `has a patience of its own: ${UNTIL}`],
    ['vi.setConfig({ testTimeout: 60_000 })', `has a patience of its own: ${UNTIL}`],
    ['for (const end = Date.now() + 20_000; Date.now() < end; await sleep(20)) look()', `waits for a clock: ${UNTIL}`],
    ['while (performance.now() < end) await sleep(20)', `waits for a clock: ${UNTIL}`],
    ["test('a hat', { timeout: 60_000 }, () => {})", LIMIT],
    ["test('a hat', async () => {\n  wear()\n}, 60_000)", LIMIT],
    ["test.each([1, 2])('hat %i', () => {}, LONG_MS)", LIMIT],
    ['beforeAll(async () => {\n  await open()\n}, 2 * MINUTE_MS)', LIMIT],
    ['await expect.poll(look, { timeout: 60_000 }).toBe(1)', LIMIT],
    ['expect(performance.now() - start).toBeLessThan(1000)\n', DURATION],
    ['const took = Date.now() - start\nexpect(took).toBeLessThanOrEqual(SOON_MS)\n', DURATION],
    ["console.log('a hat')", 'prints: put it into the message of what fails, or print it with FIGURES=1 by report()'],
  ])('%s', (text, says) => {
    expect(findImpatience([{ path: 'hats.test.ts', text }])).toEqual([
      `hats.test.ts:${text.includes('took') ? 2 : 1} ${says}`,
    ])
  })

  test.each([
    'await expect.poll(look).toBe(1)',
    'expect(performance.now() - start).toBeLessThan(inTime(1000))\n',
    'const SOON_MS = inTime(1000)\nexpect(performance.now() - start).toBeLessThan(SOON_MS)\n',
    'expect(Date.parse(expiredAt) - Date.now()).toBeLessThan(7 * DAY_MS)\n',
    "const program = `console.log('a hat')`",
    "test('a hat', { concurrent: true }, () => fairQueue({ timeout: 20 }))",
    "test.each([['a', 1]])('a hat of %s', (_, size) => wear(size))",
    'afterAll(() => world.close())',
    'while (performance.now() < end);',
    "if (HOLDS_FIGURES) console.log('a hat')",
  ])('and nothing else: %s', (text) => {
    expect(findImpatience([{ path: 'hats.test.ts', text }])).toEqual([])
  })
})
