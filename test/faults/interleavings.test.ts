import pino from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { CleanupJob } from '../../src/data/jobs/cleanup.ts'
import { expiredClaims, expiredVisitorClaims } from '../../src/data/jobs/expired-claims.ts'
import { migrate } from '../../src/data/setup/migrate.ts'
import { knownMigrations } from '../../src/data/setup/migrations.ts'
import { transact } from '../../src/data/tx/transact.ts'
import { endedSessions } from '../../src/domains/auth/auth.actions.ts'
import { writeCatalogue } from '../../src/domains/roles/catalogue.ts'
import { bootstrap } from '../../src/domains/tenants/bootstrap.ts'
import { system } from '../../src/kernel/actor.ts'
import { loadDomains, migrationsOf } from '../../src/load-domains.ts'
import type { Answer, Client } from '../support/client.ts'
import { testConfig } from '../support/config.ts'
import { createPlainDatabase, openInspector } from '../support/database.ts'
import { formOf, pngOf } from '../support/form.ts'
import { openInstance } from '../support/instance.ts'
import { commitGate, holdRow, interleave, interleaveBehind, waitsForLock } from '../support/interleave.ts'
import { untilDelivered } from '../support/invariants.ts'
import { openLayer } from '../support/layer.ts'
import { until } from '../support/patience.ts'
import { openWorld, type Person, type Tenant, type World } from '../support/world.ts'

/**
 * Two commands at the same moment, met on purpose and not by luck: the first is stopped after its decision and before
 * its commit. Whatever the second does then, both together must have done what one after the other could have. `npm run
 * prove:guards` removes each lock, each condition at commit and each claim, and requires one of these to fail.
 */
let world: World
let tenant: Tenant
let boss: Person
let ann: Person
let ben: Person
let keys = 0
const key = () => `key-${++keys}`
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world?.close())
beforeEach(async () => {
  tenant = await world.givenTenant()
  await world.givenPrices(tenant)
  boss = tenant.administrator
  ann = await world.givenUser(tenant)
  ben = await world.givenUser(tenant)
})
const as = (person: Person): Client => world.as(person)
const history = async (project: { id: number }): Promise<string[]> =>
  (await as(boss).get(`/projects/${project.id}/activities`)).expect(200).map(({ action }: any) => action)

