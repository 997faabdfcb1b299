import pino from 'pino'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import type { CleanupJob } from '../../src/data/jobs/cleanup.ts'
import { expiredClaims, expiredVisitorClaims } from '../../src/data/jobs/remove-oldest.ts'
import { migrate } from '../../src/data/setup/migrate.ts'
import { knownMigrations } from '../../src/data/setup/migrations.ts'
import { endedSessions } from '../../src/domains/auth/auth.actions.ts'
import { writeCatalogue } from '../../src/domains/roles/catalogue.ts'
import { overdueTasks } from '../../src/domains/tasks/bin/bin.actions.ts'
import { bootstrap } from '../../src/domains/tenants/bootstrap.ts'
import { loadDomains, migrationsOf } from '../../src/load-domains.ts'
import type { Answer, Client } from '../support/client.ts'
import { testConfig } from '../support/config.ts'
import { createPlainDatabase, openInspector } from '../support/database.ts'
import { formOf, pngOf } from '../support/form.ts'
import { openInstance } from '../support/instance.ts'
import {
  commitGate,
  holdRow,
  interleave,
  interleaveBehind,
  type Met,
  meet as meetIn,
  type StopAt,
  waitsForLock,
} from '../support/interleave.ts'
import { expectNoViolation, untilDelivered } from '../support/invariants.ts'
import { openLayer } from '../support/layer.ts'
import { until } from '../support/patience.ts'
import { quickHash } from '../support/quick-hash.ts'
import { expectNoCircle } from '../support/races.ts'
import { checkStanding } from '../support/standing.ts'
import { openWorld, type Person, type Tenant } from '../support/world.ts'

/**
 * Two commands at the same moment, met on purpose and not by luck: the first is stopped after its decision and before
 * its commit. Whatever the second does then, both together must have done what one after the other could have. `npm run
 * prove:guards` removes each lock, each condition at commit and each claim, and requires one of these to fail.
 */
let tenant: Tenant
let boss: Person
let ann: Person
let ben: Person
let keys = 0
const key = () => `key-${++keys}`
const world = await openWorld()
afterAll(() => expectNoCircle(world))
beforeEach(async () => {
  tenant = await world.givenTenant()
  await world.givenPrices(tenant)
  boss = tenant.administrator
  ann = await world.givenUser(tenant)
  ben = await world.givenUser(tenant)
})
const as = (person: Person): Client => world.as(person)
const keyed = () => ({ 'idempotency-key': key() })
const binned = overdueTasks(testConfig())
const history = async (path: string): Promise<string[]> =>
  (await as(boss).get(`${path}/activities`)).expect(200).map(({ action }: any) => action)

const meet = (first: Met, second: Met, at?: StopAt) => meetIn(world, first, second, at)
/** The same when the first has all its locks but that of this row. */
async function meetBehind(row: string, [first, ...one]: Met, [second, ...two]: Met) {
  const met = await interleaveBehind(world, { tenant, row: `${row} for update` }, first, second)
  met.first.expect(...one)
  met.second.expect(...two)
}

const givenDepartment = async (code: string, leader?: Person) =>
  (await as(boss).post('/departments', { name: code, code, leaderId: leader?.id })).expect(201)
const draft = async (person: Person, { id: departmentId }: { id: number }) =>
  (await as(person).post('/approvals', { type: 'LEAVE', title: 'Off', departmentId })).expect(201)
const submit = (person: Person, { id }: { id: number }, headers = keyed()) =>
  as(person).post(`/approvals/${id}/submit`, undefined, headers)
const decide = (person: Person, { id }: { id: number }, action = 'approve') =>
  as(person).post(`/approvals/${id}/${action}`, undefined, keyed())
const stepOf = async ({ id }: { id: number }) => (await as(boss).get(`/approvals/${id}`)).expect(200).steps[0]

