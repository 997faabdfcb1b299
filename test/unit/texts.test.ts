import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { mailText, mailTextsIn } from '../../src/atrium/outgoing-mail.ts'
import { texts } from '../../src/atrium/texts.ts'
import { figures } from '../../src/domains/admin-data/figures.ts'
import { firstTexts } from '../../src/domains/content/first-articles.ts'
import { menuIn, menuNames } from '../../src/domains/menus/menu-names.ts'
import { defaultPortal, neutralPortal } from '../../src/domains/portal/default-portal.ts'
import { roleNames } from '../../src/domains/roles/roles.rules.ts'
import { allMailKinds, mailOf } from '../../src/kernel/words/mails.ts'
import { LANGUAGES, type Language } from '../../src/kernel/words/sentence.ts'
import { domains } from '../support/domains.ts'

const SRC = new URL('../../src/', import.meta.url)
/** Those below the mails of a plug-in are its own. */
const FILES = globSync(['domains/*/texts/**/*.json', 'plugins/*/texts/*.json'], { cwd: fileURLToPath(SRC) }).sort()

/** Every file of texts, and who reads it. */
const READERS: Record<string, () => unknown> = Object.fromEntries(
  Object.entries<(language: Language) => unknown>({
    'admin-data': figures,
    menus: menuNames,
    portal: defaultPortal,
    roles: roleNames,
  }).flatMap(([domain, read]) => [
    [`domains/${domain}/texts/en.json`, () => read('en')],
    [`domains/${domain}/texts/zh.json`, () => read('zh-CN')],
  ]),
)
READERS['domains/content/texts/en.json'] = () => firstTexts('en')
READERS['domains/portal/texts/neutral/en.json'] = () => neutralPortal('en')
READERS['domains/portal/texts/neutral/zh.json'] = () => neutralPortal('zh-CN')
for (const { mailTexts } of domains) {
  if (!mailTexts) continue
  const folder = mailTexts.href.slice(SRC.href.length)
  READERS[`${folder}en.json`] = () => mailTextsIn(mailTexts)('en')
  READERS[`${folder}zh.json`] = () => mailTextsIn(mailTexts)('zh-CN')
}

describe('the texts of the domains', () => {
  test('are all read by somebody', () => {
    expect(FILES).toEqual(Object.keys(READERS).sort())
  })

  test.each(FILES)('%s is what its views show', (file) => {
    expect(READERS[file]!()).toEqual(JSON.parse(readFileSync(new URL(file, SRC), 'utf8')))
  })

  test.each(FILES.filter((file) => file.endsWith('zh.json')))('%s differs from English in its words alone', (file) => {
    expect(withoutWords(READERS[file]!())).toEqual(withoutWords(READERS[file.replace('zh.json', 'en.json')]!()))
  })

  test('say each kind of mail in both languages, with its facts and no others, and a button where it has a link', () => {
    for (const kind of allMailKinds())
      for (const language of LANGUAGES) {
        const { facts, link } = mailOf(kind)!
        const text = mailText(kind, language)
        expect(
          text,
          `the mail ${kind} has no text in ${language}: write it beside that of the other language`,
        ).toBeDefined()
        const named = [...JSON.stringify(text).matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)
        expect(facts, `${kind} in ${language}`).toEqual(expect.arrayContaining(named))
        expect(text!.button !== undefined, `the button of ${kind} in ${language}`).toBe(link)
      }
  })

  test('leave the names that people give as they are, those too that every object has', () => {
    const menu = { id: 1, parentId: 0, children: [], path: null, component: null, icon: null, sort: 0 } as const
    const named = (name: string) =>
      menuIn('zh-CN', { ...menu, children: [], name, visible: true, permission: null, type: 'menu' }).name
    expect(['Home', 'Our home', 'constructor'].map(named)).toEqual(['首页', 'Our home', 'constructor'])
  })
})

test('texts are read through their views: what has another shape, or fields that none shows, is refused', () => {
  const names = (shape: z.ZodType) => texts(new URL('domains/roles/texts/', SRC), shape)
  expect(() => names(z.object({ admin: z.number() }))('en')).toThrow('expected number')
  expect(() => names(z.object({ admin: z.string() }))('en')).toThrow('en.json is not what is shown')
  const missing = texts(new URL('domains/nowhere/texts/', SRC), z.unknown())
  expect(() => missing('en')).toThrow('ENOENT')
})

/** The shape of texts, with the numbers and choices that are the same in every language. */
function withoutWords(value: unknown): unknown {
  if (typeof value === 'string') return ''
  if (Array.isArray(value)) return value.map(withoutWords)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withoutWords(inner)]))
}
