import { describe, expect, test } from 'vitest'
import { codeKeyOf } from '../../src/util/text/skeleton.ts'

const LOOKS = [
  ['TECH', 'Tech', 'tech', 'Tеch', 'ТЕСН', 'ｔｅｃｈ', 'te\u200bch'],
  ['P10', 'p10', 'PlO', 'Р10', 'plo'],
  ['FARM', 'farm', 'FARRN', 'fаrm'],
  ['Product News', 'PRODUCT NEWS', 'Product\u00a0News'],
  ['Straße', 'STRAßE'],
  ['研发', '研\u200b发'],
] as const

describe('two codes', () => {
  test.each(LOOKS.flatMap((codes) => codes.flatMap((one) => codes.map((other) => [one, other]))))(
    'that look alike have one key: %j and %j',
    (one, other) => expect(codeKeyOf(one)).toBe(codeKeyOf(other)),
  )

  test.each([
    ...LOOKS.flatMap(([one], at) => LOOKS.filter((_, index) => index !== at).map(([other]) => [one, other])),
    ...[...'0123456789'].flatMap((one) =>
      [...'0123456789'].filter((other) => other !== one).map((other) => [one, other]),
    ),
    ['a-b', 'a_b'],
    ['Product News', 'Product  News'],
    ['R&D', 'RD'],
    ['研发', '研友'],
  ] as string[][])('that do not, have two: %j and %j', (one, other) => {
    expect(codeKeyOf(one!)).not.toBe(codeKeyOf(other!))
  })

  test('have a key that an index can hold, whatever they expand to', () => {
    const expanding = '\ufdfa'.repeat(64)
    expect(codeKeyOf(expanding).length).toBeLessThan(257)
    expect(codeKeyOf(expanding)).not.toBe(codeKeyOf(`${expanding}x`))
  })
})