describe('a project', () => {
  let project: { id: number }
  let path: string
  beforeEach(async () => {
    project = await world.givenProject(ann)
    path = `/projects/${project.id}`
  })
  const archive = () => as(boss).put(`${path}/archive?version=0`)
  const create = (person: Person, assigneeId?: number) => () =>
    as(person).post(`${path}/tasks`, { title: 'new', assigneeId })
  const add = () => as(boss).put(`${path}/members/${ben.id}`)
  const leave = () => as(boss).delete(`${path}/members/${ben.id}`)
  const view = () => as(boss).put(`${path}/members/${ben.id}`, { role: 'viewer' })
  const removeBen = () => as(boss).delete(`/users/${ben.id}`)

  test('is changed once by two changes of one version', () =>
    meet(
      [() => as(ann).put(path, { version: 0, name: 'first' }), 200],
      [() => as(boss).put(path, { version: 0, name: 'second' }), 409, 'VERSION_CONFLICT'],
    ))

  test('is archived behind anyone who is being added', async () => {
    await meet([add, 200], [archive, 200], 'first change')
    expect((await history(path))[0]).toBe('PROJECT_ARCHIVED')
  })

  test('is archived behind the departure of a member who is deleted', async () => {
    await world.givenMember(ann, project, ben)
    await meet([removeBen, 200], [archive, 200], 'first change')
    expect((await history(path))[0]).toBe('PROJECT_ARCHIVED')
  })

  test('is archived behind a task that it is taking', async () => {
    await world.givenMember(ann, project, ben)
    const member = `select 1 from project_members where tenant_id = ${tenant.id} and project_id = ${project.id} and user_id = ${ben.id}`
    await meetBehind(member, [create(ann, ben.id), 201], [archive, 200])
    const all = await world.look.rows('select action from activities where project_id = $1 order by id', [project.id])
    expect(all.map(({ action }) => action).slice(-2)).toEqual(['TASK_CREATED', 'PROJECT_ARCHIVED'])
  })

  test('takes no task once it is archived', () => meet([create(ann), 409, 'PROJECT_ARCHIVED'], [archive, 200]))

  test('takes a task behind its reopening, not in the time between', async () => {
    const reopen = async () => (await archive()).expect(200) && as(boss).put(`${path}/unarchive?version=1`)
    const { first, second } = await meet([create(ann), 201], [reopen, 200])
    expect(Date.parse(first.createdAt)).toBeGreaterThanOrEqual(Date.parse(second.updatedAt))
  })

  test('is opened again once', async () => {
    ;(await archive()).expect(200)
    const open = () => as(boss).put(`${path}/unarchive?version=1`)
    const { first } = await meet([open, 200], [open, 409, 'PROJECT_NOT_ARCHIVED'])
    expect(first).toMatchObject({ status: 'ACTIVE', version: 2 })
  })

  test('takes no task of somebody who has left, and none for them', async () => {
    await world.givenMember(ann, project, ben)
    await meet([create(ben), 404, 'NOT_FOUND'], [leave, 200])
    await world.givenMember(ann, project, ben)
    await meet([create(ann, ben.id), 400, 'ASSIGNEE_NOT_MEMBER'], [leave, 200])
    await world.givenMember(ann, project, ben)
    const { waited } = await meet([leave, 200], [create(ann, ben.id), 400, 'ASSIGNEE_NOT_MEMBER'])
    expect(waited).toBe(true)
  })

  test('takes no task of somebody who only views it by now, and none for them', async () => {
    await world.givenMember(ann, project, ben)
    await meet([create(ben), 403, 'PROJECT_READ_ONLY'], [view, 200])
    const join = async () => (await as(boss).put(`${path}/members/${ben.id}`, { role: 'member' })).expect(200)
    await join()
    await meet([create(ann, ben.id), 400, 'ASSIGNEE_NOT_MEMBER'], [view, 200])
    await join()
    const { waited } = await meet([view, 200], [create(ann, ben.id), 400, 'ASSIGNEE_NOT_MEMBER'])
    expect(waited).toBe(true)
  })

  test('gives somebody who is added twice the role of the second', async () => {
    await meet([add, 200], [view, 200], 'first change')
    const members = (await as(boss).get(`${path}/members`)).expect(200)
    expect(members.find(({ userId }: any) => userId === ben.id).role).toBe('viewer')
    expect(await history(path)).toEqual(['PROJECT_MEMBER_MADE_VIEWER', 'PROJECT_MEMBER_ADDED', 'PROJECT_CREATED'])
  })

  test('has no owner who is made a viewer at the same moment', async () => {
    await world.givenMember(ann, project, ben)
    const give = () => as(ann).put(path, { version: 0, ownerId: ben.id })
    await meet([give, 200], [view, 409, 'OWNER_STAYS_MEMBER'])
    await meet([() => as(ben).put(path, { version: 1, ownerId: ann.id }), 200], [view, 200])
    const again = () => as(ann).put(path, { version: 2, ownerId: ben.id })
    await meet([view, 200], [again, 200])
    expect((await as(ben).get(path)).expect(200).myRole).toBe('owner')
  })

  test('loses whom it is being given when they are deleted, and is given nobody who is being deleted', async () => {
    const given = await meet([add, 200], [removeBen, 200], 'first change')
    expect(await history(path)).toEqual(['PROJECT_MEMBER_REMOVED', 'PROJECT_MEMBER_ADDED', 'PROJECT_CREATED'])
    ben = await world.givenUser(tenant)
    const refused = await meet([removeBen, 200], [add, 404, 'NOT_FOUND'])
    expect([given.waited, refused.waited]).toEqual([true, true])
  })

  test.each([
    ['takes somebody', add, 'PROJECT_MEMBER_ADDED'],
    ['lets somebody go', leave, 'PROJECT_MEMBER_REMOVED'],
  ] as const)('%s once, and records it once', async (_, change, action) => {
    if (change === leave) await world.givenMember(ann, project, ben)
    await meet([change, 200], [change, 200])
    expect((await history(path)).filter((each) => each === action)).toHaveLength(1)
    await untilDelivered(world.look)
    const told = 'select count(*) from notifications where type = $1 and receiver_id = $2'
    // Who is taken out gets no notification.
    expect(await world.look.count(told, [action, ben.id])).toBe(change === add ? 1 : 0)
  })

  test('is made once with one key, and nobody waits to learn it', async () => {
    const once = keyed()
    const make = (code: string) => () => as(ann).post('/projects', { name: code, code }, once)
    const { waited } = await meet([make('one'), 201], [make('two'), 409, 'IDEMPOTENCY_KEY_REUSED'])
    expect(waited).toBe(false)
  })
})

