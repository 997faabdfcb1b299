import { expect, test } from 'vitest'
import { MOST_BYTES, startAmong } from '../../src/data/lists/within-bytes.ts'

const HALF = MOST_BYTES / 2

test.each([
  ['short rows fill their pages', [1, 1, 1, 1, 1], 2, [0, 2, 4, 5, 5]],
  ['a page ends with the row that reaches the limit', [HALF, HALF, 1, 1], 4, [0, 2, 4]],
  ['a row of its own page is longer than the limit', [MOST_BYTES, MOST_BYTES + 1, 1], 3, [0, 1, 2, 3]],
  ['a long row takes along what came before it', [1, MOST_BYTES, 1, 1, 1], 3, [0, 2, 5]],
  ['no rows, no pages', [], 10, [0, 0]],
])('%s', (_, weights, limit, starts) => {
  expect(starts.map((_, at) => startAmong(weights, { page: at + 1, limit }))).toEqual(starts)
})
