import { describe, expect, test } from 'vitest'
import { codeKeyOf, skeletonOf } from '../../src/util/text/skeleton.ts'

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
