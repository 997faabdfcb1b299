import { parseArgs } from 'node:util'
import type { PageRequest } from '../src/kernel/page.ts'
import { GROWING_LISTS, type GrowingList, growthOf, PAGE } from '../tools/growth.ts'
import { heard } from '../tools/plans.ts'
import { type Filled, withDatabases } from './reads.ts'

const USAGE = `npm run bench -- growth [options]

What PostgreSQL does for a page of each list in a tenant of so many rows, as the service and behind row security: blocks
that are touched, and ms. The first page, the same with its total, and one near the end.

  --rows 1000,10000,100000
`
const TENANT = 7

const { values } = parseArgs({
  options: { rows: { type: 'string', default: '1000,10000,100000' }, help: { type: 'boolean', default: false } },
})
if (values.help) console.log(USAGE)
else await main(values.rows.split(',').map(Number))

async function main(sizes: number[]) {
  const fills = sizes.map((rows) => async (owner: Filled['owner']) => {
    for (const statement of growthOf(TENANT, rows).split(/;\n/)) await owner.query(statement)
    return TENANT
  })
  await withDatabases(fills, async (databases) => {
    console.log(`blocks / ms${' '.repeat(19)}${sizes.map((rows) => `${rows} rows`.padEnd(48)).join('')}`)
    for (const list of GROWING_LISTS) {
      const figures: string[] = []
      for (const filled of databases) for (const part of pagesOf(list)) figures.push(await costOf(filled, list, part))
      console.log(list.title.padEnd(30) + figures.map((figure) => figure.padEnd(list.isPage ? 24 : 16)).join(''))
    }
  })
}

function pagesOf({ isPage }: GrowingList): PageRequest[] {
  const first = { limit: PAGE, offset: 0, before: undefined, counted: false }
  return [first, { ...first, counted: true }, ...(isPage ? [] : [{ ...first, before: 500 }])]
}

async function costOf({ owner, database, tenantId }: Filled, list: GrowingList, part: PageRequest): Promise<string> {
  let [blocks, ms] = [0, 0]
  for (const { prepared, values } of await heard(database, tenantId, (scope) => list.read(scope, part))) {
    await owner.query('begin')
    const entered = [database.role, String(tenantId)]
    await owner.query(`select set_config('role', $1, true), set_config('app.tenant_id', $2, true)`, entered)
    const explain = `explain (analyze, buffers, format json) ${prepared.text}`
    const { rows } = await owner.query(explain, values as unknown[])
    await owner.query('rollback')
    const [{ Plan, 'Execution Time': time }] = rows[0]['QUERY PLAN']
    blocks += Plan['Shared Hit Blocks'] + Plan['Shared Read Blocks']
    ms += time
  }
  return `${blocks} / ${ms.toFixed(1)}`
}
