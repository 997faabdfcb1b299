import fc from 'fast-check'
import '../support/domains.ts'
import { describe, expect, test } from 'vitest'
import { waitingApprovals } from '../../src/domains/approvals/passing/hand-over.actions.ts'
import { assertEmpty, assertMayHang } from '../../src/domains/menus/menus.rules.ts'
import type { MenuRow } from '../../src/domains/menus/menus.schemas.ts'
import { SEED_MENUS, type SeedMenu } from '../../src/domains/menus/menus.seed.ts'
import { ledDepartments } from '../../src/domains/organization/hand-over.actions.ts'
import type { UserView } from '../../src/domains/people/people.schemas.ts'
import { ownedProjects } from '../../src/domains/projects/projects.actions.ts'
import {
  assertCovers,
  assertHolds,
  authorityFrom,
  everything,
  type RoleHeld,
} from '../../src/domains/roles/authority.rules.ts'
import { assertMayAssign, assertMayDelete, assertMayRevise } from '../../src/domains/roles/roles.rules.ts'
import { assignedTasks } from '../../src/domains/tasks/passing/hand-over.actions.ts'
import {
  assertMayEndSessions,
  assertMayGo,
  assertMayTrust,
  reviseUser,
  type Subject,
} from '../../src/domains/users/users.rules.ts'
import { UserDraft, UserPatch } from '../../src/domains/users/users.schemas.ts'
import { allPermissions, grantsOf } from '../../src/kernel/access.ts'
import { Fault } from '../../src/kernel/fault.ts'
import { refusalOf } from '../support/refusal.ts'

const role = (id: number, code: string, ...permissions: string[]): RoleHeld => ({ id, code, permissions })
const administrators = role(1, 'tenant-admin', 'user:update', 'audit:view')
const managers = role(2, 'manager', 'user:update', 'task:create')
const auditors = role(3, 'auditor', 'audit:view')
const users = role(4, 'user', 'task:create')
const passes = (action: () => void) => {
  try {
    action()
    return true
  } catch (error) {
    if (error instanceof Fault) return false
    throw error
  }
}

describe('authority', () => {
  test('names each permission that is missing, once', () => {
    const refusal = refusalOf(() => assertHolds(authorityFrom([users]), ['a:b', 'task:create', 'c:d', 'a:b'], 'body.x'))
    expect(refusal).toMatchObject({ type: 'PERMISSION_DENIED', status: 403 })
    expect(refusal.details.map(({ path, permission }) => [path, permission])).toEqual([
      ['body.x', 'a:b'],
      ['body.x', 'c:d'],
    ])
  })

  test('covers roles if, and only if, nothing in them goes beyond it', () => {
    const permission = fc.constantFrom('a:a', 'b:b', 'c:c', 'd:d')
    const roles = fc.array(
      fc.record({
        id: fc.nat(),
        code: fc.constantFrom('x', 'y', 'admin', 'tenant-admin'),
        permissions: fc.array(permission),
      }),
      { maxLength: 4 },
    )
    fc.assert(
      fc.property(roles, roles, (mine, theirs) => {
        const held = new Set(mine.flatMap(({ permissions }) => permissions))
        const leads = (some: RoleHeld[]) => some.some(({ code }) => code.endsWith('admin'))
        const within =
          theirs.every(({ permissions }) => permissions.every((code) => held.has(code))) &&
          (!leads(theirs) || leads(mine))
        expect(passes(() => assertCovers(authorityFrom(mine), theirs, ''))).toBe(within)
        expect(passes(() => assertCovers(everything, theirs, ''))).toBe(true)
      }),
    )
  })
})

const user: UserView = {
  ...{ id: 7, username: 'somebody', nickname: 'Some', email: null, phone: null, realName: null, status: 'active' },
  ...{ roles: ['user'], selfRegistered: false, lastSignInAt: null, version: 0 },
  ...{ createdAt: '2026-11-21T09:00:00.000Z', updatedAt: '2026-11-21T09:00:00.000Z' },
}
const people = (...ids: number[]) => ids.map((id) => ({ id, isService: false }))
const subject = (roles: RoleHeld[], more: Partial<Subject> = {}): Subject => ({
  tenantId: 2,
  user: { ...user, roles: roles.map(({ code }) => code) },
  roles,
  isActor: false,
  officeHolder: undefined,
  administrators: people(1, 2),
  ...more,
})
const manager = authorityFrom([managers])

