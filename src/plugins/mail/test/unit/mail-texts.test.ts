import { expect, test } from 'vitest'
import { frameTexts } from '../../frame-texts.ts'
import { pageTexts } from '../../pages/unsubscribe.pages.ts'

test.each([frameTexts, pageTexts])('what stands around mails says the same in both languages', (read) => {
  const [english, chinese] = [read('en'), read('zh-CN')] as Record<string, string>[]
  expect(Object.keys(chinese!).sort()).toEqual(Object.keys(english!).sort())
  const factsOf = (words: string) => [...words.matchAll(/\{\w+\}/g)].map(String).sort()
  for (const [name, words] of Object.entries(english!)) {
    expect(chinese![name]).toMatch(/\p{Script=Han}/u)
    expect(factsOf(chinese![name]!)).toEqual(factsOf(words))
  }
})