describe('a task', () => {
  let project: { id: number }
  let path: string
  let row: string
  beforeEach(async () => {
    project = await world.givenProject(ann)
    const { id } = await world.givenTask(ann, project)
    path = `/tasks/${id}`
    row = `select 1 from tasks where tenant_id = ${tenant.id} and id = ${id}`
    await world.givenMember(ann, project, ben)
  })
  const change = (person: Person, fields: object) => () => as(person).put(path, { version: 0, ...fields })
  const give = () => change(ann, { assigneeId: ben.id })()
  const leave = () => as(boss).delete(`/projects/${project.id}/members/${ben.id}`)
  const view = () => as(boss).put(`/projects/${project.id}/members/${ben.id}`, { role: 'viewer' })

  test('is changed once by two changes of one version', async () => {
    await meet([change(ann, { title: 'first' }), 409, 'VERSION_CONFLICT'], [change(boss, { title: 'second' }), 200])
    expect((await as(ann).get(path)).expect(200).title).toBe('second')
  })

  test('is not given to who is no member any more', () => meet([give, 400, 'ASSIGNEE_NOT_MEMBER'], [leave, 200]))

  test('keeps who is being given it, and who takes the member out learns that', () =>
    meetBehind(row, [give, 200], [leave, 409, 'MEMBER_HAS_OPEN_TASKS']))

  test('is not given to somebody who only views its project by now', () =>
    meet([give, 400, 'ASSIGNEE_NOT_MEMBER'], [view, 200]))

  test('keeps who is being given it, and who makes them a viewer learns that', () =>
    meetBehind(row, [give, 200], [view, 409, 'MEMBER_HAS_OPEN_TASKS']))

  test('keeps who is being given it, and who deletes the person learns that', () =>
    meetBehind(row, [give, 200], [() => as(boss).delete(`/users/${ben.id}`), 409, 'USER_IN_USE']))
})

/** What ben is being given. @returns the command that does it */
const GIFTS: Record<string, () => Promise<() => Promise<Answer>>> = {
  async 'a project'() {
    const { id } = await world.givenProject(ann)
    return () => as(boss).put(`/projects/${id}`, { version: 0, ownerId: ben.id })
  },
  async 'the decision of a request'() {
    const { id } = await world.givenRequest(boss, await givenDepartment('SALES', ann))
    return () => as(boss).post(`/approvals/${id}/reassign`, { userId: ben.id })
  },
  async 'what somebody hands over'() {
    await world.givenProject(ann)
    return () => as(boss).post(`/users/${ann.id}/hand-over`, { toUserId: ben.id })
  },
  async 'the request that they hand in themselves'() {
    const request = await draft(ben, await givenDepartment('SALES', ann))
    return () => submit(ben, request)
  },
}

describe.each(Object.entries(GIFTS))('%s', (_, givenGift) => {
  const remove = () => as(boss).delete(`/users/${ben.id}`)

  test('is kept by a person whom somebody is just deleting, who learns that', async () =>
    meet([await givenGift(), 200], [remove, 409, 'USER_IN_USE']))

  test('comes to nobody who is just being deleted', async () =>
    meet([remove, 200], [await givenGift(), 404, 'NOT_FOUND']))
})

describe('a person', () => {
  const givenAccount = async () => {
    const account = { username: `p-${key()}`, password: 'secret-1', email: 'p@company.example' }
    ;(await world.anyone.post('/auth/register', account)).expect(201)
    return account
  }

  test('comes back after an administrator has taken the nickname, and not under it', async () => {
    ;(await as(boss).delete(`/users/${ben.id}`)).expect(200)
    const back = { username: 'ben', nickname: 'The Chief', password: 'a long one' }
    await meet(
      [() => as(boss).put('/users/me', { nickname: 'The Chief' }), 200],
      [() => as(boss).post(`/users/${ben.id}/restore`, back), 409, 'NICKNAME_TAKEN'],
    )
  })

  test('is an administrator as long as nobody else is one', async () => {
    const other = await world.givenUser(tenant, 'tenant-admin')
    const roleIds = [await world.roleId(tenant, 'user')]
    await meet(
      [() => as(boss).put(`/users/${other.id}`, { roleIds }), 200],
      [() => as(other).put(`/users/${boss.id}`, { roleIds }), 403],
    )
  })

  test('who signs in with a password that is being changed is signed out by the change', async () => {
    const account = await givenAccount()
    const [{ id }] = (await world.look.rows('select id from users where username = $1', [account.username])) as any
    const { first } = await meet(
      [() => world.anyone.post('/auth/login', account), 200],
      [() => as(world.admin).put(`/users/${id}`, { password: 'another-1' }), 200],
    )
    ;(await world.anyone.get('/auth/me', { authorization: `Bearer ${first.accessToken}` })).expect(401)
  })

  const givenManager = async () => {
    const person = await world.givenUser(tenant, 'tenant-admin')
    const set = 'update users set password_hash = $1, email = $2 where id = $3'
    await world.look.rows(set, [await quickHash('secret-1'), 'p@company.example', person.id])
    return person
  }
  const own = ['the form of those who manage people', 'their profile'] as const
  const pathOf = (form: (typeof own)[number], { id }: Person) => (form === own[0] ? `/users/${id}` : '/users/me')

  test.each(own)('who is signed out while they change their own e-mail in %s keeps the old one', async (form) => {
    const manager = await givenManager()
    const takeOver = { email: 'taken@company.example', currentPassword: 'secret-1' }
    await meet(
      [() => as(boss).put(`/users/${manager.id}`, { password: 'another-1' }), 200],
      [() => as(manager).put(pathOf(form, manager), takeOver), 401, 'UNAUTHENTICATED'],
    )
  })

  test.each(own)('who sends back their e-mail in %s keeps the one that they are being given', async (form) => {
    const manager = await givenManager()
    const { second } = await meet(
      [() => as(boss).put(`/users/${manager.id}`, { email: 'q@company.example' }), 200],
      [() => as(manager).put(pathOf(form, manager), { email: 'p@company.example', phone: '1' }), 200],
    )
    expect(second).toMatchObject({ email: 'q@company.example', phone: '1' })
  })

  test('signs out behind a session that is being continued, not under it', async () => {
    const { accessToken, refreshToken } = (await world.anyone.post('/auth/login', await givenAccount())).expect(200)
    const authorization = `Bearer ${accessToken}`
    const { first } = await meet(
      [() => world.anyone.post('/auth/refresh', { refreshToken }), 200],
      [() => world.anyone.post('/auth/logout', undefined, { authorization }), 200],
    )
    ;(await world.anyone.post('/auth/refresh', first)).expect(401, 'INVALID_REFRESH_TOKEN')
  })
})

