import { describe, expect, test } from 'vitest'
import { fold, piecesIn } from '../../pieces.ts'
import { excerptOf, holdsPhrases, phrasesOf, piecesOf, rowsBeyond, wordsOf } from '../../search.rules.ts'

/** What a text holds, and what people type for it. */
const SAME: Record<string, readonly (readonly [text: string, typed: string])[]> = {
  English: [
    ['Café', 'cafe'],
    ['NAÏVE', 'naive'],
    ['Ｌａｕｎｃｈ ２０２６', 'launch 2026'],
    ['ﬁnal', 'FINAL'],
  ],
  German: [
    ['Größe', 'GRÖSSE'],
    ['Straße', 'strasse'],
    ['STRAẞE', 'straße'],
    ['Müller', 'muller'],
  ],
  Turkish: [
    ['İSTANBUL', 'istanbul'],
    ['Istanbul', 'ıstanbul'],
    ['IŞIK', 'ışık'],
    ['Çağrı', 'cagri'],
  ],
  Greek: [
    ['ΟΔΟΣ', 'οδος'],
    ['οδός', 'ΟΔΌΣ'],
    ['Σίσυφος', 'σισυφοσ'],
  ],
  Arabic: [
    ['مُحَمَّد', 'محمد'],
    ['أحمد', 'احمد'],
    ['مشـــروع', 'مشروع'],
    ['ﻣﺸﺮﻭﻉ', 'مشروع'],
  ],
  Chinese: [['会議', '会議']],
  Japanese: [
    ['ﾌﾟﾛｼﾞｪｸﾄ', 'プロジェクト'],
    ['か\u3099', 'が'],
  ],
  Thai: [
    ['น้ำ', 'น\u0e49\u0e4d\u0e32'],
    ['กำ', 'ก\u0e4d\u0e32'],
  ],
}

describe('what people type is equal to what the text says', () => {
  for (const [language, pairs] of Object.entries(SAME))
    test.each(pairs.map(([text, typed]) => [text, typed]))(`${language}: %s and %s`, (text, typed) => {
      expect(fold(text)).toBe(fold(typed))
    })
})

test('signs that make another word stay apart', () => {
  expect(fold('มา')).not.toBe(fold('ม้า'))
  expect(fold('か')).not.toBe(fold('が'))
  expect(fold('ハ')).not.toBe(fold('パ'))
})

const PIECES: readonly (readonly [text: string, ...pieces: string[]])[] = [
  ["Don't ship v1.2, yet!", 'don', 't', 'ship', 'v1', '2', 'yet'],
  ['Grüße_an PO-4711', 'grusse', 'an', 'po', '4711'],
  ['项目会议', '项目', '目会', '会议', '议'],
  ['使用Atrium系统', '使用', '用', 'atrium', '系统', '统'],
  ['データの移行', 'デー', 'ータ', 'タの', 'の移', '移行', '行'],
  ['ประชุม', 'ปร', 'ระ', 'ะช', 'ชุ', 'ุม', 'ม'],
  ['İş planı', 'is', 'plani'],
  ['ο λόγος', 'ο', 'λογοσ'],
  ['خُطّة المشروع', 'خطه', 'المشروع'],
  ['한국어 검색', '한국어', '검색'],
  ['—。、!', ...[]],
]
test.each(PIECES)('%s is cut into its pieces', (text, ...pieces) => {
  expect(piecesIn(text)).toEqual(pieces)
})

/** A text holds what is searched for if the index finds each piece, and the phrases are in their order. */
function finds(query: string, text: string): boolean {
  const phrases = phrasesOf(query)
  const words = piecesIn(text)
  const hasAll = piecesOf(phrases).every(({ low, high }) => words.some((word) => word >= low && word <= high))
  return phrases.length > 0 && hasAll && holdsPhrases(text, phrases)
}

const FOUND: readonly (readonly [query: string, text: string])[] = [
  ['launch', 'Prepare the LAUNCH'],
  ['laun', 'Prepare the launch'],
  ['prepare lau', 'Launch: prepare it'],
  ['"the launch"', 'Prepare the launch'],
  ['"the lau', 'Prepare the launch'],
  ['“the launch” prep', 'Prepare the launch'],
  ['PO-4711', 'Order po 4711'],
  ['strass', 'Straße 7'],
  ['GRÖSSE', 'die Größe'],
  ['ıstan', 'İSTANBUL'],
  ['οδοσ', 'Η ΟΔΟΣ'],
  ['محمد', 'السيد مُحَمَّد'],
  ['会议', '项目会议纪要'],
  ['会', '项目会议纪要'],
  ['议', '项目会议'],
  ['项目会议', '关于项目会议'],
  ['项目 纪要', '项目会议纪要'],
  ['"使用Atrium"', '我们使用Atrium系统'],
  ['Atrium系', '我们使用Atrium系统'],
  ['移行', 'データの移行'],
  ['ﾃﾞｰﾀ', 'データの移行'],
  ['ชุม', 'วันนี้มีประชุม'],
]
test.each(FOUND)('%s finds %s', (query, text) => {
  expect(finds(query, text)).toBe(true)
})

const NOT_FOUND: readonly (readonly [query: string, text: string])[] = [
  ['launch x', 'Prepare the launch'],
  ['lau the', 'Prepare the launch'],
  ['"launch the"', 'Prepare the launch'],
  ['"the lau"', 'Prepare the launch'],
  ['aunch', 'Prepare the launch'],
  ['会项', '项目会议'],
  ['北京大学', '北京的大学'],
  ['北京大学', '大学在北京，京大'],
  ['"', 'anything'],
  ['— 。', 'anything — 。'],
]
test.each(NOT_FOUND)('%s does not find %s', (query, text) => {
  expect(finds(query, text)).toBe(false)
})

describe('an excerpt', () => {
  const long = `${'and so on '.repeat(60)}the treasure lies here ${'and so on '.repeat(60)}`

  test('shows the part with the first piece that occurs', () => {
    const excerpt = excerptOf(long, piecesOf(phrasesOf('treas')))
    expect(excerpt).toContain('treasure lies here')
    expect(excerpt).toMatch(/^….*…$/)
    expect(excerpt.length).toBeLessThanOrEqual(202)
  })

  test('is the beginning if nothing of it occurs', () => {
    expect(excerptOf(long, piecesOf(phrasesOf('nothing')))).toMatch(/^and so on .*…$/)
  })

  test('is a short text, in one line', () => {
    expect(excerptOf(' A few\n\nwords ', piecesOf(phrasesOf('words')))).toBe('A few words')
  })

  test('never cuts a sign in two', () => {
    for (let blanks = 0; blanks < 4; blanks++)
      expect(excerptOf(`${'x'.repeat(blanks)}${'😀'.repeat(400)}`, []).isWellFormed()).toBe(true)
  })
})

test('a word of title and text is a row of the title alone, and a change writes only what differs', () => {
  const before = wordsOf({ title: 'Launch plan', text: 'The plan, the dates' })
  expect(before).toEqual({ title: ['launch', 'plan'], texts: ['the', 'dates'] })
  const after = wordsOf({ title: 'Launch', text: 'The plan' })
  expect(rowsBeyond(7, before, after)).toEqual([
    { resourceId: 7, word: 'plan', place: 1 },
    { resourceId: 7, word: 'dates', place: 0 },
  ])
  expect(rowsBeyond(7, after, before)).toEqual([{ resourceId: 7, word: 'plan', place: 0 }])
  expect(rowsBeyond(7, after, undefined)).toHaveLength(3)
  expect(rowsBeyond(7, undefined, before)).toEqual([])
})
