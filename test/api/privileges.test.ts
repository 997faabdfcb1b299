import { beforeAll, describe, expect, test } from 'vitest'
import { allPermissions, grantsOf, type Permission } from '../../src/kernel/access.ts'
import { openWorld, type Person, type Tenant } from '../support/world.ts'

/** Everybody who may manage people and roles tries to become more than they are. Nothing must change. */
let tenant: Tenant
let boss: Person
/** manages people and roles, and may give permissions; holds neither audit:view nor much else */
let manager: Person
/** the same without role:permission */
let clerk: Person
let auditor: Person
/** an ordinary user, who holds nothing that the manager lacks */
let worker: Person
let stranger: Person
/** hold one right of management each, and what every user holds */
let roleEditor: Person
let userEditor: Person
/** a project of which the worker is no member */
let project: { id: number }
const role: Record<string, any> = {}

const MANAGES: Permission[] = [
  'user:list',
  'user:create',
  'user:update',
  'user:delete',
  'role:list',
  'role:create',
  'role:update',
  'role:delete',
]
let permissionId: (code: string) => number

const world = await openWorld()
beforeAll(async () => {
  tenant = await world.givenTenant()
  boss = tenant.administrator
  const catalogue = (await world.as(boss).get('/permissions')).expect(200)
  permissionId = (code) => catalogue.find((permission: any) => permission.code === code)!.id
  const given = async (name: string, permissions: readonly Permission[]) => {
    const code = await world.givenRole(tenant, permissions)
    const { items } = (await world.as(boss).get(`/roles?keyword=${code}`)).expect(200)
    role[name] = items[0]
    return world.givenUser(tenant, code)
  }
  manager = await given('manager', [...MANAGES, 'role:permission', ...grantsOf('user')])
  clerk = await given('clerk', [...MANAGES, ...grantsOf('user')])
  auditor = await given('auditor', ['audit:view'])
  roleEditor = await given('roleEditor', ['role:update', ...grantsOf('user')])
  userEditor = await given('userEditor', ['user:update', ...grantsOf('user')])
  await given('empty', [])
  worker = await world.givenUser(tenant)
  project = await world.givenProject(boss)
  const other = await world.givenTenant()
  stranger = other.administrator
  for (const { code, ...rest } of (await world.as(boss).get('/roles?pageSize=100')).expect(200).items)
    if (code === 'tenant-admin' || code === 'user') role[code] = { code, ...rest }
  role.foreign = (await world.as(stranger).get('/roles?pageSize=100')).expect(200).items[0]
})

/** Everything that says who may do what. */
const everything = () =>
  Promise.all(
    [
      'select tenant_id, id, username, password_hash, status, deleted_at from users order by id',
      'select * from user_roles order by 1, 2, 3',
      'select * from role_permissions order by 1, 2, 3',
      'select tenant_id, id, code, name from roles order by id',
      'select * from permissions order by id',
      'select user_id, id from sessions order by id',
      'select * from project_members order by 1, 2, 3',
      'select * from role_menus order by 1, 2, 3',
    ].map((sql) => world.look.rows(sql)),
  )

type Attempt = [what: string, who: () => Person, attempt: () => [string, string, object?], status: number, type: string]
const put = (path: string, body: object): ['put', string, object] => ['put', path, body]
const post = (path: string, body: object): ['post', string, object] => ['post', path, body]
const fresh = (more: object) => ({ username: 'accomplice', password: 'a good password', ...more })

