import { beforeAll, describe, expect, test } from 'vitest'
import { migrate } from '../../src/data/setup/migrate.ts'
import { OWN_MIGRATIONS } from '../../src/data/setup/migrations.ts'
import { writeCatalogue } from '../../src/domains/roles/catalogue.ts'
import { allPermissions, grantsOf } from '../../src/kernel/access.ts'
import { openWorld, type Person } from '../support/world.ts'
import { openWorldWithTenant } from '../support/world-with-tenant.ts'

const { world, tenant, boss } = await openWorldWithTenant()
beforeAll(async () => {
  const catalogue = (await world.as(boss).get('/permissions')).expect(200)
  permissionId = (code) => catalogue.find((permission: any) => permission.code === code)!.id
})

let counter = 0
const silent = { info() {}, warn() {}, error() {} }
let permissionId: (code: string) => number
const draft = (more: object = {}) => ({ code: `custom-${++counter}`, name: `Custom ${counter}`, ...more })
const givenRole = async (more: object = {}) => (await world.as(boss).post('/roles', draft(more))).expect(201)
const read = async (id: number) => (await world.as(boss).get(`/roles/${id}`)).expect(200)
const reserved = async (code: string, by: Person = boss) =>
  (await world.as(by).get('/roles?pageSize=100')).expect(200).items.find((role: any) => role.code === code)

