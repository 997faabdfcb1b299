import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Scope } from '../../src/data/tx/scope.ts'
import { listOperations, searchOperations } from '../../src/domains/audit/audit.store.ts'
import { listNotifications } from '../../src/domains/notifications/notifications.store.ts'
import { listProjectActivities } from '../../src/domains/projects/projects.store.ts'
import { listComments, listTaskActivities } from '../../src/domains/tasks/tasks.store.ts'
import type { PageRequest } from '../../src/kernel/page.ts'
import type { Answer } from '../support/client.ts'
import { openInspector } from '../support/database.ts'
import { openPlanner, type Planner } from '../support/plans.ts'
import { vacuumed } from '../support/vacuumed.ts'
import { openWorld, type Person, type Tenant, type World } from '../support/world.ts'

/** Feeds that have grown long, among the rows of other tenants. The audit is longer than a search looks at. */
const LONG = 20_000
const OPERATIONS = 115_000

let world: World
let planner: Planner
let tenant: Tenant
let owner: Person
let project: { id: number }
let task: { id: number }
beforeAll(async () => {
  world = await openWorld()
  planner = await openPlanner(world)
  tenant = await world.givenTenant()
  owner = await world.givenUser(tenant)
  project = await world.givenProject(owner)
  task = await world.givenTask(owner, project)
  await world.look.rows('delete from audit_operations')
  await world.look.rows('delete from audit_links')
  await fill()
})
afterAll(async () => {
  await planner?.close()
  await world?.close()
})

async function fill() {
  const [t, u, p, k] = [tenant.id, owner.id, project.id, task.id]
  // Every key is right by construction; to check a hundred thousand of them would only take time.
  const unchecked = await openInspector(`${world.databaseUrl}?options=-c%20session_replication_role%3Dreplica`)
  const statements = [
    `insert into tenants (id, name, code, plan) select n, 'N' || n, 'neighbour-' || n, 'x' from generate_series(1001, 1020) n`,

    // One row in ten is a neighbour's. The oldest 49 of the trail deleted something; two in a thousand were refused.
    `insert into audit_operations (tenant_id, request_id, user_id, username, method, path, route, status, duration, ip, user_agent, created_at)
    select case when n % 10 = 0 then 1001 + n % 20 else ${t} end, 'r-' || n, ${u} + n % 50, 'somebody',
           case when n < 50 then 'DELETE' when n % 3 = 0 then 'POST' else 'PUT' end, '/api/v1/tasks/' || n % 5000, '/api/v1/tasks/:id',
           case when n % 1000 = 1 then 403 when n % 1000 = 2 then 409 else 200 end, 1, '10.0.0.1', 'a test',
           now() - interval '200 days' + n * interval '2 minutes'
      from generate_series(1, ${OPERATIONS}) n`,

    `insert into audit_links (tenant_id, id, chain) select tenant_id, id, repeat('0', 64) from audit_operations`,
    `insert into audit_chains (tenant_id, last_id, last_chain)
    select tenant_id, max(id), repeat('0', 64) from audit_operations group by 1
        on conflict (tenant_id) do update set last_id = excluded.last_id, last_chain = excluded.last_chain`,

    `insert into activities (tenant_id, project_id, task_id, actor_id, action, version, request_id, created_at)
    select ${t}, ${p}, case when n % 2 = 0 then ${k} end, ${u}, case when n % 2 = 0 then 'FIELD_CHANGED' else 'PROJECT_UPDATED' end, n, 'r', now()
      from generate_series(1, ${2 * LONG}) n`,

    `insert into task_comments (tenant_id, task_id, author_id, content, created_at)
    select ${t}, ${k}, ${u}, 'Comment ' || n, now() from generate_series(1, ${LONG}) n`,

    `insert into notifications (tenant_id, receiver_id, event_id, type, title, read_at, created_at)
    select ${t}, ${u}, n, 'TASK_ASSIGNED', 'x', case when n % 100 > 0 then now() end, now() from generate_series(1, ${LONG}) n`,
  ]
  for (const statement of statements) await unchecked.rows(statement)
  await unchecked.close()
  await vacuumed(world.databaseUrl, ['audit_operations'])
}