describe('a project', () => {
  let project: { id: number }
  beforeEach(async () => {
    project = await world.givenProject(ann)
  })
  const path = () => `/projects/${project.id}`
  const archive = () => as(boss).put(`${path()}/archive?version=0`)

  test('is changed once by two changes of one version', async () => {
    const { first, second } = await interleave(
      world,
      () => as(ann).put(path(), { version: 0, name: 'first' }),
      () => as(boss).put(path(), { version: 0, name: 'second' }),
    )

    first.expect(200)
    second.expect(409, 'VERSION_CONFLICT')
  })

  test('is archived after anyone who is being added', async () => {
    const add = () => as(ann).put(`${path()}/members/${ben.id}`)
    const { first, second } = await interleave(world, add, archive, 'first change')

    first.expect(200)
    second.expect(200)
    expect((await history(project))[0]).toBe('PROJECT_ARCHIVED')
  })

  test('takes no task once it is archived', async () => {
    const { first, second } = await interleave(world, () => as(ann).post(`${path()}/tasks`, { title: 'late' }), archive)

    second.expect(200)
    first.expect(409, 'PROJECT_ARCHIVED')
  })

  test('takes a task behind its reopening, not in the time between', async () => {
    const { first, second } = await interleave(
      world,
      () => as(ann).post(`${path()}/tasks`, { title: 'again' }),
      async () => (await archive()).expect(200) && as(boss).put(`${path()}/unarchive?version=1`),
    )

    const { createdAt } = first.expect(201)
    expect(Date.parse(createdAt)).toBeGreaterThanOrEqual(Date.parse(second.expect(200).updatedAt))
  })

  test('takes no task of somebody who has left, and none for them', async () => {
    const create = (person: Person, assigneeId?: number) => () =>
      as(person).post(`${path()}/tasks`, { title: 'too late', assigneeId })
    const leave = () => as(boss).delete(`${path()}/members/${ben.id}`)

    for (const [late, status, code] of [
      [create(ben), 404, 'NOT_FOUND'],
      [create(ann, ben.id), 400, 'ASSIGNEE_NOT_MEMBER'],
    ] as const) {
      await world.givenMember(ann, project, ben)
      const { first, second } = await interleave(world, late, leave)
      second.expect(200)
      first.expect(status, code)
    }
  })

  test('takes no task for somebody who is leaving at that moment', async () => {
    await world.givenMember(ann, project, ben)
    const { first, second, waited } = await interleave(
      world,
      () => as(boss).delete(`${path()}/members/${ben.id}`),
      () => as(ann).post(`${path()}/tasks`, { title: 'too late', assigneeId: ben.id }),
    )

    first.expect(200)
    expect(waited).toBe(true)
    second.expect(400, 'ASSIGNEE_NOT_MEMBER')
  })

  test('is archived behind a task that it is taking', async () => {
    await world.givenMember(ann, project, ben)

    const { first, second } = await interleaveBehind(
      world,
      {
        tenant,
        row: `select 1 from project_members where tenant_id = ${tenant.id} and project_id = ${project.id} and user_id = ${ben.id} for update`,
      },
      () => as(ann).post(`${path()}/tasks`, { title: 'in time', assigneeId: ben.id }),
      archive,
    )

    first.expect(201)
    second.expect(200)
    const all = await world.look.rows('select action from activities where project_id = $1 order by id', [project.id])
    expect(all.map(({ action }) => action).slice(-2)).toEqual(['TASK_CREATED', 'PROJECT_ARCHIVED'])
  })

  test('is archived behind the departure of a member who is deleted', async () => {
    await world.givenMember(ann, project, ben)

    const { first, second } = await interleave(world, () => as(boss).delete(`/users/${ben.id}`), archive)

    first.expect(200)
    second.expect(200)
    expect((await history(project))[0]).toBe('PROJECT_ARCHIVED')
  })

  test('is made once with one key, and nobody waits to learn it', async () => {
    const once = key()
    const make = (code: string) => () => as(ann).post('/projects', { name: code, code }, { 'idempotency-key': once })

    const { first, second, waited } = await interleave(world, make('one'), make('two'))

    first.expect(201)
    second.expect(409, 'IDEMPOTENCY_KEY_REUSED')
    expect(waited).toBe(false)
  })

  test('is made once with one key, also later', async () => {
    const once = key()
    const make = (code: string) => as(ann).post('/projects', { name: code, code }, { 'idempotency-key': once })

    ;(await make('one')).expect(201)
    ;(await make('two')).expect(409, 'IDEMPOTENCY_KEY_REUSED')
  })
})

describe('a task', () => {
  let project: { id: number }
  let task: { id: number }
  beforeEach(async () => {
    project = await world.givenProject(ann)
    task = await world.givenTask(ann, project)
  })
  const change = (person: Person, fields: object) => as(person).put(`/tasks/${task.id}`, { version: 0, ...fields })

  test('is changed once by two changes of one version', async () => {
    const { first, second } = await interleave(
      world,
      () => change(ann, { title: 'first' }),
      () => change(boss, { title: 'second' }),
    )

    second.expect(200)
    first.expect(409, 'VERSION_CONFLICT')
    expect((await as(ann).get(`/tasks/${task.id}`)).expect(200).title).toBe('second')
  })

  describe('for a member who leaves', () => {
    beforeEach(() => world.givenMember(ann, project, ben))
    const give = () => change(ann, { assigneeId: ben.id })
    const leave = () => as(boss).delete(`/projects/${project.id}/members/${ben.id}`)

    test('is not given to who is no member any more', async () => {
      const { first, second } = await interleave(world, give, leave)

      second.expect(200)
      first.expect(400, 'ASSIGNEE_NOT_MEMBER')
    })

    test('keeps who is being given it, and who takes the member out learns that', async () => {
      const held = { tenant, row: `select 1 from tasks where tenant_id = ${tenant.id} and id = ${task.id} for update` }
      const { first, second } = await interleaveBehind(world, held, give, leave)

      first.expect(200)
      second.expect(409, 'MEMBER_HAS_OPEN_TASKS')
    })

    test('keeps who is being given it, and who deletes the person learns that, and nobody runs in a circle', async () => {
      const before = await deadlocks()
      const held = { tenant, row: `select 1 from tasks where tenant_id = ${tenant.id} and id = ${task.id} for update` }

      const { first, second } = await interleaveBehind(world, held, give, () => as(boss).delete(`/users/${ben.id}`))

      first.expect(200)
      second.expect(409, 'USER_IN_USE')
      expect(await deadlocks()).toBe(before)
    })
  })
})

