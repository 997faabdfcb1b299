import '../support/domains.ts'
import { describe, expect, test } from 'vitest'
import { authorityFrom, everything, type RoleHeld } from '../../src/domains/roles/authority.rules.ts'
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
