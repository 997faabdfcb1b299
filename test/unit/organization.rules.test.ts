import '../support/domains.ts'
import { describe, expect, test } from 'vitest'
import { assertMayHang } from '../../src/domains/organization/organization.rules.ts'
import { refusalOf } from '../support/refusal.ts'

describe('where a department may hang', () => {
  /** Each department lies below the one before it. */
  const chain = (length: number) => Array.from({ length }, (_, at) => ({ id: at + 1, parentId: at === 0 ? null : at }))

  test('is 64 levels deep at most, with all below it', () => {
    const rows = [...chain(60), { id: 101, parentId: null }, { id: 102, parentId: 101 }]
    expect(() => assertMayHang(rows, undefined, 60)).not.toThrow()
    expect(() => assertMayHang(rows, 101, 60)).not.toThrow()
    expect(refusalOf(() => assertMayHang(chain(64), undefined, 64))).toMatchObject({ type: 'DEPARTMENTS_TOO_DEEP' })
    expect(refusalOf(() => assertMayHang([...chain(63), ...rows.slice(60)], 101, 63))).toMatchObject({
      type: 'DEPARTMENTS_TOO_DEEP',
    })
    expect(() => assertMayHang(chain(70), 1, null)).not.toThrow()
  })

  test('is found out also of rows that lie in a circle', () => {
    const circle = [
      { id: 1, parentId: 2 },
      { id: 2, parentId: 1 },
      { id: 3, parentId: null },
    ]
    expect(refusalOf(() => assertMayHang(circle, undefined, 1))).toMatchObject({ type: 'DEPARTMENTS_TOO_DEEP' })
    expect(refusalOf(() => assertMayHang(circle, 1, 3))).toMatchObject({ type: 'DEPARTMENTS_TOO_DEEP' })
  })
})