describe('a person', () => {
  test('comes back after an administrator has taken the nickname, and not under it', async () => {
    ;(await as(boss).delete(`/users/${ben.id}`)).expect(200)

    const { first, second } = await interleave(
      world,
      () => as(boss).put('/users/me', { nickname: 'The Chief' }),
      () =>
        as(boss).post(`/users/${ben.id}/restore`, { username: 'ben', nickname: 'The Chief', password: 'a long one' }),
    )

    first.expect(200)
    second.expect(409, 'NICKNAME_TAKEN')
  })

  test('who asks for approval is not deleted meanwhile, and asks for nothing once they are', async () => {
    const form = { name: 'Asked', code: 'ASKED', leaderId: ann.id }
    const { id: departmentId } = (await as(boss).post('/departments', form)).expect(201)
    const draft = async () =>
      (await as(ben).post('/approvals', { type: 'LEAVE', title: 'Off', departmentId })).expect(201)
    const submit = ({ id }: { id: number }) =>
      as(ben).post(`/approvals/${id}/submit`, undefined, { 'idempotency-key': key() })
    const [early, late] = [await draft(), await draft()]
    const remove = () => as(boss).delete(`/users/${ben.id}`)

    const asked = await interleave(world, () => submit(early), remove)
    asked.first.expect(200)
    asked.second.expect(409, 'USER_IN_USE')
    ;(await as(ben).post(`/approvals/${early.id}/cancel`, undefined, { 'idempotency-key': key() })).expect(200)

    const gone = await interleave(world, remove, () => submit(late))
    gone.first.expect(200)
    gone.second.expect(404, 'NOT_FOUND')
  })

  test('is deleted behind what they are being given', async () => {
    const project = await world.givenProject(ann)

    const { first, second, waited } = await interleave(
      world,
      () => as(ann).put(`/projects/${project.id}/members/${ben.id}`),
      () => as(boss).delete(`/users/${ben.id}`),
      'first change',
    )

    first.expect(200)
    second.expect(200)
    expect(waited).toBe(true)
    expect(await history(project)).toEqual(['PROJECT_MEMBER_REMOVED', 'PROJECT_MEMBER_ADDED', 'PROJECT_CREATED'])
  })

  test('is given nothing once they are being deleted', async () => {
    const project = await world.givenProject(ann)

    const { first, second, waited } = await interleave(
      world,
      () => as(boss).delete(`/users/${ben.id}`),
      () => as(ann).put(`/projects/${project.id}/members/${ben.id}`),
    )

    first.expect(200)
    second.expect(404, 'NOT_FOUND')
    expect(waited).toBe(true)
  })

  test('is an administrator as long as nobody else is one', async () => {
    const other = await world.givenUser(tenant, 'tenant-admin')
    const [{ id: user }] = (await world.look.rows<{ id: number }>(
      `select id from roles where tenant_id = $1 and code = 'user'`,
      [tenant.id],
    )) as [{ id: number }]

    const { first, second } = await interleave(
      world,
      () => as(boss).put(`/users/${other.id}`, { roleIds: [Number(user)] }),
      () => as(other).put(`/users/${boss.id}`, { roleIds: [Number(user)] }),
    )

    first.expect(200)
    expect(second.status).toBe(403)
  })

  test('who signs in with a password that is being changed is signed out by the change', async () => {
    const account = { username: `p-${key()}`, password: 'secret-1', email: 'p@company.example' }
    ;(await world.anyone.post('/auth/register', account)).expect(201)
    const [{ id }] = (await world.look.rows('select id from users where username = $1', [account.username])) as any

    const { first, second } = await interleave(
      world,
      () => world.anyone.post('/auth/login', account),
      () => as(world.admin).put(`/users/${id}`, { password: 'another-1' }),
    )

    second.expect(200)
    const { accessToken } = first.expect(200)
    ;(await world.anyone.get('/auth/me', { authorization: `Bearer ${accessToken}` })).expect(401)
  })

  test('signs out behind a session that is being continued, not under it', async () => {
    const account = { username: `p-${key()}`, password: 'secret-1', email: 'p@company.example' }
    ;(await world.anyone.post('/auth/register', account)).expect(201)
    const { accessToken, refreshToken } = (await world.anyone.post('/auth/login', account)).expect(200)

    const { first, second } = await interleave(
      world,
      () => world.anyone.post('/auth/refresh', { refreshToken }),
      () => world.anyone.post('/auth/logout', undefined, { authorization: `Bearer ${accessToken}` }),
    )

    second.expect(200)
    const next = first.expect(200)
    ;(await world.anyone.post('/auth/refresh', next)).expect(401, 'INVALID_REFRESH_TOKEN')
  })
})

