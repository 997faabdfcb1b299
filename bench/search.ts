import { parseArgs } from 'node:util'
import type pg from 'pg'
import { seesEverything } from '../src/atrium/visibility.ts'
import { listArticles } from '../src/domains/content/content.store.ts'
import { listTasks } from '../src/domains/tasks/lists.store.ts'
import { accessesOf } from '../tools/plans.ts'
import { type Filled, p50sOf, plansOf, type Read, withDatabases } from './reads.ts'

const USAGE = `npm run bench -- search [options]

What a search by keyword costs in a tenant of --rows articles and tasks and in one of fifty times as many, beside each
other: as the service does it; with trigram indexes, which row security keeps it from using, for ILIKE is not
leakproof; and with ILIKE declared leakproof, which takes a superuser and a change of the system's catalogue.

  --rows 1000
  --rounds 30     of each search
`
const SMALL = 2
const LARGE = 3
const TIMES = 50
const KEYWORDS = { 'found nowhere': 'zzzzqq', 'found in a few': 'a3f5', 'found in all': 'subject' }
const window = { limit: 10, offset: 0, before: undefined, counted: true }

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000' },
    rounds: { type: 'string', default: '30' },
    help: { type: 'boolean', default: false },
  },
})
if (values.help) console.log(USAGE)
else await main(Number(values.rows), Number(values.rounds))

async function main(rows: number, rounds: number) {
  await withDatabases([(owner) => fill(owner, rows)], async ([filled]) => {
    const { owner } = filled!
    await measure('as the service does it', filled!, rows, rounds)
    await owner.query('create extension pg_trgm')
    await owner.query(
      'create index on articles using gin (title gin_trgm_ops, author gin_trgm_ops, summary gin_trgm_ops)',
    )
    await owner.query('create index on tasks using gin (title gin_trgm_ops, description gin_trgm_ops)')
    await owner.query('vacuum (analyze)')
    await measure('with trigram indexes', filled!, rows, rounds)
    await owner.query('alter function texticlike(text, text) leakproof')
    await measure('with trigram indexes, ILIKE declared leakproof', filled!, rows, rounds)
  })
}

async function measure(title: string, filled: Filled, rows: number, rounds: number) {
  console.log(`\n${title}: p50 in ms of ${rounds}`)
  for (const [kind, read] of Object.entries({ articles: searchArticles, tasks: searchTasks }))
    for (const [rarity, keyword] of Object.entries(KEYWORDS))
      for (const tenantId of [SMALL, LARGE]) {
        const among = { ...filled, tenantId }
        const search = read(`%${keyword}%`)
        const [p50] = await p50sOf([among], search, rounds)
        const size = tenantId === SMALL ? rows : rows * TIMES
        const what = `${kind}, ${rarity}`.padEnd(26) + String(size).padStart(8)
        console.log(`  ${what} ${p50!.toFixed(2).padStart(10)}   ${accessesOf(await plansOf(among, search))}`)
      }
}

const ALL = seesEverything('an administrator searches')

function searchArticles(pattern: string): Read {
  return (scope) => listArticles(scope, { ...ALL, pattern }, window)
}

/** Each of the two tenants has one project, with the tenant's number, that has all its tasks. */
function searchTasks(pattern: string): Read {
  return (scope) => listTasks(scope, { ...ALL, projectId: scope.tenantId, pattern }, window)
}

async function fill(owner: pg.Client, rows: number): Promise<number> {
  await owner.query(
    `insert into tenants (id, name, code, plan) values (2, 'S', 'small', 'test'), (3, 'L', 'large', 'test')`,
  )
  for (const [tenant, count] of [
    [SMALL, rows],
    [LARGE, rows * TIMES],
  ]) {
    await owner.query(`insert into users (tenant_id, id, username, password_hash) values ($1, $1, 'u', '-')`, [tenant])
    await owner.query(
      `insert into projects (tenant_id, id, name, code, owner_id, created_at, updated_at) values ($1, $1, 'P', 'P', $1, now(), now())`,
      [tenant],
    )
    const text = `'A subject that matters, number ' || n || ', ' || md5(n::text)`
    await owner.query(
      `insert into articles (tenant_id, title, author, content, date, status, summary, created_at, updated_at)
       select $1, ${text}, 'Author ' || n % 20, array[repeat('word ', 100)], date '2020-01-01' + n / 50, 'published',
              'What it is about, in a sentence: ' || md5((7 * n)::text), now(), now()
         from generate_series(1, $2::int) n`,
      [tenant, count],
    )
    await owner.query(
      `insert into tasks (tenant_id, project_id, title, description, reporter_id, created_at, updated_at)
       select $1, $1, ${text}, repeat('What is to be done, and why it matters. ', 4) || md5((7 * n)::text), $1, now(), now()
         from generate_series(1, $2::int) n`,
      [tenant, count],
    )
  }
  return SMALL
}
