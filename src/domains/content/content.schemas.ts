import {
  arrayQuery,
  clamped,
  type Expected,
  idInPathOf,
  idOf,
  inOneLine,
  Keyword,
  keptText,
  optionalText,
  pageOf,
  pageQuery,
  patchOf,
  sentence,
  slugSource,
  sortBy,
  sortedBy,
  text,
  view,
  written,
  z,
} from '#atrium'

export const ArticleStatus = z.enum(['draft', 'published']).meta({ id: 'ArticleStatus' })
export type ArticleStatus = z.infer<typeof ArticleStatus>

const paragraph = z.string().trim().max(20_000)

const COVER =
  'The address of a picture. A file of the tenant that is named here becomes public with the article, under `/public/files`; only its uploader or a holder of `file:manage` can name it, and it has to be an image'

export const ArticleDraft = z
  .object({
    title: text(255),
    author: inOneLine(optionalText(64)).describe('By default the writer, as they are called when it is read'),
    categoryId: idOf('categories').nullish(),
    content: z.array(paragraph).max(500).default([]),
    cover: inOneLine(keptText(255)).describe(COVER),
    status: ArticleStatus.default('draft'),
    summary: keptText(512),
    tags: z.array(text(32)).max(20).default([]),
  })
  .meta({ id: 'ArticleDraft' })
export type ArticleDraft = z.output<typeof ArticleDraft>

export const ArticlePatch = patchOf(ArticleDraft).meta({ id: 'ArticlePatch' })
export type ArticlePatch = z.output<typeof ArticlePatch> & Pick<Expected, 'ifMatch'>

export const ArticleQuery = pageQuery({
  keyword: Keyword,
  categoryId: idInPathOf('categories').optional(),
  status: ArticleStatus.optional(),
  sort: sortBy(),
})

export const ArticleView = z
  .object({
    id: view.id,
    title: view.text,
    author: view.maybePerson,
    category: view.text.describe('The name of the category; empty if there is none'),
    categoryId: view.maybeId,
    content: z.array(z.string()).describe('Paragraphs'),
    cover: view.maybeText.describe(
      'If it is a file of the tenant, everybody can read it while the article is published',
    ),
    date: z
      .string()
      .meta({ format: 'date' })
      .describe('The day (UTC) of its first publication, or of its creation if it was never published'),
    status: ArticleStatus,
    summary: view.maybeText,
    tags: z.array(z.string()),
    createdAt: view.instant,
    updatedAt: view.instant,
  })
  .meta({
    id: 'Article',
    examples: [
      {
        id: 8,
        title: 'What is new in November',
        category: 'Product news',
        categoryId: 1,
        content: ['Boards load twice as fast.', 'Comments can be hidden and shown again.'],
        cover: '/covers/november.webp',
        date: '2026-11-20',
        status: 'published',
        summary: 'Faster boards, calmer comments',
        tags: ['release'],
        author: 'Ada Lovelace',
      },
    ],
  })
export type ArticleView = z.output<typeof ArticleView>

export const ArticlePage = pageOf(ArticleView).meta({ id: 'ArticlePage' })

export const CategoryStatus = z.enum(['active', 'inactive']).meta({ id: 'CategoryStatus' })
export type CategoryStatus = z.infer<typeof CategoryStatus>

/** The word for all categories in the clients' filters; clients compare with exactly this word. */
export const EVERYTHING = '全部'
const meansEverything = (name: string) => name === EVERYTHING || name.toLowerCase() === 'all'

const MADE =
  'Lower-case letters and digits, separated by hyphens; other spellings are converted, and a missing slug is derived from the name'

export const CategoryDraft = z
  .object({
    name: text(64).refine((name) => !meansEverything(name), sentence('is reserved')),
    slug: slugSource.describe(MADE),
    description: keptText(255),
    status: CategoryStatus.default('active'),
  })
  .meta({ id: 'CategoryDraft' })
export type CategoryDraft = z.output<typeof CategoryDraft>

export const CategoryPatch = patchOf(CategoryDraft).meta({ id: 'CategoryPatch' })
export type CategoryPatch = z.output<typeof CategoryPatch>

export const CategoryQuery = arrayQuery({ ...sortedBy(['name', 'slug']) })

export const CategoryView = z
  .object({
    id: view.id,
    name: view.text,
    slug: view.text,
    description: view.maybeText,
    status: CategoryStatus,
    articleCount: z.number().int().describe('Articles that the caller may see'),
  })
  .meta({
    id: 'Category',
    examples: [{ id: 1, name: 'Product news', slug: 'product', description: 'What has changed', articleCount: 14 }],
  })
export type CategoryView = z.output<typeof CategoryView>

export const BlogQuery = z.object({
  page: clamped(1, 999_999_999, 1),
  pageSize: clamped(1, 100, 6),
  category: Keyword.transform((name) => (name && meansEverything(name) ? undefined : name)).describe(
    'The name of a category; 全部, All and an empty value mean all',
  ),
  keyword: Keyword,
})

export const PostView = z
  .object({
    id: view.id,
    title: view.text,
    author: view.text,
    category: view.text,
    content: written(z.array(z.string())),
    cover: view.text,
    date: z.string().meta({ format: 'date' }),
    excerpt: view.text,
    tags: z.array(z.string()),
  })
  .meta({
    id: 'BlogPost',
    examples: [
      {
        id: 8,
        title: 'What is new in November',
        author: 'Ada Lovelace',
        category: 'Product news',
        content: ['Boards load twice as fast.', 'Comments can be hidden and shown again.'],
        cover: '/covers/november.webp',
        date: '2026-11-20',
        excerpt: 'Faster boards, calmer comments',
        tags: ['release'],
      },
    ],
  })
export type PostView = z.output<typeof PostView>

export const BlogView = pageOf(PostView)
  .extend({ categories: z.array(z.string()).describe('The choices of a filter; the first one means all') })
  .meta({ id: 'BlogPage', examples: [{ categories: [EVERYTHING, 'Product news'] }] })
