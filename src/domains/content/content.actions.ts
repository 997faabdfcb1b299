import {
  assertMatch,
  assertUnchanged,
  beginningWith,
  changesBetween,
  type Expected,
  freeSlug,
  givenOf,
  nameOf,
  nextId,
  only,
  rootOf,
  type Scope,
  seesEverything,
  skeletonOf,
  slugFrom,
  type Tx,
} from '#atrium'
import { addressesOf, type FileHolder, inPublic, publishFiles } from '#atrium/files'
import {
  getCategory,
  getCategoryName,
  insertCategory,
  listCategorySlugs,
  lockCategory,
  removeCategory,
  saveCategory,
} from './categories.store.ts'
import { ARTICLE_FIELDS, CATEGORY_FIELDS, UNSHOWN_ARTICLE_FIELDS } from './content.events.ts'
import {
  type Article,
  bylineOf,
  categoryState,
  contentFaults,
  newArticle,
  reviseArticle,
  skeletonsOf,
} from './content.rules.ts'
import type {
  ArticleDraft,
  ArticlePatch,
  ArticleView,
  CategoryDraft,
  CategoryPatch,
  CategoryView,
} from './content.schemas.ts'
import {
  articlesSeenBy,
  findCovered,
  insertArticle,
  listCovered,
  lockArticle,
  removeArticle,
  saveArticle,
} from './content.store.ts'

type VersionedArticle = ArticleView & { version: number }

/** Creates an article. @throws NOT_FOUND (category, file), PERMISSION_DENIED, VALIDATION_FAILED */
export async function createArticle(tx: Tx, draft: ArticleDraft): Promise<VersionedArticle> {
  const [, id, category] = await tx.inOrder([
    publishCover(tx, draft.cover),
    nextId(tx, 'articles'),
    getGivenCategory(tx, draft.categoryId),
  ])
  const isAtHome = tx.actor.tenantId === tx.tenantId
  const writer = { id: isAtHome ? tx.actor.id : null, name: nameOf(tx.actor) }
  const article = newArticle(id, draft, writer, tx.now)
  insertArticle(tx, article)
  const { version, title } = article
  tx.record({
    event: 'article.created',
    subject: id,
    data: only(article, ['title', 'categoryId', 'status', 'version']),
  })
  if (article.status === 'published') tx.record({ event: 'article.published', subject: id, data: { title, version } })
  return { ...article, author: article.author ?? writer.name, category: category?.name ?? '' }
}

/**
 * Changes an article; omitted fields stay.
 * @throws NOT_FOUND (article, category, file), PERMISSION_DENIED, VALIDATION_FAILED, PRECONDITION_FAILED
 */
export async function updateArticle(tx: Tx, id: number, patch: ArticlePatch): Promise<VersionedArticle> {
  const [found, given] = await tx.inOrder([lockArticle(tx, { id }), getGivenCategory(tx, patch.categoryId)])
  const { category, categoryStatus: _, writerName, ...article } = found
  const revised = reviseArticle(article, { ...patch, author: bylineOf(patch.author, writerName) }, tx.now)
  if (inPublic(revised.cover ?? '') !== inPublic(article.cover ?? '')) await publishCover(tx, revised.cover)
  saveArticle(tx, revised)
  recordRevision(tx, article, revised)
  const author = revised.author ?? writerName
  return { ...revised, author, category: patch.categoryId === undefined ? category : (given?.name ?? '') }
}

function recordRevision(tx: Tx, before: Article, { status, ...after }: Article): void {
  const { id: subject, title, version } = after
  const changes = changesBetween(before, after, ARTICLE_FIELDS, UNSHOWN_ARTICLE_FIELDS)
  if (changes.length > 0) tx.record({ event: 'article.updated', subject, data: { version, changes } })
  if (status === before.status) return
  const event = status === 'published' ? 'article.published' : 'article.withdrawn'
  tx.record({ event, subject, data: { title, version } })
}

/** A cover becomes public with its article, so the actor must be allowed to publish its file. */
async function publishCover(tx: Tx, cover: string | null | undefined): Promise<void> {
  if (cover) await publishFiles(tx, [{ path: 'body.cover', text: cover, isPicture: true }])
}

/** The articles that have a file as their cover. */
export const covers: FileHolder = {
  columns: ['articles.cover'],
  async usesOf(scope, filename) {
    const articles = await listCovered(scope, { addresses: addressesOf(scope.tenantId, filename) })
    return articles.map(({ id }) => ({ path: 'articles', id, message: 'article {id} has it as its cover' }))
  },
}

