import { columnsOf, type From, find, lock, paginateOrSearch, sql } from '#atrium'
import { type ArticleRead, contentFaults, EXCERPT } from './content.rules.ts'
import {
  type ArticleFilter,
  articlesWanted,
  articlesWithin,
  byline,
  categoryShown,
  PUBLISHED,
  visibleArticles,
} from './content.store.ts'

const columns = columnsOf('articles', ['id', 'title', 'cover', 'date', 'summary', 'tags'])

/** The paragraphs as the JSON that readers get. */
const content = sql<string>`to_json(articles.content)::text`
/** The beginning of an article without a summary, one character longer than an excerpt. */
const beginning = sql<string | null>`case when coalesce(articles.summary, '') = '' then (
  select left(paragraph, ${sql.lit(EXCERPT + 1)}) from unnest(articles.content) with ordinality as written (paragraph, at)
   where paragraph <> '' order by at limit 1) end`

type Raw<Value> = ReturnType<typeof sql<Value>>
const ofEach =
  <Value>(value: Raw<Value>) =>
  (from: From, id: Raw<number>) =>
    sql<Value>`(${from('articles').select(value.as('value')).where('articles.id', '=', id)})`

/** Published articles as the public sees them, newest first. */
export const listPosts = paginateOrSearch(
  (from, p: ArticleFilter) => articlesWithin(from, { ...p, ...PUBLISHED }),
  (found, p: ArticleFilter, from) =>
    articlesWanted(found, p, from)
      .clearSelect()
      .select([...columns, byline(from), 'articles.placedAt', 'articles.contentBytes', ...categoryShown(from)])
      .$castTo<ArticleRead>(),
  'articles',
  {
    filters: ['pattern'],
    costly: ['pattern'],
    latest: 'articles.placedAt',
    long: { sizes: ['contentBytes'], made: { content: ofEach(content), beginning: ofEach(beginning) } },
  },
)

export const getPost = find((from, p: { id: number }) =>
  visibleArticles(from, PUBLISHED)
    .select([...columns, byline(from), ...categoryShown(from), content.as('content'), beginning.as('beginning')])
    .where('articles.id', '=', p.id),
).or(contentFaults.notFound)

/** Keeps a published article unchanged until this transaction ends. */
export const shareLockPost = lock((from, p: { id: number }) =>
  visibleArticles(from, PUBLISHED).select('articles.id').where('articles.id', '=', p.id).forShare('articles'),
).or(contentFaults.notFound)
