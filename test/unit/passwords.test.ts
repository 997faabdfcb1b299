import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { assertTurn, hashPassword, readPhc, verifyPassword } from '../../src/domains/people/passwords.ts'

// Nobody waits too long, however slow the machine is.
beforeAll(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterAll(() => void vi.useRealTimers())

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

test.each([
  ['memory', 'm=1048576,t=2,p=1$c2FsdHNhbHRzYWx0c2FsdA$dGFndGFndGFndGFndGFndGFn'],
  ['passes', 'm=19456,t=3000,p=1$c2FsdHNhbHRzYWx0c2FsdA$dGFndGFndGFndGFndGFndGFn'],
  ['threads', 'm=19456,t=2,p=1000$c2FsdHNhbHRzYWx0c2FsdA$dGFndGFndGFndGFndGFndGFn'],
  ['output', `m=19456,t=2,p=1$c2FsdHNhbHRzYWx0c2FsdA$${'dGFn'.repeat(100_000)}`],
  ['salt, too little', 'm=19456,t=2,p=1$c2Fs$dGFndGFndGFndGFndGFndGFn'],
  ['memory, too little', 'm=8,t=1,p=4$c2FsdHNhbHRzYWx0c2FsdA$dGFndGFndGFndGFndGFndGFn'],
])('a hash that asks for more than it may is nobody’s, and costs what that costs: %s', async (_, terms) => {
  const phc = `$argon2id$v=19$${terms}`
  expect(readPhc(phc)).toEqual(readPhc(undefined))
  await expect(verifyPassword('x', phc)).resolves.toBe(false)
})

const cheap = '$argon2id$v=19$m=8,t=1,p=1$c2FsdHNhbHQ$dGFndGFndGFndGFn'
const floodFrom = (network: string) => Array.from({ length: 210 }, () => verifyPassword('x', cheap, network))

test('one more of a network that floods is refused before anything is looked up for it, and of no other', async () => {
  const flood = floodFrom('203.0.113.7')

  expect(() => assertTurn('203.0.113.7')).toThrow(expect.objectContaining({ type: 'RATE_LIMITED' }))
  expect(() => assertTurn('203.0.113.8')).not.toThrow()
  await Promise.allSettled(flood)
  expect(() => assertTurn('203.0.113.7')).not.toThrow()
})

test.each([
  ['one address', '203.0.113.7', '203.0.113.8'],
  ['the networks of one site', '2001:db8:1:1::/64', '2001:db8:2:1::/64'],
])('a flood from %s keeps nobody else waiting', async (_, network, another) => {
  const ended: string[] = []
  const flood = floodFrom(network).map((one) => one.finally(() => ended.push('flood')))
  const other = verifyPassword('x', cheap, another).then(() => ended.push('other'))

  await Promise.all([other, Promise.allSettled(flood)])

  const turnedAway = 210 - 100 - 4
  expect(ended.indexOf('other')).toBeLessThan(turnedAway + 20)
})

test('a person who is known on their network does not wait for strangers from everywhere', async () => {
  const ended: string[] = []
  const strangers = Array.from({ length: 200 }, (_, at) =>
    verifyPassword('x', cheap, `198.51.100.${at}`).finally(() => ended.push('stranger')),
  )
  const regular = verifyPassword('x', cheap, '203.0.113.7', 'regular').then(() => ended.push('regular'))

  await Promise.all([regular, ...strangers])

  expect(ended.indexOf('regular')).toBeLessThan(20)
})
