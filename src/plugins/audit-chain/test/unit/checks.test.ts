import { expect, test } from 'vitest'
import { judgeChains } from '../../audit-chain.checks.ts'

test.each([
  [0, 0, 'ok', /^its rows are linked/],
  [599, 599, 'ok', /^its rows are linked/],
  [7300, 599, 'ok', /^its chains are catching up: 1234 rows are left/],
  [600, 600, 'warn', /^rows have had no link for 10 minutes/],
  [9000, 7300, 'warn', /^rows have had no link for 121 minutes/],
])('of rows without a link for %i s in a chain that has not moved for %i s, the doctor says %s', (...given) => {
  const [oldest, stalled, verdict, what] = given
  expect(judgeChains({ rows: 1234, oldest, stalled })).toMatchObject({
    check: 'audit',
    verdict,
    what: expect.stringMatching(what),
  })
})
