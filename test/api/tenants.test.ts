import pino from 'pino'
import { describe, expect, test } from 'vitest'
import { sharedScope } from '../../src/data/tx/open-scope.ts'
import type { Database } from '../../src/data/wire/database.ts'
import { findTenant } from '../../src/domains/tenants/tenants.store.ts'
import { allPermissions, grantsOf } from '../../src/kernel/access.ts'
import { prepareDatabase } from '../../src/start.ts'
import { testConfig } from '../support/config.ts'
import { createDatabase } from '../support/database.ts'
import { openWorldWithTenant } from '../support/world-with-tenant.ts'

const { world, tenant } = await openWorldWithTenant()

let counter = 0
const admins = { adminUsername: 'chief', adminPassword: 'correct horse', adminEmail: 'chief@acme.example' }
const acme = () => ({ name: 'Acme Ltd', code: `acme-${++counter}`, plan: 'team', ...admins })
const create = (changes: object = {}) => world.as(world.admin).post('/tenants', { ...acme(), ...changes })

describe('a new tenant', () => {
  test('lists its people in the order in which they came, wherever it was made', async () => {
    // On a cluster they are on several nodes, and the tenant of the system administrator is on one.
    for (let made = 0; made < 3; made++) {
      const founded = (await create()).expect(201)
      const joined = [await world.givenUser(founded), await world.givenUser(founded)]
      const { items } = await world.as(world.admin).read('/users', { 'x-tenant-code': founded.code })
      expect(items.slice(0, 2).map(({ id }: any) => id)).toEqual([joined[1]!.id, joined[0]!.id])
      expect(items).toHaveLength(3)
    }
  })

  test('comes with its organization, its roles and an administrator who can sign in', async () => {
    const answer = await create({ code: 'acme-whole', expiredAt: '2099-12-31T23:00:00+01:00' })

    const created = answer.expect(201)
    const terms = { status: 'active', plan: 'team', expiredAt: '2099-12-31T22:00:00.000Z', registration: 'closed' }
    const made = { id: expect.any(Number), createdAt: expect.stringMatching(/Z$/) }
    expect(created).toEqual({ ...terms, ...made, name: 'Acme Ltd', code: 'acme-whole' })
    expect(answer.headers.location).toBe(`/api/v1/tenants/${created.id}`)
    const chiefs = { username: 'chief', password: 'correct horse', tenantCode: 'acme-whole' }
    const session = await world.anyone.post('/auth/login', chiefs)
    const chief = world.as({ token: session.expect(200).accessToken })
    expect(await chief.read('/auth/me')).toMatchObject({
      tenantId: created.id,
      nickname: 'Tenant Administrator',
      email: 'chief@acme.example',
      roles: ['tenant-admin'],
      permissions: expect.arrayContaining(['user:create', 'audit:view', 'department:manage']),
    })
    const organization = { name: 'Acme Ltd', code: 'ACME-WHOLE', status: 'active' }
    expect(await chief.read('/organizations/current')).toMatchObject(organization)
    const roles = (await chief.read('/roles')).items
    expect(roles.map(({ code, permissions }: any) => [code, permissions.toSorted()])).toEqual([
      ['user', [...grantsOf('user')].sort()],
      ['tenant-admin', [...grantsOf('tenant-admin')].sort()],
    ])
    const lacking = allPermissions().filter((code) => !roles[1].permissions.includes(code))
    expect(lacking.sort()).toEqual(['menu:create', 'menu:delete', 'menu:update', 'tenant:list'])
  })
})

describe('changing a tenant', () => {
  test('is partial: what is left out stays, null clears the expiry, and code and id never change', async () => {
    const created = (await create({ expiredAt: '2099-01-01T00:00:00Z' })).expect(201)
    const put = async (patch: object) => (await world.as(world.admin).put(`/tenants/${created.id}`, patch)).expect(200)

    const renamed = { ...created, name: 'New' }
    expect(await put({ name: ' New ' })).toEqual(renamed)
    const disabled = { ...renamed, plan: 'business', status: 'disabled' }
    expect(await put({ plan: 'business', status: 'disabled' })).toEqual(disabled)
    expect(await put({ expiredAt: null, status: 'active' })).toEqual({ ...disabled, expiredAt: null, status: 'active' })
    expect(await put({ registration: 'open' })).toMatchObject({ name: 'New', registration: 'open' })
    const { id, code } = created
    const kept = { id, code, name: 'New', plan: 'business', registration: 'open' }
    expect(await put({ code: 'other-code', id: 1, tenantId: 1 })).toMatchObject(kept)
  })

  test('neither disables nor ends the first one, which may be renamed', async () => {
    const put = (patch: object) => world.as(world.admin).put('/tenants/1', patch)
    for (const patch of [
      { status: 'disabled' },
      { expiredAt: '2001-01-01T00:00:00Z' },
      { expiredAt: '2999-01-01T00:00:00Z', name: 'Default' },
    ])
      (await put(patch)).expect(409, 'RESERVED')
    const renamed = { name: 'Headquarters', expiredAt: null }
    const first = (await put(renamed)).expect(200)
    expect(first).toMatchObject({ id: 1, status: 'active', ...renamed })
    expect((await put(first)).expect(200)).toEqual(first)
  })
})

