import { expect, test } from 'vitest'
import { type Bound, dutyOf } from '../../src/domains/auth/auth.rules.ts'

const FLAGS = [false, true]
const everyone: Bound[] = (['person', 'service'] as const).flatMap((kind) =>
  FLAGS.flatMap((mustChangePassword) =>
    FLAGS.flatMap((hasSecondFactor) =>
      (['optional', 'required'] as const).map((secondFactor) => ({
        kind,
        mustChangePassword,
        hasSecondFactor,
        secondFactor,
      })),
    ),
  ),
)

test('a duty is asked of nobody but people who must change their password or lack the required second factor', () => {
  expect(everyone).toHaveLength(16)
  const bound = everyone.filter((who) => dutyOf(who) !== undefined)
  expect(bound.map((who) => [who.mustChangePassword, who.hasSecondFactor, who.secondFactor, dutyOf(who)])).toEqual([
    [false, false, 'required', 'add-second-factor'],
    [true, false, 'optional', 'change-password'],
    [true, false, 'required', 'change-password'],
    [true, true, 'optional', 'change-password'],
    [true, true, 'required', 'change-password'],
  ])
  expect(bound.every(({ kind }) => kind === 'person')).toBe(true)
})
