import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createOnCluster } from '#test/cluster.ts'
import { type Inspector, openInspector } from '#test/database.ts'
import { openLayer } from '#test/layer.ts'
import { inTime, until } from '#test/patience.ts'
import { startProxy, type TroubledWay } from '#test/proxy.ts'
import type { RemoteClient } from '#test/remote.ts'
import { TEST_CITUS } from '#test/servers.ts'
import { type ServiceProcess, startProcess } from '#test/service.ts'
import { type Company, foundCompanies } from '#test/workload.ts'
import { serviceRoleOf } from '../../../../data/setup/service-role.ts'
import { findHome, moveTenant } from '../../setup/move-tenant.ts'

/** Two processes of the service on a cluster, without a channel between them; a proxy stands before each worker. */
describe.skipIf(!TEST_CITUS)('on a cluster of Citus', () => {
  let databaseUrl: string
  let look: Inspector
  let services: ServiceProcess[]
  let companies: Company[]
  const ways = new Map<string, TroubledWay>()
  const nodeOf = async ({ tenant }: Company) => {
    const { host, port } = (await findHome(databaseUrl, tenant)).node
    return `${host}:${port}`
  }

  beforeAll(async () => {
    databaseUrl = await createOnCluster(undefined, async (worker) => {
      const way = await startProxy(Number(new URL(worker).port))
      ways.set(`127.0.0.1:${way.port}`, way)
      return way.through(worker)
    })
    look = await openInspector(databaseUrl)
    services = [await startProcess({ databaseUrl })]
    services.push(await startProcess({ databaseUrl }))
    companies = await foundCompanies(services[0]!.remote, 6)
  })
  afterAll(async () => {
    for (const way of ways.values()) way.cause({ kind: 'none' })
    for (const service of services ?? []) await service.end('SIGTERM')
    await look?.close()
    for (const way of ways.values()) await way.close()
  })

  /** Companies of two nodes, one of each. */
  async function givenNeighbours() {
    const places = await Promise.all(companies.map(nodeOf))
    const other = places.findIndex((place) => place !== places[0])
    return { one: companies[0]!, its: ways.get(places[0]!)!, other: companies[other]! }
  }

  test('people are notified while another node hangs, and what is taken away is heard of by the other process', async () => {
    const { its, other } = await givenNeighbours()
    const [boss, person] = other.people as [Person, Person]
    const [author, reader] = [boss, person].map(({ token }) => services[0]!.remote.as(token)) as [Client, Client]
    const title = 'Assigned meanwhile'
    its.cause({ kind: 'black hole' })
    ;(await author.post(`/projects/${other.project}/tasks`, { title, assigneeId: person.id })).expect(201)
    await until(async () => JSON.stringify(await reader.get('/notifications')).includes(title), 50)
    const elsewhere = services[1]!.remote.as(person.token)
    ;(await elsewhere.get('/projects')).expect(200)
    ;(await author.put(`/users/${person.id}`, { status: 'disabled' })).expect(200)
    await untilRefused(elsewhere)
    heal(its)
  })

  test('what one process has taken away, the other has heard of within a second, whichever node holds the tenant', async () => {
    expect(new Set(await Promise.all(companies.map(nodeOf))).size).toBe(ways.size)
    for (const company of companies) {
      const [boss, , person] = company.people as [Person, Person, Person]
      const client = services[1]!.remote.as(person.token)
      ;(await client.get('/projects')).expect(200)
      ;(await services[0]!.remote.as(boss.token).put(`/users/${person.id}`, { status: 'disabled' })).expect(200)
      await untilRefused(client)
    }
  })

  test('a worker that is away stops its own tenants and nobody else’s, and heals by itself', async () => {
    const { its, one, other } = await givenNeighbours()
    const clientOf = ({ people }: Company) => services[1]!.remote.as(people[0]!.token)
    const [there, elsewhere] = [clientOf(one), clientOf(other)]
    its.cause({ kind: 'reset' })

    const refused = await untilAnswered(there, 503)
    expect(refused.headers['retry-after']).toBeDefined()
    for (let time = 0; time < 20; time++) {
      ;(await elsewhere.get('/projects')).expect(200)
      ;(await elsewhere.post(`/projects/${other.project}/tasks`, { title: 'Meanwhile' })).expect(201)
    }
    expect(await services[1]!.remote.probe('/readyz')).toMatchObject({ status: 200 })
    const late = await startProcess({ databaseUrl })
    ;(await late.remote.as(other.people[0]!.token).get('/projects')).expect(200)
    ;(await late.remote.as(one.people[0]!.token).get('/projects')).expect(503)

    its.cause({ kind: 'none' })
    await untilAnswered(there, 200)
    await untilAnswered(late.remote.as(one.people[0]!.token), 200)
    await late.end('SIGTERM')
  })

  test('no session keeps plans, because Citus would keep one more with each statement', async () => {
    const [{ tenant }] = companies as [Company]
    const database = await openLayer(databaseUrl, serviceRoleOf(new URL(databaseUrl).pathname.slice(1)))
    const ask = async (name: string, text: string, values: unknown[]) => {
      const calls = [database.entering(tenant, 'shared'), { prepared: { name, text }, values }]
      return (await database.send(tenant, calls))[1]!.rows[0]
    }
    for (let time = 0; time < 20; time++)
      await ask('read', 'select id from tasks where tenant_id = $1 and id = $2', [tenant, 1])
    const kept = 'select generic_plans::int as kept from pg_prepared_statements where name = $1'
    expect(await ask('plans', kept, ['read'])).toEqual({ kept: 0 })
    await database.close()
  })

  test('a tenant that has moved is entered at its new node, also by a process that has not heard of it, and the ids of all its rows still rise', async () => {
    const [company] = companies as [Company]
    const [boss] = company.people as [Person]
    const clients = services.map(({ remote }) => remote.as(boss.token))
    const groupOf = (name: string) =>
      look.count(`select groupid from pg_dist_node where nodename || ':' || nodeport = $1`, [name])
    const drawnBy = 'select id % 1024 from activities where tenant_id = $1 order by created_at desc limit 1'
    const tables = ['activities', 'audit_operations', 'unnumbered_events', 'refresh_tokens', 'tasks']
    const highest = (table: string) =>
      look.count(`select coalesce(max(id), 0) from ${table} where tenant_id = $1`, [company.tenant])
    const work = async (client: Client) =>
      (await client.post(`/projects/${company.project}/tasks`, { title: 'Moved' })).expect(201)
    const names = [...ways.keys()]
    for (let round = 0; round < 4; round++) {
      await work(clients[0]!)
      const before = await Promise.all(tables.map(highest))
      const from = await nodeOf(company)
      // Citus removes in the background what the move before has left.
      await look.rows('call citus_cleanup_orphaned_resources()')
      const to = names.find((name) => name !== from)!
      await moveTenant(databaseUrl, company.tenant, to)
      for (const client of clients) {
        await work(client)
        expect(await look.count(drawnBy, [company.tenant])).toBe(await groupOf(to))
        ;(await client.get('/projects')).expect(200)
      }
      for (const [at, table] of tables.entries())
        if (['activities', 'audit_operations', 'tasks'].includes(table))
          expect(await highest(table), table).toBeGreaterThan(before[at]!)
        else expect(await highest(table), table).toBeLessThan(2 ** 53)
    }
  })
})

type Person = Company['people'][number]
type Client = RemoteClient

/** Asks until the answer has this status. */
function untilAnswered(client: Client, status: number) {
  return until(async () => {
    const answer = await client.get('/projects')
    answer.expect(status)
    return answer
  }, 100)
}

/** Busy all the while: that must not keep an old right alive for more than a second. */
async function untilRefused(client: Client) {
  const from = performance.now()
  await untilAnswered(client, 401)
  expect(performance.now() - from).toBeLessThan(inTime(1200))
}

/** The connections that hang are lost. */
function heal(way: TroubledWay) {
  way.cause({ kind: 'reset' })
  way.cause({ kind: 'none' })
}