test('a tenant that is being closed to strangers waits for those who are coming in, and then nobody does', async () => {
  await world.setRegistration(tenant, 'open')
  const account = { username: 'last', password: 'secret-1', email: 'p@company.example', tenantCode: tenant.code }

  const { waited } = await meet(
    [() => world.anyone.post('/auth/register', account), 201],
    [() => as(world.admin).put(`/tenants/${tenant.id}`, { registration: 'closed' }), 200],
    // They have found the door open and are not in yet: once they are, their own row would keep the tenant's.
    'first change',
  )

  expect(waited).toBe(true)
  ;(await world.anyone.post('/auth/register', { ...account, username: 'later' })).expect(403, 'REGISTRATION_CLOSED')
})

describe('a request for approval', () => {
  let department: any
  let request: { id: number }
  beforeEach(async () => {
    department = await givenDepartment('SALES', ann)
    request = await draft(ben, department)
  })
  const lead = ({ id: leaderId }: Person) =>
    as(boss).put(`/departments/${department.id}`, { name: 'Sales', code: 'SALES', leaderId })

  test.each([
    ['approved, then taken back', '', 'ann approve', 'ben cancel', 200, 'boss CANCELLED, cat CANCELLED'],
    ['rejected, and not taken back', '', 'ann reject', 'ben cancel', 409, 'ben REJECTED'],
    ['taken back, and not approved', '', 'ben cancel', 'ann approve', 409, 'ann CANCELLED'],
    ['taken back, and not rejected', '', 'ben cancel', 'ann reject', 409, 'ann CANCELLED'],
    ['approved once in two windows', '', 'ann approve', 'ann approve', 409, ''],
    ['approved, and not rejected in another window', '', 'ann approve', 'ann reject', 409, ''],
    ['rejected, and not approved in another window', '', 'ann reject', 'ann approve', 409, 'ben REJECTED'],
    ['approved once by two administrators', 'ann approve', 'boss approve', 'cat approve', 409, 'ben APPROVED'],
    ['rejected by one, and not approved by another', 'ann approve', 'boss reject', 'cat approve', 409, 'ben REJECTED'],
  ])('is %s, and whoever it waited for by then is notified', async (_, before, one, two, status, news) => {
    const people: Record<string, Person> = { ann, ben, boss, cat: await world.givenUser(tenant, 'tenant-admin') }
    const act = (what: string) => () => {
      const [who, action] = what.split(' ') as [string, string]
      return decide(people[who]!, request, action)
    }
    ;(await submit(ben, request)).expect(200)
    if (before) (await act(before)()).expect(200)
    await meet([act(one), 200], [act(two), status])
    await untilDelivered(world.look)
    const told = await world.look.rows(
      `select receiver_id::float8 as id, replace(type, 'APPROVAL_', '') as what from notifications
        where resource_id = $1 and resource_type = 'approval' and type <> 'APPROVAL_PENDING' order by event_id, 1`,
      [request.id],
    )
    const nameOf = (id: number) => Object.keys(people).find((name) => people[name]!.id === id)
    expect(told.map(({ id, what }) => `${nameOf(id)} ${what}`).join(', ')).toBe(news)
    expectNoViolation(one, await checkStanding(world.look))
  })

  test('whose leader is an administrator too is not decided to its end by a double click', async () => {
    const own = await world.givenRequest(ben, await givenDepartment('OWN', boss))
    const { first } = await meet([() => decide(boss, own), 200], [() => decide(boss, own), 409])
    expect(first).toMatchObject({ status: 'PENDING', currentStep: 2 })
    expect((await decide(boss, own)).expect(200)).toMatchObject({ status: 'APPROVED', version: 3 })
  })

  test('that is being handed in waits for the new leader when the leader changes', async () => {
    await meet([() => submit(ben, request), 200], [() => lead(boss), 200])
    expect((await stepOf(request)).approverId).toBe(boss.id)
  })

  test('is drafted by nobody who is just being deleted', async () => {
    const remove = () => as(boss).delete(`/users/${ben.id}`)
    await meet([remove, 200], [() => as(ben).post('/approvals', { type: 'LEAVE', title: 'Off' }), 404, 'NOT_FOUND'])
    const left = `select count(*) from approvals where tenant_id = $1 and status = 'DRAFT'`
    expect(await world.look.count(left, [tenant.id])).toBe(0)
  })

  test('stays decided when the leader changes behind the decision', async () => {
    ;(await submit(ben, request)).expect(200)
    await meet([() => decide(ann, request), 200], [() => lead(boss), 200])
    expect((await stepOf(request)).approverId).toBe(ann.id)
  })

  test('passes to the new leader before the old one decides', async () => {
    ;(await submit(ben, request)).expect(200)
    await meet([() => lead(boss), 200], [() => decide(ann, request), 404])
  })
})