describe('the mark of a person who registered themselves', () => {
  const stranger = { ...user, selfRegistered: true }
  const fileManager = authorityFrom([role(1, 'x', 'file:manage')])

  test.each([
    [true, user, user, manager, 'passes'],
    [false, stranger, user, manager, 'passes'],
    [true, stranger, user, fileManager, 'passes'],
    [true, stranger, user, manager, 'PERMISSION_DENIED'],
    [false, user, stranger, manager, 'VALIDATION_FAILED'],
    [true, stranger, stranger, manager, 'passes'],
  ] as const)(
    'where the actor is a stranger (%s), a change from %j to %j',
    (selfRegistered, before, after, authority, outcome) => {
      const change = () => assertMayTrust(before, after, { selfRegistered }, authority)
      if (outcome === 'passes') expect(change).not.toThrow()
      else expect(refusalOf(change).type).toBe(outcome)
    },
  )
})

describe('revising a user', () => {
  test('ends the sessions with a new password, and of anyone who is disabled', () => {
    const ends = (patch: object, resets: boolean) =>
      reviseUser(subject([users]), patch as never, undefined, resets, manager).endsSessions
    expect([ends({}, true), ends({ status: 'disabled' }, false)]).toEqual([true, true])
    expect([ends({}, false), ends({ status: 'active' }, false)]).toEqual([false, false])
  })

  test.each([
    ['their password', {}, undefined, true],
    ['their state', { status: 'disabled' as const }, undefined, false],
    ['their roles', {}, [users], false],
  ])('who holds more than oneself: not %s', (_, patch, wanted, resets) => {
    const above = subject([auditors, users])
    expect(refusalOf(() => reviseUser(above, patch as never, wanted, resets, manager)).type).toBe('PERMISSION_DENIED')
    expect(() => reviseUser(above, patch as never, wanted, resets, everything)).not.toThrow()
  })

  test('keeps the last active administrator, whoever wants otherwise', () => {
    const last = subject([administrators], { administrators: [...people(7), { id: 8, isService: true }] })
    for (const action of [
      () => reviseUser(last, { status: 'disabled', roleIds: undefined }, undefined, false, everything),
      () => reviseUser(last, { roleIds: [4] }, [users], false, everything),
      () => assertMayGo(last, [], everything),
    ])
      expect(refusalOf(action).type).toBe('LAST_ADMINISTRATOR')
    const second = subject([administrators], { administrators: people(6, 7) })
    expect(() => reviseUser(second, { roleIds: [4] }, [users], false, everything)).not.toThrow()
  })
})

describe('the end of sessions', () => {
  test.each([
    ['somebody with fewer rights', subject([users]), true],
    ['somebody with other rights', subject([auditors, users]), false],
    ['an administrator', subject([administrators]), false],
  ])('of %s', (_, of, isAllowed) => {
    expect(passes(() => assertMayEndSessions(of, manager))).toBe(isAllowed)
    expect(passes(() => assertMayEndSessions(of, everything))).toBe(true)
  })

  test('of the system administrator is up to them alone', () => {
    const office = { officeHolder: 7, isActor: false }
    const refusal = refusalOf(() => assertMayEndSessions(subject([administrators], office), everything))
    expect(refusal.type).toBe('RESERVED')
    expect(
      passes(() => assertMayEndSessions(subject([administrators], { ...office, isActor: true }), everything)),
    ).toBe(true)
  })
})

describe('a deletion', () => {
  test('names everything that is left: projects, departments, tasks, requests', () => {
    const kinds = [ownedProjects, ledDepartments, assignedTasks, waitingApprovals]
    const uses = kinds.flatMap((kind, at) => [kind.keeps!(2 * at + 1), kind.keeps!(2 * at + 2)])
    const refusal = refusalOf(() => assertMayGo(subject([users]), uses, manager))
    expect(refusal.type).toBe('USER_IN_USE')
    expect(refusal.details.map(({ path, id }) => `${path} ${id}`)).toEqual([
      ...['projects 1', 'projects 2', 'departments 3', 'departments 4', 'tasks 5', 'tasks 6', 'approvals 7'],
      'approvals 8',
    ])
  })
})