const attempts: Attempt[] = [
  // A permission for a role of one's own
  [
    'a role with a permission one lacks',
    () => manager,
    () => post('/roles', { code: 'mine', name: 'Mine', permissionIds: [permissionId('audit:view')] }),
    403,
    'PERMISSION_DENIED',
  ],
  [
    'the same among others that one holds',
    () => manager,
    () => post('/roles', { code: 'mine', name: 'Mine', permissionIds: ['user:list', 'audit:view'].map(permissionId) }),
    403,
    'PERMISSION_DENIED',
  ],
  [
    'a permission more for the own role',
    () => manager,
    () =>
      put(`/roles/${role.manager.id}`, {
        permissionIds: [...role.manager.permissions, 'audit:view'].map(permissionId),
      }),
    403,
    'PERMISSION_DENIED',
  ],
  [
    'a permission more for everybody',
    () => manager,
    () => put(`/roles/${role.user.id}`, { permissionIds: [...role.user.permissions, 'audit:view'].map(permissionId) }),
    403,
    'PERMISSION_DENIED',
  ],
  [
    'taking a permission from others that one lacks',
    () => manager,
    () => put(`/roles/${role.auditor.id}`, { permissionIds: [] }),
    403,
    'PERMISSION_DENIED',
  ],
  [
    'taking everything from administrators',
    () => manager,
    () => put(`/roles/${role['tenant-admin'].id}`, { permissionIds: [] }),
    409,
    'RESERVED',
  ],
  // Without role:permission
  [
    'a role with a permission one holds, without role:permission',
    () => clerk,
    () => post('/roles', { code: 'mine', name: 'Mine', permissionIds: [permissionId('user:list')] }),
    403,
    'PERMISSION_DENIED',
  ],
  [
    'a permission for a role, without role:permission',
    () => clerk,
    () => put(`/roles/${role.empty.id}`, { permissionIds: [permissionId('user:list')] }),
    403,
    'PERMISSION_DENIED',
  ],
  [
    'giving oneself role:permission',
    () => clerk,
    () =>
      put(`/roles/${role.clerk.id}`, {
        permissionIds: [...role.clerk.permissions, 'role:permission'].map(permissionId),
      }),
    403,
    'PERMISSION_DENIED',
  ],
  [
    'taking a permission from a role, without role:permission',
    () => clerk,
    () => put(`/roles/${role.clerk.id}`, { permissionIds: [] }),
    403,
    'PERMISSION_DENIED',
  ],
  // With role:update and nothing else of the kind
  [
    'a permission one holds for the own role, with role:update alone',
    () => roleEditor,
    () =>
      put(`/roles/${role.roleEditor.id}`, {
        permissionIds: [...role.roleEditor.permissions, 'role:create'].map(permissionId),
      }),
    403,
    'PERMISSION_DENIED',
  ],
  [
    'everything for everybody, with role:update alone',
    () => roleEditor,
    () => put(`/roles/${role.user.id}`, { permissionIds: allPermissions().map(permissionId) }),
    403,
    'PERMISSION_DENIED',
  ],
  [
    'another role for oneself, with role:update alone',
    () => roleEditor,
    () => put(`/users/${roleEditor.id}`, { roleIds: [role.manager.id] }),
    403,
    'PERMISSION_DENIED',
  ],
  [
    'a role of one’s own, with role:update alone',
    () => roleEditor,
    () => post('/roles', { code: 'mine', name: 'Mine' }),
    403,
    'PERMISSION_DENIED',
  ],
  [
    'calling the own role tenant-admin',
    () => roleEditor,
    () => put(`/roles/${role.roleEditor.id}`, { code: 'tenant-admin' }),
    409,
    'RESERVED',
  ],
  [
    'a role of another tenant, with role:update alone',
    () => roleEditor,
    () => put(`/roles/${role.foreign.id}`, { name: 'Ours' }),
    404,
    'NOT_FOUND',
  ],
  // With user:update and nothing else of the kind
  [
    'becoming an auditor, with user:update alone',
    () => userEditor,
    () => put(`/users/${userEditor.id}`, { roleIds: [role.userEditor.id, role.auditor.id] }),
    403,
    'PERMISSION_DENIED',
  ],
  [
    'making somebody an administrator, with user:update alone',
    () => userEditor,
    () => put(`/users/${worker.id}`, { roleIds: [role['tenant-admin'].id] }),
    403,
    'PERMISSION_DENIED',
  ],
  [
    'a password for somebody who manages roles, with user:update alone',
    () => userEditor,
    () => put(`/users/${roleEditor.id}`, { password: 'taken over' }),
    403,
    'PERMISSION_DENIED',
  ],
  // A role for oneself, or for an accomplice
  [
    'becoming an administrator',
    () => manager,
    () => put(`/users/${manager.id}`, { roleIds: [role.manager.id, role['tenant-admin'].id] }),
    403,
    'PERMISSION_DENIED',
  ],
  [
    'becoming an auditor',
    () => manager,
    () => put(`/users/${manager.id}`, { roleIds: [role.manager.id, role.auditor.id] }),
    403,
    'PERMISSION_DENIED',
  ],
  [
    'becoming a manager who gives permissions',
    () => clerk,
    () => put(`/users/${clerk.id}`, { roleIds: [role.manager.id] }),
    403,
    'PERMISSION_DENIED',
  ],
  [
    'making somebody an administrator',
    () => manager,
    () => put(`/users/${worker.id}`, { roleIds: [role['tenant-admin'].id] }),
    403,
    'PERMISSION_DENIED',
  ],
  [
    'a new administrator',
    () => manager,
    () => post('/users', fresh({ roleIds: [role['tenant-admin'].id] })),
    403,
    'PERMISSION_DENIED',
  ],
  [
    'a new auditor, beside a role that one holds',
    () => manager,
    () => post('/users', fresh({ roleIds: [role.manager.id, role.auditor.id] })),
    403,
    'PERMISSION_DENIED',
  ],
  [
    'a role of another tenant',
    () => manager,
    () => post('/users', fresh({ roleIds: [role.foreign.id] })),
    404,
    'NOT_FOUND',
  ],
  // The account of somebody who is more
  [
    'a password for an administrator',
    () => manager,
    () => put(`/users/${boss.id}`, { password: 'taken over' }),
    403,
    'PERMISSION_DENIED',
  ],
  [
    'disabling an administrator',
    () => manager,
    () => put(`/users/${boss.id}`, { status: 'disabled' }),
    403,
    'PERMISSION_DENIED',
  ],
  [
    'demoting an administrator',
    () => manager,
    () => put(`/users/${boss.id}`, { roleIds: [] }),
    403,
    'PERMISSION_DENIED',
  ],
  ['deleting an administrator', () => manager, () => ['delete', `/users/${boss.id}`], 403, 'PERMISSION_DENIED'],
  [
    'a password for an auditor',
    () => manager,
    () => put(`/users/${auditor.id}`, { password: 'taken over' }),
    403,
    'PERMISSION_DENIED',
  ],
  [
    'demoting an auditor',
    () => manager,
    () => put(`/users/${auditor.id}`, { roleIds: [role.user.id] }),
    403,
    'PERMISSION_DENIED',
  ],
  ['deleting an auditor', () => manager, () => ['delete', `/users/${auditor.id}`], 403, 'PERMISSION_DENIED'],
  [
    'a password for somebody who gives permissions',
    () => clerk,
    () => put(`/users/${manager.id}`, { password: 'taken over' }),
    403,
    'PERMISSION_DENIED',
  ],
  // A role that is taken for one of the service: rights of administrators hang on its code
  [
    'a role that is called admin',
    () => manager,
    () => post('/roles', { code: 'admin', name: 'Admin' }),
    409,
    'RESERVED',
  ],
  [
    'a role that is called tenant-admin',
    () => manager,
    () => post('/roles', { code: 'tenant-admin', name: 'Admin' }),
    409,
    'ROLE_CODE_TAKEN',
  ],
  [
    'calling the own role admin',
    () => manager,
    () => put(`/roles/${role.manager.id}`, { code: 'admin' }),
    409,
    'RESERVED',
  ],
  [
    'deleting the administrators’ role',
    () => manager,
    () => ['delete', `/roles/${role['tenant-admin'].id}`],
    409,
    'RESERVED',
  ],
  // Other tenants
  [
    'a password for somebody of another tenant',
    () => manager,
    () => put(`/users/${stranger.id}`, { password: 'taken over' }),
    404,
    'NOT_FOUND',
  ],
  ['deleting somebody of another tenant', () => boss, () => ['delete', `/users/${stranger.id}`], 404, 'NOT_FOUND'],
  [
    'a role of another tenant for oneself',
    () => boss,
    () => put(`/users/${boss.id}`, { roleIds: [role.foreign.id] }),
    404,
    'NOT_FOUND',
  ],
  [
    'changing a role of another tenant',
    () => boss,
    () => put(`/roles/${role.foreign.id}`, { permissionIds: [] }),
    404,
    'NOT_FOUND',
  ],
  ['deleting a role of another tenant', () => boss, () => ['delete', `/roles/${role.foreign.id}`], 404, 'NOT_FOUND'],
  [
    'a role for somebody of another tenant',
    () => boss,
    () => put(`/users/${stranger.id}`, { roleIds: [role.user.id] }),
    404,
    'NOT_FOUND',
  ],
  [
    'roles of two tenants at once',
    () => boss,
    () => put(`/users/${worker.id}`, { roleIds: [role.user.id, role.foreign.id] }),
    404,
    'NOT_FOUND',
  ],
  [
    'a new user with a role of another tenant',
    () => boss,
    () => post('/users', fresh({ roleIds: [role.foreign.id] })),
    404,
    'NOT_FOUND',
  ],
  ['the system administrator', () => boss, () => put('/users/1', { password: 'taken over' }), 404, 'NOT_FOUND'],
  // An administrator of a tenant on the way to the whole system
  [
    'tenant:list for a role',
    () => boss,
    () => post('/roles', { code: 'mine', name: 'Mine', permissionIds: [permissionId('tenant:list')] }),
    403,
    'PERMISSION_DENIED',
  ],
  [
    'menu:create for everybody',
    () => boss,
    () => put(`/roles/${role.user.id}`, { permissionIds: [permissionId('menu:create')] }),
    403,
    'PERMISSION_DENIED',
  ],
  [
    'tenant:list for administrators',
    () => boss,
    () =>
      put(`/roles/${role['tenant-admin'].id}`, {
        permissionIds: [...role['tenant-admin'].permissions, 'tenant:list'].map(permissionId),
      }),
    409,
    'RESERVED',
  ],
  [
    'a role that is called admin, by an administrator',
    () => boss,
    () => post('/roles', { code: 'admin', name: 'Admin' }),
    409,
    'RESERVED',
  ],
  [
    'a permission of one’s own',
    () => boss,
    () => post('/permissions', { code: 'my:own', name: 'Mine' }),
    403,
    'ROLE_REQUIRED',
  ],
  [
    'calling a permission that one holds tenant:list',
    () => boss,
    () => put(`/permissions/${permissionId('user:list')}`, { code: 'tenant:list' }),
    403,
    'ROLE_REQUIRED',
  ],
  [
    'a permission less for everybody',
    () => boss,
    () => ['delete', `/permissions/${permissionId('tenant:list')}`],
    403,
    'ROLE_REQUIRED',
  ],
  [
    'a tenant of one’s own',
    () => boss,
    () =>
      post('/tenants', {
        name: 'Mine',
        code: 'mine',
        plan: 'x',
        adminUsername: 'me',
        adminPassword: 'ten letters',
        adminEmail: 'me@example.com',
      }),
    403,
    'PERMISSION_DENIED',
  ],
  [
    'no end for the own tenant',
    () => boss,
    () => put(`/tenants/${tenant.id}`, { expiredAt: null, plan: 'enterprise' }),
    403,
    'PERMISSION_DENIED',
  ],
  // What an ordinary user may not see
  [
    'a place in somebody else’s project',
    () => worker,
    () => put(`/projects/${project.id}/members/${worker.id}`, {}),
    404,
    'NOT_FOUND',
  ],
]

