import { describe, expect, test } from 'vitest'
import { until } from '#test/patience.ts'
import { openWorldWithTenant } from '#test/world-with-tenant.ts'

/**
 * SCIM 2.0 as directories speak it: the requests are those that Microsoft Entra ID and Okta document.
 * @see https://learn.microsoft.com/entra/identity/app-provisioning/use-scim-to-provision-users-and-groups
 * @see https://developer.okta.com/docs/api/openapi/okta-scim/guides/scim-20
 */
const { world, tenant, boss } = await openWorldWithTenant()
const manager = world.as(boss)
const USER = 'urn:ietf:params:scim:schemas:core:2.0:User'
const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group'
const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'
const PATCH = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'
let counter = 0
const unique = (word: string) => `${word}-${++counter}`
const roleId = async (code: string) =>
  (await world.look.rows<any>('select id::float8 from roles where tenant_id = $1 and code = $2', [tenant.id, code]))[0]
    .id
async function givenKey(role: string): Promise<string> {
  const draft = { name: unique('Directory'), roleIds: [await roleId(role)] }
  const { id } = (await manager.post('/service-accounts', draft)).expect(201)
  return (await manager.post(`/service-accounts/${id}/keys`, { name: 'SCIM' })).expect(201).key
}
const key = await givenKey('tenant-admin')

