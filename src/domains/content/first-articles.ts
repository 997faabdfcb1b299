import { type Actor, type Tx, texts, z } from '#atrium'
import { seedCategory } from './categories.store.ts'
import { skeletonsOf } from './content.rules.ts'
import { ArticleDraft, CategoryDraft } from './content.schemas.ts'
import { seedArticle } from './content.store.ts'

export const firstTexts = texts(
  new URL('./texts/', import.meta.url),
  z.object({
    categories: z.array(CategoryDraft.required().extend({ slug: z.string() })),
    articles: z.array(
      ArticleDraft.pick({ title: true, author: true, summary: true, tags: true, content: true, status: true })
        .required()
        .extend({
          age: z.int().min(0).describe('In days before the first start, so that what is written today comes first'),
          category: z.string().describe('Its slug'),
        }),
    ),
  }),
)

/** Writes the first tenant's categories and articles, unless they exist. */
export function seedArticles(tx: Tx<Actor>): void {
  const { categories, articles } = firstTexts('en')
  const at = { createdAt: tx.now, updatedAt: tx.now }
  for (const [index, category] of categories.entries())
    seedCategory(tx, { id: index + 1, ...category, ...skeletonsOf(category), ...at })
  for (const [index, { age, category, status, ...article }] of articles.entries()) {
    const date = daysBefore(tx.now, age)
    seedArticle(tx, {
      id: index + 1,
      ...article,
      categoryId: categories.findIndex(({ slug }) => slug === category) + 1,
      status,
      cover: null,
      version: 0,
      date,
      publishedAt: status === 'published' ? `${date}T00:00:00.000Z` : null,
      writerId: null,
      ...at,
    })
  }
}

function daysBefore(now: string, days: number): string {
  return new Date(Date.parse(now) - days * 86_400_000).toISOString().slice(0, 10)
}