describe('nobody gains by', () => {
  test.each(attempts)('%s', async (_, who, attempt, status, type) => {
    const before = await everything()
    const [method, path, body] = attempt()
    const client = world.as(who())
    const answer = method === 'delete' ? await client.delete(path) : await client[method as 'put'](path, body)
    answer.expect(status, type)
    expect(await everything()).toEqual(before)
  })

  test('naming another tenant in a header', async () => {
    const away = { 'x-tenant-code': 'default' }
    const user = (await world.as(boss).post('/users', fresh({ username: 'at-home' }), away)).expect(201)
    expect(await world.look.rows('select tenant_id::float8 from users where id = $1', [user.id])).toEqual([
      { tenant_id: tenant.id },
    ])
  })
})

describe('the look of the system administrator is worth nothing', () => {
  test('to somebody of the same name in another tenant', async () => {
    const draft = fresh({ username: 'admin', roleIds: [role['tenant-admin'].id] })
    const { id } = (await world.as(boss).post('/users', draft)).expect(201)
    const signedIn = { username: 'admin', password: draft.password, tenantCode: tenant.code }
    const { accessToken } = (await world.anyone.post('/auth/login', signedIn)).expect(200)
    const client = world.as({ ...boss, token: accessToken })
    expect((await client.get('/auth/me')).expect(200)).toMatchObject({
      id,
      tenantId: tenant.id,
      roles: ['tenant-admin'],
    })
    ;(await client.get('/tenants')).expect(403, 'PERMISSION_DENIED')
    ;(await client.get('/users/1', { 'x-tenant-code': 'default' })).expect(404, 'NOT_FOUND')
  })

  test('to somebody of the first tenant who holds everything but the role, and names a tenant in a header', async () => {
    const second = world.as(await world.givenUser({ id: 1 }, await world.givenRole({ id: 1 }, allPermissions())))
    const there = { 'x-tenant-code': tenant.code }
    expect((await second.get('/organizations/current', there)).expect(200).tenantId).toBe(1)
    ;(await second.get(`/users/${boss.id}`, there)).expect(404, 'NOT_FOUND')
    ;(await second.put(`/users/${boss.id}`, { password: 'taken over' }, there)).expect(404, 'NOT_FOUND')
  })

  test('to a role that is shown every menu: what it sees is not what it may', async () => {
    const [{ id }] = (await world.as(world.admin).get('/menus/tree')).expect(200)
    const shown = (await world.as(roleEditor).put(`/roles/${role.roleEditor.id}`, { menuIds: [id] })).expect(200)
    expect(shown.permissions).toEqual(role.roleEditor.permissions)
    ;(await world.as(roleEditor).get('/menus/tree')).expect(403, 'PERMISSION_DENIED')
  })
})

