import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseStrictly } from '../../src/kernel/json-text.ts'
import { anyText } from '../support/any-text.ts'

const unsound = { unsound: expect.any(String) }
const malformed = { malformed: true }

describe('a body is read strictly', () => {
  test.each([
    ['{"a":1,"a":2}', 'a key that occurs twice'],
    ['{"a":1,"\\u0061":2}', 'a key that occurs twice, once in disguise'],
    ['{"a":{"b":1,"b":1}}', 'a key that occurs twice further down'],
    ['[{"a":1},{"a":1,"a":1}]', 'a key that occurs twice in a list'],
    ['{"a":"\\u0000"}', 'a NUL character'],
    ['{"a":["x\\u0000"]}', 'a NUL character in a list'],
    ['{"\\u0000":1}', 'a NUL character in a key'],
    ['{"a":"\\ud800"}', 'a lone high surrogate'],
    ['{"a":"\\udc00x"}', 'a lone low surrogate'],
    ['{"\\udfff":1}', 'a lone surrogate in a key'],
    ['{"__proto__":{"isAdmin":true}}', '__proto__'],
    ['{"a":{"__proto__":null}}', '__proto__ further down'],
    ['{"\\u005f_proto__":1}', '__proto__ in disguise'],
    ['{"constructor":{"prototype":{"isAdmin":true}}}', 'constructor.prototype'],
    ['{"constructor":{"a":[1],"prototype":1}}', 'constructor.prototype behind a list'],
    ['{"a":"\\\\","b":"\\"\\u0000"}', 'a NUL character behind a quote'],
    ['['.repeat(65) + ']'.repeat(65), 'nesting of 65 levels'],
    [`${'{"a":'.repeat(70)}1${'}'.repeat(70)}`, 'nesting of 70 levels'],
  ])('%s is unsound: %s', (text) => {
    expect(parseStrictly(text)).toEqual(unsound)
  })

  test.each([
    ...['', ' ', '{', '{"a":1}x', '{"a":1}{"b":2}', "{'a':1}", '{a:1}', '[1,]', 'NaN', '\ufeff{}', '01'],
    '{"a":"\u0000"}',
  ])('%j is malformed', (text) => {
    expect(parseStrictly(text)).toEqual(malformed)
  })

  test.each([
    '{}',
    'null',
    '"text"',
    '{"a":"a","b":{"a":1}}',
    '{"a\\"b":1,"a":2,"\\\\":3}',
    '{"a":"x\\":y","b":"\\\\\\":"}',
    '{"constructor":"a builder","prototype":1}',
    '{"constructor":[{"prototype":1}],"a":{"prototype":1}}',
    '{"a":[{"b":[],"c":{}},{"b":1}],"c":[[],[{}]]}',
    '{"emoji":"\\ud83d\\ude00😀","rtl":"\u202e"}',
    '['.repeat(64) + ']'.repeat(64),
  ])('%s is what JSON.parse says', (text) => {
    expect(parseStrictly(text)).toEqual({ value: JSON.parse(text) })
  })

  test('whatever JSON.stringify writes of sound text is read back as it was', () => {
    const sound = anyText.filter(
      (text) => !text.includes('\0') && text.isWellFormed() && text !== '__proto__' && text !== 'constructor',
    )
    const json = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 6 },
        sound,
        fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number || 0),
        fc.boolean(),
        fc.constant(null),
        fc.array(tie('value'), { maxLength: 4 }),
        fc.dictionary(sound, tie('value'), { maxKeys: 4, noNullPrototype: true }),
      ),
    })).value

    fc.assert(
      fc.property(json, fc.constantFrom(undefined, 2), (value, indent) => {
        expect(parseStrictly(JSON.stringify(value, null, indent))).toEqual({ value })
      }),
      { numRuns: 50 },
    )
  })

  test.each([
    ['100 000 levels', '['.repeat(100_000) + ']'.repeat(100_000), unsound],
    ['100 000 levels that do not close', '{"a":'.repeat(100_000), malformed],
    ['a string of a megabyte', `{"a":"${'x'.repeat(1_048_000)}"}`, { value: expect.anything() }],
    ['a string of backslashes', `{"a":"${'\\\\'.repeat(500_000)}"}`, { value: expect.anything() }],
    [
      'a hundred thousand keys',
      `{${Array.from({ length: 100_000 }, (_, at) => `"${at}" :1`).join()}}`,
      { value: expect.anything() },
    ],
    ['two megabytes of letters', `{"a":"${'é'.repeat(1_000_000)}"}`, { value: expect.anything() }],
    ['a list of a million', `[${'"a",'.repeat(1_000_000)}1]`, { value: expect.anything() }],
    ['much space before no colon', `["a"${' '.repeat(1_000_000)}]`, { value: ['a'] }],
  ])('%s: each letter is read once, else this test would not come to an end', (_, text, verdict) => {
    expect(parseStrictly(text)).toEqual(verdict)
  })
})
