import { existsSync, globSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { expect, test } from 'vitest'
import { apart, domains, servedDocument } from '#test/domains.ts'
import { expectNone } from '#test/expect-none.ts'
import { roleNames } from '../../../../domains/roles/roles.rules.ts'
import { ROLE } from '../../../../kernel/access.ts'
import type { Extension } from '../../browser/extension.ts'
import { extensions } from '../../browser/extensions.ts'
import { PERMISSIONS } from '../../browser/lib/permissions.ts'
import { subjects } from '../../browser/subjects.ts'
import { eventTypesIn, summariesOf } from '../../generate.ts'

/** The console itself, or what a plug-in or a domain from outside adds to it. */
interface Part {
  folder: string
  sources: readonly (readonly [path: string, code: string])[]
  /** what it says beside the arguments of `t`, in English */
  named: readonly string[]
  chinese: Map<string, string>
}

const core = partIn('src/plugins/console/browser', 'openapi.json', 'texts/zh-CN/*.json', {
  subjects: subjects.filter((subject) => !extensions.some((extension) => extension.subjects?.includes(subject))),
  permissions: PERMISSIONS,
})
const added = await Promise.all(
  apart
    .filter(({ folder }) => existsSync(join(folder, 'console')))
    .map(async ({ folder }) => {
      const path = join(folder, 'console/extension.ts')
      const extension: Extension = existsSync(path) ? (await import(path)).default : {}
      return partIn(join(folder, 'console'), join(folder, 'openapi.json'), 'texts/zh-CN.json', extension)
    }),
)
const parts = [core, ...added]

function partIn(folder: string, document: string, texts: string, extension: Extension): Part {
  const { subjects = [], permissions = {}, jobs = {}, mails = {} } = extension
  return {
    folder: relative('.', folder),
    sources: globSync(`${folder}/**/*.ts`, { exclude: ['**/browser/extensions.ts'] }).map(
      (path) => [path, readFileSync(path, 'utf8')] as const,
    ),
    named: [
      ...subjects.flatMap(({ name, links = [] }) => [name, ...links.map((link) => link.name)]),
      ...Object.keys(permissions),
      ...[...Object.values(permissions), jobs, mails].flatMap((words) => Object.values(words)),
      ...(existsSync(document) ? Object.values(summariesOf(JSON.parse(readFileSync(document, 'utf8')))) : []),
    ],
    chinese: wordsIn(globSync(join(folder, texts))),
  }
}

function wordsIn(files: readonly string[]): Map<string, string> {
  const words = new Map<string, string>()
  for (const file of files)
    for (const [sentence, translation] of Object.entries<string>(JSON.parse(readFileSync(file, 'utf8')))) {
      if (words.has(sentence)) throw new Error(`${file} says "${sentence}" again`)
      words.set(sentence, translation)
    }
  return words
}

/** The first argument of `t`, a whole sentence. */
const SAID = /\bt\(\s*(?:\w+(?:\.\w+)? === \w+\S* \? )?'((?:[^'\\]|\\.)*)'/g
const factsIn = (sentence: string) => (sentence.match(/\{\w+\}/g) ?? []).sort().join()

test.each(parts)(
  'every sentence of $folder is there in Chinese, with the same facts, and none is left over',
  (part) => {
    const { sources, named, chinese } = part
    const code = sources.map(([, code]) => code).join('\n')
    const said = new Set([...named, ...[...code.matchAll(SAID)].map(([, sentence]) => sentence!)])
    const isSaid = (sentence: string) =>
      said.has(sentence) || code.includes(`'${sentence}'`) || code.includes(`"${sentence}"`)
    const isThere = (sentence: string) => chinese.has(sentence) || core.chinese.has(sentence)
    if (part === core) expect(said.size).toBeGreaterThan(40)
    expectNone([
      ...[...said].filter((sentence) => !isThere(sentence)).map((sentence) => `no Chinese for: ${sentence}`),
      ...[...chinese].flatMap(([sentence, translation]) => [
        ...(factsIn(sentence) === factsIn(translation) ? [] : [`the facts differ: ${sentence}`]),
        ...(isSaid(sentence) ? [] : [`nothing says: ${sentence}`]),
        ...(part !== core && core.chinese.has(sentence) ? [`the console says it already: ${sentence}`] : []),
      ]),
    ])
  },
)

test('two extensions say a sentence in the same Chinese words', () => {
  const said = new Map<string, string>()
  const all = added.flatMap(({ chinese }) => [...chinese])
  for (const [sentence, translation] of all) said.set(sentence, said.get(sentence) ?? translation)
  expectNone(all.filter(([sentence, translation]) => said.get(sentence) !== translation).map(([sentence]) => sentence))
})

test('the roles of the service have the same names in the console', () => {
  for (const code of Object.values(ROLE)) expect(core.chinese.get(roleNames('en')[code])).toBe(roleNames('zh-CN')[code])
})

test('the console uses the typed client, its own files and five small libraries; an extension the console and its own', () => {
  const allowed = (part: Part) =>
    part === core
      ? /^(preact|preact\/hooks|htm|qr|uplot|#client\/.*\.ts|\.{1,2}\/(?!.*\b(appliance|domains|http)\/).*\.ts)$/
      : /^(qr|uplot|(#|atrium\/)console\/.*\.ts|\.{1,2}\/[\w./-]*\.ts)$/
  const importsOf = (code: string) => [...code.matchAll(/(?:from|import\()\s*'([^']+)'/g)].map(([, name]) => name!)
  expectNone(
    parts.flatMap((part) =>
      part.sources.flatMap(([path, code]) => [
        ...importsOf(code)
          .filter((name) => !allowed(part).test(name))
          .map((name) => `${path} imports ${name}`),
        ...(/innerHTML|dangerouslySet|\beval\(|new Function/.test(code) ? [`${path} writes markup`] : []),
        ...(path.endsWith('extension.ts') && /^import (?!type)/m.test(code) ? [`${path} imports more than types`] : []),
      ]),
    ),
  )
})

test('a webhook can be given every type of event', () => {
  const types = domains.flatMap(({ events = {} }) => Object.keys(events))
  expect(types.length).toBeGreaterThan(50)
  const offered = eventTypesIn(JSON.parse(servedDocument))
  expectNone(types.filter((type) => !offered.includes(`"${type}"`)).map((type) => `the console does not offer ${type}`))
})