test('a tenant that is being closed to strangers waits for those who are coming in, and then nobody does', async () => {
  await world.setRegistration(tenant, 'open')
  const account = { username: 'last', password: 'secret-1', email: 'p@company.example', tenantCode: tenant.code }

  const { first, second, waited } = await interleave(
    world,
    () => world.anyone.post('/auth/register', account),
    () => as(world.admin).put(`/tenants/${tenant.id}`, { registration: 'closed' }),
    // They have found the door open and are not in yet: once they are, their own row would keep the tenant's.
    'first change',
  )

  first.expect(201)
  second.expect(200)
  expect(waited).toBe(true)
  ;(await world.anyone.post('/auth/register', { ...account, username: 'later' })).expect(403, 'REGISTRATION_CLOSED')
})

describe('a request for approval', () => {
  let leader: Person
  let department: any
  beforeEach(async () => {
    leader = ann
    const form = { name: 'Sales', code: 'SALES', leaderId: leader.id }
    department = (await as(boss).post('/departments', form)).expect(201)
  })
  const draft = async () =>
    (await as(ben).post('/approvals', { type: 'LEAVE', title: 'Off', departmentId: department.id })).expect(201)
  const submit = (request: any, once = key()) =>
    as(ben).post(`/approvals/${request.id}/submit`, undefined, { 'idempotency-key': once })
  const lead = (person: Person) =>
    as(boss).put(`/departments/${department.id}`, { name: 'Sales', code: 'SALES', leaderId: person.id })
  const approverOf = async (request: any) =>
    (await as(boss).get(`/approvals/${request.id}`)).expect(200).steps[0].approverId

  test('is decided once', async () => {
    const request = await draft()
    ;(await submit(request)).expect(200)

    const { first, second } = await interleave(
      world,
      () => as(leader).post(`/approvals/${request.id}/approve`),
      () => as(ben).post(`/approvals/${request.id}/cancel`),
    )

    first.expect(200)
    const told = `select receiver_id::float8 as receiver from notifications where type = 'APPROVAL_CANCELLED' and resource_id = $1`
    second.expect(200)
    await untilDelivered(world.look)
    expect(await world.look.rows(told, [request.id])).toEqual([{ receiver: boss.id }])
  })

  test('that is being handed in waits for the new leader when the leader changes', async () => {
    const request = await draft()

    const { first, second } = await interleave(
      world,
      () => submit(request),
      () => lead(boss),
    )

    first.expect(200)
    second.expect(200)
    expect(await approverOf(request)).toBe(boss.id)
  })

  test('passes to the new leader before the old one decides', async () => {
    const request = await draft()
    ;(await submit(request)).expect(200)

    const { first, second } = await interleave(
      world,
      () => lead(boss),
      () => as(leader).post(`/approvals/${request.id}/approve`),
    )

    first.expect(200)
    expect([403, 404]).toContain(second.status)
  })

  test('is handed in once with one key', async () => {
    const [one, two] = [await draft(), await draft()]
    const once = key()

    ;(await submit(one, once)).expect(200)
    ;(await submit(two, once)).expect(409, 'IDEMPOTENCY_KEY_REUSED')
  })
})

