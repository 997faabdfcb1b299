import pg from 'pg'
import pino from 'pino'
import { findRoleFacts } from '../../src/data/setup/service-role.ts'
import { openScope } from '../../src/data/tx/open-scope.ts'
import { type Database, openDatabase } from '../../src/data/wire/database.ts'
import { Fault } from '../../src/kernel/fault.ts'
import type { PageRequest } from '../../src/kernel/page.ts'
import { type GrowingList, PAGE } from '../../tools/growth/list.ts'
import { GROWING_LISTS } from '../../tools/growth/lists.ts'
import { FAMILIES, type Family, tenantOf } from '../../tools/growth/rows.ts'
import { heard } from '../../tools/plans.ts'
import { withThrowawayDatabase } from '../../tools/throwaway.ts'
import { median } from '../rounds.ts'

/** What a page of a list costs in a tenant with this many rows. */
export interface Cost {
  list: string
  family: Family
  part: string
  rows: number
  /** blocks of PostgreSQL that are touched */
  blocks: number
  /** the median of some readings, by the service */
  p50: number
}

const LARGE = 7
const SMALL = { tenant: 8, rows: 1000 }
const READINGS = 15

const first: PageRequest = { limit: PAGE, before: undefined, counted: false }
const PARTS: [title: string, tenant: number, PageRequest, isFor: (list: GrowingList) => boolean][] = [
  ['first', LARGE, first, () => true],
  ['total', LARGE, { ...first, counted: true }, () => true],
  ['deep', LARGE, { ...first, before: 500 }, ({ isPage }) => !isPage],
  ['by number', LARGE, { ...first, page: 4000 }, () => true],
  ['beside', SMALL.tenant, first, () => true],
]

/**
 * For each list: its first page, the same with its total, one near the end by an id, one behind 79 980 rows by its
 * number, and the first page in a tenant of a thousand rows beside it; while its tables grow from size to size. One
 * family of tables after the other, so that the largest fit on a disk.
 */
export async function growRows(sizes: number[], families: Family[], told: (cost: Cost) => void) {
  for (const family of families)
    await withThrowawayDatabase(async (url) => {
      const owner = new pg.Client({ connectionString: url })
      await owner.connect()
      await prepare(owner, family)
      const database = await openDatabase({
        ...{ url, role: (await findRoleFacts(owner)).role, log: pino({ level: 'silent' }) },
        ...{ readConnections: 1, writeConnections: 1, transactionConnections: 1, flightTimeout: 60_000 },
      })
      let last = 0
      for (const rows of sizes) {
        await grow(owner, family, last + 1, rows)
        last = rows
        for (const list of GROWING_LISTS.filter((one) => one.family === family))
          for (const [part, tenant, request, isFor] of PARTS)
            if (isFor(list)) {
              const cost = await costOf(owner, database, tenant, list, request).catch(tooCostly)
              if (cost) told({ list: list.title, family, part, rows, ...cost })
            }
      }
      await database.close()
      await owner.end()
    })
}

async function prepare(owner: pg.Client, family: Family) {
  await owner.query(`set synchronous_commit = off; set session_replication_role = replica`)
  await owner.query(`set maintenance_work_mem = '512MB'`)
  const small = [...tenantOf(SMALL.tenant), ...FAMILIES[family].fill(SMALL.tenant, 1, SMALL.rows)]
  for (const statement of [...tenantOf(LARGE), ...small]) await owner.query(statement)
  await owner.query('vacuum (analyze)')
}

/** Many rows are inserted without their indexes, which are rebuilt afterwards: a third of the time. */
async function grow(owner: pg.Client, family: Family, first: number, last: number) {
  const { tables, fill } = FAMILIES[family]
  const own = `indrelid = any('{${tables.join()}}'::regclass[])`
  await owner.query(`update pg_index set indisready = false, indisvalid = false where ${own}`)
  for (const statement of fill(LARGE, first, last)) await owner.query(statement)
  await owner.query(`update pg_index set indisready = true, indisvalid = true where ${own}`)
  for (const table of tables) await owner.query(`reindex table ${table}`)
  for (const table of tables) await owner.query(`vacuum (analyze) ${table}`)
}

/** A read that exceeds the service's time limit is not a point of a curve. */
function tooCostly(error: unknown): undefined {
  if (!(error instanceof Fault && error.type === 'TOO_COSTLY')) throw error
}

async function costOf(
  owner: pg.Client,
  database: Database,
  tenant: number,
  list: GrowingList,
  request: PageRequest,
): Promise<Pick<Cost, 'blocks' | 'p50'>> {
  let blocks = 0
  for (const { prepared, values } of await heard(database, tenant, (scope) => list.read(scope, request))) {
    await owner.query('begin')
    const entered = [database.role, String(tenant)]
    await owner.query(`select set_config('role', $1, true), set_config('app.tenant_id', $2, true)`, entered)
    const explain = `explain (analyze, buffers, timing off, format json) ${prepared.text}`
    const { rows } = await owner.query(explain, values as unknown[])
    await owner.query('rollback')
    const [{ Plan }] = rows[0]['QUERY PLAN']
    blocks += Plan['Shared Hit Blocks'] + Plan['Shared Read Blocks']
  }
  const times: number[] = []
  for (const begun = performance.now(); times.length < READINGS && performance.now() - begun < 3000; ) {
    const start = performance.now()
    await list.read(openScope(database, tenant), request)
    times.push(performance.now() - start)
  }
  return { blocks, p50: median(times) }
}
