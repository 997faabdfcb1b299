import fc from 'fast-check'
import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { encode, isoInstant, texts } from '../../src/data/wire/values.ts'
import { anyText } from '../support/any-text.ts'

describe('an instant as PostgreSQL writes it', () => {
  const instants = fc.date({ min: new Date('0001-01-02'), max: new Date('9999-12-30'), noInvalidDate: true })

  test('becomes what Date makes of it, to the millisecond', () => {
    fc.assert(
      fc.property(instants, (instant) => {
        expect(isoInstant(asPostgres(instant))).toBe(instant.toISOString())
      }),
      { numRuns: 1000 },
    )
  })

  test.each([
    ['2026-11-21 08:51:00+00', '2026-11-21T08:51:00.000Z'],
    ['2026-11-21 08:51:00.1+00', '2026-11-21T08:51:00.100Z'],
    ['2026-11-21 08:51:00.012+00', '2026-11-21T08:51:00.012Z'],
    ['2026-11-21 14:21:00.5+05:30', '2026-11-21T08:51:00.500Z'],
    ['2026-11-21 08:51:00.123456+00', '2026-11-21T08:51:00.123Z'],
  ])('%s → %s', (text, iso) => {
    expect(isoInstant(text)).toBe(iso)
  })
})

describe('a parameter', () => {
  test.each([
    ['text', 'text'],
    ['', ''],
    [null, null],
    [undefined, null],
    [7, '7'],
    [-0, '0'],
    [true, 'true'],
    [new Date(0), '1970-01-01T00:00:00.000Z'],
    [{ a: "it's" }, '{"a":"it\'s"}'],
    [[], '{}'],
    [[1, null, 3], '{1,NULL,3}'],
    [[true, false], '{"true","false"}'],
  ])('%j is sent as %j', (value, text) => {
    expect(encode(value)).toBe(text)
  })

  test('that is a list of texts is read back by PostgreSQL as it was, whatever the texts', () => {
    const parse = pg.types.getTypeParser(1009 as never) as unknown as (text: string) => unknown
    const nasty = fc.oneof(
      anyText,
      fc.string({ unit: fc.constantFrom('"', '\\', ',', '{', '}', ' ', 'N') }),
      fc.constantFrom('NULL', 'null', ''),
    )
    fc.assert(
      fc.property(fc.array(nasty, { maxLength: 5 }), (given) => {
        const literal = encode(given) as string
        expect([parse(literal), texts(literal)]).toEqual([given, given])
      }),
      { numRuns: 60 },
    )
  })
})

/** The text form of a timestamptz in a session of UTC: a blank, no more digits than needed, a short offset. */
function asPostgres(instant: Date): string {
  const [day, time] = instant.toISOString().slice(0, -1).split('T') as [string, string]
  return `${day} ${time.replace(/\.?0+$/, (zeros) => (time.includes('.') && zeros ? '' : zeros))}+00`.replace(
    / (\d\d:\d\d)\+/,
    ' $1:00+',
  )
}