test('an order is made once with one key', async () => {
  const once = { 'idempotency-key': key() }
  const order = () => as(ann).post('/payments/checkout', { planId: 2, channel: 'card' }, once)

  ;(await order()).expect(201)
  ;(await order()).expect(409, 'IDEMPOTENCY_KEY_REUSED')
})

describe('fields that two people change concurrently are both changed', () => {
  const cases: [what: string, given: () => Promise<{ path: string; by: Person; one: object; two: object }>][] = [
    [
      'of a category',
      async () => {
        const { id } = (await as(boss).post('/content/categories', { name: key(), slug: key() })).expect(201)
        return { path: `/content/categories/${id}`, by: boss, one: { description: 'one' }, two: { name: key() } }
      },
    ],
    [
      'of a permission',
      async () => {
        const code = `thing:s${key()}`.replace('-', '')
        const { id } = (await as(world.admin).post('/permissions', { code, name: 'P' })).expect(201)
        return { path: `/permissions/${id}`, by: world.admin, one: { description: 'one' }, two: { name: 'two' } }
      },
    ],
    [
      'of a tenant',
      async () => ({ path: `/tenants/${tenant.id}`, by: world.admin, one: { plan: 'one' }, two: { name: 'two' } }),
    ],
    [
      'of the settings of a tenant',
      async () => ({ path: '/tenant/settings', by: boss, one: { locale: 'zh-CN' }, two: { sessionDays: 3 } }),
    ],
    [
      'of an organization',
      async () => {
        const { id } = (await as(boss).get('/organizations/current')).expect(200)
        return { path: `/organizations/${id}`, by: boss, one: { status: 'disabled' }, two: { name: 'two' } }
      },
    ],
    [
      'of an article',
      async () => {
        const { id } = (await as(boss).post('/content/articles', { title: 'A' })).expect(201)
        return { path: `/content/articles/${id}`, by: boss, one: { title: 'one' }, two: { summary: 'two' } }
      },
    ],
    [
      'of a service account',
      async () => {
        const { id } = (await as(boss).post('/service-accounts', { name: key(), roleIds: [] })).expect(201)
        return { path: `/service-accounts/${id}`, by: boss, one: { status: 'disabled' }, two: { name: 'two' } }
      },
    ],
  ]

  test.each(cases)('%s', async (_, given) => {
    const { path, by, one, two } = await given()

    const { first, second } = await interleave(
      world,
      () => as(by).put(path, one),
      () => as(by).put(path, two),
    )

    first.expect(200)
    expect(second.expect(200)).toMatchObject({ ...one, ...two })
  })
})

test('two service accounts of one name come about, at the same moment too', async () => {
  const twin = () => as(boss).post('/service-accounts', { name: 'Twin', roleIds: [] })
  const { first, second } = await interleave(world, twin, twin)

  expect([first.expect(201).name, second.expect(201).name]).toEqual(['Twin', 'Twin'])
})