describe('roles', () => {
  test('are given permissions by holders of role:permission', () => {
    const holder = authorityFrom([role(1, 'x', 'a:b')])
    const giver = authorityFrom([role(1, 'x', 'a:b', 'role:permission')])
    expect(passes(() => assertMayAssign(holder, []))).toBe(true)
    expect(passes(() => assertMayAssign(holder, ['a:b']))).toBe(false)
    expect(passes(() => assertMayAssign(giver, ['a:b']))).toBe(true)
    expect(passes(() => assertMayAssign(giver, ['c:d']))).toBe(false)
  })

  test('of the service stay what they are', () => {
    const revise = (code: string, patch: object, permissions: string[] = [], menus = false) =>
      passes(() => assertMayRevise({ code, name: 'N' }, patch, permissions, menus, everything))
    for (const code of ['admin', 'tenant-admin', 'user']) {
      expect(revise(code, { code, name: 'N' })).toBe(true)
      expect(revise(code, { name: 'M' })).toBe(false)
      expect(revise(code, { code: 'm' })).toBe(false)
      expect(passes(() => assertMayDelete({ code }, []))).toBe(false)
    }
    const all = ['admin', 'tenant-admin', 'user', 'other']
    expect(all.map((code) => revise(code, {}, ['a:b']))).toEqual([false, false, true, true])
    expect(all.map((code) => revise(code, {}, [], true))).toEqual([false, true, true, true])
    expect(revise('other', { name: 'M' })).toBe(true)
    expect(passes(() => assertMayDelete({ code: 'other' }, [{ userId: 1 }]))).toBe(false)
  })
})

const menu = (id: number, parentId: number, permission: string | null = null): MenuRow => ({
  ...{ id, parentId, permission, name: `${id}`, path: null, component: null, icon: null },
  ...{ sort: 0, visible: true, type: 'menu' },
})

describe('menus', () => {
  const rows = [menu(1, 0), menu(2, 1), menu(3, 2), menu(4, 0, 'a:b'), menu(5, 1)]

  test('never lie below themselves', () => {
    for (const below of [1, 2, 3, 5]) expect(refusalOf(() => assertMayHang(rows, 1, below)).type).toBe('MENU_CYCLE')
    for (const [id, parentId] of [
      [1, 4],
      [3, 0],
      [undefined, 3],
    ] as const)
      expect(() => assertMayHang(rows, id, parentId)).not.toThrow()
    expect(refusalOf(() => assertMayHang(rows, 1, 99)).status).toBe(404)
  })

  test('go with nothing below them', () => {
    expect(refusalOf(() => assertEmpty(rows, 1)).details.map(({ id }) => id)).toEqual([2, 5])
    expect(() => assertEmpty(rows, 3)).not.toThrow()
  })

  test('of the start: each address once, and no directory that a user would find empty', () => {
    const all = (menus: SeedMenu[]): SeedMenu[] => menus.flatMap((one) => [one, ...all(one.children ?? [])])
    const paths = all(SEED_MENUS).flatMap(({ path }) => path ?? [])
    expect(new Set(paths).size).toBe(paths.length)
    for (const { permission, children = [] } of all(SEED_MENUS).filter(({ type }) => type === 'directory'))
      if (!permission)
        expect(children.some((child) => !child.permission || grantsOf('user').includes(child.permission))).toBe(true)
    for (const { permission } of all(SEED_MENUS)) if (permission) expect(allPermissions()).toContain(permission)
  })
})

describe('what a user is made of', () => {
  const draft = { username: ' name ', password: ' a secret ' }

  test('names are trimmed, passwords are not; blank contact data is none', () => {
    const contact = { email: null, phone: '1', nickname: null }
    const parsed = UserDraft.parse({ ...draft, email: ' ', phone: ' 1 ', nickname: null })
    expect(parsed).toEqual({ username: 'name', password: ' a secret ', ...contact, status: 'active' })
  })

  test('a patch has no defaults, and an empty password is none', () => {
    const clean = (value: object) =>
      Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined))
    expect(clean(UserPatch.parse({}))).toEqual({})
    expect(clean(UserPatch.parse({ password: '', roleIds: null, status: 'disabled' }))).toEqual({ status: 'disabled' })
    expect(UserPatch.parse({ password: null }).password).toBeUndefined()
    expect(UserPatch.safeParse({ password: '12345' }).success).toBe(false)
    const patch = UserPatch.parse({ password: 'secret-1', roleIds: [1, 1, 2] })
    expect(patch).toMatchObject({ password: 'secret-1', roleIds: [1, 2] })
  })
})
