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
/** hold one right of management each, and what every user holds; who hires lacks that */
let roleEditor: Person
let userEditor: Person
let hiring: Person
const role: Record<string, any> = {}

const MANAGES = allPermissions().filter((code) => /^(user|role):(list|create|update|delete)$/.test(code))
let permissionId: (code: string) => number

const world = await openWorld()
beforeAll(async () => {
  tenant = await world.givenTenant()
  boss = tenant.administrator
  const catalogue = await world.as(boss).read('/permissions')
  permissionId = (code) => catalogue.find((permission: any) => permission.code === code)!.id
  const given = async (name: string, permissions: readonly Permission[]) => {
    const code = await world.givenRole(tenant, permissions)
    const { items } = await world.as(boss).read(`/roles?keyword=${code}`)
    role[name] = items[0]
    return world.givenUser(tenant, code)
  }
  manager = await given('manager', [...MANAGES, 'role:permission', ...grantsOf('user')])
  clerk = await given('clerk', [...MANAGES, ...grantsOf('user')])
  auditor = await given('auditor', ['audit:view'])
  roleEditor = await given('roleEditor', ['role:update', ...grantsOf('user')])
  userEditor = await given('userEditor', ['user:update', ...grantsOf('user')])
  hiring = await given('hiring', ['user:create'])
  await given('empty', [])
  worker = await world.givenUser(tenant)
  const other = await world.givenTenant()
  stranger = other.administrator
  for (const { code, ...rest } of (await world.as(boss).read('/roles?pageSize=100')).items)
    if (code === 'tenant-admin' || code === 'user') role[code] = { code, ...rest }
  role.foreign = (await world.as(stranger).read('/roles?pageSize=100')).items[0]
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

type Attempt = ['put' | 'post', path: string, body: object] | ['delete', path: string]
const fresh = (more: object) => ({ username: 'accomplice', password: 'a good password', ...more })
const idsOf = (names: string[]) => names.map((name) => role[name].id)
const newRole = (...codes: string[]): Attempt => {
  return ['post', '/roles', { code: 'mine', name: 'Mine', permissionIds: codes.map(permissionId) }]
}
const setGrants = (name: string, codes: readonly string[]): Attempt => {
  return ['put', `/roles/${role[name].id}`, { permissionIds: codes.map(permissionId) }]
}
const addGrant = (name: string, code: string) => setGrants(name, [...role[name].permissions, code])
const newUser = (...roles: string[]): Attempt => ['post', '/users', fresh({ roleIds: idsOf(roles) })]
const setUser = ({ id }: { id: number }, patch: object): Attempt => ['put', `/users/${id}`, patch]
const setRoles = (person: Person, ...roles: string[]) => setUser(person, { roleIds: idsOf(roles) })
const setPassword = (person: { id: number }) => setUser(person, { password: 'taken over' })
const deleteUser = ({ id }: Person): Attempt => ['delete', `/users/${id}`]

type Refusal = [status: number, type: string]
const DENIED: Refusal = [403, 'PERMISSION_DENIED']
const MISSING: Refusal = [404, 'NOT_FOUND']

const by = (who: () => Person, refusal: Refusal, tries: Record<string, () => Attempt>) =>
  Object.entries(tries).map(([what, attempt]) => ({ what, who, refusal, attempt }))

/** What each of them tries, and how it is refused. The names and grants of the reserved roles are in `roles.test.ts`. */
const attempts = [
  ...by(() => manager, DENIED, {
    'a role with a permission one lacks': () => newRole('audit:view'),
    'a permission more for the own role': () => addGrant('manager', 'audit:view'),
    'a permission more for everybody': () => addGrant('user', 'audit:view'),
    'taking a permission from others that one lacks': () => setGrants('auditor', []),
    'becoming an administrator': () => setRoles(manager, 'manager', 'tenant-admin'),
    'becoming an auditor': () => setRoles(manager, 'manager', 'auditor'),
    'making somebody an administrator': () => setRoles(worker, 'tenant-admin'),
    'a new administrator': () => newUser('tenant-admin'),
    'a password for an administrator': () => setPassword(boss),
    'an e-mail for an administrator': () => setUser(boss, { email: 'mine@example.com' }),
    'disabling an administrator': () => setUser(boss, { status: 'disabled' }),
    'demoting an administrator': () => setRoles(boss),
    'deleting an administrator': () => deleteUser(boss),
    'a password for an auditor': () => setPassword(auditor),
  }),
  ...by(() => hiring, DENIED, {
    'a new user with the role of everybody, by leaving the roles out': () => ['post', '/users', fresh({})],
  }),
  ...by(() => clerk, DENIED, {
    'a role with a permission one holds, without role:permission': () => newRole('user:list'),
    'a permission for a role, without role:permission': () => setGrants('empty', ['user:list']),
    'giving oneself role:permission': () => addGrant('clerk', 'role:permission'),
    'taking a permission from a role, without role:permission': () => setGrants('clerk', []),
    'becoming a manager who gives permissions': () => setRoles(clerk, 'manager'),
    'a password for somebody who gives permissions': () => setPassword(manager),
  }),
  ...by(() => roleEditor, DENIED, {
    'a permission one holds for the own role, with role:update alone': () => addGrant('roleEditor', 'role:create'),
    'another role for oneself, with role:update alone': () => setRoles(roleEditor, 'manager'),
    'a role of one’s own, with role:update alone': () => newRole(),
  }),
  ...by(() => userEditor, DENIED, {
    'becoming an auditor, with user:update alone': () => setRoles(userEditor, 'userEditor', 'auditor'),
    'making somebody an administrator, with user:update alone': () => setRoles(worker, 'tenant-admin'),
    'a password for somebody who manages roles, with user:update alone': () => setPassword(roleEditor),
  }),
  ...by(() => boss, DENIED, {
    'tenant:list for a role': () => newRole('tenant:list'),
  }),
  ...by(() => boss, MISSING, {
    'a new user with a role of another tenant': () => newUser('foreign'),
    'roles of two tenants in one': () => setRoles(worker, 'user', 'foreign'),
  }),
]

let before: Awaited<ReturnType<typeof everything>> | undefined
test.each(attempts)('nobody gains by $what', async ({ who, refusal, attempt }) => {
  before ??= await everything()
  const [method, path, body] = attempt()
  const client = world.as(who())
  const answer = method === 'delete' ? await client.delete(path) : await client[method](path, body)
  answer.expect(...refusal)
  expect(await everything()).toEqual(before)
})

test('the look of the system administrator is worth nothing to somebody of the same name in another tenant', async () => {
  const draft = fresh({ username: 'admin', roleIds: [role['tenant-admin'].id] })
  const { id } = await world.as(boss).create('/users', draft)
  const signedIn = { username: 'admin', password: draft.password, tenantCode: tenant.code }
  const { accessToken } = (await world.anyone.post('/auth/login', signedIn)).expect(200)
  const client = world.as({ token: accessToken })
  const me = { id, tenantId: tenant.id, roles: ['tenant-admin'] }
  expect(await client.read('/auth/me')).toMatchObject(me)
  ;(await client.get('/tenants')).expect(...DENIED)
  ;(await client.get('/users/1', { 'x-tenant-code': 'default' })).expect(...MISSING)
})

describe('somebody who manages people', () => {
  test('manages anyone who holds nothing beyond their own', async () => {
    const person = await world.givenUser(tenant)
    const client = world.as(manager)
    ;(await client.put(`/users/${person.id}`, { password: 'a new password', status: 'disabled' })).expect(200)
    ;(await client.put(`/users/${person.id}`, { roleIds: [role.manager.id], status: 'active' })).expect(200)
    ;(await client.delete(`/users/${person.id}`)).expect(200)
  })

  test('gives what they hold, keeps what they lack in place, and without role:permission may rename a role', async () => {
    const client = world.as(manager)
    const held = ['user:list', 'task:create'].map(permissionId)
    const made = await client.create('/roles', { code: 'helper', name: 'Helper', permissionIds: held })
    ;(await client.put(`/roles/${made.id}`, { permissionIds: held.slice(1) })).expect(200)
    ;(await client.delete(`/roles/${made.id}`)).expect(200)
    const same = role.empty.permissions.map(permissionId)
    const renamed = { name: 'Nothing', permissionIds: same }
    ;(await world.as(clerk).put(`/roles/${role.empty.id}`, renamed)).expect(200)
    const permissionIds = ['audit:view', 'user:list'].map(permissionId)
    const after = (await client.put(`/roles/${role.auditor.id}`, { permissionIds })).expect(200)
    expect(after.permissions).toEqual(['user:list', 'audit:view'])
    ;(await client.put(`/roles/${role.auditor.id}`, { permissionIds: [permissionId('audit:view')] })).expect(200)
  })
})

test('the standing of an administrator is more than all their permissions: it is given by administrators alone', async () => {
  const code = await world.givenRole(tenant, grantsOf('tenant-admin'))
  const almost = await world.givenUser(tenant, code)
  const roleIds = [role['tenant-admin'].id]
  const before = await everything()
  ;(await world.as(almost).put(`/users/${almost.id}`, { roleIds })).expect(...DENIED)
  ;(await world.as(almost).post('/users', fresh({ roleIds }))).expect(...DENIED)
  ;(await world.as(almost).put(`/users/${boss.id}`, { password: 'taken over' })).expect(...DENIED)
  ;(await world.as(almost).delete(`/users/${boss.id}`)).expect(...DENIED)
  expect(await everything()).toEqual(before)
  ;(await world.as(boss).put(`/users/${almost.id}`, { roleIds })).expect(200)
})

test('a right that has just been lost is not given back to oneself, though the service remembers it', async () => {
  const code = await world.givenRole(tenant, [...MANAGES, 'role:permission', 'audit:view'])
  const fallen = await world.givenUser(tenant, code)
  const client = world.as(fallen)
  const [own] = (await client.read(`/roles?keyword=${code}`)).items
  // Past the service, so that it does not hear of it.
  await world.look.rows('delete from role_permissions where role_id = $1 and permission_id = $2', [
    own.id,
    permissionId('audit:view'),
  ])
  const permissionIds = own.permissions.map(permissionId)
  ;(await client.put(`/roles/${own.id}`, { permissionIds })).expect(...DENIED)
  ;(await client.post('/roles', { code: 'again', name: 'x', permissionIds })).expect(...DENIED)
  ;(await client.put(`/users/${fallen.id}`, { roleIds: [own.id, role.auditor.id] })).expect(...DENIED)
})
