import { expect, test } from 'vitest'
import {
  extended,
  renewalOf,
  sessionDaysOf,
  sessionSecondsOf,
  sessionsSinceOf,
} from '../../src/domains/tenants/tenants.rules.ts'

const NOW = '2026-11-22T12:00:00.000Z'

test.each([
  ['2026-12-01T00:00:00.000Z', 30, '2026-12-31T00:00:00.000Z'],
  ['2026-11-22T11:59:59.999Z', 30, '2026-12-22T12:00:00.000Z'],
  ['2020-01-01T00:00:00.000Z', 1, '2026-11-23T12:00:00.000Z'],
  [NOW, 365, '2027-11-22T12:00:00.000Z'],
])('a tenant that expires %s and is renewed by %i days expires %s', (expiredAt, days, then) => {
  expect(extended(expiredAt, days, NOW)).toBe(then)
})

test('the offer for a tenant is that of its plan, if it expires at all', () => {
  const team = { amountCents: 29_900, days: 365 }
  const expiredAt = NOW
  expect(renewalOf({ team }, { plan: 'team', expiredAt })).toEqual(team)
  expect(renewalOf({ team }, { plan: 'team', expiredAt: null })).toBeUndefined()
  for (const plan of ['gold', 'constructor']) expect(renewalOf({ team }, { plan, expiredAt })).toBeUndefined()
  expect(renewalOf(undefined, { plan: 'team', expiredAt })).toBeUndefined()
})

test.each([
  [null, 604_800, 604_800, 7],
  [null, 600, 600, 1],
  [null, 31_536_000, 31_536_000, 90],
  [30, 604_800, 2_592_000, 30],
])('a session of %s days, or of usually %i s, lasts %i s, shown as %i days', (sessionDays, usual, seconds, days) => {
  expect(sessionSecondsOf({ sessionDays }, usual)).toBe(seconds)
  expect(sessionDaysOf({ sessionDays }, usual)).toBe(days)
})

test.each([
  [null, null, null],
  [null, '2026-11-01T00:00:00.000Z', '2026-11-01T00:00:00.000Z'],
  [2, null, '2026-11-20T12:00:00.000Z'],
  [2, '2026-11-01T00:00:00.000Z', '2026-11-20T12:00:00.000Z'],
  [30, '2026-11-20T12:00:00.000Z', '2026-11-20T12:00:00.000Z'],
])('with %s days, sessions last continued before %s ended already, and now those before %s', (sessionDays, was, is) => {
  expect(sessionsSinceOf({ sessionDays, sessionsSince: was }, NOW)).toBe(is)
})