const window = (part: Partial<PageRequest> = {}): PageRequest => ({
  ...{ limit: 200, before: undefined, counted: false },
  ...part,
})
const idAt = (table: string, at: number) =>
  world.look.count(`select id from ${table} where tenant_id = $1 order by id offset $2 limit 1`, [tenant.id, at])

describe('a page of a long feed is cut out of an index, in its order', () => {
  const notSorted = /Seq Scan on (audit|act|task|not)|Sort/
  const feeds: [string, string, (scope: Scope, window: PageRequest) => Promise<unknown>][] = [
    ['the audit', 'audit_operations', (scope, part) => listOperations(scope, {}, part)],
    ['notifications', 'notifications', (scope, part) => listNotifications(scope, { receiverId: owner.id }, part)],
    [
      'unread notifications',
      'notifications',
      (scope, part) => listNotifications(scope, { receiverId: owner.id, onlyUnread: true }, part),
    ],
    ['the history of a task', 'activities', (scope, part) => listTaskActivities(scope, { taskId: task.id }, part)],
    [
      'the history of a project',
      'activities',
      (scope, part) => listProjectActivities(scope, { projectId: project.id }, part),
    ],
    ['comments', 'task_comments', (scope, part) => listComments(scope, { taskId: task.id }, part)],
  ]

  test.each(feeds)('%s: the first page', async (_, __, read) => {
    for (const plan of await planner.plansOf(tenant.id, (scope) => read(scope, window())))
      expect(plan).not.toMatch(notSorted)
  })

  test.each(feeds)('%s: the deepest page', async (_, table, read) => {
    const before = await idAt(table, 300)
    for (const plan of await planner.plansOf(tenant.id, (scope) => read(scope, window({ before }))))
      expect(plan).not.toMatch(notSorted)
  })
})

test('unread notifications come out of their own index, however many were read', async () => {
  for (const before of [undefined, await idAt('notifications', LONG - 1)])
    for (const plan of await planner.plansOf(tenant.id, (scope) =>
      listNotifications(scope, { receiverId: owner.id, onlyUnread: true }, window({ before })),
    ))
      expect(plan).toMatch(/notifications_unread/)
})

describe('an operation is found by an index', () => {
  const time = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()
  const byWhom: [string, object, RegExp][] = [
    ['who did it', { userId: 7 }, /audit_operations_by_user/],
    ['a refusal', { refusal: 403 }, /audit_operations_refused/],
    ['a refusal of somebody', { refusal: 409, userId: 7 }, /audit_operations_(refused|by_user)/],
    ['a day long ago', { from: time(190), to: time(189) }, /audit_operations_by_time/],
    ['what was before', { to: time(150) }, /audit_operations_by_time/],
    ['what came after', { from: time(20) }, /audit_operations_by_time/],
  ]

  test.each(byWhom)('by %s', async (_, filter, index) => {
    for (const part of [window(), window({ before: await idAt('audit_operations', 5000) })])
      for (const plan of await planner.plansOf(tenant.id, (scope) => listOperations(scope, filter, part))) {
        expect(plan).toMatch(index)
        expect(plan).not.toMatch(/Seq Scan/)
      }
  })

  test('or among the newest 100 000, which come out of one', async () => {
    const search = { method: 'DELETE', requestId: null, success: null, pattern: null }
    for (const plan of await planner.plansOf(tenant.id, (scope) => searchOperations(scope, search, window()))) {
      expect(plan).toMatch(/Index (Only )?Scan Backward using audit_operations_pkey/)
      expect(plan).not.toMatch(/Seq Scan/)
    }
  })
})

const get = (query: string) => world.as(tenant.administrator).get(`/audit/operations?${query}`)
async function follow(answer: Answer): Promise<Answer> {
  const [, url] = /^<([^>]+)>; rel="next"$/.exec(String(answer.headers.link)) ?? []
  return world.as(tenant.administrator).send({ method: 'GET', url: url! })
}

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
    for (let answer = await get('method=DELETE'); ; answer = await follow(answer)) {
      const rows = answer.expect(200)
      pages.push(rows.length)
      found.push(...rows.map(({ id }: any) => id))
      if (!answer.headers.link) break
      expect(answer.headers.link).toContain('method=DELETE')
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
