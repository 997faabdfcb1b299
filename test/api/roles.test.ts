import { beforeAll, describe, expect, test } from 'vitest'
import { migrate } from '../../src/data/setup/migrate.ts'
import { OWN_MIGRATIONS } from '../../src/data/setup/migrations.ts'
import { writeCatalogue } from '../../src/domains/roles/catalogue.ts'
import { allPermissions, grantsOf } from '../../src/kernel/access.ts'
import { openWorld, type Person } from '../support/world.ts'
import { openWorldWithTenant } from '../support/world-with-tenant.ts'

const { world, tenant, boss } = await openWorldWithTenant()
beforeAll(async () => {
  const catalogue = await world.as(boss).read('/permissions')
  permissionId = (code) => catalogue.find((permission: any) => permission.code === code)!.id
})

let counter = 0
const silent = { info() {}, warn() {}, error() {} }
let permissionId: (code: string) => number
const draft = (more: object = {}) => ({ code: `custom-${++counter}`, name: `Custom ${counter}`, ...more })
const givenRole = (more: object = {}) => world.as(boss).create('/roles', draft(more))
const read = (id: number) => world.as(boss).read(`/roles/${id}`)
const reserved = async (code: string, by: Person = boss) =>
  (await world.as(by).read('/roles?pageSize=100')).items.find((role: any) => role.code === code)

describe('a role', () => {
  test('is made with what it permits and the menus it sees', async () => {
    const [first, second] = await world.as(boss).read('/menus/tree')
    const permissionIds = ['audit:view', 'user:list', 'audit:view'].map(permissionId)
    const wanted = { code: 'Auditor_1', description: 'Looks', permissionIds, menuIds: [second.id, first.id] }
    const answer = await world.as(boss).post('/roles', draft(wanted))
    const role = answer.expect(201)
    expect(answer.headers.location).toBe(`/api/v1/roles/${role.id}`)
    const shown = { code: 'Auditor_1', name: expect.any(String), description: 'Looks', menuIds: [first.id, second.id] }
    const made = { createdAt: expect.stringMatching(/Z$/), updatedAt: expect.stringMatching(/Z$/) }
    expect(role).toEqual({ ...shown, ...made, id: expect.any(Number), permissions: ['user:list', 'audit:view'] })
    expect(await read(role.id)).toEqual(role)
    expect(await givenRole({ menuIds: [] })).toMatchObject({ description: null, permissions: [], menuIds: [] })
  })

  test.each([
    ['  ', '项目 经理', '项目-经理'],
    ['a.b', 'x', 'a-b'],
    [null, '?', 'role'],
    [undefined, 'Tenant admin', 'tenant-admin-2'],
  ])('whose code is typed as %j, and is called “%s”, gets %s', async (code, name, made) => {
    const make = async () => (await world.as(boss).create('/roles', { code, name })).code
    expect(await make()).toBe(made)
    expect(await make()).toBe(made.endsWith('-2') ? made.replace('-2', '-3') : `${made}-2`)
  })

  test('looks like no other, and never like one of the service', async () => {
    expect((await givenRole({ code: 'аuditors' })).code).toBe('аuditors')
    ;(await world.as(boss).post('/roles', draft({ code: 'auditors' }))).expect(409, 'ROLE_CODE_TAKEN')
    expect((await givenRole({ code: 'ａｄｍｉｎ' })).code).toBe('admin-2')
    for (const code of ['admin', 'Admin', 'TENANT-ADMIN', 'User'])
      (await world.as(boss).post('/roles', draft({ code }))).expect(409, 'RESERVED')
    for (const code of ['tenant-admin', 'user'])
      (await world.as(boss).post('/roles', draft({ code }))).expect(409, 'ROLE_CODE_TAKEN')
    ;(await world.as(world.admin).post('/roles', draft({ code: 'tenant-admin' }))).expect(409, 'RESERVED')
  })

  test('with a permission or menu that there is not is neither made nor changed', async () => {
    const role = await givenRole()
    for (const sets of [{ permissionIds: [permissionId('user:list'), 999_999] }, { menuIds: [999_999] }]) {
      const wanted = draft(sets)
      ;(await world.as(boss).post('/roles', wanted)).expect(404, 'NOT_FOUND')
      ;(await world.as(boss).put(`/roles/${role.id}`, sets)).expect(404, 'NOT_FOUND')
      expect(await world.look.count('select count(*) from roles where code = $1', [wanted.code])).toBe(0)
    }
    expect(await read(role.id)).toEqual(role)
  })
})