test('what is done with a key is done once, also later', async () => {
  const department = await givenDepartment('SALES', ann)
  const drafts = [await draft(ben, department), await draft(ben, department)]
  const commands: ((once: ReturnType<typeof keyed>, time: number) => Promise<Answer>)[] = [
    (once, time) => as(ann).post('/projects', { name: 'P', code: `P-${time}` }, once),
    (once, time) => submit(ben, drafts[time], once),
    (once) => as(ann).post('/payments/checkout', { planId: 2, channel: 'card' }, once),
  ]

  for (const command of commands) {
    const once = keyed()
    expect((await command(once, 0)).status).toBeLessThan(300)
    ;(await command(once, 1)).expect(409, 'IDEMPOTENCY_KEY_REUSED')
  }
})

describe('fields that two people change concurrently are both changed', () => {
  const made = (path: string, draft: object, by = () => boss) => ({
    by,
    path: async () => `${path}/${(await as(by()).post(path, draft)).expect(201).id}`,
  })
  const admin = () => world.admin
  const organization = async () => `/organizations/${(await as(boss).get('/organizations/current')).expect(200).id}`

  test.each<[string, { by: () => Person; path: () => Promise<string> }, object, object]>([
    ['a category', made('/content/categories', { name: 'C', slug: 'c' }), { description: 'one' }, { name: 'D' }],
    ['an article', made('/content/articles', { title: 'A' }), { title: 'one' }, { summary: 'two' }],
    [
      'a permission',
      made('/permissions', { code: 'thing:see', name: 'P' }, admin),
      { description: '1' },
      { name: '2' },
    ],
    ['a tenant', { by: admin, path: async () => `/tenants/${tenant.id}` }, { plan: 'one' }, { name: 'two' }],
    ['an organization', { by: () => boss, path: organization }, { status: 'disabled' }, { name: 'two' }],
  ])('of %s', async (_, { by, path }, one, two) => {
    const there = await path()
    const { second } = await meet([() => as(by()).put(there, one), 200], [() => as(by()).put(there, two), 200])
    expect(second).toMatchObject({ ...one, ...two })
  })
})

test('a section of the portal that two people replace concurrently is replaced by one of them', async () => {
  const path = '/content/portal/about'
  const about = (await world.anyone.get('/public/about', { 'x-tenant-code': tenant.code })).expect(200)
  const saved = await as(boss).put(path, about)
  const ifMatch = { 'if-match': String(saved.headers.etag) }
  const replace = (intro: string) => () => as(boss).put(path, { ...about, intro }, ifMatch)

  await meet([replace('first'), 200], [replace('second'), 412, 'PRECONDITION_FAILED'])
})

test.each([
  ['menus', () => world.admin, '/menus', 'MENU_CYCLE'],
  ['departments', () => boss, '/departments', 'DEPARTMENT_CYCLE'],
] as const)('%s are never closed to a circle', async (_, by, path, refusal) => {
  const make = async (name: string) => (await as(by()).post(path, { name, code: name })).expect(201)
  const [one, two] = [await make(`ONE-${key()}`), await make(`TWO-${key()}`)]
  const move = ({ id, name, code }: any, { id: parentId }: any) =>
    as(by()).put(`${path}/${id}`, { name, code, parentId })

  await meet([() => move(one, two), 200], [() => move(two, one), 409, refusal])
})

describe('a department', () => {
  let id: number
  beforeEach(async () => {
    id = (await givenDepartment('GONE')).id
  })
  const assign = () => as(boss).put(`/departments/${id}/members/${ann.id}`)
  const ask = () => as(ann).post('/approvals', { type: 'LEAVE', title: 'Off', departmentId: id })
  const remove = () => as(boss).delete(`/departments/${id}`)

  test.each<[string, Met, Met]>([
    ['stays if its first member comes before its end', [assign, 200], [remove, 409]],
    ['takes no member behind its end', [remove, 200], [assign, 404]],
    ['may go while a request is made for it', [ask, 201], [remove, 200]],
  ])('%s', (_, one, two) => meet(one, two))
})

test('an article is withdrawn behind the comment that somebody is writing', async () => {
  const article = (await as(boss).post('/content/articles', { title: 'A', status: 'published' })).expect(201)
  const { waited } = await meet(
    [() => as(ann).post(`/blog/${article.id}/comments`, { content: 'hello' }), 201],
    [() => as(boss).put(`/content/articles/${article.id}`, { status: 'draft' }), 200],
  )
  expect(waited).toBe(true)
})