describe('what a directory changes by two requests at the same moment, each of which names a part', () => {
  let directory: string
  const patch = (path: string, value: unknown) => (id: string) => async () => {
    const { statusCode } = await world.app.inject({
      method: 'PATCH',
      url: `/scim/v2/${id}`,
      headers: { authorization: `Bearer ${directory}` },
      payload: { Operations: [{ op: 'add', path, value }] },
    })
    return statusCode
  }
  beforeEach(async () => {
    const roles = (await as(boss).get('/roles')).expect(200).items
    const roleIds = [roles.find(({ code }: any) => code === 'tenant-admin').id]
    const account = (await as(boss).post('/service-accounts', { name: key(), roleIds })).expect(201)
    directory = (await as(boss).post(`/service-accounts/${account.id}/keys`, { name: 'K' })).expect(201).key
  })

  test('is changed in both parts of a user', async () => {
    const { first, second } = await interleave(
      world,
      patch('displayName', 'Somebody Else')(`Users/${ann.id}`),
      patch('externalId', 'an-id')(`Users/${ann.id}`),
    )

    expect([first, second]).toEqual([200, 200])
    expect((await as(boss).get(`/users/${ann.id}`)).expect(200)).toMatchObject({ nickname: 'Somebody Else' })
  })

  test('is changed by both members of a group', async () => {
    const role = (await as(boss).post('/roles', { name: 'Group', code: `group-${key()}` })).expect(201)
    const { first, second } = await interleave(
      world,
      patch('members', [{ value: String(ann.id) }])(`Groups/${role.id}`),
      patch('members', [{ value: String(ben.id) }])(`Groups/${role.id}`),
    )

    expect([first, second]).toEqual([200, 200])
    for (const { id } of [ann, ben]) expect((await as(boss).get(`/users/${id}`)).expect(200).roles).toContain(role.code)
  })
})

test('a section of the portal that two people replace concurrently is replaced by one of them', async () => {
  const path = '/content/portal/about'
  const about = (await world.anyone.get('/public/about', { 'x-tenant-code': tenant.code })).expect(200)
  const saved = await as(boss).put(path, about)
  saved.expect(200)
  const ifMatch = { 'if-match': String(saved.headers.etag) }

  const { first, second } = await interleave(
    world,
    () => as(boss).put(path, { ...about, intro: 'first' }, ifMatch),
    () => as(boss).put(path, { ...about, intro: 'second' }, ifMatch),
  )

  first.expect(200)
  second.expect(412, 'PRECONDITION_FAILED')
})

test('menus are never closed to a circle', async () => {
  const make = async () => (await as(world.admin).post('/menus', { name: key() })).expect(201)
  const [one, two] = [await make(), await make()]

  const { first, second } = await interleave(
    world,
    () => as(world.admin).put(`/menus/${one.id}`, { parentId: two.id }),
    () => as(world.admin).put(`/menus/${two.id}`, { parentId: one.id }),
  )

  first.expect(200)
  second.expect(409, 'MENU_CYCLE')
})

test('departments are never closed to a circle', async () => {
  const make = async (code: string) => (await as(boss).post('/departments', { name: code, code })).expect(201)
  const [one, two] = [await make('ONE'), await make('TWO')]
  const move = ({ id, name, code }: any, parentId: number) =>
    as(boss).put(`/departments/${id}`, { name, code, parentId })

  const { first, second } = await interleave(
    world,
    () => move(one, two.id),
    () => move(two, one.id),
  )

  first.expect(200)
  second.expect(409, 'DEPARTMENT_CYCLE')
})

test('an article is withdrawn behind the comment that somebody is writing', async () => {
  const article = (await as(boss).post('/content/articles', { title: 'A', status: 'published' })).expect(201)

  const { first, second, waited } = await interleave(
    world,
    () => as(ann).post(`/blog/${article.id}/comments`, { content: 'hello' }),
    () => as(boss).put(`/content/articles/${article.id}`, { status: 'draft' }),
  )

  first.expect(201)
  second.expect(200)
  expect(waited).toBe(true)
})

test('a category goes only behind the article that is being put into it', async () => {
  const category = (await as(boss).post('/content/categories', { name: key(), slug: key() })).expect(201)

  const { first, second } = await interleave(
    world,
    () => as(boss).delete(`/content/categories/${category.id}`),
    () => as(boss).put(`/content/categories/${category.id}`, { description: 'x' }),
  )

  first.expect(200)
  second.expect(404, 'NOT_FOUND')
})

