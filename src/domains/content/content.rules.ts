import { assertMatch, codeKeyOf, fault, givenOf, LANGUAGES, notFound, translate, type User, Written } from '#atrium'
import { inPublic } from '#atrium/files'
import type {
  ArticleDraft,
  ArticlePatch,
  ArticleView,
  CategoryStatus,
  CategoryView,
  PostView,
} from './content.schemas.ts'

export const contentFaults = {
  notFound: notFound('Article'),
  categoryNotFound: notFound('Category'),
  categoryTaken: fault('CATEGORY_TAKEN', 409, 'There is a category with this name or slug already'),
  categoryNotEmpty: fault('CATEGORY_NOT_EMPTY', 409, 'There are articles in this category'),
}

/** What a category's name and slug look like, so that no two are alike. */
export function skeletonsOf({ name, slug }: Pick<CategoryView, 'name' | 'slug'>) {
  return { nameSkeleton: codeKeyOf(name), slugSkeleton: codeKeyOf(slug) }
}

/** The fields that a category's form shows. */
export function categoryState({ name, slug, description, status }: Omit<CategoryView, 'id' | 'articleCount'>): object {
  return { name, slug, description, status }
}

/**
 * An article as it is stored, with its category's id.
 * `author`: what was typed by hand, or null: then it is the writer's. `publishedAt`: when it was first published, or null.
 * `writerId`: the tenant's person who created it.
 */
export type Article = Omit<ArticleView, 'category'> & {
  version: number
  publishedAt: string | null
  writerId: number | null
}

/** The writer of an article; the id is null if they are not of the tenant, which then stores their name. */
export interface Writer {
  id: number | null
  name: string
}

/** What is stored of a given byline: null if a form sends back what the writer is called. */
export function bylineOf<Given extends string | null | undefined>(author: Given, writer: string | null): Given | null {
  const names = writer === '' ? LANGUAGES.map((language) => translate(language, 'former member')) : [writer]
  return author != null && names.includes(author) ? null : author
}

/** Whether a person decides what an article says: its editors, and the writer of it. */
export function mayWrite(article: Pick<Article, 'writerId'>, user: Pick<User, 'id' | 'permissions'>): boolean {
  return (
    user.permissions.has('content:update') || (user.permissions.has('content:create') && article.writerId === user.id)
  )
}

/** A new article. Its day is the day of its creation, in UTC. */
export function newArticle(id: number, draft: ArticleDraft, writer: Writer, now: string): Article {
  return {
    id,
    title: draft.title,
    author: writer.id === null ? (draft.author ?? writer.name) : (bylineOf(draft.author, writer.name) ?? null),
    categoryId: draft.categoryId ?? null,
    content: draft.content,
    cover: draft.cover ?? null,
    date: dayOf(now),
    status: draft.status,
    publishedAt: draft.status === 'published' ? now : null,
    writerId: writer.id,
    summary: draft.summary ?? null,
    tags: draft.tags,
    version: 0,
    createdAt: now,
    updatedAt: now,
  }
}

/**
 * Applies a patch to an article. Its first publication sets its day and puts it first among the posts. Later changes do
 * not move it.
 * @throws PRECONDITION_FAILED
 */
export function reviseArticle(article: Article, { ifMatch, ...patch }: ArticlePatch, now: string): Article {
  assertMatch(article.version, ifMatch)
  const revised: Article = { ...article, ...givenOf(patch), version: article.version + 1, updatedAt: now }
  const isFirst = article.publishedAt === null && article.status === 'draft' && revised.status === 'published'
  return isFirst ? { ...revised, publishedAt: now, date: dayOf(now) } : revised
}

/** How many characters an excerpt shows. */
export const EXCERPT = 160

/** The excerpt in a list: the summary, or else the beginning, never cut inside a character. */
export function excerptOf({ summary, beginning }: { summary: string | null; beginning: string | null }): string {
  if (summary) return summary
  const characters = [...(beginning ?? '')]
  return characters.length <= EXCERPT ? characters.join('') : `${characters.slice(0, EXCERPT).join('').trimEnd()}…`
}

/**
 * An article as the public sees it. Nothing is null, because pages print every value. An inactive category is omitted,
 * and a file of the tenant has its public address.
 */
export function asPost(article: ArticleRead): PostView {
  const { author, content, cover, categoryStatus } = article
  const category = categoryStatus === 'inactive' ? '' : article.category
  const excerpt = excerptOf(article)
  return {
    ...article,
    author: author ?? '',
    category,
    content: new Written(content),
    cover: inPublic(cover ?? ''),
    excerpt,
  }
}

/** An article as read for the public. */
export interface ArticleRead extends Omit<PostView, 'author' | 'content' | 'cover' | 'excerpt'> {
  author: string | null
  /** paragraphs, as JSON */
  content: string
  beginning: string | null
  cover: string | null
  summary: string | null
  categoryStatus: CategoryStatus | null
}

function dayOf(now: string): string {
  return now.slice(0, 10)
}