describe('a comment', () => {
  const given: Record<string, () => Promise<string>> = {
    'on a task': async () => `/tasks/${(await world.givenTask(ann, await world.givenProject(ann))).id}/comments`,
    'on an article': async () =>
      `/blog/${(await as(boss).post('/content/articles', { title: 'A', status: 'published' })).expect(201).id}/comments`,
  }
  let path: string
  const start = async (on: string) => {
    const list = await given[on]!()
    path = `${list}/${(await as(ann).post(list, { content: 'hello' })).expect(201).id}`
  }
  const edit = (content: string) => () => as(ann).put(path, { content })
  const remove = (person: Person) => () => as(person).delete(path)

  test.each(Object.keys(given))('%s that is deleted behind an edit is no more, and gets no text again', async (on) => {
    await start(on)
    await meet([edit('changed'), 404, 'NOT_FOUND'], [remove(boss), 200])
    await start(on)
    await meet([remove(boss), 200], [edit('changed'), 200])
    const table = on === 'on a task' ? 'task_comments' : 'comments'
    const left = `select count(*) from ${table} where tenant_id = $1 and (content <> '' or deleted_at is null)`
    expect(await world.look.count(left, [tenant.id])).toBe(0)
  })

  test('that an editor hides behind an edit stays hidden', async () => {
    await start('on an article')
    const hide = () => as(boss).put(`/content/comments/${path.split('/').at(-1)}`, { status: 'hidden' })
    await meet([edit('changed'), 200], [hide, 200])
    const [comment] = (await as(boss).get('/content/comments')).expect(200)
    expect(comment).toMatchObject({ content: 'changed', status: 'hidden' })
  })

  test.each(Object.keys(given))('%s is deleted once', async (on) => {
    await start(on)
    await meet([remove(ann), 404, 'NOT_FOUND'], [remove(boss), 200])
  })
})

test('a category is not changed once somebody is removing it', async () => {
  const { id } = (await as(boss).post('/content/categories', { name: key(), slug: key() })).expect(201)
  const path = `/content/categories/${id}`
  await meet([() => as(boss).delete(path), 200], [() => as(boss).put(path, { description: 'x' }), 404, 'NOT_FOUND'])
})

describe('a file', () => {
  let file: { key: string; url: string }
  let task: { id: number }
  beforeEach(async () => {
    task = await world.givenTask(boss, await world.givenProject(boss))
    const upload = formOf([{ filename: 'a.png', content: pngOf(100) }])
    file = (await as(boss).send({ method: 'POST', url: '/api/v1/files', ...upload })).expect(201)
  })
  const attach = (resourceType: string | null, resourceId: number | null) =>
    as(boss).put(`/files/${file.key}/resource`, { resourceType, resourceId })
  const remove = () => as(boss).delete(`/files/${file.key}`)
  const outside = async () => (await world.app.inject(file.url.replace('/v1/', '/v1/public/'))).statusCode
  const givenArticle = async (status: string) =>
    (await as(boss).post('/content/articles', { title: 'x', status })).expect(201)
  const portal = () => [{ id: 1, title: 'x', description: 'x', icon: file.url }]

  test('is deleted once', () => meet([remove, 200], [remove, 404, 'NOT_FOUND']))

  test.each<[string, () => Promise<Answer>, number]>([
    ['an article shows it', () => as(boss).post('/content/articles', { title: 'x', cover: file.url }), 201],
    ['the portal shows it', () => as(boss).put('/content/portal/features', portal()), 200],
    ['it becomes the picture of a person', () => as(boss).put('/users/me', { avatarKey: file.key }), 200],
    ['it is attached', () => attach('task', task.id), 200],
  ])('is not deleted while %s', (_, use, status) => meet([use, status], [remove, 409, 'FILE_IN_USE']))

  test.each<[string, () => Promise<Answer>]>([
    ['a person as their picture', () => as(boss).put('/users/me', { avatarKey: file.key })],
    ['a task', () => attach('task', task.id)],
  ])('is not there for %s, once deleted', (_, use) => meet([remove, 200], [use, 404, 'NOT_FOUND']))

  test('stays while an article is about to show it, when its task leaves the bin for good', async () => {
    ;(await attach('task', task.id)).expect(200)
    ;(await as(boss).delete(`/tasks/${task.id}?version=0`)).expect(200)
    const show = () => as(boss).post('/content/articles', { title: 'x', cover: file.url })
    const { first } = await interleave(world, show, async () => {
      await world.look.rows(`update tasks set deleted_at = now() - interval '31 days' where id = $1`, [task.id])
      await world.inTenant(tenant, (tx) => binned.remove(tx, 100))
    })
    first.expect(201)
    // The service, which clears its bins too, may have been faster.
    await until(async () => !(await world.look.count('select count(*) from tasks where id = $1', [task.id])))
    ;(await as(boss).get(`/files/${file.key}`)).expect(200)
  })

  test('leaves the task that it was attached to a moment before', async () => {
    const next = await world.givenTask(boss, await world.givenProject(boss))
    await meet([() => attach('task', task.id), 200], [() => attach('task', next.id), 200])
    expect(await history(`/tasks/${task.id}`)).toEqual(['FILE_DETACHED', 'FILE_ATTACHED', 'TASK_CREATED'])
  })

  test('of a request is attached before the decision, or not at all', async () => {
    const { id } = await world.givenRequest(boss, await givenDepartment('SALES', ben))
    const reject = () => as(ben).post(`/approvals/${id}/reject`, {})
    await meet([reject, 200], [() => attach('approval', id), 409, 'ILLEGAL_TRANSITION'])
  })

  test('that is attached while its article is deleted is as one that was attached before', async () => {
    const { id } = await givenArticle('published')
    await meet([() => as(boss).delete(`/content/articles/${id}`), 200], [() => attach('article', id), 200])
    expect(await outside()).toBe(404)
    ;(await as(ann).get(`/files/${file.key}`)).expect(404)
    ;(await remove()).expect(200)
  })

  test.each([
    ['taken from an article while it is published does not become public', true, 404],
    ['attached to an article while it is published becomes public', false, 200],
  ] as const)('that is %s', async (_, isAttached, status) => {
    const { id } = await givenArticle('draft')
    if (isAttached) (await attach('article', id)).expect(200)
    const change = () => (isAttached ? attach(null, null) : attach('article', id))
    await meet([() => as(boss).put(`/content/articles/${id}`, { status: 'published' }), 200], [change, 200])
    expect(await outside()).toBe(status)
  })
})

