import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import {
  Count,
  Day,
  Id,
  IdInPath,
  Instant,
  Keyword,
  optionalText,
  patchOf,
  text,
  Version,
} from '../../src/kernel/zod.ts'
import { beginningWith, containing } from '../../src/util/text/like.ts'

const HOSTILE_NUMBERS = [
  ...['', ' ', '0x10', '1e3', '1.0', '1.', '.5', '-1', '+1', ' 1', '1 ', '1_000', '١', '１', '१', 'NaN', 'Infinity'],
  ...['null', '1,2', '1\n', '0b1', '0o7'],
]

describe('an id in an address', () => {
  test.each(['1', '42', '9007199254740991'])('%s is one', (given) => {
    expect(IdInPath.parse(given)).toBe(Number(given))
  })

  test.each([
    ...HOSTILE_NUMBERS,
    ...['0', '01', '9007199254740992', '9007199254740993', '99999999999999999', '1'.repeat(300), '..', '%31'],
  ])('%j is none', (given) => {
    expect(IdInPath.safeParse(given).success).toBe(false)
  })
})

describe('an id in a body', () => {
  test.each([1, 2 ** 31, 2 ** 53 - 1])('%d is one', (given) => {
    expect(Id.parse(given)).toBe(given)
  })

  test.each([0, -0, -1, 1.5, 2 ** 53, 1e308, Number.NaN, Number.POSITIVE_INFINITY, '1', true, null, [1], {}])(
    '%j is none',
    (given) => {
      expect(Id.safeParse(given).success).toBe(false)
    },
  )
})

describe('a count in a query', () => {
  test.each(['0', '1', '007', '999999999'])('%s is one', (given) => {
    expect(Count.parse(given)).toBe(Number(given))
  })

  test.each([...HOSTILE_NUMBERS, '1000000000', '1'.repeat(300)])('%j is none', (given) => {
    expect(Count.safeParse(given).success).toBe(false)
  })

  test('a repeated parameter is none', () => {
    expect(Count.safeParse(['1', '2']).success).toBe(false)
  })
})

test('a version is a whole number that fits its column', () => {
  for (const good of [0, 7, 2 ** 31 - 1]) expect(Version.parse(good)).toBe(good)
  for (const bad of [-1, 0.5, 2 ** 31, 2 ** 53, '0', null, undefined])
    expect(Version.safeParse(bad).success).toBe(false)
})

describe('text', () => {
  test('is trimmed before it is measured, and never blank', () => {
    expect(text(3).parse('  abc\n')).toBe('abc')
    for (const bad of ['', '   ', '\u3000\t', 'abcd', null, 7]) expect(text(3).safeParse(bad).success).toBe(false)
  })

  test('that is optional is cleared by null and by blanks, and left alone by silence', () => {
    const shape = z.object({ note: optionalText(3) })
    expect(shape.parse({})).toEqual({})
    expect(shape.parse({ note: null })).toEqual({ note: null })
    expect(shape.parse({ note: '  ' })).toEqual({ note: null })
    expect(shape.parse({ note: ' abc ' })).toEqual({ note: 'abc' })
    expect(shape.safeParse({ note: 'abcd' }).success).toBe(false)
  })
})

describe('a day', () => {
  test.each(['0001-01-01', '2024-02-29', '2000-02-29', '9999-12-31'])('%s is one', (given) => {
    expect(Day.parse(given)).toBe(given)
  })

  test.each([
    ...['', '0000-01-01', '2023-02-29', '1900-02-29', '2026-13-01', '2026-04-31', '2026-1-1', '20260101', 'today'],
    ...['+275760-09-13', '275760-09-13', '-000001-01-01', '2026-01-01T00:00:00Z', ' 2026-01-01', '2026-01-01\n'],
  ])('%j is none', (given) => {
    expect(Day.safeParse(given).success).toBe(false)
  })
})

