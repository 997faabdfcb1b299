import { assertMatch, fault, notFound, Written } from '#atrium'
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

/** What the form of a category shows. */
export function categoryState({ name, slug, description, status }: Omit<CategoryView, 'id' | 'articleCount'>): object {
  return { name, slug, description, status }
}

/**
 * What an article is stored as: its category is an id, the name is the category's own.
 * `publishedAt`: when that was first; null until then. `writerId`: the person of the tenant who has made it.
 */
export type Article = Omit<ArticleView, 'category'> & {
  version: number
  publishedAt: string | null
  writerId: number | null
}

/** Who makes an article; without an id where they are nobody of the tenant. */
export interface Writer {
  id: number | null
  name: string
}

/** A new article. Its day is the day it is made, in UTC, which is the day it is published where it is at once. */
export function newArticle(id: number, draft: ArticleDraft, writer: Writer, now: string): Article {
  return {
    id,
    title: draft.title,
    author: draft.author ?? writer.name,
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
 * What a patch makes of an article. Published for the first time, it is of that day and comes first among the posts;
 * whatever happens to it later, it stays where it is.
 * @throws PRECONDITION_FAILED
 */
export function reviseArticle(article: Article, { ifMatch, ...patch }: ArticlePatch, now: string): Article {
  assertMatch(article.version, ifMatch)
  const given = Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined))
  const revised: Article = { ...article, ...given, version: article.version + 1, updatedAt: now }
  const isFirst = article.publishedAt === null && article.status === 'draft' && revised.status === 'published'
  return isFirst ? { ...revised, publishedAt: now, date: dayOf(now) } : revised
}

/** So many characters are shown of how an article begins. */
export const EXCERPT = 160

/** What a list shows of an article: its summary, else how it begins, never cut inside a character. */
export function excerptOf({ summary, beginning }: { summary: string | null; beginning: string | null }): string {
  if (summary) return summary
  const characters = [...(beginning ?? '')]
  return characters.length <= EXCERPT ? characters.join('') : `${characters.slice(0, EXCERPT).join('').trimEnd()}…`
}

/**
 * An article as the public reads it: nothing is null, for pages that print what they are given. A category that is not
 * active is not told, and a file of the tenant is named by the address at which everybody reads it.
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

/** An article as it is read for the public. */
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
