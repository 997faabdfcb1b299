import {
  columnsOf,
  countUpTo,
  except,
  type From,
  find,
  list,
  lock,
  matches,
  only,
  paginate,
  type RowOf,
  sql,
  write,
} from '#atrium'
import { contentFaults } from './content.rules.ts'
import { type SeesArticles, visibleArticles } from './content.store.ts'

const categoryNames = ['id', 'name', 'slug', 'description', 'status'] as const
const categoryColumns = columnsOf('categories', categoryNames)
const categoryChangeable = [...except(categoryNames, ['id']), 'nameSkeleton', 'slugSkeleton', 'updatedAt'] as const

const articlesIn = (from: From, p: SeesArticles) =>
  visibleArticles(from, p).where(matches('articles.categoryId', 'categories.id'))

/** A list counts a category's articles up to here; one more shows that there are more. */
export const MOST_ARTICLES_COUNTED = 1000

export const listCategories = paginate(
  (from, p: SeesArticles) =>
    from('categories')
      .select(categoryColumns)
      .select(
        countUpTo(
          MOST_ARTICLES_COUNTED + 1,
          articlesIn(from, p).orderBy('articles.placedAt').orderBy('articles.id'),
        ).as('articleCount'),
      ),
  'categories.id',
  'oldest',
  { sorts: { name: 'categories.name', slug: 'categories.slug' } },
)

export const getCategory = find((from, p: SeesArticles & { id: number }) =>
  from('categories')
    .select(categoryColumns)
    .select(
      sql<number>`(${articlesIn(from, p).select((eb) => eb.fn.countAll<number>().as('count'))})`.as('articleCount'),
    )
    .where('categories.id', '=', p.id),
).or(contentFaults.categoryNotFound)

export const getCategoryName = find((from, p: { id: number }) =>
  from('categories').select('categories.name').where('categories.id', '=', p.id),
).or(contentFaults.categoryNotFound)

/** The slugs that begin as one of these patterns says, or look so. */
export const listCategorySlugs = list((from, p: { pattern: string; skeletons: string }) =>
  from('categories')
    .select(['categories.id', 'categories.slug'])
    .where((eb) =>
      eb.or([eb('categories.slug', 'like', p.pattern), eb('categories.slugSkeleton', 'like', p.skeletons)]),
    ),
)

export const MOST_CATEGORY_NAMES = 500

/** Names of the categories that readers may choose; one more than is shown means that there are more. */
export const listCategoryNames = list((from, _: object) =>
  from('categories')
    .select('categories.name')
    .where('categories.status', '=', 'active')
    .orderBy('categories.id')
    .limit(MOST_CATEGORY_NAMES + 1),
)

/** For a change of the category: an article that is being added to it is seen, or waits and sees the change. */
export const lockCategory = lock((from, p: { id: number }) =>
  from('categories').select(categoryColumns).where('categories.id', '=', p.id).forUpdate(),
)

const nameTaken = () => contentFaults.categoryTaken([{ path: 'body.name', message: 'another category has this name' }])
const slugTaken = () => contentFaults.categoryTaken([{ path: 'body.slug', message: 'another category has this slug' }])

const conflicts = {
  categories_name_taken: nameTaken,
  categories_name_skeleton_taken: nameTaken,
  categories_slug_taken: slugTaken,
  categories_slug_skeleton_taken: slugTaken,
}

export const insertCategory = write(({ insert }, p: RowOf<'categories'>) => insert('categories', p), {
  announces: 'content',
  conflicts,
})

/** Inserts a category unless its id, name or slug exists. */
export const seedCategory = write(({ insert }, p: RowOf<'categories'>) =>
  insert('categories', p).onConflict((conflict) => conflict.doNothing()),
)

export const saveCategory = write(
  ({ update }, p: RowOf<'categories', 'createdAt'>) =>
    update('categories').set(only(p, categoryChangeable)).where('categories.id', '=', p.id),
  { announces: 'content', conflicts },
)

export const removeCategory = write(
  ({ remove }, p: { id: number }) => remove('categories').where('categories.id', '=', p.id),
  { announces: 'content' },
)
