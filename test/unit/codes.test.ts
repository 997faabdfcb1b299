import { describe, expect, test } from 'vitest'
import { codeKeyOf, skeletonOf } from '../../src/util/text/skeleton.ts'

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

describe('a dot above a letter that has one cannot be seen', () => {
  test.each([
    ['admin', 'admi\u0307n'],
    ['admin', 'ADMİN'],
    ['admin', 'ADMI\u0307N'],
    ['admin', 'adm\u0131\u0307n'],
    ['admin', 'adm\u0456\u0307n'],
    ['admin', 'adm\u03b9\u0307n'],
    ['admin', 'admi\u0307\u0307n'],
    ['admin', 'admi\u200b\u0307n'],
    ['admin', 'admi\u034f\u0307n'],
    ['admịn', 'admi\u0323\u0307n'],
    ['admịn', 'admi\u0307\u0323n'],
    ['project', 'proj\u0307ect'],
    ['PROJECT', 'proȷ\u0307ect'],
    ['project', 'pro\u0458\u0307ect'],
    ['Tenant Administrator', 'Tenant Admi\u0307nistrator'],
  ])('%s and %s are alike', (one, other) => {
    expect(skeletonOf(other)).toBe(skeletonOf(one))
    expect(codeKeyOf(other)).toBe(codeKeyOf(one))
  })

  test.each([
    ['admin', 'adm\u00edn'],
    ['zo', 'z\u0307o'],
    ['ego', 'e\u0307go'],
    ['sis', 's\u0307is'],
  ])('%s and %s are not', (one, other) => {
    expect(skeletonOf(other)).not.toBe(skeletonOf(one))
  })
})