describe('a role', () => {
  test('is made with what it permits and the menus it sees', async () => {
    const [first, second] = (await world.as(boss).get('/menus/tree')).expect(200)
    const answer = await world.as(boss).post(
      '/roles',
      draft({
        code: 'Auditor_1',
        description: 'Looks',
        permissionIds: ['audit:view', 'user:list', 'audit:view'].map(permissionId),
        menuIds: [second.id, first.id],
      }),
    )
    const role = answer.expect(201)
    expect(answer.headers.location).toBe(`/api/v1/roles/${role.id}`)
    expect(role).toEqual({
      id: expect.any(Number),
      code: 'Auditor_1',
      name: expect.any(String),
      description: 'Looks',
      permissions: ['user:list', 'audit:view'],
      menuIds: [first.id, second.id],
      createdAt: expect.stringMatching(/Z$/),
      updatedAt: expect.stringMatching(/Z$/),
    })
    expect(await read(role.id)).toEqual(role)
    expect(await givenRole({ menuIds: [] })).toMatchObject({ description: null, permissions: [], menuIds: [] })
  })

  test('sees the menus that its permissions open, if none are named', async () => {
    const flat = (menus: any[]): any[] => menus.flatMap((menu) => [menu, ...flat(menu.children)])
    const menus = flat((await world.as(boss).get('/menus/tree')).expect(200))
    const open = menus.filter(({ permission }) => permission === null || permission === 'audit:view')
    const { menuIds } = await givenRole({ permissionIds: [permissionId('audit:view')] })
    expect(menuIds).toEqual(open.map(({ id }) => id).sort((a, b) => a - b))
    expect(open.map(({ permission }) => permission)).toContain('audit:view')
  })

  test.each([
    ['', 'Team lead', 'team-lead'],
    ['  ', '项目 经理', '项目-经理'],
    ['1st', 'x', '1st'],
    ['white space', 'x', 'white-space'],
    ['a.b', 'x', 'a-b'],
    [null, '?', 'role'],
    [undefined, 'Tenant admin', 'tenant-admin-2'],
  ])('whose code is typed as %j, and is called “%s”, gets %s', async (code, name, made) => {
    const make = async () => (await world.as(boss).post('/roles', { code, name })).expect(201).code
    expect(await make()).toBe(made)
    expect(await make()).toBe(made.endsWith('-2') ? made.replace('-2', '-3') : `${made}-2`)
  })

  test.each(['x'.repeat(65), 7])('has a code of at most 64 characters: not %j', async (code) => {
    const refusal = (await world.as(boss).post('/roles', draft({ code }))).expect(400, 'VALIDATION_FAILED')
    expect(refusal.details.every((detail: any) => detail.path === 'body.code')).toBe(true)
  })

  test('has a code that looks like no other', async () => {
    const make = async (code: string) => world.as(boss).post('/roles', draft({ code }))
    expect((await make('ａｄｍｉｎ')).expect(201).code).toBe('admin-2')
    expect((await make('аuditors')).expect(201).code).toBe('аuditors')
    ;(await make('auditors')).expect(409, 'ROLE_CODE_TAKEN')
    expect((await make('аdmin')).expect(201).code).toBe('аdmin-3')
  })

  test('has a code of its own in the tenant', async () => {
    const { code } = await givenRole()
    ;(await world.as(boss).post('/roles', draft({ code }))).expect(409, 'ROLE_CODE_TAKEN')
    ;(await world.as((await world.givenTenant()).administrator).post('/roles', draft({ code }))).expect(201)
  })

  test('requested by 64 concurrently is made once', async () => {
    const wanted = draft({ permissionIds: [permissionId('user:list')] })
    const answers = await Promise.all(Array.from({ length: 64 }, () => world.as(boss).post('/roles', wanted)))
    const refused = answers.filter(({ status }) => status !== 201)
    expect(refused).toHaveLength(63)
    for (const answer of refused) answer.expect(409, 'ROLE_CODE_TAKEN')
    expect(await world.look.count('select count(*) from roles where code = $1', [wanted.code])).toBe(1)
  })

  test('never looks like one of the service', async () => {
    for (const code of ['admin', 'Admin', 'TENANT-ADMIN', 'User'])
      (await world.as(boss).post('/roles', draft({ code }))).expect(409, 'RESERVED')
    for (const code of ['tenant-admin', 'user'])
      (await world.as(boss).post('/roles', draft({ code }))).expect(409, 'ROLE_CODE_TAKEN')
    ;(await world.as(world.admin).post('/roles', draft({ code: 'tenant-admin' }))).expect(409, 'RESERVED')
  })

  test('with a permission or menu that there is not is neither made nor changed', async () => {
    const role = await givenRole()
    for (const [sets, kind] of [
      [{ permissionIds: [permissionId('user:list'), 999_999] }, 'Permission'],
      [{ menuIds: [999_999] }, 'Menu'],
    ] as const) {
      const wanted = draft(sets)
      for (const answer of [
        await world.as(boss).post('/roles', wanted),
        await world.as(boss).put(`/roles/${role.id}`, sets),
      ]) {
        answer.expect(404, 'NOT_FOUND')
        expect(answer.body.message).toBe(`${kind} not found`)
      }
      expect(await world.look.count('select count(*) from roles where code = $1', [wanted.code])).toBe(0)
    }
    expect(await read(role.id)).toEqual(role)
  })
})

