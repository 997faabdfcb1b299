import { describe, expect, test } from 'vitest'
import { excerptOf, newArticle, reviseArticle } from '../../src/domains/content/content.rules.ts'
import { ArticleDraft, BlogQuery } from '../../src/domains/content/content.schemas.ts'

const LATE = '2026-11-21T23:59:59.999Z'
const LATER = '2026-12-24T00:00:00.000Z'
const ADA = { id: 7, name: 'Ada' }
const draft = newArticle(1, ArticleDraft.parse({ title: 'x' }), ADA, LATE)

describe('the day of an article', () => {
  test.each([
    ['draft', 'published', '2026-12-24'],
    ['draft', 'draft', '2026-11-21'],
    ['published', 'published', '2026-11-21'],
    ['published', 'draft', '2026-11-21'],
    ['draft', undefined, '2026-11-21'],
  ] as const)('from %s to %s is %s', (from, to, date) => {
    const before = newArticle(1, ArticleDraft.parse({ title: 'x', status: from }), ADA, LATE)
    expect(reviseArticle(before, { status: to }, LATER)).toMatchObject({ date, updatedAt: LATER })
  })

  test('and its place stay those of the first publication, whatever happens to it later', () => {
    const published = reviseArticle(draft, { status: 'published' }, LATER)
    expect(published).toMatchObject({ publishedAt: LATER, date: '2026-12-24' })
    const withdrawn = reviseArticle(published, { status: 'draft' }, '2027-01-01T00:00:00.000Z')
    const again = reviseArticle(withdrawn, { status: 'published' }, '2027-02-02T00:00:00.000Z')
    for (const article of [withdrawn, again]) expect(article).toMatchObject({ publishedAt: LATER, date: '2026-12-24' })
  })
})

describe('an excerpt', () => {
  test.each([
    [{ summary: 'S', beginning: 'C' }, 'S'],
    [{ summary: null, beginning: 'The first that says something' }, 'The first that says something'],
    [{ summary: null, beginning: null }, ''],
    [{ summary: null, beginning: 'x'.repeat(160) }, 'x'.repeat(160)],
    [{ summary: null, beginning: 'x'.repeat(161) }, `${'x'.repeat(160)}…`],
    [{ summary: null, beginning: '🎉'.repeat(160) }, '🎉'.repeat(160)],
    [{ summary: null, beginning: `x${'🎉'.repeat(160)}` }, `x${'🎉'.repeat(159)}…`],
  ])('of %j', (article, excerpt) => {
    expect(excerptOf(article)).toBe(excerpt)
    expect(excerpt.isWellFormed()).toBe(true)
  })
})

test.each([
  [{}, { page: 1, pageSize: 6 }],
  [
    { page: '3', pageSize: '100', category: 'News' },
    { page: 3, pageSize: 100, category: 'News' },
  ],
  [
    { page: '0', pageSize: '101', category: 'All' },
    { page: 1, pageSize: 100 },
  ],
  [
    { page: '1e3', pageSize: '0x10', category: '全部' },
    { page: 1, pageSize: 6 },
  ],
  [
    { page: '-1', pageSize: '-1', category: ' ', keyword: ' ' },
    { page: 1, pageSize: 1 },
  ],
])('the blog is asked with %j', (given, meant) => {
  expect(BlogQuery.parse(given)).toEqual(meant)
})