test('the list of roles comes in pages, newest first, with the reserved ones of a new tenant', async () => {
  const other = await world.givenTenant()
  const page = (query: string) => world.as(other.administrator).read(`/roles?${query}`)
  const menus = await world.look.rows<any>('select id::float8 from menus order by id')

  const whole = await page('')
  expect(whole).toMatchObject({ page: 1, pageSize: 10, total: 2 })
  const [user, administrator] = whole.items
  expect(user).toMatchObject({ code: 'user', permissions: grantsOf('user') })
  expect(administrator).toMatchObject({ code: 'tenant-admin', menuIds: menus.map(({ id }) => id) })
  expect(new Set(administrator.permissions)).toEqual(new Set(grantsOf('tenant-admin')))
  expect((await page('page=2&pageSize=1')).items).toEqual([administrator])
  expect((await page('keyword=TENANT-')).items).toEqual([administrator])
  // A reader of another language searches by the name that they see.
  expect((await page(`keyword=${encodeURIComponent('管理员')}`)).items).toEqual([administrator])
  expect((await page('keyword=%25')).items).toEqual([])
})

describe('changing a role', () => {
  test('changes what is sent, never the code; a set that is sent replaces the one there is', async () => {
    const [home, dashboard] = await world.as(boss).read('/menus/tree')
    const permissionIds = ['audit:view', 'user:list'].map(permissionId)
    const role = await givenRole({ description: 'Before', permissionIds, menuIds: [home.id] })
    const change = async (patch: object) => {
      const after = (await world.as(boss).put(`/roles/${role.id}`, patch)).expect(200)
      expect(await read(role.id)).toEqual(after)
      return after
    }
    expect(await change({ name: 'New' })).toEqual({ ...role, name: 'New', updatedAt: expect.any(String) })
    expect(await change({ permissionIds: ['log:view', 'user:list'].map(permissionId) })).toMatchObject({
      permissions: ['user:list', 'log:view'],
      menuIds: [home.id],
    })
    expect(await change({ menuIds: [dashboard.id] })).toMatchObject({ menuIds: [dashboard.id] })
    expect(await change({ permissionIds: [], menuIds: [] })).toMatchObject({ permissions: [], menuIds: [] })
    expect(await change({ ...role, code: role.code })).toMatchObject({ name: role.name, description: 'Before' })
    for (const code of ['admin', `${role.code}-2`])
      (await world.as(boss).put(`/roles/${role.id}`, { code, name: 'x' })).expect(409, 'RESERVED')
  })

  test('by several concurrently leaves the set of one of them, whole', async () => {
    const second = await world.givenUser(tenant, 'tenant-admin')
    const role = await givenRole({ permissionIds: ['user:list', 'role:list'].map(permissionId) })
    const sets = [
      ['user:list', 'audit:view'],
      ['role:list', 'log:view'],
      ['audit:view', 'log:view'],
      ['data:view', 'menu:list'],
    ]
    const put = (set: string[], at: number) =>
      world.as(at % 2 ? boss : second).put(`/roles/${role.id}`, { permissionIds: set.map(permissionId) })
    for (let round = 0; round < 3; round++) {
      for (const answer of await Promise.all(sets.map(put))) answer.expect(200)
      expect(sets.map((set) => new Set(set))).toContainEqual(new Set((await read(role.id)).permissions))
    }
  })
})

