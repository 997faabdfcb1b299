import pg from 'pg'
import { beforeAll, describe, expect, test } from 'vitest'
import { numberAll } from '../../src/data/events/number-events.ts'
import type { Inspector } from '../support/database.ts'
import { formOf } from '../support/form.ts'
import { gathered } from '../support/gathered.ts'
import { checkDatabase, checkHistory, untilDelivered } from '../support/invariants.ts'
import { givenResetToken } from '../support/links.ts'
import { until } from '../support/patience.ts'
import { isHere } from '../support/plugins.ts'
import { openRemote } from '../support/remote.ts'
import { settleAudit } from '../support/settled.ts'
import { type Entry, foundCompanies, startWorkload } from '../support/workload.ts'
import { openWorld, type Person, type World } from '../support/world.ts'

test('the invariants that the other tests rely on do see a loss, a double and a stranger', async () => {
  const world = await openWorld()
  const { look } = world
  const remote = openRemote(await world.listen())
  const workload = startWorkload(() => remote, await foundCompanies(remote), { clients: 16, reads: 0 })
  const { history } = workload
  const all = (kind: Entry['kind'], outcome: Entry['outcome'] = 'ok') =>
    history.filter((entry) => entry.kind === kind && entry.outcome === outcome)
  const projectsOf = (one: number) => all('createProject').filter(({ tenant }) => tenant === one)
  const hasAll = ({ tenant }: { tenant: number }) =>
    projectsOf(tenant).length > 1 && all('comment').some((comment) => comment.tenant === tenant)
  await until(() => history.length > 150 && all('updateTask', 'refused').length > 0 && workload.companies.every(hasAll))
  await workload.stop()
  await untilDelivered(look)
  const violated = async (look: Inspector, entries: Entry[]) =>
    [...(await checkHistory(look, entries)), ...(await checkDatabase(look, ['I20']))]
      .filter(({ violations }) => violations > 0)
      .map(({ id }) => id)
  expect(await violated(look, history)).toEqual([])

  const some = (kind: Entry['kind'], outcome?: Entry['outcome']) => all(kind, outcome)[0]!
  const lost = some('comment')
  const [one, two] = projectsOf(lost.tenant)
  const forged = history.map((entry) => {
    if (entry === two) return { ...entry, actor: one!.actor, key: one!.key! }
    return entry.id === some('createTask').id ? { ...entry, outcome: 'unknown' as const } : entry
  })

  await gathered(look, async (look) => {
    await look.rows('delete from task_comments where id = $1', [lost.comment])
    await look.rows('delete from audit_operations where request_id = any($1)', [[some('createTask').id, lost.id]])
    await look.rows('update activities set request_id = $1 where request_id = $2', [
      some('updateTask', 'refused').id,
      some('updateTask').id,
    ])
    await look.rows(`delete from notifications where id = (select min(id) from notifications where type like 'TASK_%')`)
    await look.rows(`update activities set actor_id = 1 where id = (select max(id) from activities)`)
    await look.rows(`update tasks set version = version + 1, title = 'x' where version > 0`)
    await look.rows(`update activities set new_value = 'TODO' where action = 'STATUS_CHANGED'`)
    await look.rows('delete from project_members where user_id in (select assignee_id from tasks)')
    await look.rows(`update projects set status = 'ARCHIVED', archived_at = created_at - interval '1 second'`)

    expect(await violated(look, forged)).toEqual([
      ...['I1', 'I2', 'I2u', 'I3', 'I4', 'I11'],
      ...['I4c', 'I5', 'I17', 'I6', 'I7', 'I8', 'I9', 'I10', 'I9o', 'I24'],
    ])
  })
})

/** What each plug-in's own invariants have to see. */
const WRONG_IN_PLUGINS = [
  ['audit-chain', 'I20', `update audit_operations set username = 'x' where id = (select max(id) from audit_links)`],
  ['audit-chain', 'I20', 'delete from audit_operations where id = (select min(id) from audit_links)'],
  ['mail', 'I21', `update mails set status = 'sent', sealed = 'x'`],
  ['webhooks', 'I22', `update webhook_deliveries set status = 'waiting'`],
  ['webhooks', 'I22', 'update webhooks set last_event_id = (select max(id) from events)'],
  ['account', 'I23', `update password_resets set token_hash = 'a token'`],
  ['invitations', 'I23i', `update invitations set token_hash = 'a token'`],
  ['invitations', 'I23i', `update invitations set status = 'accepted'`],
] as const

