import { parseArgs } from 'node:util'
import type pg from 'pg'
import { seesEverything } from '../src/atrium/visibility.ts'
import { listCategories } from '../src/domains/content/categories.store.ts'
import { getArticle, listArticles, PUBLISHED } from '../src/domains/content/content.store.ts'
import { accessesOf } from '../tools/plans.ts'
import { p50sOf, plansOf, type Read, withDatabases } from './reads.ts'

const USAGE = `npm run bench -- content [options]

What it costs to read a tenant's articles: where there are none, where they are the only ones, and among those of
many tenants; and by which index each read comes to its rows. Ends with 1 when one looks at what belongs to others.

  --tenants 200   with --articles 1000 each
  --rounds 300    of each read, each database once in each
`
const ALL = seesEverything('an editor sees them all')
const window = (limit: number, offset = 0) => ({ limit, offset, before: undefined, counted: true })
const READS: Record<string, Read> = {
  "the editors' list": (scope) => listArticles(scope, ALL, window(10)),
  'drafts of it': (scope) => listArticles(scope, { ...ALL, status: 'draft' }, window(10)),
  'a category of it': (scope) => listArticles(scope, { ...ALL, categoryId: 3 }, window(10)),
  'a keyword in it': (scope) => listArticles(scope, { ...ALL, pattern: '%article 77%' }, window(10)),
  'the first page of the blog': (scope) => listArticles(scope, PUBLISHED, window(6)),
  'page 100 of the blog': (scope) => listArticles(scope, PUBLISHED, window(6, 594)),
  'a category of the blog': (scope) => listArticles(scope, { ...PUBLISHED, category: 'C3' }, window(6)),
  'a keyword in the blog': (scope) => listArticles(scope, { ...PUBLISHED, pattern: '%article 77%' }, window(6)),
  'one article': (scope) => getArticle(scope, { id: 500, ...PUBLISHED }),
  'categories with counts': (scope) => listCategories(scope, PUBLISHED, window(500)),
}

const { values } = parseArgs({
  options: {
    tenants: { type: 'string', default: '200' },
    articles: { type: 'string', default: '1000' },
    rounds: { type: 'string', default: '300' },
    help: { type: 'boolean', default: false },
  },
})
if (values.help) console.log(USAGE)
else await main(Number(values.tenants), Number(values.articles), Number(values.rounds))

async function main(tenants: number, articles: number, rounds: number) {
  const fills = [filling(1, 0), filling(1, articles), filling(tenants, articles)]
  await withDatabases(fills, async (databases) => {
    console.log(`\np50 in ms of ${rounds} reads in turns, each one flight\n`)
    print('', ['no article', `${articles} alone`, `among ${tenants}`], 'found by')
    for (const [name, read] of Object.entries(READS)) {
      const times = await p50sOf(databases, read, rounds)
      const plan = await plansOf(databases[2]!, read)
      print(
        name,
        times.map((ms) => ms.toFixed(2)),
        accessesOf(plan),
      )
      if (/Seq Scan on articles/.test(plan)) process.exitCode = 1
    }
  })
}

function print(name: string, figures: string[], plan: string) {
  console.log(`${name.padEnd(28)}${figures.map((figure) => figure.padStart(14)).join('')}   ${plan}`)
}

/**
 * This many tenants with eight categories and this many articles each, of all tenants in turn, as they grow over time.
 */
function filling(tenants: number, articles: number) {
  return async (owner: pg.Client) => {
    await owner.query(
      `insert into tenants (id, name, code, plan) select 1 + n, 'T' || n, 'tenant-' || n, 'test' from generate_series(1, $1::int) n`,
      [tenants],
    )
    await owner.query(
      `insert into categories (tenant_id, id, name, slug, created_at, updated_at)
       select 1 + t, n, 'C' || n, 'c' || n, now(), now() from generate_series(1, $1::int) t, generate_series(1, 8) n`,
      [tenants],
    )
    await owner.query(
      `insert into articles (tenant_id, id, title, author, category_id, content, date, status, summary, created_at, updated_at)
       select 1 + t, n, 'Article ' || n, 'Author ' || n % 20, 1 + n % 8, array[repeat('word ', 60), repeat('more ', 60)],
              date '2020-01-01' + n, case n % 5 when 0 then 'draft' else 'published' end,
              'What it is about, in a sentence: ' || md5(n::text), now(), now()
         from generate_series(1, $2::int) n, generate_series(1, $1::int) t order by n, t`,
      [tenants, articles],
    )
    return 1 + Math.ceil(tenants / 2)
  }
}