describe('an instant', () => {
  test.each([
    ['2026-11-21T08:51:00Z', '2026-11-21T08:51:00.000Z'],
    ['2026-11-21T08:51:00.1234567Z', '2026-11-21T08:51:00.123Z'],
    ['2026-11-21T08:51:00+08:00', '2026-11-21T00:51:00.000Z'],
    ['2026-11-21T20:51:00-05:30', '2026-11-22T02:21:00.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
  ])('%s becomes %s', (given, wanted) => {
    expect(Instant.parse(given)).toBe(wanted)
  })

  test.each([
    ...['', '2026-11-21', '2026-11-21T08:51:00', '2026-11-21 08:51:00Z', '2026-02-30T00:00:00Z', 'now', 1e12],
    ...['2026-11-21T24:00:00Z', '2026-11-21T08:60:00Z', '0000-01-01T00:00:00Z', '0001-01-01T00:00:00+14:00'],
    ...['+275760-09-13T00:00:00Z', '275760-09-13T00:00:00Z', '9999-12-31T23:59:59-05:00'],
    ...['2026-11-21T08:51:00+8', '2026-11-21T08:51:00+25:00'],
  ])('%j is none', (given) => {
    expect(Instant.safeParse(given).success).toBe(false)
  })

  test('that is accepted always has a year of four digits, whatever its offset', () => {
    const two = (most: number) => fc.integer({ min: 0, max: most }).map((number) => String(number).padStart(2, '0'))
    const instant = fc
      .tuple(
        fc.constantFrom('0001-01-01', '0001-01-02', '2026-11-21', '9999-12-31'),
        two(23),
        two(59),
        fc.constantFrom('+', '-'),
        two(23),
        two(59),
      )
      .map(([day, hour, minute, sign, offset, minutes]) => `${day}T${hour}:${minute}:00${sign}${offset}:${minutes}`)
    fc.assert(
      fc.property(instant, (given) => {
        const { success, data } = Instant.safeParse(given)
        if (success) expect(data).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
      }),
      { numRuns: 300 },
    )
  })
})

describe('a keyword', () => {
  test('that is blank is absent', () => {
    for (const blank of ['', '  ', '\t']) expect(Keyword.parse(blank)).toBeUndefined()
    expect(Keyword.parse(undefined)).toBeUndefined()
  })

  test('has at most 100 characters behind the trimming', () => {
    expect(Keyword.parse(` ${'k'.repeat(100)} `)).toBe('k'.repeat(100))
    expect(Keyword.safeParse('k'.repeat(101)).success).toBe(false)
  })

  test.each([
    ['%', '%\\%%'],
    ['_', '%\\_%'],
    ['\\', '%\\\\%'],
    ["50%_\\'", "%50\\%\\_\\\\'%"],
    ['猫', '%猫%'],
  ])('%s is looked for literally', (keyword, pattern) => {
    expect(containing(keyword)).toBe(pattern)
  })

  test('as a pattern has no character left that means anything but itself', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('%', '_', '\\', 'a', "'") }), (keyword) => {
        const inner = containing(keyword).slice(1, -1)
        expect(inner.replace(/\\([\\%_])/g, '')).not.toMatch(/[\\%_]/)
        expect(inner.replace(/\\(.)/g, '$1')).toBe(keyword)
      }),
    )
  })
})

test('the beginning of a path is looked for literally', () => {
  expect(beginningWith('/api/v1/100%_\\')).toBe('/api/v1/100\\%\\_\\\\%')
})

test('the patch of a draft makes every field optional and fills none in', () => {
  const Draft = z.object({ name: text(10), size: z.number().default(3), note: optionalText(5) })
  expect(patchOf(Draft).parse({})).toEqual({})
  expect(patchOf(Draft).parse({ size: 1, note: null })).toEqual({ size: 1, note: null })
  expect(patchOf(Draft).safeParse({ name: ' ' }).success).toBe(false)
})
