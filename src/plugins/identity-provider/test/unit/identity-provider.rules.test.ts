import { describe, expect, test } from 'vitest'
import { every } from '#test/every.ts'
import { changeOfRoles, isIssuer, isSafeAddress, mayUsePassword, meet } from '../../identity-provider.rules.ts'

const FLAGS = [true, false] as const

test('where passwords are forbidden, the system administrator uses one, and administrators until one is proven', () => {
  expect(mayUsePassword(undefined)).toBe(true)
  for (const rule of every({ holdsOffice: FLAGS, isAdministrator: FLAGS, isProven: FLAGS })) {
    expect(mayUsePassword({ ...rule, passwordSignIn: 'allowed' })).toBe(true)
    const may = rule.holdsOffice || (rule.isAdministrator && !rule.isProven)
    expect(mayUsePassword({ ...rule, passwordSignIn: 'forbidden' })).toBe(may)
  }
})

describe('somebody whom the provider has sent', () => {
  const facts = { status: [undefined, 'active', 'disabled'], isAdministrator: FLAGS } as const
  const arrivals = every({ ...facts, isInvited: FLAGS, createUsers: FLAGS, isExpired: FLAGS }).map(
    ({ status, isAdministrator, ...rest }) => ({ ...rest, known: status && { status, isAdministrator } }),
  )

  test('enters as who they are, else as who was invited, else as somebody new', () => {
    expect(arrivals).toHaveLength(48)
    const met = (how: string) => arrivals.filter((one) => meet(one) === how)
    expect(met('enter').every((one) => one.known?.status === 'active')).toBe(true)
    expect(met('accept').every((one) => !one.known && one.isInvited && !one.isExpired)).toBe(true)
    expect(met('create').every((one) => !one.known && !one.isInvited && one.createUsers && !one.isExpired)).toBe(true)
    expect([met('enter').length, met('accept').length, met('create').length]).toEqual([12, 4, 2])
  })

  test('is refused with the reason otherwise', () => {
    const refused = (error: string) => arrivals.filter((one) => (meet(one) as { error?: string }).error === error)
    expect(refused('TENANT_EXPIRED').every((one) => one.isExpired && !one.known?.isAdministrator)).toBe(true)
    expect(refused('ACCOUNT_DISABLED').every((one) => one.known?.status === 'disabled')).toBe(true)
    expect(refused('ACCOUNT_NOT_FOUND').every((one) => !one.known && !one.isInvited && !one.createUsers)).toBe(true)
  })
})

describe('groups', () => {
  const roles = [1, 2, 3].map((id) => ({ id, code: `role-${id}` }))
  const [boss, staff, manual] = roles as [(typeof roles)[0], (typeof roles)[0], (typeof roles)[0]]
  const nobody = { isLastAdministrator: false, holdsOffice: false }
  const change = (more: object) =>
    changeOfRoles(
      { held: [boss, manual], managed: [boss, staff], given: [], ...nobody, ...more },
      (one) => one === boss,
    )

  test.each([
    [{}, { added: [], removed: [boss] }],
    [{ given: [2] }, { added: [staff], removed: [boss] }],
    [{ given: [3] }, { added: [], removed: [boss] }],
    [{ isLastAdministrator: true }, { added: [], removed: [] }],
    [{ holdsOffice: true }, { added: [], removed: [] }],
    [
      { isLastAdministrator: true, held: [boss, staff], given: [] },
      { added: [], removed: [staff] },
    ],
  ])('%j', (holding, expected) => {
    expect(change(holding)).toEqual(expected)
  })
})

test.each([
  ['https://login.example.com', true],
  ['http://localhost:8080/realms/a', true],
  ['https://a/#', false],
  ['https://a/?b', false],
  ['https://user@a/', false],
  ['ftp://a', false],
  ['a', false],
])('%s as an issuer: %s', (text, expected) => {
  expect(isIssuer(text)).toBe(expected)
})

test.each([
  ['https://a', true, true],
  ['http://localhost:1', false, true],
  ['http://[::1]/', false, true],
  ['http://localhost', true, false],
  ['http://a', false, false],
  ['http://10.0.0.1', false, false],
])('%s in production %s is reached: %s', (address, isProduction, expected) => {
  expect(isSafeAddress(new URL(address), isProduction)).toBe(expected)
})
