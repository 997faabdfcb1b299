import '../support/domains.ts'
import { describe, expect, test } from 'vitest'
import { Count, IdInPath, sentence, text, z } from '#atrium'
import { violationsOf } from '../../src/kernel/violations.ts'

const said = (schema: z.ZodType, value: unknown) =>
  violationsOf('body', value, schema.safeParse(value).error?.issues ?? []).map(({ path, message }) => [path, message])

const SCHEMAS = {
  'me or an id': z.literal('me').or(IdInPath),
  'a count or a negative number': z.union([Count, z.string().regex(/^-\d$/, sentence('must be a whole number'))]),
  'a thing that may be null': z.object({
    at: z.union([z.null(), z.object({ day: z.iso.date(), hours: z.array(z.number()).min(1) })]),
  }),
  'one text or many': z.union([z.string(), z.array(z.string().min(2))]),
  'kinds by their names': z.discriminatedUnion('kind', [z.object({ kind: z.literal('a') })]),
  'a form': z.object({ title: text(9) }),
}

describe('what is wrong with a value of several kinds is said of the kind that was meant', () => {
  test.each<[keyof typeof SCHEMAS, unknown, string[][]]>([
    ['me or an id', 'abc', [['body', 'must be a positive integer']]],
    ['me or an id', '0', [['body', 'must be a positive integer']]],
    ['me or an id', 5, [['body', 'must be {values}']]],
    ['a count or a negative number', 'x', [['body', 'must be a whole number']]],
    ['a thing that may be null', { at: 5 }, [['body.at', 'is not valid']]],
    [
      'a thing that may be null',
      { at: { day: 'x', hours: [] } },
      [
        ['body.at.day', 'must be a date in the form yyyy-MM-dd'],
        ['body.at.hours', 'must not be empty'],
      ],
    ],
    ['a thing that may be null', { at: { day: '2026-11-26' } }, [['body.at.hours', 'is required']]],
    ['a thing that may be null', {}, [['body.at', 'is required']]],
    ['one text or many', ['a', 'bc'], [['body.0', 'must have no fewer than {minimum} characters']]],
    ['one text or many', 5, [['body', 'must be text']]],
    ['kinds by their names', { kind: 'b' }, [['body.kind', 'is not valid']]],
    ['a form', undefined, [['body', 'is required']]],
  ])('%s: %j', (name, value, expected) => {
    expect(said(SCHEMAS[name], value)).toEqual(expected)
  })
})
