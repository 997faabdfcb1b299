import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { openPlanner, planOnShard, withValues } from '#test/plans.ts'
import { holderOf } from '#test/servers.ts'
import { vacuumed } from '#test/vacuumed.ts'
import { openWorld } from '#test/world.ts'
import { heard, planOf } from '../../../../tools/plans.ts'
import { findRoleFacts } from '../../../data/setup/service-role.ts'
import { listEntries, listEntryIds } from '../indexing.store.ts'
import { countPieces, listCandidates, REACH } from '../search.store.ts'

/** PostgreSQL finds words by an index, behind row security and in the role of the service. */
const TENANT = 5001
const TASKS = 30_000

const world = await openWorld()
const planner = await openPlanner(world)
const client = new pg.Client({ connectionString: await holderOf(world.databaseUrl, TENANT) })
await client.connect()
for (const statement of [
  // The service removes from the index of an open tenant what is not there.
  `insert into tenants (id, name, code, plan, status) values (${TENANT}, 'Growing', 'growing', 'x', 'disabled')`,
  `insert into search_entries select ${TENANT}, 'task', n, array['task', 'n' || n], '{}', now() from generate_series(1, ${TASKS}) n`,
  `insert into search_words select ${TENANT}, 'task', 'task', 1, n from generate_series(1, ${TASKS}) n`,
  `insert into search_words select ${TENANT}, 'task', 'n' || n, 1, n from generate_series(1, ${TASKS}) n`,
])
  await client.query(statement)
await vacuumed(world.databaseUrl, ['search_entries', 'search_words'])
afterAll(() => client.end())

const rare = { low: 'n4711', high: 'n4711' }
const common = { low: 'task', high: 'task' }
const one = ({ low, high }: typeof rare) => ({ type: 'task', low, high, lows: [low], highs: [high] })

test.each([
  ['a rare word', () => (scope: any) => listCandidates(scope, one(rare))],
  ['the commonest word', () => (scope: any) => listCandidates(scope, { ...one(common), isCommon: true })],
  ['a beginning', () => (scope: any) => listCandidates(scope, one({ low: 'n4', high: 'n4\u{10ffff}' }))],
  [
    'words that are counted',
    () => (scope: any) => countPieces(scope, { types: ['task'], lows: ['task'], highs: ['task'], most: 1 }),
  ],
])('%s: the condition of the index holds the word', async (_, read) => {
  for (const plan of await planner.plansOf(TENANT, read())) {
    expect(plan).toMatch(/Index Only Scan .*using search_words_pkey.*\n\s+Index Cond: .*word >= .*word <= /)
    expect(plan).not.toMatch(/Seq Scan/)
  }
})

test.each([
  ['entries by their ids', () => (scope: any) => listEntries(scope, { type: 'task', ids: [7, 8], most: 2 })],
  ['entries after an id', () => (scope: any) => listEntryIds(scope, { type: 'task', after: 100, most: 100 })],
])('%s are found by an index', async (_, read) => {
  for (const plan of await planner.plansOf(TENANT, read())) {
    expect(plan).toMatch(/search_entries_pkey/)
    expect(plan).not.toMatch(/Seq Scan/)
  }
})

test('words are removed by an index, however many there are', async () => {
  const text = `delete from search_words where tenant_id = $1 and type = $2 and (word, place, resource_id) in (
    select * from unnest($3::text[], $4::integer[], $5::bigint[]))`
  const { role } = await findRoleFacts(client)
  for (const forAny of [false, true]) {
    const values = [TENANT, 'task', ['task', 'n7'], [1, 1], [7, 7]]
    const plan = await planOf(client, TENANT, { prepared: { text } as never, values }, forAny, role)
    expect(plan).toMatch(/Index Scan using search_words_pkey/)
    expect(plan).not.toMatch(/Seq Scan/)
  }
})

test.each([
  ['a rare word', one(rare), 20],
  ['the commonest word', { ...one(common), isCommon: true as const }, 2 * REACH + 3000],
])('of %s no more rows are read than the bound says, however many have it', async (_, params, most) => {
  const [call] = await heard(world.database, TENANT, (scope) => listCandidates(scope, params))
  await client.query('begin')
  await client.query(`select set_config('role', $1, true)`, [(await findRoleFacts(client)).role])
  await client.query(`set local app.tenant_id = '${TENANT}'`)
  const { rows } = await client.query(
    `explain (analyze, timing off, format json) ${withValues(call!.prepared.text, call!.values)}`,
  )
  await client.query('rollback')
  expect(rowsIn(planOnShard(rows[0]['QUERY PLAN'][0].Plan))).toBeLessThanOrEqual(most)
})

/** The rows that come out of tables and indexes. */
function rowsIn(node: any): number {
  const own = node['Relation Name'] === undefined ? 0 : node['Actual Rows'] * node['Actual Loops']
  return own + (node.Plans ?? []).reduce((sum: number, inner: any) => sum + rowsIn(inner), 0)
}
