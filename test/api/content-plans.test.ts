import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { seesEverything } from '../../src/atrium/visibility.ts'
import type { Scope } from '../../src/data/tx/scope.ts'
import { listPublishedComments } from '../../src/domains/comments/comments.store.ts'
import { getCategory, listCategories } from '../../src/domains/content/categories.store.ts'
import { getArticle, listArticles, PUBLISHED } from '../../src/domains/content/content.store.ts'
import { onEachServer } from '../support/database.ts'
import { openPlanner, type Planner } from '../support/plans.ts'
import { openWorld, type World } from '../support/world.ts'

const TENANTS = 50
const ARTICLES = 1000

let world: World
let planner: Planner
let tenantId: number
let categoryId: number
beforeAll(async () => {
  world = await openWorld()
  planner = await openPlanner(world)
  await world.look.rows(`
    with made as (
      insert into tenants (name, code, plan) select 'T' || n, 'full-' || n, 'test' from generate_series(1, ${TENANTS}) n returning id),
    sorted as (
      insert into categories (tenant_id, name, slug, created_at, updated_at)
      select id, 'C' || n, 'c' || n, now(), now() from made, generate_series(1, 8) n returning tenant_id, id),
    grouped as (select tenant_id, array_agg(id) as ids from sorted group by 1)
    insert into articles (tenant_id, title, author, category_id, content, date, status, summary, created_at, updated_at)
    select tenant_id, 'Article ' || n, 'Author ' || n % 20, ids[1 + n % 8], array[repeat('word ', 60), repeat('more ', 60)],
           date '2020-01-01' + n, case n % 5 when 0 then 'draft' else 'published' end, md5(n::text), now(), now()
      from grouped, generate_series(1, ${ARTICLES}) n`)
  await world.look.rows(`
    insert into comments (tenant_id, article_id, user_id, content, created_at)
    select tenant_id, id, 1, 'Well said', now() from articles where id % 10 = 0`)
  await onEachServer(world.databaseUrl, 'analyze')
  const [last] = await world.look.rows(
    `select tenant_id::float8, category_id::float8 from articles order by tenant_id desc limit 1`,
  )
  tenantId = last!.tenant_id
  categoryId = last!.category_id
})
afterAll(async () => {
  await planner.close()
  await world.close()
})

const ALL = seesEverything('an editor sees them all')
const window = (page = 1) => ({ limit: 6, page, before: undefined, counted: true })
const hot: [string, (scope: Scope) => Promise<unknown>][] = [
  ['the first page of the blog', (scope) => listArticles(scope, PUBLISHED, window())],
  ['a later page', (scope) => listArticles(scope, PUBLISHED, window(101))],
  ['a page past the end', (scope) => listArticles(scope, PUBLISHED, window(1001))],
  ['a category of the blog', (scope) => listArticles(scope, { ...PUBLISHED, category: 'C3' }, window())],
  ['a search in the blog', (scope) => listArticles(scope, { ...PUBLISHED, pattern: '%article 77%' }, window())],
  ["the editors' list", (scope) => listArticles(scope, ALL, window())],
  ['drafts', (scope) => listArticles(scope, { ...ALL, status: 'draft' }, window())],
  ['a category', (scope) => listArticles(scope, { ...ALL, categoryId, status: 'published' }, window())],
  ['one article', (scope) => getArticle(scope, { ...ALL, id: 500 }).catch(() => undefined)],
  ['categories with their counts', (scope) => listCategories(scope, PUBLISHED, window())],
  ['one category', (scope) => getCategory(scope, { ...ALL, id: categoryId })],
  ['comments', (scope) => listPublishedComments(scope, { articleId: 500 }, window())],
]

describe('among fifty tenants with a thousand articles each', () => {
  test.each(hot)('%s is read without looking at what belongs to others', async (_, read) => {
    for (const plan of await planner.plansOf(tenantId, read))
      expect(plan).not.toMatch(/Seq Scan on (articles|comments)/)
  })
})
