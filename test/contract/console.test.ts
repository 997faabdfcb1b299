import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { EVENT_TYPES } from '../../console/lib/event-types.ts'
import { SUMMARIES } from '../../console/lib/summaries.ts'
import { subjects } from '../../console/subjects.ts'
import { roleNames } from '../../src/domains/roles/roles.rules.ts'
import { ROLE } from '../../src/kernel/access.ts'
import { domains } from '../support/domains.ts'
import { expectNone } from '../support/expect-none.ts'

const SOURCES = globSync('console/**/*.ts').map((path) => [path, readFileSync(path, 'utf8')] as const)
/** The first argument of `t`, a whole sentence. */
const SAID = /\bt\(\s*(?:\w+(?:\.\w+)? === \w+\S* \? )?'((?:[^'\\]|\\.)*)'/g

function wordsOf(language: string): Map<string, string> {
  const words = new Map<string, string>()
  for (const file of globSync(`console/texts/${language}/*.json`))
    for (const [sentence, translation] of Object.entries<string>(JSON.parse(readFileSync(file, 'utf8')))) {
      if (words.has(sentence)) throw new Error(`${file} says "${sentence}" again`)
      words.set(sentence, translation)
    }
  return words
}

test('every sentence of the console is there in Chinese, with the same facts, and none is left over', () => {
  const chinese = wordsOf('zh-CN')
  const said = new Set(SOURCES.flatMap(([, code]) => [...code.matchAll(SAID)].map(([, sentence]) => sentence!)))
  for (const { name } of subjects) said.add(name)
  for (const summary of Object.values(SUMMARIES)) said.add(summary)
  const factsIn = (sentence: string) => (sentence.match(/\{\w+\}/g) ?? []).sort().join()
  expect(said.size).toBeGreaterThan(40)
  expectNone([...said].filter((sentence) => !chinese.has(sentence)).map((each) => `no Chinese for: ${each}`))
  const all = SOURCES.map(([, code]) => code).join('\n')
  expectNone(
    [...chinese].flatMap(([sentence, translation]) => [
      ...(factsIn(sentence) === factsIn(translation) ? [] : [`the facts differ: ${sentence}`]),
      ...(all.includes(`'${sentence}'`) || all.includes(`"${sentence}"`) ? [] : [`nothing says: ${sentence}`]),
    ]),
  )
})

test('the roles of the service have the same names in the console', () => {
  const words = wordsOf('zh-CN')
  for (const code of Object.values(ROLE)) expect(words.get(roleNames('en')[code])).toBe(roleNames('zh-CN')[code])
})

test('the console uses the typed client, its own files and five small libraries', () => {
  const allowed = /^(preact|preact\/hooks|htm|qr|uplot|\.{1,2}\/.*\.ts)$/
  expectNone(
    SOURCES.flatMap(([path, code]) =>
      [...code.matchAll(/(?:from|import\()\s*'([^']+)'/g)]
        .map(([, name]) => name!)
        .filter((name) => !allowed.test(name) || /\.\.\/(src|appliance)/.test(name))
        .map((name) => `${path} imports ${name}`),
    ),
  )
  expectNone(
    SOURCES.filter(([, code]) => /innerHTML|dangerouslySet|\beval\(|new Function/.test(code)).map(
      ([path]) => `${path} writes markup`,
    ),
  )
})

test('a webhook can be given every type of event', () => {
  const types = domains.flatMap(({ events = {} }) => Object.keys(events))
  expect(types.length).toBeGreaterThan(50)
  expectNone(
    types
      .filter((type) => !(EVENT_TYPES as readonly string[]).includes(type))
      .map((type) => `console/lib/event-types.ts lacks ${type}`),
  )
})
