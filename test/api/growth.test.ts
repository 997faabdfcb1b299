import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findRoleFacts } from '../../src/data/setup/service-role.ts'
import { listReachableAt } from '../../src/domains/people/credentials.store.ts'
import { listOpenTasks } from '../../src/domains/tasks/tasks.store.ts'
import { FIRST_TENANT } from '../../src/kernel/actor.ts'
import type { PageRequest } from '../../src/kernel/page.ts'
import { type GrowingList, PAGE } from '../../tools/growth/list.ts'
import { GROWING_LISTS } from '../../tools/growth/lists.ts'
import { FAMILIES, growthOf } from '../../tools/growth/rows.ts'
import { heard } from '../../tools/plans.ts'
import { openPlanner, planOnShard, withValues } from '../support/plans.ts'
import { holderOf } from '../support/servers.ts'
import { forTables, tablesIn } from '../support/tables.ts'
import { vacuumed } from '../support/vacuumed.ts'
import { openWorld } from '../support/world.ts'

const SMALL = { tenant: 5001, rows: 10_000 }
/** On a cluster, its rows are in the same shard. */
const LARGE = { tenant: 5003, rows: 40_000 }
/** What a plan that was chosen for other figures may read more: nothing that grows with the rows. */
const SLACK = { factor: 2, rows: 200 }

const world = await openWorld()
const planner = await openPlanner(world)
let client: pg.Client
/** Where the rows of both tenants are. */
let node: pg.Client
let role: string
beforeAll(async () => {
  client = await connect(world.databaseUrl)
  const there = await tablesIn(world.look)
  for (const { tenant, rows } of [SMALL, LARGE])
    for (const statement of forTables(there, growthOf(tenant, rows))) await client.query(statement)
  const tables = Object.values(FAMILIES).flatMap((family) => family.tables)
  await vacuumed(
    world.databaseUrl,
    tables.filter((table) => there.has(table)),
  )
  role = (await findRoleFacts(client)).role
  node = await connect(await holderOf(world.databaseUrl, SMALL.tenant))
})
afterAll(async () => {
  await client?.end()
  await node?.end()
})

async function connect(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  return client
}

const request = (part: Partial<PageRequest>): PageRequest => ({
  ...{ limit: PAGE, before: undefined, counted: false },
  ...part,
})

/** What PostgreSQL does for each statement that a read sends, as the service and behind row security. */
async function donePlans(tenant: number, list: GrowingList, part: PageRequest): Promise<any[]> {
  const plans: any[] = []
  for (const { prepared, values } of await heard(world.database, tenant, (scope) => list.read(scope, part))) {
    await node.query('begin')
    await node.query(`select set_config('role', $1, true)`, [role])
    // Citus sends what it analyses through a connection of its own, and there only what `set local` has set.
    await node.query(`set local app.tenant_id = '${tenant}'`)
    const { rows } = await node.query(`explain (analyze, timing off, format json) ${withValues(prepared.text, values)}`)
    await node.query('rollback')
    plans.push(planOnShard(rows[0]['QUERY PLAN'][0].Plan))
  }
  return plans
}

/** The rows that it looks at for all that a read asks, of all tables or of one. */
async function rowsReadBy(tenant: number, list: GrowingList, part: PageRequest, table?: string): Promise<number> {
  const plans = await donePlans(tenant, list, part)
  return plans.reduce((sum, plan) => sum + rowsIn(plan, table), 0)
}

/** Those that come out of tables and indexes, and those that are dropped immediately. */
function rowsIn(node: any, table?: string): number {
  const isScan = node['Relation Name'] !== undefined || node['Index Name'] !== undefined
  const isMeant = isScan && (table === undefined || node['Relation Name'] === table)
  const own = isMeant ? node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0) : 0
  return (
    own * node['Actual Loops'] + (node.Plans ?? []).reduce((sum: number, inner: any) => sum + rowsIn(inner, table), 0)
  )
}

function* nodesOf(node: any): Generator<any> {
  yield node
  for (const inner of node.Plans ?? []) yield* nodesOf(inner)
}

const pages: [string, PageRequest, (list: GrowingList) => boolean][] = [
  ['the first page with its total', request({ counted: true }), () => true],
  ['a deep page', request({ before: 100 }), ({ isPage }) => !isPage],
]