test('a file is deleted once', async () => {
  const upload = formOf([{ filename: 'a.txt', content: 'text' }])
  const file = (await as(ann).send({ method: 'POST', url: '/api/v1/files', ...upload })).expect(201)
  const remove = () => as(ann).delete(`/files/${file.key}`)

  const { first, second } = await interleave(world, remove, remove)

  first.expect(200)
  second.expect(404, 'NOT_FOUND')
})

describe('a file', () => {
  let file: { key: string; url: string }
  let task: { id: number }
  beforeEach(async () => {
    task = await world.givenTask(boss, await world.givenProject(boss))
    const upload = formOf([{ filename: 'a.png', content: pngOf(100) }])
    file = (await as(boss).send({ method: 'POST', url: '/api/v1/files', ...upload })).expect(201)
  })
  const attach = (resourceType: string, { id: resourceId }: { id: number }) =>
    as(boss).put(`/files/${file.key}/resource`, { resourceType, resourceId })
  const remove = () => as(boss).delete(`/files/${file.key}`)
  const uses: Record<string, () => Promise<Answer>> = {
    'an article shows it': () => as(boss).post('/content/articles', { title: 'x', cover: file.url }),
    'the portal shows it': () =>
      as(boss).put('/content/portal/features', [{ id: 1, title: 'x', description: 'x', icon: file.url }]),
    'it becomes the picture of a person': () => as(boss).put('/users/me', { avatarKey: file.key }),
    'it is attached': () => attach('task', task),
  }

  test.each(Object.keys(uses))('is not deleted while %s', async (use) => {
    const { first, second } = await interleave(world, uses[use]!, remove)

    expect(first.status).toBeLessThan(300)
    second.expect(409, 'FILE_IN_USE')
  })

  test.each(['it becomes the picture of a person', 'it is attached'])(
    'is not there for %s, once deleted',
    async (use) => {
      const { first, second } = await interleave(world, remove, uses[use]!)

      first.expect(200)
      second.expect(404, 'NOT_FOUND')
    },
  )

  test('leaves the task that it was attached to a moment before', async () => {
    const next = await world.givenTask(boss, await world.givenProject(boss))
    const { first, second } = await interleave(
      world,
      () => attach('task', task),
      () => attach('task', next),
    )

    first.expect(200)
    second.expect(200)
    const actions = (await as(boss).get(`/tasks/${task.id}/activities`)).expect(200).map(({ action }: any) => action)
    expect(actions).toEqual(['FILE_DETACHED', 'FILE_ATTACHED', 'TASK_CREATED'])
  })

  test('of a request is attached before the decision, or not at all', async () => {
    const department = { name: 'Sales', code: 'SALES', leaderId: ben.id }
    const { id: departmentId } = (await as(boss).post('/departments', department)).expect(201)
    const draft = { type: 'leave', title: 'A day', departmentId }
    const request = (await as(boss).post('/approvals', draft)).expect(201)
    ;(await as(boss).post(`/approvals/${request.id}/submit`, undefined, { 'idempotency-key': key() })).expect(200)
    const { first, second } = await interleave(
      world,
      () => as(ben).post(`/approvals/${request.id}/reject`, {}),
      () => attach('approval', request),
    )

    first.expect(200)
    second.expect(409, 'ILLEGAL_TRANSITION')
  })

  test('that is attached while its article is deleted is as one that was attached before', async () => {
    const article = (await as(boss).post('/content/articles', { title: 'x', status: 'published' })).expect(201)
    const { first, second } = await interleave(
      world,
      () => as(boss).delete(`/content/articles/${article.id}`),
      () => attach('article', article),
    )

    first.expect(200)
    expect([200, 404]).toContain(second.status)
    const outside = { method: 'GET', url: file.url.replace('/v1/', '/v1/public/') } as const
    expect((await world.app.inject(outside)).statusCode).toBe(404)
    ;(await as(ann).get(`/files/${file.key}`)).expect(second.status === 200 ? 404 : 200)
    ;(await remove()).expect(200)
  })

  test('that is taken from an article while it is published does not become public', async () => {
    const article = (await as(boss).post('/content/articles', { title: 'x' })).expect(201)
    ;(await attach('article', article)).expect(200)
    const { first, second } = await interleave(
      world,
      () => as(boss).put(`/content/articles/${article.id}`, { status: 'published' }),
      () => as(boss).put(`/files/${file.key}/resource`, { resourceType: null, resourceId: null }),
    )

    first.expect(200)
    second.expect(200)
    const outside = { method: 'GET', url: file.url.replace('/v1/', '/v1/public/') } as const
    expect((await world.app.inject(outside)).statusCode).toBe(404)
  })
})

