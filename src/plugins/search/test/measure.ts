import { parseArgs } from 'node:util'
import pg from 'pg'
import pino from 'pino'
import { heard } from '../../../../tools/plans.ts'
import { withThrowawayDatabase } from '../../../../tools/throwaway.ts'
import { findRoleFacts } from '../../../data/setup/service-role.ts'
import { openScope } from '../../../data/tx/open-scope.ts'
import { type Database, openDatabase } from '../../../data/wire/database.ts'
import { indexNext } from '../indexing.ts'
import { search } from '../search.actions.ts'

/**
 * What a search costs in a tenant of so many tasks, as the service and behind row security: ms, and blocks of PostgreSQL
 * that are touched; and what its index costs for each task.
 *
 *   node bin/run.js src/plugins/search/test/measure.ts --rows 1000,100000
 *
 * Tasks have twelve words of a vocabulary in which few words are frequent, one that every task has, and one that no other
 * task has. `--rows 1000000` takes half an hour and 5 GB of disk for a while.
 */
const { values } = parseArgs({ options: { rows: { type: 'string', default: '1000,100000' } } })
const TIMES = 21
/** Of which the rest of the index is written by SQL, which is quicker than by the job. */
const BY_THE_JOB = 2000
const PROJECTS = 100
const SILENT = pino({ level: 'silent' })

const ADMINISTRATOR = {
  id: 1,
  isAdministrator: true,
  permissions: new Set(['project:list', 'content:list', 'file:manage']),
}
/** A member of one of the projects. */
const MEMBER = { ...ADMINISTRATOR, id: 2, isAdministrator: false, permissions: new Set(['project:list']) }

const SEARCHES: readonly [string, string][] = [
  ['a rare word', '"unique17"'],
  ['two words, one of them rare', 'everywhere "unique17"'],
  ['a word of one in a hundred', 'w50'],
  ['the commonest word', 'everywhere'],
  ['two common words', 'everywhere w1'],
  ['two common words in order', '"everywhere w1"'],
  ['the first letter of many', 'w'],
  ['all letters but the last, of a thousand', 'unique17'],
  ['a word that nothing has', 'absent'],
]

for (const rows of values.rows.split(',').map(Number))
  await withThrowawayDatabase(async (url) => {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    const { role } = await findRoleFacts(client)
    const database = await openDatabase({
      ...{ url, role, log: SILENT, readConnections: 2, writeConnections: 2, transactionConnections: 4 },
      flightTimeout: 60_000,
    })
    try {
      await fill(client, rows)
      await index(client, database, rows)
      console.log(
        `${rows} tasks${' '.repeat(30)}administrator           member of one project   blocks, ms of PostgreSQL alone`,
      )
      for (const [title, q] of SEARCHES) {
        const [ofAll, ofMember] = [await timed(database, ADMINISTRATOR, q), await timed(database, MEMBER, q)]
        const blocks = await blocksOf(client, database, role, q)
        const figures = [ofAll, ofMember]
          .map(({ ms, found }) => `${ms.toFixed(1)} ms, ${found} found`.padEnd(24))
          .join('')
        console.log(`  ${title.padEnd(42)}${figures}${blocks}`)
      }
    } finally {
      await database.close()
      await client.end()
    }
  })
process.exit()

async function fill(client: pg.Client, rows: number) {
  const words = Array.from({ length: 10 }, (_, at) => `'w' || floor(power(20000, random() + 0 * n * ${at}))::int`)
  for (const statement of [
    `insert into tenants (id, name, code, plan) values (7, 'Growing', 'growing', 'x')`,
    `insert into users (tenant_id, id, username, password_hash, look, skeleton)
     select 7, n, 'user-' || n, '-', 'user-' || n, 'user-' || n from generate_series(1, 2) n`,
    `insert into projects (tenant_id, id, name, code, owner_id, created_at, updated_at)
     select 7, n, 'Project ' || n, 'P' || n, 1, now(), now() from generate_series(1, ${PROJECTS}) n`,
    `insert into project_members (tenant_id, project_id, user_id, created_at) values (7, 5, 2, now())`,
    `insert into tasks (tenant_id, id, project_id, title, description, reporter_id, created_at, updated_at)
     select 7, n, 1 + n % ${PROJECTS}, 'Everywhere ' || ${words.slice(0, 3).join(` || ' ' || `)} || ' unique' || n,
            ${words.slice(3).join(` || ' ' || `)}, 1, now() - n * interval '1 second', now() - n * interval '1 second'
       from generate_series(1, ${rows}) n`,
    'vacuum (analyze)',
  ])
    await client.query(statement)
}

async function index(client: pg.Client, database: Database, rows: number) {
  const start = performance.now()
  const isOver = async () =>
    (await client.query(`select built_up_to >= ${BY_THE_JOB} and building like 'task%' as so from search_cursors`))
      .rows[0]?.so
  while ((await indexNext(database, 7)) && !(await isOver()));
  const took = performance.now() - start
  console.log(
    `the index of ${Math.min(rows, BY_THE_JOB)} tasks by the job: ${(took / Math.min(rows, BY_THE_JOB)).toFixed(2)} ms for each`,
  )
  const wordsOf = (column: string) => `regexp_split_to_table(lower(${column}), ' ')`
  for (const statement of [
    `insert into search_entries
     select 7, 'task', id, array(select distinct ${wordsOf('title')}), array(select distinct ${wordsOf('description')}), updated_at
       from tasks where tenant_id = 7 on conflict do nothing`,
    `insert into search_words
     select 7, 'task', word, max(place), id from (
       select id, 1 as place, ${wordsOf('title')} as word from tasks where tenant_id = 7
       union all select id, 0, ${wordsOf('description')} from tasks where tenant_id = 7) words
      group by word, id order by word collate "C", max(place), id on conflict do nothing`,
    'vacuum (analyze)',
  ])
    await client.query(statement)
  const { rows: sizes } = await client.query(
    `select relname, pg_size_pretty(pg_total_relation_size(oid)) as size, reltuples::bigint as rows
       from pg_class where relname in ('search_entries', 'search_words', 'tasks')`,
  )
  for (const { relname, size, rows: count } of sizes) console.log(`  ${relname}: ${count} rows, ${size}`)
}

async function timed(database: Database, person: object, q: string) {
  const times: number[] = []
  let found = 0
  for (let time = 0; time < TIMES; time++) {
    const start = performance.now()
    found = (await search(openScope(database, 7), person as never, { q, limit: 20 })).length
    times.push(performance.now() - start)
  }
  return { ms: times.toSorted((one, other) => one - other)[Math.floor(TIMES / 2)]!, found }
}

/** The blocks of all statements of a search, and their ms without anything else. */
async function blocksOf(client: pg.Client, database: Database, role: string, q: string): Promise<string> {
  let [blocks, ms] = [0, 0]
  for (const { prepared, values } of await heard(database, 7, (scope) =>
    search(scope, ADMINISTRATOR as never, { q, limit: 20 }),
  )) {
    await client.query('begin')
    await client.query(`select set_config('role', $1, true), set_config('app.tenant_id', '7', true)`, [role])
    const { rows } = await client.query(
      `explain (analyze, buffers, timing off, format json) ${prepared.text}`,
      values as unknown[],
    )
    await client.query('rollback')
    const [{ Plan: plan, 'Execution Time': took }] = rows[0]['QUERY PLAN']
    ms += took
    blocks += plan['Shared Hit Blocks'] + plan['Shared Read Blocks']
  }
  return `${blocks}, ${ms.toFixed(1)} ms`
}