describe('X-Tenant-Code on a signed-in request', () => {
  test('takes the system administrator, and what they do, into the named tenant', async () => {
    const project = await world.givenProject(tenant.administrator)
    const inside = { 'x-tenant-code': tenant.code, 'x-request-id': 'repair-1' }
    const system = world.as(world.admin)

    expect((await system.read('/projects', inside)).map(({ id }: any) => id)).toContain(project.id)
    const repaired = { version: 1, name: 'Repaired' }
    const put = await system.put(`/projects/${project.id}`, { version: 0, name: 'Repaired' }, inside)
    expect(put.expect(200)).toMatchObject(repaired)
    ;(await system.get(`/projects/${project.id}`)).expect(404)
    const seen = await world.as(tenant.administrator).read(`/projects/${project.id}`)
    expect(seen).toMatchObject(repaired)
    const noted = (method: string) => ({ tenant_id: String(tenant.id), user_id: '1', username: 'admin', method })
    const rows = () =>
      world.look.rows(
        `select tenant_id, user_id, username, method from audit_operations where request_id = 'repair-1' order by method`,
      )
    await expect.poll(rows).toEqual([noted('GET'), noted('PUT')])
  })

  test('lets them into a tenant that is disabled or expired, to repair it; a tenant that is not there is a 404, and blank is none', async () => {
    const closed = await world.givenTenant()
    const patch = { status: 'disabled', expiredAt: '2001-01-01T00:00:00Z' }
    ;(await world.as(world.admin).put(`/tenants/${closed.id}`, patch)).expect(200)
    const ask = (code: string) => world.as(world.admin).get('/projects', { 'x-tenant-code': code })
    for (const code of [closed.code, '  ']) (await ask(code)).expect(200)
    ;(await ask('no-such-tenant')).expect(404, 'TENANT_NOT_FOUND')
  })

  test('means nothing from anybody else', async () => {
    const other = await world.givenTenant()
    const project = await world.givenProject(other.administrator)
    const second = await world.givenUser({ id: 1 }, allPermissions())
    for (const person of [tenant.administrator, second, await world.givenUser(tenant)])
      for (const code of [other.code, 'no-such-tenant', 'default']) {
        const named = { 'x-tenant-code': code, 'x-tenant-id': String(other.id), 'x-user-id': '1' }
        ;(await world.as(person).get(`/projects/${project.id}`, named)).expect(404, 'NOT_FOUND')
        expect(await world.as(person).read('/auth/me', named)).toMatchObject({ tenantId: person.tenantId })
        expect((await world.as(person).read('/projects', named)).map(({ id }: any) => id)).not.toContain(project.id)
      }
  })

  test('makes nothing for the system administrator there that belongs to a person: they are nobody of that tenant', async () => {
    const boss = tenant.administrator
    const project = await world.givenProject(boss)
    const task = await world.givenTask(boss, project)
    const post = { title: 'A post', status: 'published' }
    const article = await world.as(boss).create('/content/articles', post)
    const headers = { 'x-tenant-code': tenant.code, 'idempotency-key': 'from-outside' }
    for (const [path, body] of [
      ['/projects', { name: 'From outside', code: 'OUT' }],
      [`/projects/${project.id}/tasks`, { title: 'From outside' }],
      [`/tasks/${task.id}/comments`, { content: 'From outside' }],
      ['/approvals', { type: 'leave', title: 'From outside' }],
      ['/payments/checkout', { planId: 2, channel: 'card' }],
      [`/blog/${article.id}/comments`, { content: 'From outside' }],
    ] as const)
      (await world.as(world.admin).post(path, body, headers)).expect(409, 'NOT_IN_TENANT')
  })
})

test('the first tenant is made open, or closed where the configuration says so', async () => {
  const firstOf = (database: Database) => findTenant(sharedScope(database), { id: 1 })
  expect(await firstOf(world.database)).toMatchObject({ code: 'default', registration: 'open' })

  const closed = testConfig({ FIRST_TENANT_REGISTRATION: 'closed' })
  const { database } = await prepareDatabase(closed, await createDatabase(), pino({ level: 'silent' }))
  expect(await firstOf(database)).toMatchObject({ code: 'default', registration: 'closed' })
  await database.close()
})
