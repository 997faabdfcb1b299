import { describe, expect, test } from 'vitest'
import { type Authority, narrowed, type RoleHeld } from '../../../../domains/roles/authority.rules.ts'
import { assertMayIssue, assertSound, reviseAccount } from '../../keys.rules.ts'

const role = (id: number, code: string, ...permissions: string[]): RoleHeld => ({ id, code, permissions })
const reader = role(1, 'reader', 'project:list')
const writer = role(2, 'writer', 'project:list', 'task:create')
const chief = role(3, 'tenant-admin', 'project:list', 'task:create', 'user:list')
const authority = (isAdministrator: boolean, ...permissions: string[]): Authority => ({
  isAdministrator,
  holds: (permission) => permissions.includes(permission),
})
const administrator = authority(true, 'project:list', 'task:create', 'user:list')

/** Who may make which key: by what the person holds, what their own key gives, and what the new one would give. */
describe('a key is made', () => {
  test.each([
    // held by the account, new key, held by the maker, narrowed to, allowed
    [[reader], null, ['project:list'], null, true],
    [[reader], [], ['project:list'], null, true],
    [[reader], null, [], null, false],
    [[writer], null, ['project:list'], null, false],
    [[writer], ['project:list'], ['project:list', 'task:create'], null, true],
    [[writer], null, ['project:list', 'task:create'], ['project:list'], false],
    [[writer], ['project:list'], ['project:list', 'task:create'], ['project:list'], true],
    [[writer], [], ['project:list', 'task:create'], ['project:list'], true],
    [[reader], ['user:list'], ['project:list'], null, false],
    [[chief], [], ['project:list', 'task:create', 'user:list'], null, false],
  ] as const)('of %j with %j by a holder of %j through a key of %j: %s', (held, permissions, own, key, isAllowed) => {
    const mine = authority(false, ...own)
    const issue = () => assertMayIssue(held, permissions, mine, narrowed(mine, key))
    if (isAllowed) issue()
    else expect(issue).toThrow(expect.objectContaining({ type: 'PERMISSION_DENIED' }))
  })

  test('of an administrative account by an administrator', () => {
    assertMayIssue([chief], null, administrator, administrator)
  })
})

describe('an account is changed', () => {
  const account = { id: 9, name: 'A', roles: ['reader'], status: 'active' as const, createdAt: '' }
  test.each([
    ['by a holder of less, not even its name', [writer], { name: 'B' }, undefined, ['project:list'], false],
    ['by a holder of as much', [reader], { name: 'B' }, undefined, ['project:list'], true],
    ['to more than its changer has', [reader], {}, [writer], ['project:list'], false],
    ['to less', [writer], {}, [reader], ['project:list', 'task:create'], true],
  ] as const)('%s', (_, held, patch, wanted, own, isAllowed) => {
    const change = () =>
      reviseAccount(account, held, { roleIds: undefined, ...patch }, wanted, authority(false, ...own))
    if (isAllowed) expect(change().account).toMatchObject({ ...patch, roles: (wanted ?? held).map(({ code }) => code) })
    else expect(change).toThrow(expect.objectContaining({ type: 'PERMISSION_DENIED' }))
  })
})

test('a key names permissions that there are, and a time to come', () => {
  const now = '2026-01-01T00:00:00.000Z'
  const catalogue = new Set(['project:list'])
  const draft = { name: 'K', permissions: ['project:list'], expiresAt: '2026-01-01T00:00:00.001Z' }
  assertSound(draft, catalogue, now)
  assertSound({ ...draft, permissions: null, expiresAt: null }, catalogue, now)
  expect(() => assertSound({ ...draft, permissions: ['project:list', 'x:y'], expiresAt: now }, catalogue, now)).toThrow(
    expect.objectContaining({
      type: 'VALIDATION_FAILED',
      details: [
        expect.objectContaining({ path: 'body.permissions.1' }),
        expect.objectContaining({ path: 'body.expiresAt' }),
      ],
    }),
  )
})