describe('a clean-up passes over what somebody holds, and waits for nobody', () => {
  const inTenant = <T>(action: (tx: any) => Promise<T>) =>
    transact(world.database, { tenantId: tenant.id, actor: system, requestId: 'test' }, action)
  const [expiredSessions, expiredTokens, oldNetworks] = endedSessions as [CleanupJob, CleanupJob, CleanupJob]

  test.each([
    [
      'of sessions',
      expiredSessions,
      `update sessions set expires_at = now() - interval '2 hours' where user_id in ($1, $2)`,
      'sessions',
      'user_id = $1',
    ],
    [
      'of refresh tokens',
      expiredTokens,
      `insert into refresh_tokens (tenant_id, session_id, token_hash, expires_at)
       select tenant_id, id, 'hash-' || user_id, now() - interval '2 hours' from sessions where user_id in ($1, $2)`,
      'refresh_tokens',
      `token_hash = 'hash-' || $1`,
    ],
    [
      'of claims',
      expiredClaims,
      `insert into idempotency_keys (tenant_id, user_id, key, expires_at)
       select tenant_id, id, 'old', now() - interval '1 hour' from users where id in ($1, $2)`,
      'idempotency_keys',
      'user_id = $1',
    ],
    [
      'of claims of visitors',
      expiredVisitorClaims,
      `insert into visitor_keys (tenant_id, key, expires_at)
       select tenant_id, 'of ' || id, now() - interval '1 hour' from users where id in ($1, $2)`,
      'visitor_keys',
      `key = 'of ' || $1`,
    ],
    [
      'of networks',
      oldNetworks,
      `insert into sign_in_networks (tenant_id, user_id, network, seen_at)
       select tenant_id, id, '192.0.2.1', now() - interval '91 days' from users where id in ($1, $2)`,
      'sign_in_networks',
      `user_id = $1 and network = '192.0.2.1'`,
    ],
  ])('%s', async (_, job, given, table, whose) => {
    await world.look.rows(given.replaceAll('$1', String(ann.id)).replaceAll('$2', String(ben.id)))
    const of = ({ id }: Person) =>
      `select 1 from ${table} where tenant_id = ${tenant.id} and ${whose.replace('$1', String(id))}`
    const release = await holdRow(world, tenant, `${of(ann)} for update`)

    const removal = inTenant((tx) => job.remove(tx, 100))
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
    await world.look.rows(
      `insert into outbox (tenant_id, type, title, resource_type, resource_id, receivers, created_at)
       values ($1, 'TASK_ASSIGNED', 'held', 'task', 1, array[$2::bigint], now())`,
      [tenant.id, ben.id],
    )
    const project = await world.givenProject(ann)
    const release = await holdRow(world, tenant, `select 1 from outbox where tenant_id = ${tenant.id} for update`)

    const addition = world.givenMember(ann, project, ben)
    const waited = await waitsForLock(world, addition)
    await addition
    const early = await inbox()
    await release()

    expect([waited, early]).toEqual([false, 1])
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
  const before = await deadlocks()
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
  expect(await deadlocks()).toBe(before)
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

async function deadlocks(): Promise<number> {
  await world.look.rows('select pg_stat_force_next_flush()')
  return world.look.countEverywhere('select deadlocks from pg_stat_database where datname = current_database()')
}