describe('what is refused says what is missing', () => {
  test('by its code, as many as there are', async () => {
    const permissionIds = ['audit:view', 'user:list', 'tenant:list'].map(permissionId)
    const draft = { code: 'mine', name: 'Mine', permissionIds }
    const { details } = (await world.as(manager).post('/roles', draft)).expect(403, 'PERMISSION_DENIED')
    expect(details.map(({ path, permission }: any) => [path, permission])).toEqual([
      ['body.permissionIds', 'tenant:list'],
      ['body.permissionIds', 'audit:view'],
    ])
  })
})

describe('somebody who manages people', () => {
  test('manages anyone who holds nothing beyond their own', async () => {
    const person = await world.givenUser(tenant)
    const client = world.as(manager)
    ;(await client.put(`/users/${person.id}`, { password: 'a new password', status: 'disabled' })).expect(200)
    ;(await client.put(`/users/${person.id}`, { roleIds: [role.manager.id], status: 'active' })).expect(200)
    ;(await client.delete(`/users/${person.id}`)).expect(200)
  })

  test('keeps the contact data of everybody, and sends the rest of the form back as it was', async () => {
    const form = {
      ...(await world.as(manager).get(`/users/${boss.id}`)).expect(200),
      roleIds: [role['tenant-admin'].id],
    }
    const after = (await world.as(manager).put(`/users/${boss.id}`, { ...form, phone: '4711', password: '' })).expect(
      200,
    )
    expect(after).toMatchObject({ phone: '4711', status: 'active', roles: ['tenant-admin'] })
  })

  test('makes no user who would hold more than they do, not by leaving the roles out either', async () => {
    const hiring = await world.givenUser(tenant, await world.givenRole(tenant, ['user:create']))
    const { details } = (await world.as(hiring).post('/users', fresh({ username: 'hired' }))).expect(
      403,
      'PERMISSION_DENIED',
    )
    expect(details).toContainEqual(expect.objectContaining({ permission: 'project:create' }))
    const grants = grantsOf('user')
    const peer = await world.givenUser(tenant, await world.givenRole(tenant, ['user:create', ...grants]))
    expect((await world.as(peer).post('/users', fresh({ username: 'hired' }))).expect(201).roles).toEqual(['user'])
  })

  test('gives what they hold, and takes it', async () => {
    const client = world.as(manager)
    const permissionIds = ['user:list', 'task:create'].map(permissionId)
    const made = (await client.post('/roles', { code: 'helper', name: 'Helper', permissionIds })).expect(201)
    ;(await client.put(`/roles/${made.id}`, { permissionIds: permissionIds.slice(1) })).expect(200)
    ;(await client.delete(`/roles/${made.id}`)).expect(200)
  })

  test('may keep a permission that they lack in place, while they change others', async () => {
    const client = world.as(manager)
    const permissionIds = ['audit:view', 'user:list'].map(permissionId)
    const after = (await client.put(`/roles/${role.auditor.id}`, { permissionIds })).expect(200)
    expect(after.permissions).toEqual(['user:list', 'audit:view'])
    ;(await client.put(`/roles/${role.auditor.id}`, { permissionIds: [permissionId('audit:view')] })).expect(200)
  })

  test('without role:permission may rename a role, and send back the set as it was', async () => {
    const client = world.as(clerk)
    const same = role.empty.permissions.map(permissionId)
    ;(await client.put(`/roles/${role.empty.id}`, { name: 'Nothing', permissionIds: same })).expect(200)
    ;(await client.post('/roles', { code: 'plain', name: 'Plain', permissionIds: [] })).expect(201)
  })
})