describe('the list of roles', () => {
  test('comes in pages, newest first, with the reserved ones of a new tenant', async () => {
    const other = await world.givenTenant()
    const page = async (query: string) => (await world.as(other.administrator).get(`/roles?${query}`)).expect(200)
    const menus = await world.look.rows<any>('select id::float8 from menus order by id')

    const whole = await page('')
    expect(whole).toMatchObject({ page: 1, pageSize: 10, total: 2 })
    const [user, administrator] = whole.items
    expect(user).toMatchObject({ code: 'user', permissions: grantsOf('user') })
    expect(administrator).toMatchObject({ code: 'tenant-admin', menuIds: menus.map(({ id }) => id) })
    expect(new Set(administrator.permissions)).toEqual(new Set(grantsOf('tenant-admin')))
    expect((await page('page=2&pageSize=1')).items).toEqual([administrator])
    expect(await page('page=3')).toEqual({ items: [], page: 3, pageSize: 10, total: 2 })
    expect((await page('keyword=TENANT-')).items).toEqual([administrator])
    expect((await page('keyword=%25')).items).toEqual([])
  })

  test.each(['page=0', 'pageSize=0', 'pageSize=101', 'page=x'])('refuses ?%s', async (query) => {
    ;(await world.as(boss).get(`/roles?${query}`)).expect(400, 'VALIDATION_FAILED')
  })

  test('shows none of another tenant', async () => {
    const other = await world.givenTenant()
    const foreign = await reserved('user', other.administrator)
    expect((await world.as(boss).get('/roles?pageSize=100')).expect(200).items).not.toContainEqual(foreign)
    ;(await world.as(boss).get(`/roles/${foreign.id}`)).expect(404, 'NOT_FOUND')
    ;(await world.as(boss).put(`/roles/${foreign.id}`, { name: 'Mine' })).expect(404, 'NOT_FOUND')
    ;(await world.as(boss).delete(`/roles/${foreign.id}`)).expect(404, 'NOT_FOUND')
    expect(await reserved('user', other.administrator)).toEqual(foreign)
  })
})