describe('a clean-up passes over what somebody holds, and waits for nobody', () => {
  const [expiredSessions, expiredTokens, oldNetworks] = endedSessions as [CleanupJob, CleanupJob, CleanupJob]

  test.each([
    [
      'of sessions',
      expiredSessions,
      `update sessions set expires_at = now() - interval '2 hours' where user_id in ($1, $2)`,
      'sessions where user_id = $1',
    ],
    [
      'of refresh tokens',
      expiredTokens,
      `insert into refresh_tokens (tenant_id, session_id, token_hash, expires_at)
       select tenant_id, id, 'hash-' || user_id, now() - interval '2 hours' from sessions where user_id in ($1, $2)`,
      `refresh_tokens where token_hash = 'hash-' || $1`,
    ],
    [
      'of claims',
      expiredClaims,
      `insert into idempotency_keys (tenant_id, user_id, key, expires_at)
       select tenant_id, id, 'old', now() - interval '1 hour' from users where id in ($1, $2)`,
      'idempotency_keys where user_id = $1',
    ],
    [
      'of claims of visitors',
      expiredVisitorClaims,
      `insert into visitor_keys (tenant_id, key, expires_at)
       select tenant_id, 'of ' || id, now() - interval '1 hour' from users where id in ($1, $2)`,
      `visitor_keys where key = 'of ' || $1`,
    ],
    [
      'of networks',
      oldNetworks,
      `insert into sign_in_networks (tenant_id, user_id, network, seen_at)
       select tenant_id, id, '192.0.2.1', now() - interval '91 days' from users where id in ($1, $2)`,
      `sign_in_networks where user_id = $1 and network = '192.0.2.1'`,
    ],
    [
      'of the bin of tasks',
      binned,
      `with project as (insert into projects (tenant_id, name, code, owner_id, created_at, updated_at)
         select tenant_id, 'P', gen_random_uuid(), id, now(), now() from users where id = $1 returning tenant_id, id)
       insert into tasks (tenant_id, project_id, title, reporter_id, is_open, created_at, updated_at, deleted_at)
       select tenant_id, project.id, 'x', users.id, null, now(), now(), now() - interval '31 days'
         from project join users using (tenant_id) where users.id in ($1, $2)`,
      'tasks where reporter_id = $1',
    ],
  ])('%s', async (_, job, given, rows) => {
    const of = ({ id }: Person) => `select 1 from ${rows.replace('$1', String(id))} and tenant_id = ${tenant.id}`
    // The service, which cleans up too, may have removed them before one is held.
    const release = await until(async () => {
      await world.look.rows(given.replaceAll('$1', String(ann.id)).replaceAll('$2', String(ben.id)))
      return holdRow(world, tenant, `${of(ann)} for update`)
    })

    const removal = world.inTenant(tenant, (tx) => job.remove(tx, 100))
    const waited = await waitsForLock(world, removal)
    await release()
    await removal

    expect(waited).toBe(false)
    expect(await world.look.rows(of(ann))).not.toEqual([])
    expect(await world.look.rows(of(ben))).toEqual([])
  })
})

describe('news', () => {
  const inbox = () => world.look.count('select count(*) from notifications where receiver_id = $1', [ben.id])

  test('is delivered by one at a time in a tenant, so that every inbox keeps the order', async () => {
    const project = await world.givenProject(ann)
    const release = await holdRow(
      world,
      tenant,
      `select pg_advisory_xact_lock(hashtextextended('outbox', ${tenant.id}))`,
    )

    await world.givenMember(ann, project, ben)
    const early = await inbox()
    await release()
    await world.givenTask(ann, project, { assigneeId: ben.id })
    await untilDelivered(world.look)

    expect(early).toBe(0)
    expect(await inbox()).toBe(2)
  })

  test('that somebody holds keeps no other waiting', async () => {
    const project = await world.givenProject(ann)
    const news = `insert into outbox (tenant_id, type, title, resource_type, resource_id, receivers, created_at)
       values ($1, 'TASK_ASSIGNED', 'held', 'task', 1, array[$2::bigint], now())`
    // The service may deliver it before it is held.
    const release = await until(async () => {
      await world.look.rows(news, [tenant.id, ben.id])
      return holdRow(world, tenant, `select 1 from outbox where tenant_id = ${tenant.id} for update`)
    })
    const before = await inbox()

    const addition = world.givenMember(ann, project, ben)
    const waited = await waitsForLock(world, addition)
    await addition
    const early = await inbox()
    await release()

    expect([waited, early]).toEqual([false, before + 1])
  })
})

