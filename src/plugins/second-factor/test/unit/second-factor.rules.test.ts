import { describe, expect, test } from 'vitest'
import { assertMayTakeOff, hashRecoveryCode, newRecoveryCodes, readCode } from '../../second-factor.rules.ts'
import { loadTotp } from '../../totp.ts'

describe('a code', () => {
  test.each([
    ['492039', { digits: '492039' }],
    [' 492 039 ', { digits: '492039' }],
    ['7k3m 92qx tv4n ohjd', { recovery: '7K3M92QXTV4N0HJD' }],
    ['ilil-ilil-ilil-ilil', { recovery: '1111111111111111' }],
    ['49203', undefined],
    ['4920391', undefined],
    ['７K3M-92QX-TV4N-0HJD', undefined],
    ['7K3M-92QX-TV4N-0HJU', undefined],
    ['', undefined],
  ])('%j is read as %j', (typed, code) => expect(readCode(typed)).toEqual(code))

  test('for recovery is one of ten, hard to guess, and hashed differently for each person', () => {
    const codes = newRecoveryCodes()
    expect(new Set(codes).size).toBe(10)
    for (const code of codes) expect(readCode(code)).toEqual({ recovery: code.replaceAll('-', '') })
    const hashes = [hashRecoveryCode('A', 1, 2), hashRecoveryCode('A', 2, 1), hashRecoveryCode('A', 1, 3)]
    expect(new Set(hashes).size).toBe(3)
  })
})

/** Appendix B of RFC 6238, in six digits. */
test.each([
  [59, '287082'],
  [1_234_567_890, '005924'],
  [20_000_000_000, '353130'],
])('at %i s the code is the one of RFC 6238, and right for one step before and after', async (seconds, code) => {
  const totp = await loadTotp()
  const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
  const step = Math.floor(seconds / 30)
  const at = (away: number) => totp.stepOf(secret, code, (seconds + away * 30) * 1000)
  expect([-2, -1, 0, 1, 2].map(at)).toEqual([undefined, step, step, step, undefined])
  expect(totp.stepOf(secret, code === '000000' ? '000001' : '000000', seconds * 1000)).toBeUndefined()
})

test.each([
  ['Atrium Velora', 'ada', 'Atrium Velora:ada'],
  ['Atrium a:b: Söhne & 100%?', 'urn:x:ada@example.com', 'Atrium ab Söhne & 100%?:urnxada@example.com'],
])('the address of a new secret for %s and %s has one colon, between the two', async (issuer, account, label) => {
  const totp = await loadTotp()
  const secret = totp.newSecret()
  const url = new URL(totp.urlOf(secret, issuer, account))
  expect(decodeURIComponent(url.pathname)).toBe(`/${label}`)
  const facts = { secret, issuer: label.split(':', 1)[0], algorithm: 'SHA1', digits: '6', period: '30' }
  expect(Object.fromEntries(url.searchParams)).toMatchObject(facts)
})

describe('taking a second factor off', () => {
  const authority = (permissions: string[], isAdministrator = false) => ({
    isAdministrator,
    holds: (permission: string) => permissions.includes(permission),
  })
  const role = { id: 1, code: 'clerk', permissions: ['user:update'] }
  const administrator = { id: 2, code: 'tenant-admin', permissions: ['user:update'] }
  const cases = [
    ['a colleague with fewer rights', { roles: [] }, authority([]), undefined],
    ['a colleague with the same rights', { roles: [role] }, authority(['user:update']), undefined],
    ['somebody with more rights', { roles: [role] }, authority([]), 'PERMISSION_DENIED'],
    ['an administrator', { roles: [administrator] }, authority(['user:update']), 'PERMISSION_DENIED'],
    ['an administrator, by one', { roles: [administrator] }, authority(['user:update'], true), undefined],
    ['oneself', { roles: [], isActor: true }, authority(['user:update'], true), 'PERMISSION_DENIED'],
    ['the system administrator', { roles: [], holdsOffice: true }, authority([], true), 'RESERVED'],
  ] as const

  test.each(cases)('of %s', (_, person, rights, refusal) => {
    const whole = { isActor: false, holdsOffice: false, ...person }
    const act = () => assertMayTakeOff(whole, rights)
    if (refusal) expect(act).toThrow(expect.objectContaining({ type: refusal }))
    else expect(act).not.toThrow()
  })
})
