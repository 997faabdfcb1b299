import pino from 'pino'
import { describe, expect, test } from 'vitest'
import { sharedScope } from '../../src/data/tx/open-scope.ts'
import type { Database } from '../../src/data/wire/database.ts'
import { findTenant } from '../../src/domains/tenants/tenants.store.ts'
import { allPermissions, grantsOf } from '../../src/kernel/access.ts'
import { prepareDatabase } from '../../src/start.ts'
import { testConfig } from '../support/config.ts'
import { createDatabase } from '../support/database.ts'
import { openWorld, type Person } from '../support/world.ts'

const world = await openWorld()
const tenant = await world.givenTenant()

let counter = 0
const draft = (changes: object = {}) => ({
  name: 'Acme Ltd',
  code: `acme-${++counter}`,
  plan: 'team',
  adminUsername: 'chief',
  adminPassword: 'correct horse',
  adminEmail: 'chief@acme.example',
  ...changes,
})
const create = (changes: object = {}) => world.as(world.admin).post('/tenants', draft(changes))

describe('a new tenant', () => {
  test('lists its people in the order in which they came, wherever it was made', async () => {
    // On a cluster they are on several nodes, and the tenant of the system administrator is on one.
    for (let made = 0; made < 8; made++) {
      const founded = (await create()).expect(201)
      const joined = [await world.givenUser(founded), await world.givenUser(founded)]
      const { items } = (await world.as(world.admin).get('/users', { 'x-tenant-code': founded.code })).expect(200)
      expect(items.slice(0, 2).map(({ id }: any) => id)).toEqual([joined[1]!.id, joined[0]!.id])
      expect(items).toHaveLength(3)
    }
  })

  test('comes with its organization, its roles and an administrator who can sign in', async () => {
    const answer = await create({ code: 'acme-whole', expiredAt: '2099-12-31T23:00:00+01:00' })

    const created = answer.expect(201)
    expect(created).toEqual({
      id: expect.any(Number),
      name: 'Acme Ltd',
      code: 'acme-whole',
      status: 'active',
      plan: 'team',
      expiredAt: '2099-12-31T22:00:00.000Z',
      registration: 'closed',
      createdAt: expect.stringMatching(/Z$/),
    })
    expect(answer.headers.location).toBe(`/api/v1/tenants/${created.id}`)
    const session = await world.anyone.post('/auth/login', {
      username: 'chief',
      password: 'correct horse',
      tenantCode: 'acme-whole',
    })
    const chief = world.as({ ...world.admin, token: session.expect(200).accessToken })
    expect((await chief.get('/auth/me')).expect(200)).toMatchObject({
      tenantId: created.id,
      nickname: 'Tenant Administrator',
      email: 'chief@acme.example',
      roles: ['tenant-admin'],
      permissions: expect.arrayContaining(['user:create', 'audit:view', 'department:manage']),
    })
    expect((await chief.get('/organizations/current')).expect(200)).toMatchObject({
      name: 'Acme Ltd',
      code: 'ACME-WHOLE',
      status: 'active',
    })
    expect(await rolesOf(created.id)).toEqual({
      'tenant-admin': [...grantsOf('tenant-admin')].sort(),
      user: [...grantsOf('user')].sort(),
    })
  })

  test('grants its administrator everything but what belongs to the system', async () => {
    const { id } = (await create()).expect(201)
    const held = (await rolesOf(id))['tenant-admin']!
    expect(
      allPermissions()
        .filter((code) => !held.includes(code))
        .sort(),
    ).toEqual(['menu:create', 'menu:delete', 'menu:update', 'tenant:list'])
  })

  test('whose code is taken leaves nothing behind', async () => {
    const before = await counts()
    ;(await create({ code: tenant.code })).expect(409, 'TENANT_CODE_TAKEN')
    ;(await create({ code: 'default' })).expect(409, 'TENANT_CODE_TAKEN')
    expect(await counts()).toEqual(before)
  })

  test('of which two were requested concurrently with one code is made once', async () => {
    const answers = await Promise.all(Array.from({ length: 4 }, () => create({ code: 'acme-race' })))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409])
  })

  test.each(['ab', 'Acme', '1acme', '-acme', 'acme-', 'ac me', 'acme_x', 'ac.me', 'äcme', `a${'b'.repeat(64)}`, ''])(
    'cannot have the code %j',
    async (code) => {
      const { details } = (await create({ code })).expect(400, 'VALIDATION_FAILED')
      expect(details.map((detail: any) => detail.path)).toEqual(['body.code'])
    },
  )

  test.each(['abc', 'a-1', `a${'b'.repeat(62)}c`, 'acme--corp'])('can have the code %j', async (code) => {
    ;(await create({ code })).expect(201)
  })

  test.each([
    ['body.name', { name: ' ' }],
    ['body.name', { name: 'x'.repeat(129) }],
    ['body.plan', { plan: 'x'.repeat(33) }],
    ['body.expiredAt', { expiredAt: '2026-01-01' }],
    ['body.expiredAt', { expiredAt: '9999-12-31T23:59:59-05:00' }],
    ['body.adminUsername', { adminUsername: 'x'.repeat(65) }],
    ['body.adminPassword', { adminPassword: 'ninechars' }],
    ['body.adminPassword', { adminPassword: 'x'.repeat(129) }],
    ['body.adminEmail', { adminEmail: 'nobody' }],
  ])('names %s when it is not valid', async (path, wrong) => {
    const { details } = (await create(wrong)).expect(400, 'VALIDATION_FAILED')
    expect(details.map((detail: any) => detail.path)).toEqual([path])
  })
})

