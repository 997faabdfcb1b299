import { expect, test } from 'vitest'
import { Unavailable } from '../../src/data/wire/unavailable.ts'
import { hashPassword, readPhc, verifyPassword } from '../../src/domains/people/passwords.ts'

test('a password is kept as argon2id with 19 MiB, two passes and a salt of its own', async () => {
  const [one, two] = await Promise.all([hashPassword('correct horse'), hashPassword('correct horse')])

  expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
  expect(one).not.toBe(two)
  expect(one).not.toContain('horse')
})

test('only the password that was hashed is the right one, to the last blank', async () => {
  const phc = await hashPassword(' pässwörd ')

  expect(await verifyPassword(' pässwörd ', phc)).toBe(true)
  for (const wrong of ['pässwörd', ' PÄSSWÖRD ', ' pässwörd', '', `${' pässwörd '}x`])
    expect(await verifyPassword(wrong, phc)).toBe(false)
})

test('a keyboard that composes its letters signs in like one that does not', async () => {
  const phc = await hashPassword('é'.normalize('NFC'))
  expect(await verifyPassword('é'.normalize('NFD'), phc)).toBe(true)
})

test('nobody has a password, and to say so costs as much as for somebody', async () => {
  const somebody = readPhc(await hashPassword('correct horse'))
  const nobody = readPhc(undefined)

  expect(nobody.cost).toEqual(somebody.cost)
  expect(nobody.salt).toHaveLength(somebody.salt.length)
  expect([somebody.known, nobody.known]).toEqual([true, false])
  expect(await verifyPassword('', undefined)).toBe(false)
})

test('a hash that something else wrote lets nobody in', async () => {
  await expect(verifyPassword('x', 'not a hash')).resolves.toBe(false)
  await expect(verifyPassword('x', '')).resolves.toBe(false)
})

test('a flood of sign-ins is turned away before it takes all memory', async () => {
  const cheap = '$argon2id$v=19$m=8,t=1,p=1$c2FsdHNhbHQ$dGFndGFndGFndGFn'

  const flood = await Promise.allSettled(Array.from({ length: 210 }, () => verifyPassword('x', cheap)))

  const turnedAway = flood.filter((attempt) => attempt.status === 'rejected')
  expect(turnedAway).toHaveLength(6)
  for (const { reason } of turnedAway) expect(reason).toBeInstanceOf(Unavailable)
  expect(await verifyPassword('x', cheap)).toBe(false)
})
