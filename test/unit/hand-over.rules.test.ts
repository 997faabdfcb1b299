import '../support/domains.ts'
import { describe, expect, test } from 'vitest'
import { authorityFrom, everything, type RoleHeld } from '../../src/domains/roles/authority.rules.ts'
import { assertMayStandIn, isWithin, periodOf } from '../../src/domains/substitutes/substitutes.rules.ts'
import { assertMayHandOver, type Load, type Party } from '../../src/domains/users/hand-over.rules.ts'
import { refusalOf } from '../support/refusal.ts'

const role = (id: number, code: string, ...permissions: string[]): RoleHeld => ({ id, code, permissions })
const plain = role(1, 'user', 'project:list', 'approval:action')
const readers = role(2, 'reader', 'project:list')
const administrators = role(3, 'tenant-admin', 'user:update', 'project:list', 'approval:action')
const managers = authorityFrom([role(4, 'manager', 'user:update', 'project:list', 'approval:action')])

const party = (id: number, roles: RoleHeld[], status: Party['status'] = 'active'): Party => ({ id, roles, status })
const load = (kind: string, needs: Load['kind']['needs'], count: number): Load => ({
  kind: { kind, ...(needs && { needs }) },
  held: Array.from({ length: count }, (_, id) => ({ id, name: 'x' })),
})
const work = [
  load('projects', 'project:list', 1),
  load('departments', undefined, 1),
  load('approvals', 'approval:action', 1),
]

describe('a hand-over', () => {
  test('goes to an active person who is permitted what the work needs', () => {
    expect(() => assertMayHandOver(party(1, [plain]), party(2, [plain]), work, managers)).not.toThrow()
    // A disabled person hands over, too: they are the ones who leave.
    expect(() => assertMayHandOver(party(1, [plain], 'disabled'), party(2, [plain]), work, managers)).not.toThrow()
  })

  test.each([
    [
      'of somebody with rights that the caller lacks',
      party(1, [administrators]),
      party(2, [plain]),
      'PERMISSION_DENIED',
      'id',
    ],
    [
      'to somebody with rights that the caller lacks',
      party(1, [plain]),
      party(2, [administrators]),
      'PERMISSION_DENIED',
      'body.toUserId',
    ],
    ['to oneself', party(1, [plain]), party(1, [plain]), 'VALIDATION_FAILED', 'body.toUserId'],
    ['to a disabled person', party(1, [plain]), party(2, [plain], 'disabled'), 'NOT_FOUND', undefined],
    ['to a person who may not decide', party(1, [plain]), party(2, [readers]), 'CANNOT_TAKE_OVER', 'body.toUserId'],
    ['to a person without any right', party(1, [plain]), party(2, []), 'CANNOT_TAKE_OVER', 'body.toUserId'],
  ])('is refused %s', (_, from, to, type, path) => {
    const refusal = refusalOf(() => assertMayHandOver(from, to, work, managers))
    expect(refusal.type).toBe(type)
    expect(refusal.details[0]?.path).toBe(path)
  })

  test('asks only for what the work that is there needs', () => {
    const nothing = work.map((one) => ({ ...one, held: [] }))
    expect(() => assertMayHandOver(party(1, [plain]), party(2, []), nothing, everything)).not.toThrow()
    expect(() => assertMayHandOver(party(1, [plain]), party(2, [readers]), work.slice(0, 2), everything)).not.toThrow()
  })

  test('passes on ten thousand of a kind and no more', () => {
    const of = (count: number) => () =>
      assertMayHandOver(party(1, [plain]), party(2, [plain]), [load('tasks', 'project:list', count)], everything)
    expect(of(10_000)).not.toThrow()
    expect(refusalOf(of(10_001))).toMatchObject({ type: 'TOO_MUCH_AT_ONCE', status: 409 })
  })
})

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