describe('the invariants of what stands', () => {
  let world: World
  beforeAll(async () => {
    world = await openWorld()
    await furnish(world)
  })

  test('hold for what was made over the wire, and each has something to look at', async () => {
    const figures = await checkDatabase(world.look, ['I4c', 'I5', 'I8'])
    expect(figures.filter(({ violations }) => violations > 0)).toEqual([])
    expect(figures.filter(({ checked }) => checked === 0)).toEqual([])
  })

  test.each<[id: string, sql: string]>([
    ['I9o', 'delete from project_members where user_id in (select owner_id from projects)'],
    ['I9o', `update users set status = 'disabled', deleted_at = now() where id in (select owner_id from projects)`],
    [
      'I10p',
      `update project_members set created_at = (select min(created_at) + interval '1 ms' from activities where action = 'PROJECT_ARCHIVED')`,
    ],
    ['I12', `update approvals set status = 'APPROVED' where status = 'PENDING'`],
    ['I12', `update approval_steps set acted_by = null where acted_by is not null`],
    ['I12d', `update approvals set department_name = null`],
    ['I15', `update departments set parent_id = (select max(id) from departments) where parent_id is null`],
    ['I15', 'delete from department_members where user_id in (select leader_id from departments)'],
    ['I18', 'update articles set published_at = null'],
    [
      'I19',
      `with twins as (select tenant_id, id, row_number() over (order by id) as n from users where tenant_id = (select max(id) from tenants) limit 2)
       update users set look = null, skeleton = null, username = case n when 1 then 'TWIN' else 'twin' end
         from twins where users.tenant_id = twins.tenant_id and users.id = twins.id`,
    ],
    ['I24', `delete from audit_operations where route = '/api/v1/projects' and status = 201`],
    ['I6', `update files set uploader_id = 1 where tenant_id > 1`],
    ['I6', 'create table public.forgotten (tenant_id bigint, thing_id bigint)'],
    ...WRONG_IN_PLUGINS.filter(([plugin]) => isHere(plugin)).map(([, id, sql]): [string, string] => [id, sql]),
  ])('%s sees: %s', async (id, sql) => {
    const broken = await gathered(world.look, ({ url }) => breaking(url, sql, (look) => checkDatabase(look, ['I5'])))
    expect(broken.filter(({ violations }) => violations > 0).map((figure) => figure.id)).toContain(id)
  })
})

/** Something of each kind, made by the API. */
async function furnish(world: World) {
  const tenant = await world.givenTenant()
  const boss = tenant.administrator
  const [owner, heir, leader, applicant] = await Promise.all([1, 2, 3, 4].map(() => world.givenUser(tenant)))
  const project = await world.givenProject(owner!)
  await world.givenMember(owner!, project, heir!)
  await world.givenTask(owner!, project, { assigneeId: heir!.id })
  const change = async (path: string, body?: object, person = owner!) =>
    (await world.as(person).put(`/projects/${project.id}${path}`, body)).expect(200)
  await change('', { version: 0, ownerId: heir!.id })
  await change('/archive?version=1', undefined, heir)
  await change('/unarchive?version=2', undefined, heir)
  await change('', { version: 3, name: 'Open again' }, heir)

  const closed = await world.givenProject(owner!)
  ;(await world.as(owner!).put(`/projects/${closed.id}/archive?version=0`)).expect(200)

  const top = (await world.as(boss).post('/departments', { name: 'Top', code: 'TOP' })).expect(201)
  const form = { name: 'Below', code: 'BELOW', parentId: top.id, leaderId: leader!.id }
  const below = (await world.as(boss).post('/departments', form)).expect(201)
  const act = async (person: Person, id: number, action: string) =>
    (await world.as(person).post(`/approvals/${id}/${action}`, {}, { 'idempotency-key': `${action}-${id}` })).expect(
      200,
    )
  for (const actions of [[], ['approve'], ['reject'], ['approve', 'boss'], ['cancel']]) {
    const draft = { type: 'LEAVE', title: 'Two days off', departmentId: below.id }
    const { id } = (await world.as(applicant!).post('/approvals', draft)).expect(201)
    await act(applicant!, id, 'submit')
    for (const action of actions)
      if (action === 'boss') await act(boss, id, 'approve')
      else await act(action === 'cancel' ? applicant! : leader!, id, action)
  }
  ;(await world.as(boss).post('/content/articles', { title: 'Seen', status: 'published' })).expect(201)
  ;(await world.as(boss).post('/content/articles', { title: 'Draft' })).expect(201)
  const note = formOf([{ filename: 'note.txt', content: 'hello' }])
  ;(await world.as(boss).send({ method: 'POST', url: '/api/v1/files', ...note })).expect(201)

  if (isHere('invitations')) (await world.as(boss).post('/invitations', { email: 'ada@example.org' })).expect(201)
  if (isHere('account')) await givenResetToken(world, tenant.id, owner!.id)
  if (isHere('mail')) await world.givenDeadMail(tenant)
  if (isHere('webhooks')) {
    const hook = { url: 'https://example.com/', types: ['*'], status: 'paused' }
    const webhook = (await world.as(boss).post('/webhooks', hook)).expect(201)
    await world.givenDeadDelivery(tenant, webhook)
  }
  // An event after that delivery, which the webhook has not read.
  await world.givenProject(boss)
  await numberAll(world.database, tenant.id)
  await settleAudit(world.database, tenant.id)
}

/** Breaks something past all keys and triggers, looks, and takes it back. */
async function breaking<T>(connectionString: string, sql: string, check: (look: Inspector) => Promise<T>): Promise<T> {
  const one = new pg.Pool({ connectionString, max: 1 })
  try {
    await one.query('begin')
    await one.query('set local session_replication_role = replica')
    await one.query(sql)
    const rows: Inspector['rows'] = async (text, values) => (await one.query(text, values as never)).rows as never
    const count: Inspector['count'] = async (text, values) => Number(Object.values((await rows(text, values))[0]!)[0])
    return await check({ url: connectionString, rows, count, countEverywhere: count, close: async () => {} })
  } finally {
    await one.end()
  }
}