describe('the standing of an administrator', () => {
  test('is more than all their permissions: it is given by administrators alone', async () => {
    const code = await world.givenRole(tenant, grantsOf('tenant-admin'))
    const almost = await world.givenUser(tenant, code)
    const roleIds = [role['tenant-admin'].id]
    const before = await everything()
    ;(await world.as(almost).put(`/users/${almost.id}`, { roleIds })).expect(403, 'PERMISSION_DENIED')
    ;(await world.as(almost).post('/users', fresh({ roleIds }))).expect(403, 'PERMISSION_DENIED')
    ;(await world.as(almost).put(`/users/${boss.id}`, { password: 'taken over' })).expect(403, 'PERMISSION_DENIED')
    ;(await world.as(almost).delete(`/users/${boss.id}`)).expect(403, 'PERMISSION_DENIED')
    expect(await everything()).toEqual(before)
    ;(await world.as(boss).put(`/users/${almost.id}`, { roleIds })).expect(200)
  })

  test('in the first tenant is worth nothing against the system administrator', async () => {
    const all = await world.givenUser({ id: 1 }, await world.givenRole({ id: 1 }, allPermissions()))
    const second = await world.givenUser({ id: 1 }, 'admin')
    const before = await everything()
    for (const person of [all, second]) {
      ;(await world.as(person).put('/users/1', { password: 'taken over' })).expect(409, 'RESERVED')
      ;(await world.as(person).delete('/users/1')).expect(409, 'RESERVED')
    }
    ;(await world.as(all).get('/tenants')).expect(403, 'ROLE_REQUIRED')
    expect(await everything()).toEqual(before)
  })
})

