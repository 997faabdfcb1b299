import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findRoleFacts } from '../../src/data/setup/service-role.ts'
import type { PageRequest } from '../../src/kernel/page.ts'
import { GROWING_LISTS, type GrowingList, growthOf, PAGE } from '../../tools/growth.ts'
import { heard } from '../../tools/plans.ts'
import { openWorld, type World } from '../support/world.ts'

const SMALL = { tenant: 5001, rows: 10_000 }
const LARGE = { tenant: 5002, rows: 40_000 }
/** What a plan that was chosen for other figures may read more: nothing that grows with the rows. */
const SLACK = { factor: 2, rows: 200 }

let world: World
let client: pg.Client
beforeAll(async () => {
  world = await openWorld()
  client = new pg.Client({ connectionString: world.databaseUrl })
  await client.connect()
  for (const { tenant, rows } of [SMALL, LARGE])
    for (const statement of growthOf(tenant, rows).split(/;\n/)) await client.query(statement)
}, 180_000)
afterAll(async () => {
  await client?.end()
  await world?.close()
})

const request = (part: Partial<PageRequest>): PageRequest => ({
  ...{ limit: PAGE, offset: 0, before: undefined, counted: false },
  ...part,
})

/** The rows that PostgreSQL looks at for all that a read asks, as the service and behind row security. */
async function rowsReadBy(tenant: number, list: GrowingList, part: PageRequest): Promise<number> {
  const { role } = await findRoleFacts(client)
  let read = 0
  for (const { prepared, values } of await heard(world.database, tenant, (scope) => list.read(scope, part))) {
    await client.query('begin')
    await client.query(`select set_config('role', $1, true), set_config('app.tenant_id', $2, true)`, [
      role,
      `${tenant}`,
    ])
    const { rows } = await client.query(
      `explain (analyze, timing off, format json) ${prepared.text}`,
      values as unknown[],
    )
    await client.query('rollback')
    read += rowsIn(rows[0]['QUERY PLAN'][0].Plan)
  }
  return read
}

/** Those that come out of tables and indexes, and those that are dropped at once. */
function rowsIn(node: any): number {
  const isScan = node['Relation Name'] !== undefined || node['Index Name'] !== undefined
  const own = isScan ? node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0) : 0
  return own * node['Actual Loops'] + (node.Plans ?? []).reduce((sum: number, inner: any) => sum + rowsIn(inner), 0)
}

const pages: [string, PageRequest, (list: GrowingList) => boolean][] = [
  ['the first page', request({}), () => true],
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