describe('the roles of the service', () => {
  test('are neither renamed nor deleted; described and shown menus they may be', async () => {
    for (const code of ['tenant-admin', 'user']) {
      const role = await reserved(code)
      for (const patch of [{ name: 'Other' }, { code: 'other' }])
        (await world.as(boss).put(`/roles/${role.id}`, patch)).expect(409, 'RESERVED')
      ;(await world.as(boss).delete(`/roles/${role.id}`)).expect(409, 'RESERVED')
      expect(await read(role.id)).toEqual(role)
      const patch = { name: role.name, code, description: 'Ours', menuIds: role.menuIds.slice(1) }
      const after = { ...role, description: 'Ours', menuIds: patch.menuIds, updatedAt: expect.any(String) }
      expect((await world.as(boss).put(`/roles/${role.id}`, patch)).expect(200)).toEqual(after)
    }
  })

  test('the one of administrators of the first tenant is not named like the office, which one person has', async () => {
    const admin = world.as(world.admin)
    for (const [language, name] of Object.entries({ en: 'Administrator', 'zh-CN': '管理员' })) {
      const { items } = await admin.read('/roles?pageSize=100', { 'accept-language': language })
      expect(items.find(({ code }: any) => code === 'admin').name).toBe(name)
    }
  })

  test('administrators keep what they hold, so that nobody locks a tenant out', async () => {
    const administrators = await reserved('tenant-admin')
    const same = administrators.permissions.map(permissionId)
    ;(await world.as(boss).put(`/roles/${administrators.id}`, { permissionIds: same })).expect(200)
    for (const permissionIds of [[], same.slice(1), [...same, permissionId('tenant:list')]]) {
      ;(await world.as(boss).put(`/roles/${administrators.id}`, { permissionIds })).expect(409, 'RESERVED')
      const away = { 'x-tenant-code': tenant.code }
      ;(await world.as(world.admin).put(`/roles/${administrators.id}`, { permissionIds }, away)).expect(409, 'RESERVED')
    }
    const admin = await reserved('admin', world.admin)
    expect(admin.permissions).toEqual(expect.arrayContaining([...allPermissions()]))
    expect(admin.menuIds).toHaveLength(await world.look.count('select count(*) from menus'))
    for (const patch of [{ permissionIds: [] }, { menuIds: [] }])
      (await world.as(world.admin).put(`/roles/${admin.id}`, patch)).expect(409, 'RESERVED')
    expect(await reserved('admin', world.admin)).toEqual(admin)
  })
})

test('a permission that the service has gained is held in older tenants as in new ones, and then is theirs to take away', async () => {
  const own = await openWorld()
  const company = await own.givenTenant()
  const upgrade = () => migrate(own.databaseUrl, silent, [OWN_MIGRATIONS], { andThen: writeCatalogue })
  const holders = async () =>
    (
      await own.look.rows(
        `select r.code from roles r join role_permissions rp on rp.tenant_id = r.tenant_id and rp.role_id = r.id
           join permissions p on p.id = rp.permission_id where p.code = 'file:upload' order by r.id`,
      )
    ).map(({ code }) => code)
  const take = (roles: string) =>
    own.look.rows(
      `delete from role_permissions using roles r, permissions p where r.tenant_id = role_permissions.tenant_id
         and r.id = role_id and p.id = permission_id and p.code = 'file:upload' and ${roles}`,
    )
  const everybody = ['admin', 'user', 'tenant-admin', 'user']
  expect(await holders()).toEqual(everybody)
  await take('true')
  await own.look.rows(`delete from permissions where code = 'file:upload'`)
  await upgrade()
  expect(await holders()).toEqual(everybody)
  await take(`r.code = 'user'`)
  await upgrade()
  expect(await holders()).toEqual(['admin', 'tenant-admin'])
  expect((await own.as(company.administrator).read('/auth/me')).permissions).toContain('file:upload')
})

