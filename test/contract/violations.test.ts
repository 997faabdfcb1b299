import '../support/domains.ts'
import fc from 'fast-check'
import { describe, test } from 'vitest'
import type { z } from 'zod'
import { SECTIONS } from '../../src/domains/portal/portal.schemas.ts'
import type { Detail } from '../../src/kernel/fault.ts'
import { violationsOf } from '../../src/kernel/violations.ts'
import { isSentence, translate } from '../../src/kernel/words/sentence.ts'
import { expectNone } from '../support/expect-none.ts'
import { listWalked, walksOutside } from '../support/routes.ts'

/** Zod finds what is wrong; what it says about it never reaches a client. Every shape of every route is fed with nonsense. */
const routes = await listWalked()
const declared: [name: string, part: string, schema: z.ZodType][] = [
  ...routes.flatMap(({ method, path, schema }) =>
    (['params', 'querystring', 'body'] as const)
      .filter((part) => schema[part])
      .map((part) => [`${method} ${path}`, part, schema[part]!] as [string, string, z.ZodType]),
  ),
  ...Object.entries(walksOutside ? {} : SECTIONS).map(
    ([name, schema]) => [`portal ${name}`, 'body', schema] as [string, string, z.ZodType],
  ),
]
/** What several routes share is fed once, under the name of the first. */
const shapes = declared.filter(([, , schema], at) => at === declared.findIndex((one) => one[2] === schema))

const NONSENSE: unknown[] = [
  ...[undefined, null, '', '   ', 'nonsense', 'x'.repeat(30_000), '0', '1e3', '0x10', '99999999999999999999'],
  ...['2026-02-30', '0000-01-01', '0000-01-01T00:00:00Z', '2026-01-01T00:00:00', 'a@b', '-'],
  ...[0, -1, 1.5, 2 ** 53, 1e300, true, {}, [], [null], [0, 0]],
  ...[['x'.repeat(30_000)], [{ id: 1 }, { id: 1 }], Array(2_000).fill(1)],
]

/** Made once: every shape is fed with the same, each of its fields with another. */
const ANYTHING = fc.sample(fc.anything(), { numRuns: 30, seed: 1 })

function* nonsenseFor(schema: z.ZodType): Generator<unknown> {
  yield* NONSENSE
  yield* ANYTHING
  const names = Object.keys((schema as z.ZodObject).shape ?? {})
  for (const value of NONSENSE) yield Object.fromEntries(names.map((name) => [name, value]))
  for (let round = 0; round < 10; round++)
    yield Object.fromEntries(names.map((name, at) => [name, ANYTHING[(round * names.length + at) % ANYTHING.length]]))
}

test.each(shapes)('%s: what is wrong with its %s is said in our own words, in both languages', (_, part, schema) => {
  const wrong = [...nonsenseFor(schema)].flatMap((value) => {
    const issues = schema.safeParse(value).error?.issues ?? []
    const details = violationsOf(part, value, issues)
    const nonsense = JSON.stringify(value)?.slice(0, 200)
    if (details.length !== issues.length) return [`${issues.length} violations, ${details.length} told: ${nonsense}`]
    return details.flatMap((detail) => [...reasonsAgainst(detail, part)].map((reason) => `${reason}: ${nonsense}`))
  })
  expectNone(wrong)
})

/** What people write at length, what is no text of theirs, and what a slug is made of. Everything else is shown in one line. */
const LONG = ['comment', 'content', 'description', 'message', 'note', 'payload', 'summary']
const UNSHOWN = /password|token|secret|^code$|^slug$/i

test('a text that is shown in one line has no line end', () => {
  // Sign-in looks names up and keeps none.
  const bodies = shapes.filter(([name, part]) => part === 'body' && !/^portal|\/auth\//.test(name))
  expectNone(
    bodies.flatMap(([name, , schema]) =>
      Object.entries<z.ZodType>((schema as z.ZodObject).shape ?? {})
        .filter(([field]) => !LONG.includes(field) && !UNSHOWN.test(field))
        .filter(([, shape]) => shape.safeParse('two\nlines').success)
        .map(([field]) => `${name} takes a line end in ${field}: write inOneLine or text, or say that it is LONG`),
    ),
  )
})

function* reasonsAgainst({ message, path, ...facts }: Detail, part: string): Generator<string> {
  if (!isSentence(message)) return yield `"${message}" is no sentence of ours`
  if (message === 'is not valid') yield `nothing is said about ${path}`
  if (path !== part && !path?.startsWith(`${part}.`)) yield `${path} is not in ${part}`
  if (!Object.values(facts).flat().every(isFact)) yield `facts are no facts: ${JSON.stringify(facts)}`
  const english = translate('en', message, facts)
  if (/[{}]|undefined|Invalid|expected/.test(english)) yield english
  const chinese = translate('zh-CN', message, facts)
  if (!/^[^{}]*\p{Script=Han}[^{}]*$/u.test(chinese)) yield chinese
}

/** Integers and codes; never what the client sent. */
function isFact(fact: unknown): boolean {
  return Number.isInteger(fact) || (typeof fact === 'string' && /^[A-Za-z_-]{1,20}$/.test(fact))
}

describe('a schema that has words of its own', () => {
  const words = shapes.flatMap(([name, part, schema]) =>
    [...wordsIn(schema)].map((said) => [said, `${name} ${part}`] as const),
  )

  test('takes them from the catalogue', () => {
    expectNone(
      words
        .filter(([said]) => !isSentence(said))
        .map(([said, where]) => `${where} says '${said}': write the sentence, with its Chinese, into its domain`),
    )
  })
})

/** Every message that a schema names itself, wherever it is nested. */
function* wordsIn(node: unknown, seen = new Set<unknown>()): Generator<string> {
  if (typeof node !== 'object' || node === null || seen.has(node)) return
  seen.add(node)
  const { _zod: core } = node as { _zod?: { def: { error?: (issue: object) => string; shape?: object } } }
  if (!core) {
    if (Array.isArray(node) || Object.getPrototypeOf(node) === Object.prototype)
      for (const inner of Object.values(node)) yield* wordsIn(inner, seen)
    return
  }
  if (core.def.error) yield core.def.error({})
  for (const inner of Object.values(core.def)) yield* wordsIn(inner, seen)
}
