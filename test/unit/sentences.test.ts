import { globSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { Fault } from '../../src/kernel/fault.ts'
import { allSentences, type Sentence, translate } from '../../src/kernel/words/sentence.ts'
import { outside } from '../support/domains.ts'
import { readSources } from '../support/source.ts'

const placeholdersIn = (words: string) => [...words.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!).sort()
/** The sentence as it is written in the catalogue, its placeholders left open. */
const wordsOf = (language: 'en' | 'zh-CN', sentence: Sentence) =>
  translate(language, sentence, Object.fromEntries(placeholdersIn(sentence).map((name) => [name, `{${name}}`])))

/** What stays as it is in any language: names of formats, headers and fields. */
const NAMES =
  /\{\w+\}|Webhook|JSON|HTTPS?|ASCII|Idempotency-Key|ISO 8601|ETag|NUL|yyyy-MM-dd|\b(true|false|before|startDate|file|FV)\b/g

test.each(allSentences())(
  '“%s” exists in both languages, with the same facts, and set as each of them is',
  (sentence) => {
    const chinese = wordsOf('zh-CN', sentence)

    expect(chinese).toMatch(/\p{Script=Han}/u)
    expect(chinese.replace(NAMES, '')).not.toMatch(/[A-Za-z]/)
    const lost = `“${sentence}” and its Chinese “${chinese}” have other placeholders: write the same {names} in both`
    expect(placeholdersIn(chinese), lost).toEqual(placeholdersIn(sentence))
    expect(sentence).not.toMatch(/\.$/)
    expect(chinese).not.toMatch(/[,;:?!.。]/)
    // A space stands between the scripts.
    expect(chinese).not.toMatch(/\p{Script=Han}[A-Za-z0-9{]|[A-Za-z0-9}]\p{Script=Han}/u)
  },
)

test('facts take their places: numbers, codes, and lists as each language writes them', () => {
  const move = { from: 'TODO', allowed: ['IN_PROGRESS', 'CANCELLED'] }
  expect(translate('en', '{from} can move to {allowed}', move)).toBe('TODO can move to IN_PROGRESS, CANCELLED')
  expect(translate('zh-CN', '{from} can move to {allowed}', move)).toBe('TODO 只能变更为 IN_PROGRESS、CANCELLED')
  expect(translate('zh-CN', 'must have no more than {maximum} characters', { maximum: 160 })).toBe('最多 160 个字符')
})

describe('every fault of every catalogue', async () => {
  // But for workers, which set to work as soon as they are loaded.
  const files = globSync('src/{kernel,atrium,http,domains,plugins}/**/*.ts', {
    cwd: new URL('../../', import.meta.url),
    exclude: ['**/*.worker.ts', 'src/{domains,plugins}/*/{test,browser,console}/**'],
  })
  const modules = await Promise.all(
    files.map(async (path) => ({ path, exports: await import(/* @vite-ignore */ `../../${path}`) })),
  )
  const found = modules.flatMap(({ exports }) =>
    Object.entries(exports as Record<string, Record<string, () => unknown>>)
      .filter(([name]) => /^faults$|Faults$/.test(name))
      .flatMap(([name, catalogue]) =>
        Object.entries(catalogue).map(([key, make]) => [`${name}.${key}`, make] as const),
      ),
  )

  test('is found', () => {
    expect(found.length).toBeGreaterThan(80)
    const declared = readSources().flatMap(({ code }) => code.match(/^\s+\w+: (fault|notFound)\(/gm) ?? [])
    expect(new Set(found.map(([, make]) => make)).size).toBe(declared.length)
  })

  test.each(found)('%s exists in both languages', (_, make) => {
    const fault = make()
    if (!(fault instanceof Fault)) throw new Error('this is no fault')
    expect(translate('en', fault.message)).toMatch(/^[A-Z][^{}]+$/)
    expect(translate('zh-CN', fault.message)).toMatch(/^[^{}]*\p{Script=Han}[^{}]*$/u)
    expect(fault.type).toMatch(/^[A-Z_]+$/)
  })
})

test('no sentence is left over that nobody says', () => {
  const code = [readSources(), ...outside.map(({ folder }) => readSources(folder))]
    .flat()
    .filter(({ path }) => path !== 'src/kernel/words/sentence.ts' && !path.endsWith('.domain.ts'))
    .map(({ code }) => code)
    .join('\n')
  const isSaid = (sentence: string) =>
    code.includes(`'${sentence}'`) || code.includes(`notFound('${sentence.replace(/ not found$/, '')}')`)
  expect(allSentences().filter((sentence) => !isSaid(sentence))).toEqual([])
})