async function scim(method: string, path: string, body?: object | string, token = key) {
  const answer = await world.app.inject({
    method: method as 'GET',
    url: `/scim/v2${path}`,
    headers: {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/scim+json; charset=utf-8' }),
    },
    ...(body !== undefined && { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  if (answer.statusCode !== 204) expect(answer.headers['content-type']).toBe('application/scim+json; charset=utf-8')
  return { status: answer.statusCode, headers: answer.headers, body: answer.body ? answer.json() : undefined }
}
const patch = (...Operations: object[]) => ({ schemas: [PATCH], Operations })
const error = (status: number, scimType?: string) => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
  status: String(status),
  detail: expect.any(String),
  ...(scimType && { scimType }),
})
const givenUser = async (more: object = {}) => {
  const created = await scim('POST', '/Users', { schemas: [USER], userName: unique('provisioned'), ...more })
  expect(created.status, JSON.stringify(created.body)).toBe(201)
  return created.body
}
const givenGroup = async (more: object = {}) => {
  const created = await scim('POST', '/Groups', { schemas: [GROUP], displayName: unique('Group'), ...more })
  expect(created.status, JSON.stringify(created.body)).toBe(201)
  return created.body
}
const readUser = async (id: string) => (await scim('GET', `/Users/${id}`)).body
const membersOf = async (id: string) =>
  (await scim('GET', `/Groups/${id}`)).body.members.map(({ value }: { value: string }) => value)

describe('a user', () => {
  test('is made as Entra ID makes one', async () => {
    const userName = `${unique('Test_User')}@testuser.example`
    const created = await scim('POST', '/Users', {
      schemas: [USER, ENTERPRISE],
      externalId: '0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef',
      userName,
      active: true,
      emails: [{ primary: true, type: 'work', value: 'Test_User@testuser.example' }],
      meta: { resourceType: 'User' },
      name: { formatted: 'givenName familyName', familyName: 'familyName', givenName: 'givenName' },
      roles: [],
      [ENTERPRISE]: { department: 'Sales' },
    })
    const { id } = created.body
    expect(created.status).toBe(201)
    expect(created.headers.location).toBe(`/scim/v2/Users/${id}`)
    expect(created.body).toEqual({
      schemas: [USER],
      id: expect.stringMatching(/^\d+$/),
      externalId: '0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef',
      userName,
      name: { formatted: 'givenName familyName', familyName: 'familyName', givenName: 'givenName' },
      active: true,
      emails: [{ primary: true, type: 'work', value: 'Test_User@testuser.example' }],
      groups: [{ value: String(await roleId('user')), display: 'user', $ref: expect.stringContaining('/Groups/') }],
      meta: {
        resourceType: 'User',
        created: expect.stringMatching(/Z$/),
        lastModified: expect.stringMatching(/Z$/),
        location: `/scim/v2/Users/${id}`,
      },
    })
    expect(await readUser(id)).toEqual(created.body)
    expect((await manager.get(`/users/${id}`)).expect(200)).toMatchObject({
      username: userName,
      email: 'Test_User@testuser.example',
      realName: 'givenName familyName',
      status: 'active',
    })
  })

  test('signs in with the password that the directory has set, and with none if it has not', async () => {
    const { userName } = await givenUser({ password: 't1meMa$heen' })
    const login = (username: string, password: string) =>
      world.anyone.post('/auth/login', { username, password, tenantCode: tenant.code })
    ;(await login(userName, 't1meMa$heen')).expect(200)
    ;(await login((await givenUser()).userName, '-')).expect(401)
  })

  test('is found by name, whatever its case, by external id, and by whether it is active', async () => {
    const externalId = crypto.randomUUID()
    const { id, userName } = await givenUser({ externalId })
    const found = async (filter: string) => {
      const { status, body } = await scim('GET', `/Users?filter=${encodeURIComponent(filter)}`)
      expect(status, JSON.stringify(body)).toBe(200)
      return body.Resources.map((resource: { id: string }) => resource.id)
    }
    expect(await found(`userName eq "${userName.toUpperCase()}"`)).toEqual([id])
    expect(await found(`externalId eq "${externalId}"`)).toEqual([id])
    expect(await found(`externalId eq "${externalId}" and active eq true`)).toEqual([id])
    expect(await found(`externalId eq "${externalId}" and active eq "False"`)).toEqual([])
    expect(await found(`username Eq "${userName}" and externalid eq "another"`)).toEqual([])
    expect(await found('userName eq "nobody at all"')).toEqual([])
    expect(await found(`id eq "${id}"`)).toEqual([id])
    expect(await found(`userName eq "${userName}" and userName eq "another"`)).toEqual([])
  })

  test.each([
    'userName sw "a"',
    'userName eq',
    'title eq "x"',
    'userName eq "a" or userName eq "b"',
    'not (userName eq "a")',
    '(((((((',
    `${'('.repeat(5000)}userName eq "a"${')'.repeat(5000)}`,
    'userName eq 5',
    'active eq "perhaps"',
    '__proto__ eq "x"',
    'emails[type eq "work"].value eq "a@b.c"',
  ])('is not looked for by %s', async (filter) => {
    const { status, body } = await scim('GET', `/Users?filter=${encodeURIComponent(filter)}`)
    expect([status, body]).toEqual([400, error(400, 'invalidFilter')])
  })

  test('is listed by index and count, from the first one, with the whole number', async () => {
    await givenUser()
    await givenUser()
    const all = (await scim('GET', '/Users?count=200')).body
    expect(all).toMatchObject({ schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'], startIndex: 1 })
    expect(all.totalResults).toBe(all.Resources.length)
    const second = (await scim('GET', '/Users?startIndex=2&count=2')).body
    expect(second).toEqual({ ...all, startIndex: 2, itemsPerPage: 2, Resources: all.Resources.slice(1, 3) })
    const none = (await scim('GET', '/Users?startIndex=-3&count=0')).body
    expect(none).toMatchObject({ totalResults: all.totalResults, startIndex: 1, itemsPerPage: 0, Resources: [] })
    expect((await scim('GET', `/Users?startIndex=${all.totalResults + 1}`)).body.Resources).toEqual([])
    const systems = await world.look.rows<any>('select id::text from users where tenant_id = $1 and is_service', [
      tenant.id,
    ])
    expect(all.Resources.map(({ id }: any) => id)).not.toContain(systems[0].id)
  })

  test('shows only what is wanted', async () => {
    const { id } = await givenUser({ displayName: unique('Shown') })
    const only = (await scim('GET', `/Users/${id}?attributes=userName,name.givenName`)).body
    expect(Object.keys(only).sort()).toEqual(['id', 'meta', 'schemas', 'userName'])
    const but = (await scim('GET', `/Users/${id}?excludedAttributes=${USER}:groups`)).body
    expect(but).not.toHaveProperty('groups')
    expect(but).toHaveProperty('displayName')
  })

  test('is changed by the PATCH requests of Entra ID', async () => {
    const { id } = await givenUser({ name: { givenName: 'Old', familyName: 'Name' } })
    const userName = `${unique('renamed')}@example.org`
    const changed = await scim('PATCH', `/Users/${id}`, {
      schemas: [PATCH],
      Operations: [
        { op: 'Replace', path: 'emails[type eq "work"].value', value: 'updatedEmail@example.org' },
        { op: 'Add', path: 'phoneNumbers[type eq "mobile"].value', value: '+1 555 0100' },
        { op: 'Replace', path: 'name.familyName', value: 'updatedFamilyName' },
        { op: 'Replace', path: `${USER}:userName`, value: userName },
        { op: 'Replace', path: `${ENTERPRISE}:department`, value: 'Marketing' },
        { op: 'Replace', path: 'addresses[type eq "work"].country', value: 'DE' },
        { op: 'Replace', path: 'title', value: 'Chief' },
      ],
    })
    expect(changed.status, JSON.stringify(changed.body)).toBe(200)
    expect(changed.body).toMatchObject({
      userName,
      name: { givenName: 'Old', familyName: 'updatedFamilyName', formatted: 'Old updatedFamilyName' },
      emails: [{ value: 'updatedEmail@example.org' }],
      phoneNumbers: [{ value: '+1 555 0100' }],
    })
    expect((await manager.get(`/users/${id}`)).expect(200)).toMatchObject({ username: userName, phone: '+1 555 0100' })
    const removed = await scim(
      'PATCH',
      `/Users/${id}`,
      patch({ op: 'Remove', path: 'phoneNumbers[type eq "mobile"].value' }),
    )
    expect(removed.body).not.toHaveProperty('phoneNumbers')
  })

  test('is disabled by Entra ID and by Okta, which ends its sessions, and enabled again', async () => {
    const person = await world.givenUser(tenant)
    const requests = [
      patch({ op: 'Replace', path: 'active', value: 'False' }),
      patch({ op: 'Replace', path: 'active', value: false }),
      patch({ op: 'replace', value: { active: false } }),
      patch({ op: 'Replace', value: { active: 'False', 'name.givenName': 'X' } }),
    ]
    ;(await world.as(person).get('/projects')).expect(200)
    for (const request of requests) {
      const { status, body } = await scim('PATCH', `/Users/${person.id}`, request)
      expect([status, body.active]).toEqual([200, false])
      await until(async () => (await world.as(person).get('/projects')).expect(401))
      const again = await scim('PATCH', `/Users/${person.id}`, patch({ op: 'Replace', path: 'active', value: 'True' }))
      expect([again.status, again.body.active]).toEqual([200, true])
    }
  })

  test('is replaced as Okta replaces one: what is left out is cleared', async () => {
    const { id, userName } = await givenUser({
      displayName: unique('Before'),
      emails: [{ value: 'before@example.org', type: 'work' }],
    })
    const { status, body } = await scim('PUT', `/Users/${id}`, {
      schemas: [USER],
      id,
      userName,
      name: { givenName: 'Another', middleName: 'Excited', familyName: 'User' },
      emails: [
        { primary: false, value: 'home@example.org', type: 'home' },
        { primary: true, value: 'main@example.org', type: 'work', display: 'main' },
      ],
      active: true,
      groups: [],
      meta: { resourceType: 'User' },
    })
    expect(status, JSON.stringify(body)).toBe(200)
    expect(body).not.toHaveProperty('displayName')
    expect(body).toMatchObject({ emails: [{ value: 'main@example.org' }], name: { formatted: 'Another User' } })
  })

  test.each([
    [{ op: 'Replace', path: 'userName' }, 'invalidSyntax'],
    [{ op: 'Remove', path: 'userName' }, 'mutability'],
    [{ op: 'Remove' }, 'invalidPath'],
    [{ op: 'Replace', value: 'x' }, 'invalidSyntax'],
    [{ op: 'Replace', path: 'userName', value: '' }, 'invalidValue'],
    [{ op: 'Replace', path: 'userName', value: { a: 1 } }, 'invalidValue'],
    [{ op: 'Replace', path: 'emails[type', value: 'x' }, 'invalidPath'],
    [{ op: 'Replace', path: 'emails[type gt "a"].value', value: 'x' }, 'invalidPath'],
    [{ op: 'Replace', path: 'emails.value', value: 'x' }, 'invalidPath'],
    [{ op: 'Replace', path: 'emails[type eq "work"].value', value: 'no address' }, 'invalidValue'],
    [{ op: 'Replace', path: 'active', value: 'perhaps' }, 'invalidValue'],
    [{ op: 'Replace', path: 'password', value: 'x2345' }, 'invalidValue'],
    [{ op: 'Move', path: 'userName', value: 'x' }, 'invalidValue'],
  ])('is not changed by %j', async (operation, scimType) => {
    const { id, ...before } = await givenUser()
    const { status, body } = await scim('PATCH', `/Users/${id}`, patch(operation))
    expect([status, body]).toEqual([400, error(400, scimType)])
    expect(await readUser(id)).toEqual({ id, ...before })
  })

  test('keeps nobody’s prototype: paths and keys name attributes and nothing else', async () => {
    const { id } = await givenUser()
    for (const operation of [
      { op: 'Replace', path: '__proto__.polluted', value: 'yes' },
      { op: 'Replace', path: 'constructor.prototype.polluted', value: 'yes' },
      { op: 'Replace', path: 'name.__proto__', value: { polluted: 'yes' } },
      { op: 'Add', path: 'emails[__proto__ eq "x"].value', value: 'a@example.org' },
      { op: 'Add', value: { 'name.__proto__.polluted': 'yes', 'constructor.prototype.polluted': 'yes' } },
    ])
      expect((await scim('PATCH', `/Users/${id}`, patch(operation))).status).toBeLessThan(500)
    expect(({} as any).polluted).toBeUndefined()
  })

  test('is made once: a second one of its name is a conflict', async () => {
    const { userName } = await givenUser()
    const again = await scim('POST', '/Users', { schemas: [USER], userName: userName.toUpperCase() })
    expect([again.status, again.body]).toEqual([409, error(409, 'uniqueness')])
    const { id } = await givenUser()
    const renamed = await scim('PATCH', `/Users/${id}`, patch({ op: 'Replace', path: 'userName', value: userName }))
    expect([renamed.status, renamed.body]).toEqual([409, error(409, 'uniqueness')])
  })

  test('is deleted, or only disabled while somebody has to take over their work', async () => {
    const { id } = await givenUser({ externalId: 'to-be-forgotten' })
    expect((await scim('DELETE', `/Users/${id}`)).status).toBe(204)
    const gone = await scim('GET', `/Users/${id}`)
    expect([gone.status, gone.body]).toEqual([404, error(404)])
    expect((await scim('DELETE', `/Users/${id}`)).status).toBe(404)
    expect(await world.look.rows('select 1 from scim_users where user_id = $1', [id])).toEqual([])

    const owner = await world.givenUser(tenant)
    await world.givenProject(owner)
    expect((await scim('DELETE', `/Users/${owner.id}`)).status).toBe(204)
    expect(await readUser(String(owner.id))).toMatchObject({ active: false })
    await until(async () => (await world.as(owner).get('/projects')).expect(401))
  })

  test('that administers the tenant alone stays', async () => {
    const { status, body } = await scim(
      'PATCH',
      `/Users/${boss.id}`,
      patch({ op: 'Replace', path: 'active', value: false }),
    )
    expect([status, body]).toEqual([409, error(409)])
    expect((await scim('DELETE', `/Users/${boss.id}`)).status).toBe(409)
  })
})

describe('a group', () => {
  test('is a role without permissions, made as Entra ID and Okta make one', async () => {
    const member = await givenUser()
    const displayName = unique('Test SCIMv2')
    const created = await scim('POST', '/Groups', {
      schemas: [GROUP, 'http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group'],
      externalId: '8aa1a0c0-c4c3-4bc0-b4a5-2ef676900159',
      displayName,
      members: [{ value: member.id, display: member.userName }],
      meta: { resourceType: 'Group' },
    })
    const { id } = created.body
    expect(created.status).toBe(201)
    expect(created.headers.location).toBe(`/scim/v2/Groups/${id}`)
    expect(created.body).toEqual({
      schemas: [GROUP],
      id,
      externalId: '8aa1a0c0-c4c3-4bc0-b4a5-2ef676900159',
      displayName,
      members: [{ value: member.id, display: member.userName, type: 'User', $ref: `/scim/v2/Users/${member.id}` }],
      meta: expect.objectContaining({ resourceType: 'Group' }),
    })
    expect((await manager.get(`/roles/${id}`)).expect(200)).toMatchObject({ name: displayName, permissions: [] })
    expect((await readUser(member.id)).groups.map(({ value }: any) => value)).toContain(id)
  })

  test('is found by its name, with or without its members', async () => {
    const member = await givenUser()
    const { id, displayName } = await givenGroup({ members: [{ value: member.id }] })
    const of = (filter: string) => `/Groups?filter=${encodeURIComponent(filter)}`
    const without = (await scim('GET', `${of(`displayName eq "${displayName}"`)}&excludedAttributes=members`)).body
    expect(without.Resources).toEqual([expect.not.objectContaining({ members: expect.anything() })])
    for (const filter of [`displayName eq "${displayName}"`, `id eq "${id}" and members eq "${member.id}"`]) {
      const { body } = await scim('GET', of(filter))
      expect(body.Resources.map((group: any) => group.id)).toEqual([id])
      expect(body.Resources[0].members.map(({ value }: any) => value)).toEqual([member.id])
    }
    const other = await givenUser()
    expect((await scim('GET', of(`id eq "${id}" and members eq "${other.id}"`))).body.totalResults).toBe(0)
    const refused = await scim('GET', of('displayName co "x"'))
    expect([refused.status, refused.body]).toEqual([400, error(400, 'invalidFilter')])
  })

  test('takes and loses members by the requests of Entra ID and Okta', async () => {
    const [one, two, three] = [await givenUser(), await givenUser(), await givenUser()]
    const { id } = await givenGroup()
    const send = async (...operations: object[]) => {
      const { status, body } = await scim('PATCH', `/Groups/${id}`, patch(...operations))
      expect(status, JSON.stringify(body)).toBe(200)
      return membersOf(id)
    }
    expect(await send({ op: 'Add', path: 'members', value: [{ $ref: null, value: one.id }] })).toEqual([one.id])
    expect(
      await send({ op: 'add', path: 'members', value: [{ value: two.id, display: 'two' }, { value: one.id }] }),
    ).toEqual([one.id, two.id])
    expect(await send({ op: 'Remove', path: 'members', value: [{ $ref: null, value: one.id }] })).toEqual([two.id])
    expect(await send({ op: 'replace', path: 'members', value: [{ value: one.id }, { value: three.id }] })).toEqual([
      one.id,
      three.id,
    ])
    expect(await send({ op: 'remove', path: `members[value eq "${one.id}"]` })).toEqual([three.id])
    expect(await send({ op: 'replace', value: { id, displayName: unique('Renamed') } })).toEqual([three.id])
    expect(await send({ op: 'Remove', path: 'members' })).toEqual([])
  })

  test('is replaced as Okta replaces one, and deleted with its memberships', async () => {
    const member = await givenUser()
    const { id } = await givenGroup()
    const displayName = unique('Replaced')
    const { status, body } = await scim('PUT', `/Groups/${id}`, {
      schemas: [GROUP],
      id,
      displayName,
      members: [{ value: member.id }],
    })
    expect([status, body.displayName]).toEqual([200, displayName])
    expect(await membersOf(id)).toEqual([member.id])
    expect((await scim('DELETE', `/Groups/${id}`)).status).toBe(204)
    expect((await scim('GET', `/Groups/${id}`)).status).toBe(404)
    expect((await readUser(member.id)).groups.map(({ value }: any) => value)).not.toContain(id)
  })

  test('of the service is neither renamed nor deleted', async () => {
    const id = await roleId('tenant-admin')
    const renamed = await scim('PATCH', `/Groups/${id}`, patch({ op: 'Replace', path: 'displayName', value: 'Kings' }))
    expect([renamed.status, renamed.body]).toEqual([409, error(409)])
    expect((await scim('DELETE', `/Groups/${id}`)).status).toBe(409)
  })

  test('takes nobody who is not there', async () => {
    const { id } = await givenGroup()
    for (const value of ['987654321', 'nobody'])
      expect(
        (await scim('PATCH', `/Groups/${id}`, patch({ op: 'Add', path: 'members', value: [{ value }] }))).status,
      ).toBe(404)
    expect(await membersOf(id)).toEqual([])
  })
})

describe('who asks', () => {
  test('needs a key with the rights, and is told so in SCIM’s own words', async () => {
    const user = await givenKey('user')
    const { id } = await givenUser()
    for (const [method, path, body] of [
      ['GET', '/Users', undefined],
      ['GET', `/Users/${id}`, undefined],
      ['POST', '/Users', { userName: 'x' }],
      ['PUT', `/Users/${id}`, { userName: 'x' }],
      ['PATCH', `/Users/${id}`, patch({ op: 'replace', value: {} })],
      ['DELETE', `/Users/${id}`, undefined],
      ['GET', '/Groups', undefined],
      ['POST', '/Groups', { displayName: 'x' }],
    ] as const) {
      expect(await scim(method, path, body, user)).toMatchObject({ status: 403, body: error(403) })
      expect(await scim(method, path, body, '')).toMatchObject({ status: 401, body: error(401) })
      expect(await scim(method, path, body, `atr_${'0'.repeat(60)}`)).toMatchObject({ status: 401, body: error(401) })
    }
  })

  test('gives nobody more than they hold themselves', async () => {
    const code = await world.givenRole(tenant, [
      ...(['user:list', 'user:create', 'user:update', 'user:delete', 'role:list', 'role:update'] as const),
      ...([
        'department:list',
        'project:list',
        'project:create',
        'project:update',
        'task:create',
        'task:update',
      ] as const),
      ...(['approval:create', 'approval:action', 'file:upload'] as const),
    ])
    const lesser = await givenKey(code)
    const made = await scim('POST', '/Users', { userName: unique('modest') }, lesser)
    expect(made.status, JSON.stringify(made.body)).toBe(201)
    const admins = await roleId('tenant-admin')
    const grant = patch({ op: 'Add', path: 'members', value: [{ value: made.body.id }] })
    expect((await scim('PATCH', `/Groups/${admins}`, grant, lesser)).status).toBe(403)
    const takeOver = patch({ op: 'Replace', path: 'userName', value: unique('mine') })
    expect((await scim('PATCH', `/Users/${boss.id}`, takeOver, lesser)).status).toBe(403)
    expect((await scim('DELETE', `/Users/${boss.id}`, undefined, lesser)).status).toBe(403)
  })

  test('changes members only with the right to change users', async () => {
    const lesser = await givenKey(await world.givenRole(tenant, ['role:list', 'role:update', 'user:list']))
    const [{ id: user }, { id: group }] = [await givenUser(), await givenGroup()]
    const add = patch({ op: 'Add', path: 'members', value: [{ value: user }] })
    expect((await scim('PATCH', `/Groups/${group}`, add, lesser)).status).toBe(403)
    expect(await membersOf(group)).toEqual([])
  })

  test('sees nothing of another tenant', async () => {
    const other = await world.givenTenant()
    const stranger = await world.givenUser(other)
    for (const [method, body] of [
      ['GET', undefined],
      ['PUT', { userName: 'x' }],
      ['PATCH', patch({ op: 'replace', value: { active: false } })],
      ['DELETE', undefined],
    ] as const)
      expect(await scim(method, `/Users/${stranger.id}`, body)).toMatchObject({ status: 404, body: error(404) })
    const add = patch({ op: 'Add', path: 'members', value: [{ value: String(stranger.id) }] })
    expect((await scim('PATCH', `/Groups/${(await givenGroup()).id}`, add)).status).toBe(404)
  })

  test('leaves a trace in the audit, by the key', async () => {
    const { id } = await givenUser()
    await scim('DELETE', `/Users/${id}`)
    const trail = (await manager.get('/audit/operations?method=DELETE&path=/scim/v2/Users')).expect(200)
    expect(trail.find(({ path }: any) => path === `/scim/v2/Users/${id}`)).toMatchObject({
      ...{ route: '/scim/v2/Users/:id', status: 204, actorKind: 'service', keyPrefix: expect.stringMatching(/^atr_/) },
    })
  })
})

describe('what a directory asks first', () => {
  test('is what is supported, and which attributes there are', async () => {
    const config = (await scim('GET', '/ServiceProviderConfig')).body
    expect(config).toMatchObject({
      patch: { supported: true },
      bulk: { supported: false },
      filter: { maxResults: 200 },
    })
    const schemas = (await scim('GET', '/Schemas')).body
    expect(schemas.Resources.map(({ id }: any) => id)).toEqual([USER, GROUP])
    expect((await scim('GET', `/Schemas/${USER}`)).body).toEqual(schemas.Resources[0])
    const types = (await scim('GET', '/ResourceTypes')).body
    expect(types.Resources.map(({ endpoint }: any) => endpoint)).toEqual(['/Users', '/Groups'])
    expect((await scim('GET', '/ResourceTypes/User')).body).toEqual(types.Resources[0])
    const described = schemas.Resources[0].attributes.map(({ name }: any) => name)
    const shown = Object.keys(await givenUser({ displayName: unique('All'), emails: [{ value: 'a@example.org' }] }))
    expect(shown.filter((name) => !['schemas', 'id', 'externalId', 'meta', ...described].includes(name))).toEqual([])
  })

  test.each([
    ['GET', '/Bulk', undefined, 404],
    ['GET', '/Users/abc', undefined, 404],
    ['GET', '/Users/0', undefined, 404],
    ['GET', '/Users?startIndex=x', undefined, 400],
    ['POST', '/Users', '{', 400],
    ['POST', '/Users', '[]', 400],
    ['POST', '/Users', {}, 400],
    ['PATCH', '/Users/1', {}, 400],
    ['PATCH', '/Users/1', { Operations: [] }, 400],
    ['GET', '/Users?startIndex=999999999', undefined, 400],
  ] as const)('%s %s of %j is refused in SCIM’s form', async (method, path, body, status) => {
    expect(await scim(method, path, body)).toMatchObject({ status, body: error(status) })
  })
})
