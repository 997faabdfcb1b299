import { describe, expect, test } from 'vitest'
import {
  assertMayChange,
  assertMayLeave,
  BECOMES,
  type Role,
  roleToGive,
  type Standing,
} from '../../src/domains/projects/members/members.rules.ts'
import type { Permission } from '../../src/kernel/access.ts'
import { refusalOf } from '../support/refusal.ts'

const STANDINGS = Object.keys(BECOMES) as Standing[]
const WANTED = [undefined, 'member', 'viewer'] as const

describe('the role that a person gets in a project', () => {
  /** The table of the contract, written down a second time: BECOMES is not its own judge. */
  const expected: Record<string, Role> = {
    'nobody undefined': 'member',
    'nobody member': 'member',
    'nobody viewer': 'viewer',
    'member viewer': 'viewer',
    'viewer member': 'member',
  }
  const cases = STANDINGS.flatMap((is) =>
    WANTED.flatMap((wanted) => [true, false].map((busy) => ({ is, wanted, busy }))),
  )

  test.each(cases)('$is who is to be $wanted, with open tasks: $busy', ({ is, wanted, busy }) => {
    const decide = () => roleToGive(is, wanted, busy ? [21, 22] : [])
    const role = expected[`${is} ${wanted}`] ?? null
    if (is === 'owner' && wanted === 'viewer') expect(refusalOf(decide).type).toBe('OWNER_STAYS_MEMBER')
    else if (role === 'viewer' && busy)
      expect(refusalOf(decide)).toMatchObject({ type: 'MEMBER_HAS_OPEN_TASKS', details: [{ id: 21 }, { id: 22 }] })
    else expect(decide()).toBe(role)
  })

  test('by a hand-over is that of a member, whatever they were', () => {
    expect(STANDINGS.map((is) => [is, roleToGive(is, 'member', []) ?? is])).toEqual([
      ['owner', 'owner'],
      ['member', 'member'],
      ['viewer', 'member'],
      ['nobody', 'member'],
    ])
  })
})

describe('changing a project and its tasks', () => {
  const authorities = [
    { isAdministrator: false, permissions: [] },
    { isAdministrator: false, permissions: ['project:update', 'task:update', 'task:create'] },
    { isAdministrator: false, permissions: ['project:manage'] },
    { isAdministrator: true, permissions: [] },
  ] satisfies { isAdministrator: boolean; permissions: Permission[] }[]
  const cases = authorities.flatMap((authority) =>
    (['owner', 'member', 'viewer', null] as const).map((role) => ({ ...authority, role })),
  )

  test.each(cases)('as $role with administrator: $isAdministrator and $permissions', ({ role, ...authority }) => {
    const change = () =>
      assertMayChange(role, { ...authority, permissions: new Set<Permission>(authority.permissions) })
    const isBound = !authority.isAdministrator && !authority.permissions.includes('project:manage' as never)
    if (role === 'viewer' && isBound)
      expect(refusalOf(change)).toMatchObject({ type: 'PROJECT_READ_ONLY', status: 403 })
    else expect(change).not.toThrow()
  })
})

describe('leaving a project', () => {
  const cases = STANDINGS.flatMap((is) => [[], [21, 22]].map((openTaskIds) => ({ is, openTaskIds })))

  test.each(cases)('as $is with the open tasks $openTaskIds', ({ is, openTaskIds }) => {
    const leave = () => assertMayLeave(is, openTaskIds)
    if (is === 'owner') expect(refusalOf(leave).type).toBe('OWNER_CANNOT_LEAVE')
    else if (openTaskIds.length > 0) {
      const { type, details } = refusalOf(leave)
      expect([type, details.map(({ path, id }) => `${path} ${id}`)]).toEqual([
        ...['MEMBER_HAS_OPEN_TASKS', ['userId 21', 'userId 22']],
      ])
    } else expect(leave).not.toThrow()
  })
})
