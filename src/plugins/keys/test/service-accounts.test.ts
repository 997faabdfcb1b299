import { describe, expect, test } from 'vitest'
import { clientOf } from '#test/client.ts'
import { until } from '#test/patience.ts'
import { tablesWith } from '#test/rows-with.ts'
import { openWorldWithTenant } from '#test/world-with-tenant.ts'

/** Service accounts and their keys, as those who manage them and as the systems that call with them. */
const { world, tenant, boss } = await openWorldWithTenant()
const manager = world.as(boss)
let counter = 0
/** An account with one key, which was used a while before the end of this file. */
let used: { id: number }
const roleId = (code: string) => world.roleId(tenant, code)
const givenAccount = async (roles: string[] = ['user'], name = `System ${++counter}`) =>
  (await manager.post('/service-accounts', { name, roleIds: await Promise.all(roles.map(roleId)) })).expect(201)
const givenKey = async (account: { id: number }, draft: object = {}) =>
  (await manager.post(`/service-accounts/${account.id}/keys`, { name: 'A key', ...draft })).expect(201)
const withKey = (key: string) => clientOf(world.app, { authorization: `Bearer ${key}` })

describe('a service account', () => {
  test('has a name and roles, and is read, changed and deleted', async () => {
    const made = await manager.post('/service-accounts', { name: 'Payroll', roleIds: [await roleId('user')] })
    const account = made.expect(201)
    expect(account).toEqual({
      id: expect.any(Number),
      name: 'Payroll',
      roles: ['user'],
      status: 'active',
      createdAt: expect.stringMatching(/Z$/),
    })
    expect(made.headers.location).toBe(`/api/v1/service-accounts/${account.id}`)
    expect((await manager.get(`/service-accounts/${account.id}`)).expect(200)).toEqual(account)
    expect((await manager.get('/service-accounts')).expect(200)).toContainEqual(account)

    const path = `/service-accounts/${account.id}`
    const patch = { name: 'Wages', status: 'disabled' }
    const changed = (await manager.put(path, { ...patch, roleIds: [] })).expect(200)
    expect(changed).toEqual({ ...account, ...patch, roles: [] })
    ;(await manager.delete(path)).expect(200)
    ;(await manager.get(path)).expect(404, 'NOT_FOUND')
    const left = (await manager.get('/service-accounts')).expect(200).map(({ id }: { id: number }) => id)
    expect(left).not.toContain(account.id)
  })

  test('may be called like another one, but neither like a person nor like an administrator', async () => {
    const [one, other] = [await givenAccount([], 'Twin'), await givenAccount([], 'Twin')]
    expect([one.name, other.name]).toEqual(['Twin', 'Twin'])
    const person = await world.givenUser(tenant)
    for (const name of [person.username, person.username.toUpperCase(), 'Administrator'])
      (await manager.post('/service-accounts', { name, roleIds: [] })).expect(409, 'NICKNAME_TAKEN')
    ;(await manager.put(`/service-accounts/${one.id}`, { name: person.username })).expect(409, 'NICKNAME_TAKEN')
  })

  test('has a name that can be seen, and roles that there are', async () => {
    for (const name of [' ', 'x'.repeat(65)])
      (await manager.post('/service-accounts', { name, roleIds: [] })).expect(400, 'VALIDATION_FAILED')
    ;(await manager.post('/service-accounts', { name: 'Nobody', roleIds: [987_654] })).expect(404, 'NOT_FOUND')
  })

  test('is not overwritten by a form that shows an older state', async () => {
    const account = await givenAccount()
    const { headers } = await manager.get(`/service-accounts/${account.id}`)
    ;(await manager.put(`/service-accounts/${account.id}`, { name: 'Renamed meanwhile' })).expect(200)
    const stale = { 'if-match': headers.etag as string }
    ;(await manager.put(`/service-accounts/${account.id}`, { name: 'Old' }, stale)).expect(412)
    ;(await manager.delete(`/service-accounts/${account.id}`, stale)).expect(412)
  })

  test('is no person: whatever is about people does not know it', async () => {
    const account = await givenAccount(['tenant-admin'])
    const everyone = (await manager.get('/users?pageSize=100')).expect(200)
    expect(everyone.items.map(({ id }: { id: number }) => id)).not.toContain(account.id)
    ;(await manager.get(`/users/${account.id}`)).expect(404, 'NOT_FOUND')
    ;(await manager.put(`/users/${account.id}`, { password: 'a password for it' })).expect(404, 'NOT_FOUND')
    ;(await manager.delete(`/users/${account.id}`)).expect(404, 'NOT_FOUND')
    expect((await manager.get('/users/directory?keyword=System')).expect(200)).toEqual([])
    const department = { name: 'Systems', code: `systems-${account.id}` }
    ;(await manager.post('/departments', { ...department, leaderId: account.id })).expect(404, 'NOT_FOUND')
    const { id } = (await manager.post('/departments', department)).expect(201)
    ;(await manager.put(`/departments/${id}/members/${account.id}`)).expect(404, 'NOT_FOUND')
    const username = (await world.look.rows<any>('select username from users where id = $1', [account.id]))[0].username
    for (const password of ['-', 'a password for it'])
      (await world.anyone.post('/auth/login', { username, password, tenantCode: tenant.code })).expect(401)
  })

  test('is found by its id, works in projects, and shows its name', async () => {
    const account = await givenAccount(['user'], 'Builder')
    const found = (await manager.get(`/users/directory?ids=${account.id}`)).expect(200)
    expect(found).toMatchObject([{ nickname: 'Builder' }])
    const project = await world.givenProject(boss)
    ;(await manager.put(`/projects/${project.id}/members/${account.id}`)).expect(200)
    const task = await world.givenTask(boss, project, { assigneeId: account.id })
    expect(task.assigneeName).toBe('Builder')
  })

  test('that owns a project is not deleted before somebody else does', async () => {
    const account = await givenAccount()
    const { key } = await givenKey(account)
    const own = { name: 'Its own', code: `OWN-${account.id}` }
    const project = (await withKey(key).post('/projects', own, { 'idempotency-key': own.code })).expect(201)
    ;(await manager.delete(`/service-accounts/${account.id}`)).expect(409, 'USER_IN_USE')
    const held = (await manager.get(`/users/${account.id}/responsibilities`)).expect(200)
    expect(held.projects).toMatchObject([{ id: project.id }])
    ;(await manager.post(`/users/${boss.id}/hand-over`, { toUserId: account.id })).expect(404, 'NOT_FOUND')
    const heir = { toUserId: boss.id }
    expect((await manager.post(`/users/${account.id}/hand-over`, heir)).expect(200)).toMatchObject({ projects: 1 })
    ;(await manager.delete(`/service-accounts/${account.id}`)).expect(200)
    await until(async () => (await withKey(key).get('/projects')).expect(401, 'UNAUTHENTICATED'))
    const risen = { username: 'risen', password: 'a good password' }
    ;(await manager.post(`/users/${account.id}/restore`, risen)).expect(404)
  })

  test('as the only other administrator does not count: the last person stays one', async () => {
    await givenAccount(['tenant-admin'])
    ;(await manager.put(`/users/${boss.id}`, { roleIds: [await roleId('user')] })).expect(409, 'LAST_ADMINISTRATOR')
  })
})

