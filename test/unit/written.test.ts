import { expect, test } from 'vitest'
import { z } from 'zod'
import { compile } from '../../src/http/request/envelope.ts'
import { Written, written } from '../../src/kernel/zod.ts'

const Text = z.object({
  title: z.string(),
  parts: z.array(
    z.object({ last: written(z.array(z.string())), first: written(z.array(z.string())), name: z.string() }),
  ),
})

test('what is JSON already goes into an answer as it is, each part in its place', () => {
  const title = 'no place: "\u0001" \\"\u0001\\"'
  const part = (n: number) => ({ name: `${n} "\u0001"`, first: json([`first ${n}`, '\u0001']), last: json([]) })
  const text = compile(Text)({ parts: [part(1), part(2)], title })
  const shown = (n: number) => ({ name: `${n} "\u0001"`, first: [`first ${n}`, '\u0001'], last: [] })
  expect(JSON.parse(text)).toEqual({ title, parts: [shown(1), shown(2)] })
})

test('and the document shows what it is', () => {
  expect(z.toJSONSchema(Text)).toMatchObject({
    properties: { parts: { items: { properties: { first: { type: 'array', items: { type: 'string' } } } } } },
  })
})

function json(value: unknown): Written {
  return new Written(JSON.stringify(value))
}
