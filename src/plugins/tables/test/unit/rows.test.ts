import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { rowsOf } from '../../console/rows.ts'

/** As the service reads a table. */
const readHere = (text: string, delimiter: string) =>
  parse(text, { delimiter, relax_column_count: true, skip_empty_lines: true })

const cell = fc.oneof(fc.string(), fc.constantFrom('a;b', 'a,b', '"', 'two\nlines', 'two\r\nlines', ' x ', ''))
const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`
const written = cell.map((text) => (/["\r\n,;]/.test(text) || text === '' ? quoted(text) : text))
const line = fc.array(written, { minLength: 1, maxLength: 4 })

describe('the rows that the console shows beside their mistakes', () => {
  test.each([',', ';'])('are those that the service reads, between %s', (separator) => {
    fc.assert(
      fc.property(fc.array(line), fc.constantFrom('\n', '\r\n'), fc.boolean(), (lines, end, isClosed) => {
        const text = [['title', 'more'], ...lines].map((row) => row.join(separator)).join(end) + (isClosed ? end : '')
        expect(rowsOf(text)).toEqual(readHere(text, separator))
      }),
    )
  })

  test.each([
    [
      'empty lines do not count',
      'a,b\n\n1,2\n\n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'lines of nothing but commas do',
      'a,b\n,\n1,2',
      [
        ['a', 'b'],
        ['', ''],
        ['1', '2'],
      ],
    ],
    [
      'an empty cell at the end is one',
      'a,b\n1,',
      [
        ['a', 'b'],
        ['1', ''],
      ],
    ],
    [
      'what cannot be read ends the table',
      'a,b\n1,2\n"3',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    ['nothing has none', '', []],
  ])('%s', (_, text, rows) => {
    expect(rowsOf(text)).toEqual(rows)
  })
})