describe('changing a tenant', () => {
  test('is partial: what is left out stays, and null clears the expiry', async () => {
    const created = (await create({ expiredAt: '2099-01-01T00:00:00Z' })).expect(201)
    const put = async (patch: object) => (await world.as(world.admin).put(`/tenants/${created.id}`, patch)).expect(200)

    expect(await put({ name: ' New ' })).toEqual({ ...created, name: 'New' })
    expect(await put({ plan: 'business', status: 'disabled' })).toEqual({
      ...created,
      name: 'New',
      plan: 'business',
      status: 'disabled',
    })
    expect(await put({ expiredAt: null, status: 'active' })).toEqual({
      ...created,
      name: 'New',
      plan: 'business',
      expiredAt: null,
    })
    expect(await put({})).toMatchObject({ name: 'New', plan: 'business' })
  })

  test('opens and closes it to strangers, and changes nothing if it does not say so', async () => {
    const created = (await create({ registration: 'open' })).expect(201)
    expect(created.registration).toBe('open')
    const put = async (patch: object) => (await world.as(world.admin).put(`/tenants/${created.id}`, patch)).expect(200)
    expect(await put({ name: 'Still open' })).toMatchObject({ registration: 'open' })
    expect(await put({ registration: 'closed' })).toMatchObject({ registration: 'closed' })
    ;(await world.as(world.admin).put(`/tenants/${created.id}`, { registration: 'ajar' })).expect(
      400,
      'VALIDATION_FAILED',
    )
    expect((await world.as(world.admin).get('/tenants')).expect(200).at(-1)).toMatchObject({
      id: 1,
      registration: 'open',
    })
  })

  test('never changes its code or its id', async () => {
    const created = (await create()).expect(201)
    const put = await world.as(world.admin).put(`/tenants/${created.id}`, { code: 'other-code', id: 1, tenantId: 1 })
    expect(put.expect(200)).toEqual(created)
  })

  test('that does not exist is a 404 with its kind', async () => {
    const answer = await world.as(world.admin).put('/tenants/999999', { name: 'x' })
    answer.expect(404, 'NOT_FOUND')
    expect(answer.body.message).toBe('Tenant not found')
  })

  test.each([{ status: 'disabled' }, { expiredAt: '2001-01-01T00:00:00Z' }])(
    '%j is refused for the first tenant',
    async (patch) => {
      ;(await world.as(world.admin).put('/tenants/1', patch)).expect(409, 'RESERVED')
      ;(await world.as(world.admin).get('/auth/me')).expect(200)
    },
  )

  test('the first one may be renamed', async () => {
    const put = await world.as(world.admin).put('/tenants/1', { name: 'Headquarters', expiredAt: null })
    expect(put.expect(200)).toMatchObject({ id: 1, name: 'Headquarters', expiredAt: null })
  })
})

