import { expect, test } from 'vitest'
import { languageFor } from '../../src/http/language/language.ts'

test.each([
  ['English is the default', undefined, 'en'],
  ['an empty wish is none', '', 'en'],
  ['the language by its name', 'zh-CN', 'zh-CN'],
  ['in any letters', 'ZH-cn', 'zh-CN'],
  ['Chinese as such', 'zh', 'zh-CN'],
  ['Chinese by its script', 'zh-Hans', 'zh-CN'],
  ['by its script and a region', 'zh-Hans-SG', 'zh-CN'],
  ['by a region that writes it so', 'zh-SG', 'zh-CN'],
  ['Traditional Chinese, which is nearer than English', 'zh-TW', 'zh-CN'],
  ['by its script', 'zh-Hant-HK, en;q=0.8', 'zh-CN'],
  ['that falls back where its reader says so', 'zh-TW,zh;q=0.9,en-US;q=0.8,en;q=0.7', 'zh-CN'],
  ['a language that nobody here speaks', 'fr-FR, de;q=0.8', 'en'],
  ['and one that somebody does after it', 'fr-FR, zh;q=0.3', 'zh-CN'],
  ['English of a region', 'en-GB, zh;q=0.9', 'en'],
  ['the better of two', 'en;q=0.5, zh-CN;q=0.6', 'zh-CN'],
  ['the first of two that are equally good', 'zh, en', 'zh-CN'],
  ['the other way round too', 'en, zh', 'en'],
  ['a quality of three digits', 'en;q=0.899,zh;q=0.9', 'zh-CN'],
  ['blanks around everything', ' en ; q=0.1 ,\tzh ; q=0.2 ', 'zh-CN'],
  ['what is refused is not given', 'zh;q=0, en;q=0.1', 'en'],
  ['a star is for anything else', 'fr, *;q=0.5', 'en'],
  ['a star with English refused', 'en;q=0, *', 'zh-CN'],
  ['a star beside a language that is liked better', '*;q=0.1, zh;q=0.2', 'zh-CN'],
  ['a star with Chinese refused', 'zh;q=0, *', 'en'],
  ['a quality that is none makes no wish', 'zh;q=high, en;q=0.1', 'en'],
  ['nor does one beyond its bounds', 'zh;q=1.1, zh;q=-1, zh;q=0.1234', 'en'],
  ['nonsense', ',,;;q=1,=,*-*', 'en'],
  ['what only begins like a language', 'zhx, zh_CN', 'en'],
  ['a header as long as it may be', 'xx,'.repeat(5_000), 'en'],
] as const)('%s: %j → %s', (_, header, language) => {
  expect(languageFor(header)).toBe(language)
})