test('marking all as read, twice concurrently, never goes in a circle', async () => {
  // One reads the rows by their index, the other as they lie; the oldest lie last, and what lies between them is held.
  const ways = ['-c enable_seqscan=off -c enable_bitmapscan=off', '-c enable_indexscan=off -c enable_bitmapscan=off']
  const instances = await Promise.all(
    ways.map((way) => {
      const url = new URL(world.databaseUrl)
      url.searchParams.set('options', way)
      return openInstance(url.href)
    }),
  )
  await world.look.rows(
    `insert into notifications (tenant_id, receiver_id, event_id, type, title, created_at)
     select $1, $2, n, 'TASK_ASSIGNED', 'x', now() from generate_series(1, 400) n`,
    [tenant.id, ann.id],
  )
  const halves = `select id from notifications where tenant_id = ${tenant.id} and receiver_id = ${ann.id} order by id limit 200`
  await world.look.rows(
    `update notifications set title = repeat('y', 500) where tenant_id = ${tenant.id} and id in (${halves})`,
  )
  const release = await holdRow(
    world,
    tenant,
    `select 1 from notifications where tenant_id = ${tenant.id} and id = (select max(id) from (${halves}) h) for update`,
  )

  // By then one has given up on a connection that others share, and waits on one of its own.
  const patient = `select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
    and clock_timestamp() - query_start > interval '400 ms'`
  const answers: Promise<Answer>[] = []
  // The first holds the oldest before the other comes to them, which has the newest by then.
  for (const instance of instances) {
    answers.push(instance.as(ann).put('/notifications/read-all'))
    await until(async () => (await world.look.countEverywhere(patient)) >= answers.length)
  }
  await release()

  for (const answer of await Promise.all(answers)) answer.expect(200)
  await Promise.all(instances.map((instance) => instance.close()))
})

describe('of two processes that start on a new database', () => {
  const silent = pino({ level: 'silent' })
  const quiet = { info() {}, warn() {}, error() {} }
  let sources: Parameters<typeof knownMigrations>[0]
  let url: string
  beforeEach(async () => {
    sources = migrationsOf(await loadDomains(testConfig()))
    url = await createPlainDatabase()
  })

  test('one migrates and fills it, and the other finds that done', async () => {
    const reached = Promise.withResolvers<void>()
    const opened = Promise.withResolvers<void>()
    const waits = Promise.withResolvers<void>()
    const migrating = migrate(url, silent, sources, {
      async andThen(client) {
        reached.resolve()
        await opened.promise
        return writeCatalogue(client)
      },
    })
    await Promise.race([reached.promise, migrating])
    const after = migrate(url, { ...quiet, info: () => waits.resolve() }, sources)
    const early = await Promise.race([waits.promise.then(() => 'it waits'), after.then(() => 'it is done')])
    opened.resolve()

    expect(early).toBe('it waits')
    const { applied, role } = await migrating
    expect(applied).toHaveLength((await knownMigrations(sources)).length)
    expect((await after).applied).toEqual([])

    const look = await openInspector(url)
    const gate = commitGate()
    const layer = await openLayer(url, role)
    const fill = () => bootstrap(gate.wrap(layer), 'a password of this test')

    const { first, second } = await interleave({ gate, look, databaseUrl: url }, fill, fill)

    expect([first, second]).toEqual([true, false])
    await Promise.all([layer.close(), look.close()])
  })
})

describe('a hand-over', () => {
  /** who comes to what ben leaves */
  const handOver = (from = ben, to = ann) => as(boss).post(`/users/${from.id}/hand-over`, { toUserId: to.id })
  async function givenProjectOfBoth() {
    const project = await world.givenProject(boss)
    for (const person of [ann, ben]) await world.givenMember(boss, project, person)
    const task = await world.givenTask(boss, project, { assigneeId: ben.id })
    return { project, task, drop: () => as(boss).delete(`/projects/${project.id}/members/${ann.id}`) }
  }

  test('leaves its heir in the project that somebody is just taking them out of', async () => {
    const { project, task, drop } = await givenProjectOfBoth()
    await meet([drop, 200], [handOver, 200])
    expect((await as(boss).get(`/projects/${project.id}`)).expect(200).memberIds).toContain(ann.id)
    expect((await as(ann).get(`/tasks/${task.id}`)).expect(200).assigneeId).toBe(ann.id)
  })

  test('keeps its heir in the project until the tasks are there', async () => {
    const { drop } = await givenProjectOfBoth()
    await meet([handOver, 200], [drop, 409, 'MEMBER_HAS_OPEN_TASKS'])
  })

  test('waits for the decision of who leaves and passes on nothing that is decided, and is seen by what comes after', async () => {
    const colleague = await world.givenUser(tenant)
    const department = await givenDepartment('D', ben)
    const request = await world.givenRequest(colleague, department)

    const { second } = await meet([() => decide(ben, request), 200], [handOver, 200])
    expect(second).toMatchObject({ approvals: 0, departments: 1 })
    expect(await stepOf(request)).toMatchObject({ approverId: ben.id, actedBy: ben.id, decidedForId: null })

    // The department is ann's now, who hands it back.
    const next = await world.givenRequest(colleague, department)
    await meet([() => handOver(ann, ben), 200], [() => decide(ann, next), 404])
    ;(await decide(ben, next)).expect(200)
  })
})
