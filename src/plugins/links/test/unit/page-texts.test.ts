import { expect, test } from 'vitest'
import { pageTexts } from '../../pages/page-html.ts'

test('what stands on every page is there in both languages', () => {
  const chinese = pageTexts('zh-CN')
  expect(Object.keys(chinese).sort()).toEqual(Object.keys(pageTexts('en')).sort())
})
