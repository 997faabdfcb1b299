import { expect, test } from 'vitest'
import { Unavailable } from '../../src/data/wire/unavailable.ts'
import { hashPassword, verifyPassword } from '../../src/domains/auth/passwords.ts'

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

test('nobody has a password, and to say so takes as long as for somebody', async () => {
  const phc = await hashPassword('correct horse')
  const times: [somebody: number, nobody: number][] = []
  for (let at = 0; at < 7; at++)
    times.push([
      await timeOf(() => verifyPassword('wrong', phc)),
      await timeOf(() => verifyPassword('wrong', undefined)),
    ])

  const [somebody, nobody] = [0, 1].map((who) => times.map((pair) => pair[who]!).sort((a, b) => a - b)[3]!) as [
    number,
    number,
  ]
  expect(nobody).toBeGreaterThan(somebody / 3)
  expect(nobody).toBeLessThan(somebody * 3)
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

async function timeOf(action: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await action()
  return performance.now() - start
}