test('tenants are listed newest first, page by page', async () => {
  ;(await create()).expect(201)
  const all = (await world.as(world.admin).get('/tenants')).expect(200)
  expect(all.map(({ id }: any) => id)).toEqual(all.map(({ id }: any) => id).sort((a: number, b: number) => b - a))
  expect(all.at(-1)).toMatchObject({ id: 1, code: 'default', plan: 'enterprise', expiredAt: null })
  const page = await world.as(world.admin).get('/tenants?page=1&pageSize=2')
  expect(page.expect(200)).toEqual(all.slice(0, 2))
  expect(page.headers['x-total-count']).toBe(String(all.length))
})

describe('the tenants are the business of system administrators alone', () => {
  const attempts = (person: Person) => [
    world.as(person).get('/tenants'),
    world.as(person).post('/tenants', draft()),
    world.as(person).put(`/tenants/${tenant.id}`, { name: 'Mine' }),
    world.as(person).put('/tenants/1', { name: 'Mine' }),
  ]

  test('an administrator of another tenant lacks the permission', async () => {
    for (const answer of await Promise.all(attempts(tenant.administrator))) answer.expect(403, 'PERMISSION_DENIED')
  })

  test('somebody else who was given the permission still lacks the identity', async () => {
    const granted = await world.givenUser(tenant, await world.givenRole(tenant, allPermissions()))
    for (const answer of await Promise.all(attempts(granted))) answer.expect(403, 'ROLE_REQUIRED')
  })

  test('in the first tenant as well', async () => {
    const granted = await world.givenUser({ id: 1 }, await world.givenRole({ id: 1 }, allPermissions()))
    for (const answer of await Promise.all(attempts(granted))) answer.expect(403, 'ROLE_REQUIRED')
  })
})