describe('a key', () => {
  test('is shown once, and works until it is revoked', async () => {
    const account = await givenAccount()
    const made = await givenKey(account, { name: 'Nightly' })
    expect(made).toEqual({
      id: expect.any(Number),
      name: 'Nightly',
      prefix: expect.stringMatching(/^atr_[0-9A-Za-z]{12,}$/),
      permissions: null,
      expiresAt: null,
      lastUsedAt: null,
      createdAt: expect.stringMatching(/Z$/),
      key: expect.stringMatching(/^atr_[0-9A-Za-z]{40,}$/),
    })
    expect(made.key.startsWith(made.prefix)).toBe(true)
    const { key, ...shown } = made
    expect((await manager.get(`/service-accounts/${account.id}/keys`)).expect(200)).toEqual([shown])

    const me = (await withKey(key).get('/users/me')).expect(200)
    expect(me).toMatchObject({ id: account.id, nickname: account.name, email: null, roles: ['user'] })
    ;(await manager.delete(`/service-accounts/${account.id}/keys/${made.id}`)).expect(200)
    await until(async () => (await withKey(key).get('/users/me')).expect(401, 'UNAUTHENTICATED'))
    ;(await manager.delete(`/service-accounts/${account.id}/keys/${made.id}`)).expect(404, 'NOT_FOUND')
  })

  test('is in no row of the database, and its hash in one', async () => {
    const { key } = await givenKey(await givenAccount())
    ;(await withKey(key).get('/projects')).expect(200)
    ;(await withKey(key).get(`/files/${tenant.id}/${key}`, { 'user-agent': key })).expect(404)
    const agents = `select count(*) from audit_operations where user_agent like 'atr_%'`
    await expect.poll(() => world.look.count(agents)).toBeGreaterThan(0)
    expect(await tablesWith(world.look, key.slice(20))).toEqual([])
  })

  test('does not work below /auth, where only people sign in and out', async () => {
    const { key } = await givenKey(await givenAccount(['tenant-admin']))
    ;(await withKey(key).get('/auth/me')).expect(401, 'UNAUTHENTICATED')
    ;(await withKey(key).post('/auth/logout')).expect(401, 'UNAUTHENTICATED')
    ;(await withKey(key).get('/users?pageSize=1')).expect(200)
  })

  test('ends with its time', async () => {
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString()
    const { id, key } = await givenKey(await givenAccount(), { expiresAt })
    ;(await withKey(key).get('/projects')).expect(200)
    const [sooner] = await world.look.rows(
      `update api_keys set expires_at = clock_timestamp() + interval '300 ms' where id = $1 returning expires_at`,
      [id],
    )
    await until(async () => (await withKey(key).get('/projects')).expect(401))
    expect(Date.now()).toBeGreaterThanOrEqual(sooner!.expires_at.getTime())
  })

  test('stops while its account is disabled, and has the rights that the account has', async () => {
    const account = await givenAccount(['tenant-admin'])
    const { key } = await givenKey(account)
    ;(await withKey(key).get('/audit/operations')).expect(200)
    ;(await manager.put(`/service-accounts/${account.id}`, { roleIds: [await roleId('user')] })).expect(200)
    await until(async () => (await withKey(key).get('/audit/operations')).expect(403, 'PERMISSION_DENIED'))
    ;(await manager.put(`/service-accounts/${account.id}`, { status: 'disabled' })).expect(200)
    await until(async () => (await withKey(key).get('/projects')).expect(401, 'UNAUTHENTICATED'))
    ;(await manager.put(`/service-accounts/${account.id}`, { status: 'active' })).expect(200)
    await until(async () => (await withKey(key).get('/projects')).expect(200))
  })

  test('that is narrowed gives no more than it names', async () => {
    const account = await givenAccount(['tenant-admin'])
    const { key, permissions } = await givenKey(account, {
      permissions: ['project:list', 'key:manage', 'project:list'],
    })
    expect(permissions).toEqual(['project:list', 'key:manage'])
    ;(await withKey(key).get('/projects')).expect(200)
    ;(await withKey(key).get('/users')).expect(403, 'PERMISSION_DENIED')
    const wider = { name: 'Wider', permissions: ['project:list', 'user:list'] }
    const path = `/service-accounts/${account.id}/keys`
    for (const draft of [wider, { name: 'All of it' }])
      (await withKey(key).post(path, draft)).expect(403, 'PERMISSION_DENIED')
    ;(await withKey(key).post(path, { name: 'Narrower', permissions: ['project:list'] })).expect(201)
    const roleIds = [await roleId('user')]
    ;(await withKey(key).post('/service-accounts', { name: 'Sneaky', roleIds })).expect(403, 'PERMISSION_DENIED')
  })

  test('of an account is made by nobody who holds less than the account', async () => {
    const code = await world.givenRole(tenant, ['key:manage', 'project:list'])
    const lesser = world.as(await world.givenUser(tenant, code))
    const account = await givenAccount(['tenant-admin'])
    const own = (await lesser.post('/service-accounts', { name: 'Modest', roleIds: [await roleId(code)] })).expect(201)
    ;(await lesser.post(`/service-accounts/${own.id}/keys`, { name: 'Fine' })).expect(201)
    const { id: keyId } = await givenKey(account)
    for (const refused of [
      lesser.post('/service-accounts', { name: 'Mighty', roleIds: [await roleId('tenant-admin')] }),
      lesser.post(`/service-accounts/${account.id}/keys`, { name: 'Mine', permissions: ['project:list'] }),
      lesser.put(`/service-accounts/${account.id}`, { name: 'Mine' }),
      lesser.put(`/service-accounts/${own.id}`, { roleIds: [await roleId('tenant-admin')] }),
      lesser.delete(`/service-accounts/${account.id}`),
      lesser.delete(`/service-accounts/${account.id}/keys/${keyId}`),
    ])
      (await refused).expect(403, 'PERMISSION_DENIED')
  })

  test('of the past is refused', async () => {
    const draft = { name: 'K', expiresAt: '2020-01-01T00:00:00Z' }
    const refusal = (await manager.post(`/service-accounts/${(await givenAccount()).id}/keys`, draft)).expect(400)
    expect(refusal.details).toMatchObject([{ path: 'body.expiresAt' }])
  })

  test('says in the audit that it was used', async () => {
    const account = await givenAccount(['user'], 'Diarist')
    const { key, prefix } = await givenKey(account)
    const draft = { name: 'Noted', code: `NOTED-${account.id}` }
    ;(await withKey(key).post('/projects', draft, { 'idempotency-key': draft.code })).expect(201)
    const [operation] = (await manager.get(`/audit/operations?userId=${account.id}`)).expect(200)
    expect(operation).toMatchObject({ actorKind: 'service', keyPrefix: prefix, username: 'Diarist', status: 201 })
    const [own] = (await manager.get(`/audit/operations?userId=${boss.id}&pageSize=1`)).expect(200)
    expect(own).toMatchObject({ actorKind: 'user', keyPrefix: null })
    used = account
  })
})

describe('what is no key', () => {
  test('is refused, whatever is wrong with it', async () => {
    const { key, prefix } = await givenKey(await givenAccount())
    const { key: other } = await givenKey(await givenAccount())
    const spliced = prefix + other.slice(prefix.length)
    const flipped = key.slice(0, -8) + (key.at(-8) === 'a' ? 'b' : 'a') + key.slice(-7)
    for (const wrong of [prefix, `${key}a`, flipped, spliced, `atr_${'a'.repeat(60)}`])
      (await withKey(wrong).get('/projects')).expect(401, 'UNAUTHENTICATED')
  })
})

test('the row of a key says after a few seconds that it was used', async () => {
  await until(async () => {
    const [key] = (await manager.get(`/service-accounts/${used.id}/keys`)).expect(200)
    expect(key.lastUsedAt).toMatch(/Z$/)
  })
})