describe('a right that has just been lost', () => {
  test('is not given back to oneself, though the service remembers it for a moment', async () => {
    const code = await world.givenRole(tenant, [...MANAGES, 'role:permission', 'audit:view'])
    const fallen = await world.givenUser(tenant, code)
    const { items } = (await world.as(fallen).get(`/roles?keyword=${code}`)).expect(200)
    // Past the service, so that it does not hear of it.
    await world.look.rows('delete from role_permissions where role_id = $1 and permission_id = $2', [
      items[0].id,
      permissionId('audit:view'),
    ])
    const permissionIds = items[0].permissions.map(permissionId)
    ;(await world.as(fallen).put(`/roles/${items[0].id}`, { permissionIds })).expect(403, 'PERMISSION_DENIED')
    ;(await world.as(fallen).post('/roles', { code: 'again', name: 'x', permissionIds })).expect(
      403,
      'PERMISSION_DENIED',
    )
    ;(await world.as(fallen).put(`/users/${fallen.id}`, { roleIds: [items[0].id, role.auditor.id] })).expect(
      403,
      'PERMISSION_DENIED',
    )
  })
})

describe('every refusal of this kind', () => {
  test('stands in the audit', async () => {
    ;(await world.as(manager).put(`/users/${boss.id}`, { status: 'disabled' })).expect(403, 'PERMISSION_DENIED')
    await expect
      .poll(() =>
        world.look.count(
          `select count(*) from audit_operations where tenant_id = $1 and user_id = $2 and status = 403 and path = $3`,
          [tenant.id, manager.id, `/api/v1/users/${boss.id}`],
        ),
      )
      .toBeGreaterThan(0)
  })
})