describe('deleting a role', () => {
  test('is refused while somebody holds it, saying who', async () => {
    const role = await givenRole({ permissionIds: [permissionId('user:list')], menuIds: [] })
    const holders = [await world.givenUser(tenant, role.code), await world.givenUser(tenant, role.code)]
    const { details } = (await world.as(boss).delete(`/roles/${role.id}`)).expect(409, 'ROLE_IN_USE')
    expect(details).toEqual(holders.map(({ id }) => ({ path: 'users', id, message: expect.any(String) })))
    expect(await read(role.id)).toEqual(role)
    ;(await world.as(boss).put(`/users/${holders[0]!.id}`, { roleIds: [] })).expect(200)
    ;(await world.as(boss).delete(`/users/${holders[1]!.id}`)).expect(200)
    ;(await world.as(boss).delete(`/roles/${role.id}`)).expect(200)
    expect(await world.look.count('select count(*) from role_permissions where role_id = $1', [role.id])).toBe(0)
  })

  test('and giving it at the same moment do not both succeed', async () => {
    for (let round = 0; round < 4; round++) {
      const role = await givenRole()
      const person = await world.givenUser(tenant)
      const [deletion, grant] = await Promise.all([
        world.as(boss).delete(`/roles/${role.id}`),
        world.as(boss).put(`/users/${person.id}`, { roleIds: [role.id] }),
      ])
      expect(['200 404', '409 200']).toContain(`${deletion.status} ${grant.status}`)
    }
  })
})

test('the catalogue of permissions grows by codes of clients, which the system administrator holds immediately and may pass on', async () => {
  const system = () => world.as(world.admin)
  const code = { code: 'report:export', name: 'Export reports', description: '' }
  const permission = await system().create('/permissions', code)
  expect(permission).toMatchObject({ code: 'report:export', name: 'Export reports', description: '' })
  ;(await system().post('/permissions', { code: 'report:export', name: 'Twin' })).expect(409, 'PERMISSION_CODE_TAKEN')
  expect((await system().read('/auth/me')).permissions).toContain('report:export')

  const role = await givenRole()
  const patch = { permissionIds: [permission.id] }
  ;(await world.as(boss).put(`/roles/${role.id}`, patch)).expect(403, 'PERMISSION_DENIED')
  const away = { 'x-tenant-code': tenant.code }
  ;(await system().put(`/roles/${role.id}`, patch, away)).expect(200)
  const person = await world.givenUser(tenant, role.code)
  expect((await world.as(person).read('/auth/me')).permissions).toEqual(['report:export'])

  const patched = await system().put(`/permissions/${permission.id}`, { code: 'report:save', name: 'Save' })
  const changed = patched.expect(200)
  expect(changed).toEqual({ ...permission, code: 'report:save', name: 'Save' })
  expect((await world.as(person).read('/auth/me')).permissions).toEqual(['report:save'])
  ;(await system().put(`/permissions/${permission.id}`, { code: 'user:list' })).expect(409, 'PERMISSION_CODE_TAKEN')
  // What routes demand keeps its code.
  const demanded = `/permissions/${permissionId('task:create')}`
  ;(await system().delete(demanded)).expect(409, 'RESERVED')
  ;(await system().put(demanded, { code: 'task:make' })).expect(409, 'RESERVED')
  ;(await system().put(demanded, { code: 'task:create', name: 'Make tasks' })).expect(200)

  ;(await system().delete(`/permissions/${permission.id}`)).expect(409, 'PERMISSION_IN_USE')
  expect((await system().read('/auth/me')).permissions).toContain('report:save')
  ;(await system().put(`/roles/${role.id}`, { permissionIds: [] }, away)).expect(200)
  ;(await system().delete(`/permissions/${permission.id}`, away)).expect(200)
  ;(await system().delete(`/permissions/${permission.id}`)).expect(404, 'NOT_FOUND')
  expect((await system().read('/auth/me')).permissions).not.toContain('report:save')
})
