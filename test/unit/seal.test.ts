import { expect, test } from 'vitest'
import { sealWith, UnknownKey } from '../../src/util/seal.ts'

const [first, second] = ['a-first-secret-of-forty-characters-000001', 'a-second-secret-of-forty-characters-00002']

test('what is sealed opens in its place only', () => {
  const sealer = sealWith([first])
  const sealed = sealer.seal('JBSWY3DPEHPK3PXP 密钥', 'second-factor 1/7')
  expect(sealed).not.toContain('JBSWY3DPEHPK3PXP')
  expect(sealer.seal('JBSWY3DPEHPK3PXP 密钥', 'second-factor 1/7')).not.toBe(sealed)
  expect(sealer.open(sealed, 'second-factor 1/7')).toBe('JBSWY3DPEHPK3PXP 密钥')
  expect(() => sealer.open(sealed, 'second-factor 2/7')).toThrow(UnknownKey)
})

test('a key can be replaced: the first seals, all open, until the old one is removed', () => {
  const sealed = sealWith([first]).seal('text', 'place')
  const rotated = sealWith([second, first])
  expect(rotated.open(sealed, 'place')).toBe('text')
  expect(rotated.isOld(sealed)).toBe(true)
  const again = rotated.seal('text', 'place')
  expect(rotated.isOld(again)).toBe(false)
  expect(sealWith([second]).open(again, 'place')).toBe('text')
  expect(() => sealWith([second]).open(sealed, 'place')).toThrow(UnknownKey)
})

test('a changed, cut or foreign text is refused', () => {
  const sealer = sealWith([first])
  const sealed = sealer.seal('text', 'place')
  const changes = [...sealed].map((char, at) => sealed.slice(0, at) + (char === 'A' ? 'B' : 'A') + sealed.slice(at + 1))
  const cuts = [...sealed].map((_, at) => sealed.slice(0, at))
  for (const forged of [...changes, ...cuts, '', 'text', 's1..', 's1.x.y'])
    expect(() => sealer.open(forged, 'place'), forged).toThrow(UnknownKey)
})
