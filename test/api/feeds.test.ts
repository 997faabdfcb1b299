import { beforeAll, describe, expect, test } from 'vitest'
import { searchOperations } from '../../src/domains/audit/audit.store.ts'
import { type Answer, nextOf, pagesOf } from '../support/client.ts'
import { openInspector } from '../support/database.ts'
import { openPlanner } from '../support/plans.ts'
import { forTables, tablesIn } from '../support/tables.ts'
import { vacuumed } from '../support/vacuumed.ts'
import { openWorld } from '../support/world.ts'

/** An audit that is longer than a search looks at, among the rows of other tenants. */
const OPERATIONS = 115_000

const world = await openWorld()
const planner = await openPlanner(world)
const tenant = await world.givenTenant()
const owner = await world.givenUser(tenant)
beforeAll(async () => {
  await fill(await tablesIn(world.look))
})
async function fill(there: Set<string>) {
  // Every key is right by construction; to check a hundred thousand of them would only take time.
  const unchecked = await openInspector(`${world.databaseUrl}?options=-c%20session_replication_role%3Dreplica`)
  const statements = [
    'delete from audit_operations',
    'delete from audit_links',
    `insert into tenants (id, name, code, plan) select n, 'N' || n, 'neighbour-' || n, 'x' from generate_series(1001, 1020) n`,

    // One row in ten is a neighbour's. The oldest 49 of the trail deleted something; two in a thousand were refused.
    `insert into audit_operations (tenant_id, request_id, user_id, username, method, path, route, status, duration, ip, user_agent, created_at)
    select case when n % 10 = 0 then 1001 + n % 20 else ${tenant.id} end, 'r-' || n, ${owner.id} + n % 50, 'somebody',
           case when n < 50 then 'DELETE' when n % 3 = 0 then 'POST' else 'PUT' end, '/api/v1/tasks/' || n % 5000, '/api/v1/tasks/:id',
           case when n % 1000 = 1 then 403 when n % 1000 = 2 then 409 else 200 end, 1, '10.0.0.1', 'a test',
           now() - interval '200 days' + n * interval '2 minutes'
      from generate_series(1, ${OPERATIONS}) n`,

    `insert into audit_links (tenant_id, id, chain) select tenant_id, id, repeat('0', 64) from audit_operations`,
    `insert into audit_chains (tenant_id, last_id, last_chain)
    select tenant_id, max(id), repeat('0', 64) from audit_operations group by 1
        on conflict (tenant_id) do update set last_id = excluded.last_id, last_chain = excluded.last_chain`,
  ]
  // In one transaction, between whose statements no job adds links of its own.
  await unchecked.rows(forTables(there, statements).join(';'))
  await unchecked.close()
  await vacuumed(world.databaseUrl, ['audit_operations'])
}

test('a search reads the newest 100 000 out of an index', async () => {
  const search = { method: 'DELETE', requestId: null, success: null, pattern: null }
  const part = { limit: 200, before: undefined, counted: false }
  for (const plan of await planner.plansOf(tenant.id, (scope) => searchOperations(scope, search, part))) {
    expect(plan).toMatch(/Index (Only )?Scan Backward using audit_operations_pkey/)
    expect(plan).not.toMatch(/Seq Scan/)
  }
})

const get = (query: string) => world.as(tenant.administrator).get(`/audit/operations?${query}`)
const follow = (answer: Answer) => world.as(tenant.administrator).get(nextOf(answer)!)

describe('the links of a long list lead to its end', () => {
  test('by pages as far as pages reach, then below the last id', async () => {
    const last = await get('page=101&pageSize=1000')
    const ids = last.expect(200).map(({ id }: any) => id)
    expect(last.headers.link).toContain(`before=${ids.at(-1)}`)
    expect(last.headers.link).not.toMatch(/[?&]page=/)
    const beyond = (await follow(last)).expect(200)
    expect(beyond).toHaveLength(1000)
    expect(beyond[0].id).toBeLessThan(ids.at(-1))
  })

  test('below the last id from the start, where neither a page nor a size was asked for', async () => {
    const answer = await get(`userId=${owner.id + 1}`)
    expect(answer.headers.link).toMatch(new RegExp(`\\?userId=${owner.id + 1}&before=\\d+>`))
    expect(answer.headers).not.toHaveProperty('x-total-count')
    expect((await follow(answer)).headers).not.toHaveProperty('x-total-count')
  })
})

describe('a search', () => {
  test('that finds less than a page among the newest 100 000 says where it continues, until the trail ends', async () => {
    const found: number[] = []
    const pages: number[] = []
    for await (const answer of pagesOf(world.as(tenant.administrator), '/audit/operations?method=DELETE')) {
      const rows = answer.expect(200)
      pages.push(rows.length)
      found.push(...rows.map(({ id }: any) => id))
      if (answer.headers.link) expect(answer.headers.link).toContain('method=DELETE')
    }
    expect(pages).toEqual([0, 45])
    expect(found).toEqual([...new Set(found)].sort((a, b) => b - a))
  })

  test('that finds enough goes on below what it found', async () => {
    const first = await get('method=POST&path=/api/v1/tasks/77&pageSize=10')
    const second = await follow(first)
    const ids = [...first.expect(200), ...second.expect(200)].map(({ id }: any) => id)
    expect(ids).toHaveLength(20)
    expect(ids).toEqual([...new Set(ids)].sort((a, b) => b - a))
    for (const { path, method } of first.data) expect([path.slice(0, 16), method]).toEqual(['/api/v1/tasks/77', 'POST'])
  })

  test('counts what is in its reach, and everything if that is all', async () => {
    const total = async (query: string) => Number((await get(query)).headers['x-total-count'])
    const of = (sql: string) =>
      world.look.count(`select count(*) from audit_operations where tenant_id = $1 and ${sql}`, [tenant.id])
    expect(await total('method=DELETE&pageSize=20')).toBe(0)
    expect(await total('userId=7&method=POST&pageSize=20')).toBe(await of(`user_id = 7 and method = 'POST'`))
    const week = new Date(Date.now() - 195 * 86_400_000).toISOString()
    expect(await total(`to=${week}&method=DELETE&pageSize=20`)).toBe(45)
    expect(await total('status=403&path=/api&pageSize=20')).toBe(await of('status = 403'))
  })
})
