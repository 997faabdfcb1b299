import { describe, expect, test } from 'vitest'
import {
  type Bound,
  type Claimed,
  decideContinuation,
  decideSignIn,
  dutyOf,
} from '../../src/domains/auth/auth.rules.ts'
import { every } from '../support/every.ts'

const FLAGS = [false, true] as const
const everyone: Bound[] = every({
  ...{ mustChangePassword: FLAGS, hasSecondFactor: FLAGS, secondFactor: ['optional', 'required'] },
  openedWith: ['password'],
})

test('a duty is asked of nobody but people who must change their password or lack the required second factor', () => {
  expect(everyone).toHaveLength(8)
  const bound = everyone.filter((who) => dutyOf(who) !== undefined)
  expect(bound.map((who) => [who.mustChangePassword, who.hasSecondFactor, who.secondFactor, dutyOf(who)])).toEqual([
    [false, false, 'required', 'add-second-factor'],
    [true, false, 'optional', 'change-password'],
    [true, false, 'required', 'change-password'],
    [true, true, 'optional', 'change-password'],
    [true, true, 'required', 'change-password'],
  ])
  expect(everyone.some((who) => dutyOf({ ...who, openedWith: 'provider' }) !== undefined)).toBe(false)
})

const claims: Claimed[] = every({
  ...{ isProven: FLAGS, isExpired: FLAGS, isForbidden: FLAGS, isAdministrator: FLAGS },
  ...{ hasSecondFactor: FLAGS, code: [undefined, 'right', 'wrong'] },
})

test('of all sign-ins, those of people whose password, tenant and second factor allow it enter', () => {
  expect(claims).toHaveLength(96)
  const decided = (decision: string) => claims.filter((claim) => decideSignIn(claim) === decision)
  const mayTry = claims.filter(
    ({ isProven, isForbidden, isExpired, isAdministrator }) =>
      isProven && !isForbidden && (!isExpired || isAdministrator),
  )
  expect(mayTry).toHaveLength(18)
  expect(decided('enter')).toEqual(mayTry.filter(({ hasSecondFactor, code }) => !hasSecondFactor || code === 'right'))
  expect(decided('ask for a code')).toEqual(mayTry.filter(({ hasSecondFactor, code }) => hasSecondFactor && !code))
  expect(decided('refuse')).toHaveLength(96 - decided('enter').length - decided('ask for a code').length)
  expect(decided('enter')).toHaveLength(12)
})

describe('a session that was last continued five days ago', () => {
  const NOW = '2026-11-23T12:00:00.000Z'
  const continuedAt = '2026-11-18T12:00:00.000Z'
  const DAY = 86_400

  test.each<[lasts: number, since: string | null, isOver: boolean]>([
    [7, null, false],
    [5, null, true],
    [3, null, true],
    // It lasted 3 days before it lasted 30.
    [30, '2026-11-20T12:00:00.000Z', true],
    [30, continuedAt, false],
    [30, '2026-11-16T12:00:00.000Z', false],
  ])('with %i days now, and everything before %s ended: over is %s', (days, since, isOver) => {
    const lasting = { ttl: days * DAY, lifetime: 0, since }
    const decisions = every({ isActive: FLAGS, isSpent: FLAGS }).map((flags) =>
      decideContinuation({ ...flags, continuedAt, createdAt: continuedAt }, lasting, NOW),
    )
    expect(decisions).toEqual(['refuse', 'refuse', isOver ? 'end' : 'continue', 'end'])
  })

  test.each([
    [0, 'continue'],
    [8 * DAY, 'end'],
    [8 * DAY + 1, 'continue'],
  ])('and opened eight days ago, where sessions live for %i s: it is %s', (lifetime, decision) => {
    const session = { isActive: true, isSpent: false, continuedAt, createdAt: '2026-11-15T12:00:00.000Z' }
    expect(decideContinuation(session, { ttl: 7 * DAY, lifetime, since: null }, NOW)).toBe(decision)
  })
})
