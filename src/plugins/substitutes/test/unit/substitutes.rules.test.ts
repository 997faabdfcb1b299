import '#test/domains.ts'
import { describe, expect, test } from 'vitest'
import { refusalOf } from '#test/refusal.ts'
import { assertMayStandIn, isWithin, periodOf } from '../../substitutes.rules.ts'

describe('a substitute', () => {
  const able = { id: 9, status: 'active', mayDecide: true } as const
  const draft = { userId: 9, from: '2026-12-21', until: '2027-01-03' }

  test.each([
    ['another person who may decide', 7, able, draft, undefined],
    ['for one day', 7, able, { ...draft, until: draft.from }, undefined],
    ['oneself', 9, able, draft, 'VALIDATION_FAILED'],
    ['nobody, or a deleted person', 7, undefined, draft, 'NOT_FOUND'],
    ['a disabled person', 7, { ...able, status: 'disabled' as const }, draft, 'NOT_FOUND'],
    ['a person without the permission', 7, { ...able, mayDecide: false }, draft, 'SUBSTITUTE_CANNOT_DECIDE'],
    ['for days in the wrong order', 7, able, { ...draft, until: '2026-12-20' }, 'DATE_ORDER'],
  ])('is %s', (_, userId, substitute, wanted, type) => {
    const name = () => assertMayStandIn(userId, substitute, wanted)
    if (type) expect(refusalOf(name).type).toBe(type)
    else expect(name).not.toThrow()
  })

  test('stands in from the first moment of the first day to the last of the last day, in the zone of the tenant', () => {
    const period = periodOf(draft, 'Asia/Tokyo')
    expect(period).toEqual({
      ...{ timeZone: 'Asia/Tokyo', startsAt: '2026-12-20T15:00:00.000Z', endsAt: '2027-01-03T15:00:00.000Z' },
    })
    const moments = ['2026-12-20T14:59:59.999Z', period.startsAt, '2027-01-03T14:59:59.999Z', period.endsAt]
    expect(moments.map((moment) => isWithin(period, moment))).toEqual([false, true, true, false])
  })
})
