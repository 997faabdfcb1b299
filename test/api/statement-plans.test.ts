import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildStatements } from '../support/built-statements.ts'
import { cloneDatabase, SERVICE_ROLE } from '../support/database.ts'
import { expectNone } from '../support/expect-none.ts'
import { TEST_CITUS } from '../support/servers.ts'

/**
 * What the database makes of each statement of the stores. On a cluster, which TEST_CITUS names, it is one task on
 * the shard that holds the tenant, so that no tenant waits for another one's node.
 */

/** A value of each type of parameter, for planning alone. */
const SAMPLES: Record<string, string> = {
  bigint: '42',
  integer: '42',
  smallint: '4',
  numeric: '4',
  text: "'x'",
  boolean: 'true',
  date: "'2026-01-01'",
  'timestamp with time zone': "'2026-01-01'",
  'double precision': '1',
  interval: "'1 day'",
  jsonb: "'{}'",
}
const sampleOf = (type: string) => SAMPLES[type] ?? (type.endsWith('[]') ? "'{}'" : 'null')

let client: pg.Client
beforeAll(async () => {
  client = new pg.Client({ connectionString: await cloneDatabase() })
  await client.connect()
  await client.query(`select set_config('role', $1, false), set_config('app.tenant_id', '42', false)`, [SERVICE_ROLE])
  await client.query('set plan_cache_mode = force_custom_plan')
})
afterAll(() => client?.end())

test(`every statement can be planned${TEST_CITUS ? ', as one task on one shard' : ''}`, async () => {
  const { built } = await buildStatements()
  const names = new Map(built.map(({ name, text }) => [text, name]))
  expect(names.size).toBeGreaterThan(400)

  const wrong: string[] = []
  for (const [sql, name] of names) {
    // What would set nothing is never sent.
    if (/ set +where /.test(sql)) continue
    const found = await whatIsWrong(sql)
    if (found) wrong.push(`${name} ${found}`)
  }
  expectNone(wrong)
})

/** @returns undefined if the statement is one task, or touches no table of a tenant */
async function whatIsWrong(sql: string): Promise<string | undefined> {
  try {
    await client.query(`prepare it as ${sql}`)
    const { rows } = await client.query<{ types: string[] }>(
      `select parameter_types::text[] as types from pg_prepared_statements where name = 'it'`,
    )
    const values = rows[0]!.types.map(sampleOf).join(', ')
    const plan = await explain(`execute it${values && `(${values})`}`)
    const counts = [...plan.matchAll(/Task Count: (\d+)/g)].map(([, count]) => count)
    if (/Distributed Subplan|INSERT \.\.\. SELECT/.test(plan)) return 'needs more than one step'
    return counts.some((count) => count !== '1') ? `is ${counts.join(' and ')} tasks` : undefined
  } catch (error) {
    return `is refused: ${(error as Error).message}`
  } finally {
    await client.query('deallocate all')
  }
}

async function explain(sql: string): Promise<string> {
  const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain (costs off) ${sql}`)
  return rows.map((row) => row['QUERY PLAN']).join('\n')
}
