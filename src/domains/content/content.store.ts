import {
  anyLike,
  type Builder,
  columnsOf,
  except,
  type From,
  find,
  lend,
  list,
  lock,
  matches,
  onKey,
  only,
  paginateOrSearch,
  type SearchedRange,
  type Seen,
  searchedIn,
  seen,
  seesEverything,
  sql,
  type User,
  write,
} from '#atrium'
import { nameOfWho } from '#atrium/people'
import { type Article, contentFaults } from './content.rules.ts'
import type { ArticleStatus, CategoryStatus } from './content.schemas.ts'

const names = [
  'id',
  'title',
  'author',
  'categoryId',
  'content',
  'cover',
  'date',
  'status',
  'summary',
  'tags',
  'version',
  'publishedAt',
  'writerId',
  'createdAt',
  'updatedAt',
] as const
const columns = columnsOf('articles', except(names, ['author']))
/** The columns that a change may set. */
const changeable = except(names, ['id', 'writerId', 'createdAt'])

/** The articles with one status, unless the reader may see all, and those of one writer with any status. */
export type SeesArticles = Seen<'articles', { seenStatus?: 'published'; writerId?: number }>

/** The articles that anyone may see. */
export const PUBLISHED: SeesArticles = seen({ seenStatus: 'published' })

/** The articles that a person may see: drafts are for their writers and editors. */
export function articlesSeenBy(user: Pick<User, 'id' | 'permissions'>): SeesArticles {
  if (user.permissions.has('content:list')) return seen({})
  return user.permissions.has('content:create') ? { ...PUBLISHED, writerId: user.id } : PUBLISHED
}

export const visibleArticles = lend(['articles'], (from: From, p: SeesArticles) =>
  from('articles').$if(p.seenStatus !== undefined, (query) =>
    query.where((eb) => {
      const isShown = eb('articles.status', '=', p.seenStatus!)
      return p.writerId === undefined ? isShown : isShown.or('articles.writerId', '=', p.writerId)
    }),
  ),
)

const writerName = (from: From) => nameOfWho(from, 'articles.writerId').$castTo<string | null>()
/** Who an article names: by hand, or else its writer as they are called now, blank if they have left. */
const bylineOf = (from: From) => sql<string | null>`coalesce(articles.author, ${writerName(from)})`
export const byline = (from: From) => bylineOf(from).as('author')

const withCategory = (from: From, p: SeesArticles) =>
  visibleArticles(from, p)
    .leftJoin('categories', onKey('categories.id', 'articles.categoryId'))
    .select(columns)
    .select([sql<string>`coalesce(categories.name, '')`.as('category'), 'categories.status as categoryStatus'])

const categoryOf = (from: From) => from('categories').where(matches('categories.id', 'articles.categoryId'))

export const getArticle = find((from, p: SeesArticles & { id: number }) =>
  withCategory(from, p).select(byline(from)).where('articles.id', '=', p.id),
).or(contentFaults.notFound)

/** Keeps other transactions from changing the article until this one ends. */
export const lockArticle = lock((from, p: { id: number }) =>
  withCategory(from, seesEverything('a change is allowed by its permission'))
    .select(['articles.author', writerName(from).as('writerName')])
    .where('articles.id', '=', p.id)
    .forUpdate('articles'),
).or(contentFaults.notFound)

/** Whose an article is, without its text. */
export const getOwnership = find((from, p: SeesArticles & { id: number }) =>
  visibleArticles(from, p).select(['articles.writerId', 'articles.version']).where('articles.id', '=', p.id),
).or(contentFaults.notFound)

export interface ArticleFilter {
  status?: ArticleStatus | undefined
  categoryId?: number | undefined
  /** the name of an active category */
  category?: string | undefined
  pattern?: string | undefined
}

/** The articles of a list, by the filters that have an index. */
export const articlesWithin = (from: From, p: SeesArticles & ArticleFilter) =>
  visibleArticles(from, p)
    .select([...columns, byline(from), 'articles.placedAt', 'articles.contentBytes'])
    .$if(p.status !== undefined, (query) => query.where('articles.status', '=', p.status!))
    .$if(p.categoryId !== undefined, (query) => query.where('articles.categoryId', '=', p.categoryId!))
    .$if(p.category !== undefined, (query) =>
      query.where(
        'articles.categoryId',
        '=',
        from('categories')
          .select('categories.id')
          .where('categories.name', '=', p.category!)
          .where('categories.status', '=', 'active'),
      ),
    )

/** Keeps those that match the search. */
export const articlesWanted = <O>(found: Builder<O>, p: ArticleFilter, from: From) =>
  found.$if(p.pattern !== undefined, (query) =>
    query.where(anyLike(p.pattern!, ['articles.title', bylineOf(from), 'articles.summary'])),
  )

/** The category of an article, looked up only for those shown. */
export const categoryShown = (from: From) =>
  [
    sql<string>`coalesce((${categoryOf(from).select('categories.name')}), '')`.as('category'),
    sql<CategoryStatus | null>`(${categoryOf(from).select('categories.status')})`.as('categoryStatus'),
  ] as const

/** Newest first, by first publication; drafts that were never published, by creation. */
export const listArticles = paginateOrSearch(
  articlesWithin,
  (found, p: SeesArticles & ArticleFilter, from) => articlesWanted(found, p, from).select(categoryShown(from)),
  'articles',
  { filters: ['pattern'], costly: ['pattern'], latest: 'articles.placedAt', long: { sizes: ['contentBytes'] } },
)

/** How many articles are named to a person who deletes their cover. */
const MOST_NAMED = 20

/** Whether a published article has one of these addresses as its cover. */
export const findCovered = find((from, p: { addresses: string[] }) =>
  from('articles')
    .select('articles.id')
    .where('articles.status', '=', 'published')
    .where('articles.cover', '=', sql<string>`any(${p.addresses}::text[])`)
    .limit(sql.lit(1)),
)

/** Articles that have one of these addresses as their cover, drafts included. */
export const listCovered = list((from, p: { addresses: string[] }) =>
  from('articles')
    .select('articles.id')
    .where('articles.cover', '=', sql<string>`any(${p.addresses}::text[])`)
    .orderBy('articles.id')
    .limit(sql.lit(MOST_NAMED)),
)

/** How many bytes the content has, so that a list finds where a page begins without reading contents. */
const weighed = (content: string[]) => ({
  contentBytes: sql<number>`octet_length(array_to_string(${content}::text[], ''))`,
})

export const insertArticle = write(({ insert }, p: Article) => insert('articles', { ...p, ...weighed(p.content) }), {
  announces: 'content',
})

/** Inserts an article unless its id exists. */
export const seedArticle = write(({ insert }, p: Article) =>
  insert('articles', { ...p, ...weighed(p.content) }).onConflict((conflict) => conflict.doNothing()),
)

export const saveArticle = write(
  ({ update }, p: Omit<Article, 'writerId' | 'createdAt'>) =>
    update('articles')
      .set({ ...only(p, changeable), ...weighed(p.content) })
      .where('articles.id', '=', p.id),
  { announces: 'content' },
)

export const removeArticle = write(
  ({ remove }, p: { id: number }) => remove('articles').where('articles.id', '=', p.id),
  { announces: 'content' },
)

/** The articles that a person finds. */
export const listSearchedArticles = list((from, p: SeesArticles & SearchedRange) =>
  searchedIn(
    visibleArticles(from, p),
    'articles',
    {
      title: sql`articles.title`,
      text: sql`concat_ws(' ', articles.summary, array_to_string(articles.tags, ' '), array_to_string(articles.content, ' '))`,
    },
    p,
  ),
)