describe('X-Tenant-Code on a signed-in request', () => {
  test('takes the system administrator, and what they do, into the named tenant', async () => {
    const project = await world.givenProject(tenant.administrator)
    const inside = { 'x-tenant-code': tenant.code, 'x-request-id': 'repair-1' }
    const system = world.as(world.admin)

    expect((await system.get('/projects', inside)).expect(200).map(({ id }: any) => id)).toContain(project.id)
    expect(
      (await system.put(`/projects/${project.id}`, { version: 0, name: 'Repaired' }, inside)).expect(200),
    ).toMatchObject({ name: 'Repaired', version: 1 })
    ;(await system.get(`/projects/${project.id}`)).expect(404)
    expect((await world.as(tenant.administrator).get(`/projects/${project.id}`)).expect(200)).toMatchObject({
      name: 'Repaired',
    })
    const noted = (method: string) => ({ tenant_id: String(tenant.id), user_id: '1', username: 'admin', method })
    await expect
      .poll(() =>
        world.look.rows(
          `select tenant_id, user_id, username, method from audit_operations where request_id = 'repair-1' order by method`,
        ),
      )
      .toEqual([noted('GET'), noted('PUT')])
  })

  test('lets them into a tenant that is disabled or expired, to repair it', async () => {
    const closed = await world.givenTenant()
    ;(
      await world
        .as(world.admin)
        .put(`/tenants/${closed.id}`, { status: 'disabled', expiredAt: '2001-01-01T00:00:00Z' })
    ).expect(200)
    ;(await world.as(world.admin).get('/projects', { 'x-tenant-code': closed.code })).expect(200)
  })

  test('is a 404 for them when there is no such tenant, and blank is none', async () => {
    ;(await world.as(world.admin).get('/projects', { 'x-tenant-code': 'no-such-tenant' })).expect(
      404,
      'TENANT_NOT_FOUND',
    )
    ;(await world.as(world.admin).get('/projects', { 'x-tenant-code': '  ' })).expect(200)
  })

  test('means nothing from anybody else', async () => {
    const other = await world.givenTenant()
    const project = await world.givenProject(other.administrator)
    const second = await world.givenUser({ id: 1 }, await world.givenRole({ id: 1 }, allPermissions()))
    for (const person of [tenant.administrator, second, await world.givenUser(tenant)])
      for (const code of [other.code, 'no-such-tenant', 'default']) {
        const named = { 'x-tenant-code': code, 'x-tenant-id': String(other.id), 'x-user-id': '1' }
        ;(await world.as(person).get(`/projects/${project.id}`, named)).expect(404, 'NOT_FOUND')
        expect((await world.as(person).get('/auth/me', named)).expect(200)).toMatchObject({ tenantId: person.tenantId })
        expect((await world.as(person).get('/projects', named)).expect(200).map(({ id }: any) => id)).not.toContain(
          project.id,
        )
      }
  })

  test.each<[string, (project: any, task: any, article: any) => [string, object, object?]]>([
    [
      'project',
      () => ['/projects', { name: 'From outside', code: `OUT-${++counter}` }, { 'idempotency-key': `out-${counter}` }],
    ],
    ['task', (project) => [`/projects/${project.id}/tasks`, { title: 'From outside' }]],
    ['comment', (_, task) => [`/tasks/${task.id}/comments`, { content: 'From outside' }]],
    ['approval', () => ['/approvals', { type: 'leave', title: 'From outside' }]],
    ['order', () => ['/payments/checkout', { planId: 2, channel: 'card' }]],
    ['comment of a post', (_, __, article) => [`/blog/${article.id}/comments`, { content: 'From outside' }]],
  ])('makes no %s for the system administrator there: they are nobody of that tenant', async (_, request) => {
    const project = await world.givenProject(tenant.administrator)
    const task = await world.givenTask(tenant.administrator, project)
    const post = { title: 'A post', status: 'published' }
    const article = (await world.as(tenant.administrator).post('/content/articles', post)).expect(201)
    const [path, body, headers = {}] = request(project, task, article)
    const answer = await world.as(world.admin).post(path, body, { 'x-tenant-code': tenant.code, ...headers })
    answer.expect(409, 'NOT_IN_TENANT')
  })
})

async function rolesOf(tenantId: number): Promise<Record<string, string[]>> {
  const rows = await world.look.rows<{ role: string; permissions: string[] }>(
    `select r.code as role, array_agg(p.code order by p.code collate "C") as permissions
       from roles r join role_permissions rp on rp.role_id = r.id and rp.tenant_id = r.tenant_id join permissions p on p.id = rp.permission_id
      where r.tenant_id = $1 group by 1`,
    [tenantId],
  )
  return Object.fromEntries(rows.map(({ role, permissions }) => [role, permissions]))
}

async function counts() {
  const tables = ['tenants', 'organizations', 'roles', 'users', 'user_roles']
  return Promise.all(tables.map((table) => world.look.count(`select count(*) from ${table}`)))
}

test('the first tenant is made open, or closed where the configuration says so', async () => {
  const firstOf = (database: Database) => findTenant(sharedScope(database), { id: 1 })
  expect(await firstOf(world.database)).toMatchObject({ code: 'default', registration: 'open' })

  const closed = testConfig({ FIRST_TENANT_REGISTRATION: 'closed' })
  const { database } = await prepareDatabase(closed, await createDatabase(), pino({ level: 'silent' }))
  expect(await firstOf(database)).toMatchObject({ code: 'default', registration: 'closed' })
  await database.close()
})