describe('changing a role', () => {
  test('changes what is sent; a set that is sent replaces the one there is', async () => {
    const [home, dashboard] = (await world.as(boss).get('/menus/tree')).expect(200)
    const role = await givenRole({
      description: 'Before',
      permissionIds: ['audit:view', 'user:list'].map(permissionId),
      menuIds: [home.id],
    })
    const change = async (patch: object) => {
      const after = (await world.as(boss).put(`/roles/${role.id}`, patch)).expect(200)
      expect(await read(role.id)).toEqual(after)
      return after
    }
    expect(await change({ name: 'New' })).toEqual({ ...role, name: 'New', updatedAt: expect.any(String) })
    expect(await change({ description: null })).toMatchObject({ name: 'New', description: null })
    expect(await change({ permissionIds: ['log:view', 'user:list'].map(permissionId) })).toMatchObject({
      permissions: ['user:list', 'log:view'],
      menuIds: [home.id],
    })
    expect(await change({ menuIds: [dashboard.id] })).toMatchObject({ menuIds: [dashboard.id] })
    expect(await change({ permissionIds: [], menuIds: [] })).toMatchObject({ permissions: [], menuIds: [] })
    expect(await change({ ...role, code: role.code })).toMatchObject({ name: role.name, description: 'Before' })
  })

  test('never changes its code', async () => {
    const role = await givenRole()
    ;(await world.as(boss).put(`/roles/${role.id}`, { code: 'admin' })).expect(409, 'RESERVED')
    ;(await world.as(boss).put(`/roles/${role.id}`, { code: `${role.code}-2`, name: 'x' })).expect(409, 'RESERVED')
    expect(await read(role.id)).toEqual(role)
  })

  test('counts for its holders immediately', async () => {
    const role = await givenRole()
    const person = await world.givenUser(tenant, role.code)
    ;(await world.as(person).get('/users')).expect(403, 'PERMISSION_DENIED')
    ;(await world.as(boss).put(`/roles/${role.id}`, { permissionIds: [permissionId('user:list')] })).expect(200)
    ;(await world.as(person).get('/users')).expect(200)
    ;(await world.as(boss).put(`/roles/${role.id}`, { permissionIds: [] })).expect(200)
    ;(await world.as(person).get('/users')).expect(403, 'PERMISSION_DENIED')
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
    for (let round = 0; round < 5; round++) {
      const answers = await Promise.all(
        sets.map((set, at) =>
          world.as(at % 2 ? boss : second).put(`/roles/${role.id}`, { permissionIds: set.map(permissionId) }),
        ),
      )
      for (const answer of answers) answer.expect(200)
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
      expect((await world.as(boss).put(`/roles/${role.id}`, patch)).expect(200)).toEqual({
        ...role,
        description: 'Ours',
        menuIds: patch.menuIds,
        updatedAt: expect.any(String),
      })
    }
  })

  test('the one of administrators of the first tenant is not named like the office, which one person has', async () => {
    const admin = world.as(world.admin)
    for (const [language, name] of Object.entries({ en: 'Administrator', 'zh-CN': '管理员' })) {
      const { items } = (await admin.get('/roles?pageSize=100', { 'accept-language': language })).expect(200)
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

  test('what everybody holds is up to the tenant', async () => {
    const role = await reserved('user')
    const permissionIds = role.permissions.filter((code: string) => code !== 'file:upload').map(permissionId)
    expect((await world.as(boss).put(`/roles/${role.id}`, { permissionIds })).expect(200).permissions).not.toContain(
      'file:upload',
    )
    ;(await world.as(boss).put(`/roles/${role.id}`, { permissionIds: role.permissions.map(permissionId) })).expect(200)
  })
})

describe('a permission that the service has gained', () => {
  test('is held in tenants that are older as in new ones, and then is theirs to take away', async () => {
    const own = await openWorld()
    const company = await own.givenTenant()
    const holds = (where: string) =>
      own.look.rows<{ code: string }>(
        `select r.code from roles r join role_permissions rp on rp.tenant_id = r.tenant_id and rp.role_id = r.id
           join permissions p on p.id = rp.permission_id where p.code = 'file:upload' and ${where} order by r.id`,
      )
    const idOf = () => own.look.count(`select id from permissions where code = 'file:upload'`)
    const everybody = await holds('true')
    await own.look.rows('delete from role_permissions where permission_id = $1', [await idOf()])
    await own.look.rows(`delete from permissions where code = 'file:upload'`)
    await migrate(own.databaseUrl, silent, [OWN_MIGRATIONS], { andThen: writeCatalogue })
    expect(everybody.map(({ code }) => code)).toEqual(['admin', 'user', 'tenant-admin', 'user'])
    expect(await holds('true')).toEqual(everybody)
    await own.look.rows(
      `delete from role_permissions rp using roles r
        where r.tenant_id = rp.tenant_id and r.id = rp.role_id and r.code = 'user' and rp.permission_id = $1`,
      [await idOf()],
    )
    await migrate(own.databaseUrl, silent, [OWN_MIGRATIONS], { andThen: writeCatalogue })
    expect((await holds('true')).map(({ code }) => code)).toEqual(['admin', 'tenant-admin'])
    expect((await own.as(company.administrator).get('/auth/me')).expect(200).permissions).toContain('file:upload')
    await own.close()
  })
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
    ;(await world.as(boss).get(`/roles/${role.id}`)).expect(404, 'NOT_FOUND')
    ;(await world.as(boss).delete(`/roles/${role.id}`)).expect(404, 'NOT_FOUND')
    expect(await world.look.count('select count(*) from role_permissions where role_id = $1', [role.id])).toBe(0)
  })

  test('and giving it at the same moment do not both succeed', async () => {
    for (let round = 0; round < 10; round++) {
      const role = await givenRole()
      const person = await world.givenUser(tenant)
      const [deletion, grant] = await Promise.all([
        world.as(boss).delete(`/roles/${role.id}`),
        world.as(boss).put(`/users/${person.id}`, { roleIds: [role.id] }),
      ])
      expect([
        [200, 404],
        [409, 200],
      ]).toContainEqual([deletion.status, grant.status])
    }
  })
})

describe('the catalogue of permissions', () => {
  const system = () => world.as(world.admin)

  test('begins with the codes that routes demand', async () => {
    const catalogue = (await world.as(boss).get('/permissions')).expect(200)
    expect(catalogue.slice(0, allPermissions().length).map(({ code }: any) => code)).toEqual(allPermissions())
    expect(catalogue.find(({ code }: any) => code === 'user:list')).toEqual({
      id: expect.any(Number),
      code: 'user:list',
      name: 'List user',
      description: null,
      createdAt: expect.stringMatching(/Z$/),
    })
    ;(await world.as(await world.givenUser(tenant)).get('/permissions')).expect(403, 'PERMISSION_DENIED')
  })

  test('grows by codes of clients, which the system administrator holds immediately and may pass on', async () => {
    const permission = (
      await system().post('/permissions', { code: 'report:export', name: 'Export reports', description: '' })
    ).expect(201)
    expect(permission).toMatchObject({ code: 'report:export', name: 'Export reports', description: '' })
    ;(await system().post('/permissions', { code: 'report:export', name: 'Twin' })).expect(409, 'PERMISSION_CODE_TAKEN')
    expect((await system().get('/auth/me')).expect(200).permissions).toContain('report:export')

    const role = await givenRole()
    const patch = { permissionIds: [permission.id] }
    ;(await world.as(boss).put(`/roles/${role.id}`, patch)).expect(403, 'PERMISSION_DENIED')
    const away = { 'x-tenant-code': tenant.code }
    ;(await system().put(`/roles/${role.id}`, patch, away)).expect(200)
    const person = await world.givenUser(tenant, role.code)
    expect((await world.as(person).get('/auth/me')).expect(200).permissions).toEqual(['report:export'])

    const changed = (await system().put(`/permissions/${permission.id}`, { code: 'report:save', name: 'Save' })).expect(
      200,
    )
    expect(changed).toEqual({ ...permission, code: 'report:save', name: 'Save' })
    expect((await world.as(person).get('/auth/me')).expect(200).permissions).toEqual(['report:save'])
    ;(await system().put(`/permissions/${permission.id}`, { code: 'user:list' })).expect(409, 'PERMISSION_CODE_TAKEN')

    ;(await system().delete(`/permissions/${permission.id}`)).expect(409, 'PERMISSION_IN_USE')
    expect((await system().get('/auth/me')).expect(200).permissions).toContain('report:save')
    ;(await system().put(`/roles/${role.id}`, { permissionIds: [] }, away)).expect(200)
    ;(await system().delete(`/permissions/${permission.id}`, away)).expect(200)
    ;(await system().delete(`/permissions/${permission.id}`)).expect(404, 'NOT_FOUND')
    expect((await system().get('/auth/me')).expect(200).permissions).not.toContain('report:save')
  })

  test('keeps the codes that routes demand; their descriptions are data', async () => {
    const id = permissionId('task:create')
    ;(await system().delete(`/permissions/${id}`)).expect(409, 'RESERVED')
    ;(await system().put(`/permissions/${id}`, { code: 'task:make' })).expect(409, 'RESERVED')
    const patch = { code: 'task:create', name: 'Make tasks', description: 'In projects' }
    expect((await system().put(`/permissions/${id}`, patch)).expect(200)).toMatchObject(patch)
  })

  test.each(['', 'report', 'report:', ':export', 'a b:c', 're:port:1x', `a:${'x'.repeat(128)}`])(
    'takes no code like %j',
    async (code) => {
      ;(await system().post('/permissions', { code, name: 'x' })).expect(400, 'VALIDATION_FAILED')
    },
  )

  test('is written by system administrators alone', async () => {
    const id = permissionId('task:create')
    const other = await world.givenUser({ id: 1 }, await world.givenRole({ id: 1 }, ['role:permission']))
    for (const [person, type] of [
      [boss, 'ROLE_REQUIRED'],
      [other, 'ROLE_REQUIRED'],
      [await world.givenUser(tenant), 'PERMISSION_DENIED'],
    ] as const) {
      ;(await world.as(person).post('/permissions', { code: 'my:own', name: 'x' })).expect(403, type)
      ;(await world.as(person).put(`/permissions/${id}`, { name: 'x' })).expect(403, type)
      ;(await world.as(person).delete(`/permissions/${id}`)).expect(403, type)
    }
  })
})
