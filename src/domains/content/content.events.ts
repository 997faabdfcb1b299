import { changesOf, event, view, z } from '#atrium'
import { ArticleView, CategoryView } from './content.schemas.ts'

export const ARTICLE_FIELDS = ['title', 'author', 'categoryId', 'content', 'cover', 'summary', 'tags'] as const
/** Fields whose values an event does not show: they are long, or name a person. */
export const UNSHOWN_ARTICLE_FIELDS = ['author', 'content', 'summary'] as const
export const CATEGORY_FIELDS = ['name', 'slug', 'description', 'status'] as const

const Article = ArticleView.pick({ title: true, categoryId: true, status: true }).extend({ version: view.version })
const article = { title: 'The launch', categoryId: 3, status: 'draft' as const, version: 0 }
const Title = z.object({ title: view.text, version: view.version })
const Category = CategoryView.pick({ name: true, slug: true })
const category = { name: 'Product', slug: 'product' }

export const contentEvents = {
  'article.created': event('An article was created.', Article, article),
  'article.updated': event(
    'Fields of an article changed.',
    z.object({ version: view.version, changes: changesOf(ARTICLE_FIELDS) }),
    { version: 2, changes: [{ field: 'title', from: 'The launch', to: 'Launched' }] },
  ),
  'article.published': event('An article became public.', Title, { title: 'The launch', version: 1 }),
  'article.withdrawn': event('An article is no longer public.', Title, { title: 'The launch', version: 2 }),
  'article.deleted': event('An article was deleted, with its comments.', z.object({ title: view.text }), {
    title: 'The launch',
  }),
  'category.created': event('A category was created.', Category, category),
  'category.updated': event('Fields of a category changed.', z.object({ changes: changesOf(CATEGORY_FIELDS) }), {
    changes: [{ field: 'status', from: 'active', to: 'inactive' }],
  }),
  'category.deleted': event('A category without articles was deleted.', Category, category),
} as const