/** Whether a published article has a file as its cover. */
export async function isPublishedCover(scope: Scope, filename: string): Promise<boolean> {
  return (await findCovered(scope, { addresses: addressesOf(scope.tenantId, filename) })) !== undefined
}

/** Deletes an article with its comments. Its files are their uploaders' alone from then on. @throws NOT_FOUND, PRECONDITION_FAILED */
export async function deleteArticle(tx: Tx, id: number, { ifMatch }: Expected = {}): Promise<void> {
  const article = await lockArticle(tx, { id })
  assertMatch(article.version, ifMatch)
  removeArticle(tx, { id })
  tx.record({ event: 'article.deleted', subject: id, data: { title: article.title } })
}

/** Creates a category. @throws CATEGORY_TAKEN */
export async function createCategory(tx: Tx, draft: CategoryDraft): Promise<CategoryView> {
  const wanted = slugFrom(draft.slug, draft.name, 'category')
  const [id, rivals] = await Promise.all([nextId(tx, 'categories'), listRivals(tx, wanted.slug)])
  const category = { id, ...draft, slug: settled(wanted, rivals), description: draft.description ?? null }
  insertCategory(tx, { ...category, ...skeletonsOf(category), createdAt: tx.now, updatedAt: tx.now })
  tx.record({ event: 'category.created', subject: id, data: only(category, ['name', 'slug']) })
  return { ...category, articleCount: 0 }
}

/** Changes a category; omitted fields stay. @throws NOT_FOUND, CATEGORY_TAKEN */
export async function updateCategory(
  tx: Tx,
  id: number,
  patch: CategoryPatch,
  { ifMatch }: Expected = {},
): Promise<CategoryView> {
  const [, category] = await tx.inOrder([
    lockCategory(tx, { id }),
    getCategory(tx, { id, ...articlesSeenBy(tx.actor) }),
  ])
  const { articleCount, ...before } = category
  assertUnchanged(categoryState(before), ifMatch)
  const { slug, ...given } = patch
  const changed = { ...before, ...givenOf(given) }
  if (slug !== undefined) {
    const wanted = slugFrom(slug, changed.name, 'category')
    const rivals = await listRivals(tx, wanted.slug)
    changed.slug = settled(
      wanted,
      rivals.filter((rival) => rival.id !== id),
    )
  }
  saveCategory(tx, { ...changed, ...skeletonsOf(changed), updatedAt: tx.now })
  const changes = changesBetween(before, changed, CATEGORY_FIELDS)
  if (changes.length > 0) tx.record({ event: 'category.updated', subject: id, data: { changes } })
  return { ...changed, articleCount }
}

/** The categories whose slugs could conflict with this one. */
function listRivals(tx: Tx, slug: string) {
  const root = rootOf(slug)
  return listCategorySlugs(tx, { pattern: beginningWith(root), skeletons: beginningWith(skeletonOf(root)) })
}

/** A generated slug gets a suffix if it is taken; a given one stays, or is refused. */
function settled({ slug, isMade }: ReturnType<typeof slugFrom>, rivals: readonly { slug: string }[]): string {
  if (!isMade) return slug
  const looks = new Set(rivals.map((rival) => skeletonOf(rival.slug)))
  return freeSlug(slug, { has: (free) => looks.has(skeletonOf(free)) })
}

/** Deletes a category without articles. @throws NOT_FOUND, CATEGORY_NOT_EMPTY with their number */
export async function deleteCategory(tx: Tx, id: number, { ifMatch }: Expected = {}): Promise<void> {
  const [, category] = await tx.inOrder([
    lockCategory(tx, { id }),
    getCategory(tx, { id, ...seesEverything('a category goes only without any article') }),
  ])
  const { articleCount, ...state } = category
  if (articleCount > 0)
    throw contentFaults.categoryNotEmpty([{ path: 'id', articles: articleCount, message: 'move its articles first' }])
  assertUnchanged(categoryState(state), ifMatch)
  removeCategory(tx, { id })
  tx.record({ event: 'category.deleted', subject: id, data: only(category, ['name', 'slug']) })
}

/** Loads the given category, or undefined if none is given. @throws NOT_FOUND */
async function getGivenCategory(scope: Scope, id: number | null | undefined) {
  return id ? getCategoryName(scope, { id }) : undefined
}