describe.each(pages)('%s', (_, part, isFor) => {
  test.each(GROWING_LISTS.filter((list) => !list.isSearch && isFor(list)).map((list) => [list.title, list] as const))(
    'of %s reads as many of 40 000 rows as of 10 000',
    async (_, list) => {
      const small = await rowsReadBy(SMALL.tenant, list, part)
      const large = await rowsReadBy(LARGE.tenant, list, part)
      expect(large, `${small} read of ${SMALL.rows}`).toBeLessThanOrEqual(SLACK.factor * small + SLACK.rows)
    },
  )
})

test.each(GROWING_LISTS.map((list) => [list.title, list] as const))(
  '%s: a tenant with little looks at nothing of the others',
  async (_, list) => {
    // A look at every row would be at 50 000.
    expect(await rowsReadBy(FIRST_TENANT, list, request({ counted: true }))).toBeLessThan(1000)
  },
)

/** Whether a person sees a row, or has to decide on it, is looked up for each row before a page as well. */
const FOUND_ROW_BY_ROW = ['tasks of one with many, by due date', 'to decide of one with many']

describe('a page by its number, with two thousand rows before it', () => {
  const numbered = GROWING_LISTS.filter(({ isSearch, title }) => !isSearch && !FOUND_ROW_BY_ROW.includes(title))
  test.each(numbered.map((list) => [list.title, list] as const))(
    'of %s looks up what a row shows for its own rows alone',
    async (_, list) => {
      const plans = await donePlans(SMALL.tenant, list, request({ page: 101 }))
      const looks = plans.flatMap((plan) => [...nodesOf(plan)].map((node) => node['Actual Loops']))
      expect(Math.max(...looks)).toBeLessThanOrEqual(PAGE + 1)
    },
  )
})

const named = (title: string) => GROWING_LISTS.find((list) => list.title === title)!

test.each(['search: projects', 'search: archived projects', 'search: approvals by status'])(
  '%s looks up the names of those that it finds, not of all that it looks at',
  async (title) => {
    expect(await rowsReadBy(SMALL.tenant, named(title), request({}), 'users')).toBeLessThan(SLACK.rows)
  },
)

test('comments are counted without a look at who wrote them', async () => {
  const read = await rowsReadBy(LARGE.tenant, named('comments of a task'), request({ counted: true }), 'users')
  expect(read).toBeLessThan(SLACK.rows)
})

test('the texts of a page of posts are read for its rows alone, however many stand before it', async () => {
  const plans = await donePlans(SMALL.tenant, named('the blog'), request({ page: 101 }))
  expect(plans, 'where the page begins, and its rows').toHaveLength(2)
  const byId = plans.flatMap((plan) => [...nodesOf(plan)].filter((node) => node['Index Name'] === 'articles_pkey'))
  const read = byId.map((node) => node['Actual Rows'] * node['Actual Loops'])
  expect(read, 'its rows, and two texts of each').toHaveLength(3)
  for (const rows of read) expect(rows).toBeLessThanOrEqual(PAGE + 1)
})

test('the articles of a category are counted in an index, without a look at their rows', async () => {
  const [plan] = await donePlans(LARGE.tenant, named('categories'), request({}))
  const scans = JSON.stringify(plan).matchAll(/"Node Type":"([\w ]+)"[^{}]*"Relation Name":"articles"/g)
  expect([...scans].map(([, kind]) => kind)).toEqual(['Index Only Scan'])
})

test('the people of an address are found by an index, in any case', async () => {
  const address = { email: 'Somebody@example.com', most: 5 }
  const [plan] = await planner.plansOf(LARGE.tenant, (scope) => listReachableAt(scope, address))
  expect(plan).toMatch(/Index Scan using users_by_email_key.*\n.*Index Cond: .*email_key = /)
})

test('the open tasks of a person come by an index that holds none of nobody, which so cost nothing there', async () => {
  const [plan] = await planner.plansOf(LARGE.tenant, (scope) => listOpenTasks(scope, { assigneeId: 2, most: 100 }))
  expect(plan).toMatch(/Index (Only )?Scan using tasks_of_assignee.*\n.*is_open = true/)
  const [index] = await world.look.rows(`select pg_get_indexdef('tasks_of_assignee'::regclass) as definition`)
  expect(index!.definition).toMatch(/WHERE \(assignee_id IS NOT NULL\)/)
})
