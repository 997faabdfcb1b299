import { describe, expect, test } from 'vitest'
import { assertNotName, newPassword } from '../../src/domains/people/names/password.rules.ts'
import { appearanceOf, Nickname, typed, Username } from '../../src/domains/people/names/usernames.ts'
import { lookOf, skeletonOf } from '../../src/util/text/skeleton.ts'
import { refusalOf } from '../support/refusal.ts'

describe('two names are taken for each other', () => {
  const areAlike = (a: string, b: string) => lookOf(a) === lookOf(b) || skeletonOf(a) === skeletonOf(b)

  test.each([
    ['boss', 'Boss'],
    ['boss', 'BOSS'],
    ['boss', 'b0ss'],
    ['BOSS', 'b0ss'],
    ['paypal', 'paypaI'],
    ['PayPal', 'PaypaI'],
    ['admin', 'аdmin'],
    ['admin', 'АDMIN'],
    ['admin', 'аdmіn'],
    ['admin', 'ａｄｍｉｎ'],
    ['admin', 'adrnin'],
    ['admin', 'ad\u200bmin'],
    ['admin', '\u202eadmin'],
    ['admin', 'ad\u00admin'],
    ['анна', 'АННА'],
    ['José', 'José'.normalize('NFD')],
    ['ada lovelace', 'Ada\u00a0 Lovelace'],
    ['ﬁnn', 'finn'],
    ['person-1', 'person-l'],
    ['Straße', 'STRAßE'],
    ['nina', 'ΝINA'],
    ['nina', 'ΝΙΝΑ'],
    ['boss', 'Βoss'],
    ['boss', 'ʙoss'],
    ['boss', 'ьoss'],
    ['Нина', 'нина'],
    ['Tenant Administrator', 'ТЕNАNТ АDМIΝISТRАТОR'],
    ['victor', 'νictor'],
  ])('%s and %s', (a, b) => {
    expect(areAlike(a, b)).toBe(true)
    expect(areAlike(b, a)).toBe(true)
  })

  test.each([
    ['jose', 'josé'],
    ['anna', 'hanna'],
    ['王伟', '王玮'],
    ['lan', 'ian'],
    ['person-2', 'person-3'],
    ['a.b', 'a-b'],
    ['adalovelace', 'ada lovelace'],
  ])('%s and %s are not', (a, b) => {
    expect(areAlike(a, b)).toBe(false)
  })
})

describe('a name', () => {
  test.each([
    ...['ada', 'Ada Lovelace', '王伟', 'José', 'ada@company.example', 'مرحبا', 'नमस्ते', 'Ada 🚀', 'Ada ❤️'],
    ...['علی\u200cرضا', 'क्\u200dष', 'ශ්\u200dරී', '👨\u200d👩\u200d👧', 'Kim 🏳️\u200d🌈', '👩🏽\u200d💻'],
  ])('may be %s', (name) => {
    expect(Username.parse(name)).toBe(name)
    expect(Nickname.parse(name)).toBe(name)
  })

  test.each([
    ...['a\nb', 'a\u0007b', 'a\u200bb', 'a\u200db', 'a\u200cb', 'علی\u200c', '\u200d👩', '👩\u200d', 'a\u202eb'],
    ...['a\u2066b', 'a\u200fb', 'a\ufeffb', 'a\u00adb', 'a\u3164b', '\u2800', 'a\ue000b', 'a\u2028b'],
  ])('is not %j', (name) => {
    expect(Username.safeParse(name).success).toBe(false)
    expect(Nickname.safeParse(name).success).toBe(false)
  })

  test('is more than nothing to see', () => {
    for (const name of ['\ufe0f', '\ufe0f\ufe0f', 'a\ufe00', 'a\u{e0100}'])
      expect(Username.safeParse(name).success).toBe(false)
  })

  test('of characters that stand for words has a key that an index can hold', () => {
    const { look, skeleton, nicknameSkeleton } = appearanceOf('\ufdfa'.repeat(64), '\ufdfa'.repeat(64))
    for (const key of [look, skeleton, nicknameSkeleton!]) expect(Buffer.byteLength(key)).toBeLessThan(1100)
    expect(skeleton).not.toBe(appearanceOf('\ufdfa'.repeat(63), null).skeleton)
  })

  test('is kept in NFC, and found as it was typed', () => {
    const decomposed = 'José'.normalize('NFD')
    expect(Username.parse(decomposed)).toBe('José')
    expect(Nickname.parse(decomposed)).toBe('José')
    expect(typed(decomposed)).toMatchObject({ username: decomposed, composed: 'José' })
  })
})

describe('a password', () => {
  test.each([...['      ', '\u2003'.repeat(6), '123456', 'password', 'Password1', 'QWERTY', 'admin123', ' 123456 ']])(
    'is not %j',
    (password) => {
      expect(newPassword(6).safeParse(password).success).toBe(false)
    },
  )

  test.each(['correct horse', ' a secret ', 'secret-1'])('may be %j, and is kept as it is', (password) => {
    expect(newPassword(6).parse(password)).toBe(password)
  })

  test.each(['ada.lovelace', 'Ada.Lovelace', 'ada.lovelace@company.example', 'ada', 'аda.lovelace'])(
    'is not the name or the address of its owner: %s',
    (password) => {
      const owner = { username: 'ada.lovelace', email: 'ada@company.example' }
      const given = password === 'ada.lovelace@company.example' ? { ...owner, email: password } : owner
      expect(refusalOf(() => assertNotName(password, given, 'body.password'))).toMatchObject({
        type: 'VALIDATION_FAILED',
        details: [expect.objectContaining({ path: 'body.password' })],
      })
    },
  )

  test('is neither the code nor the name of the tenant', () => {
    for (const password of ['acme-corp', 'ACME-CORP', 'Acme Corporation'])
      expect(
        refusalOf(() =>
          assertNotName(password, { username: 'ada' }, 'body.password', ['acme-corp', 'Acme Corporation']),
        ),
      ).toMatchObject({ type: 'VALIDATION_FAILED' })
  })

  test('may be anything else, also of an owner without an address', () => {
    assertNotName('correct horse', { username: 'ada', email: null }, 'body.password')
  })
})
