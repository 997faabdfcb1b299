import { expect, test } from 'vitest'
import { noticeDue } from '../../settings.rules.ts'

const EXPIRED_AT = '2026-12-31T12:00:00.000Z'

test.each([
  ['2026-12-16T12:00:00.000Z', undefined],
  ['2026-12-16T12:00:00.001Z', 14],
  ['2026-12-27T12:00:00.001Z', 3],
  ['2026-12-30T12:00:00.001Z', 0],
  ['2026-12-31T11:59:59.999Z', 0],
  ['2026-12-31T12:00:00.000Z', undefined],
])('at %s the notice of %s days is due', (now, days) => {
  expect(noticeDue(EXPIRED_AT, now)).toBe(days)
})
