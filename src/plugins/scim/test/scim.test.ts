import { describe, expect, test } from 'vitest'
import { until } from '#test/patience.ts'
import { isHere } from '#test/plugins.ts'
import { openWorld } from '#test/world.ts'
import { grantsOf } from '../../../kernel/access.ts'
import { ENTERPRISE, GROUP, openDirectory, patch, refused, USER } from './directory.ts'

/**
 * SCIM 2.0 as directories speak it: the requests are those that Microsoft Entra ID and Okta document.
 * @see https://learn.microsoft.com/entra/identity/app-provisioning/use-scim-to-provision-users-and-groups
 * @see https://developer.okta.com/docs/api/openapi/okta-scim/guides/scim-20
 */
const { world, tenant, boss, manager, unique, roleId, givenKey, scim, find, idsOf, given, read, membersOf, login } =
  await openDirectory()

describe('a user', () => {
  test('is made as Entra ID makes one', async () => {
    const userName = `${unique('Test_User')}@testuser.example`
    const externalId = '0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef'
    const emails = [{ primary: true, type: 'work', value: 'Test_User@testuser.example' }]
    const name = { formatted: 'givenName familyName', familyName: 'familyName', givenName: 'givenName' }
    const created = await scim('POST', '/Users', {
      schemas: [USER, ENTERPRISE],
      ...{ externalId, userName, active: true, emails, name, roles: [], meta: { resourceType: 'User' } },
      [ENTERPRISE]: { department: 'Sales' },
    })
    const { id } = created.body
    const location = `/scim/v2/Users/${id}`
    expect([created.status, created.headers.location]).toEqual([201, location])
    const instant = expect.stringMatching(/Z$/)
    expect(created.body).toEqual({
      ...{ schemas: [USER], id: expect.stringMatching(/^\d+$/), externalId, userName, name, active: true, emails },
      groups: [{ value: String(await roleId('user')), display: 'user', $ref: expect.stringContaining('/Groups/') }],
      meta: { resourceType: 'User', created: instant, lastModified: instant, location },
    })
    expect(await read('Users', id)).toEqual(created.body)
    const person = { username: userName, email: emails[0]!.value, realName: name.formatted, status: 'active' }
    expect((await manager.get(`/users/${id}`)).expect(200)).toMatchObject(person)
  })

  test('is found by name, whatever its case, by external id, and by whether it is active', async () => {
    const externalId = crypto.randomUUID()
    const { id, userName } = await given('Users', { externalId })
    const found = (filter: string) => idsOf('Users', filter)
    expect(await found(`userName eq "${userName.toUpperCase()}"`)).toEqual([id])
    expect(await found(`externalId eq "${externalId}"`)).toEqual([id])
    expect(await found(`externalId eq "${externalId}" and active eq "False"`)).toEqual([])
    expect(await found(`username Eq "${userName}" and externalid eq "another"`)).toEqual([])
    expect(await found(`id eq "${id}"`)).toEqual([id])
  })

  test('is listed by index and count, from the first one, with the whole number', async () => {
    await given('Users')
    await given('Users')
    const all = (await scim('GET', '/Users?count=200')).body
    expect(all).toMatchObject({ schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'], startIndex: 1 })
    expect(all.totalResults).toBe(all.Resources.length)
    const second = (await scim('GET', '/Users?startIndex=2&count=2')).body
    expect(second).toEqual({ ...all, startIndex: 2, itemsPerPage: 2, Resources: all.Resources.slice(1, 3) })
    const none = (await scim('GET', '/Users?startIndex=-3&count=0')).body
    expect(none).toMatchObject({ totalResults: all.totalResults, startIndex: 1, itemsPerPage: 0, Resources: [] })
    expect((await scim('GET', `/Users?startIndex=${all.totalResults + 1}`)).body.Resources).toEqual([])
    const people = 'select count(*) from users where tenant_id = $1 and not is_service and deleted_at is null'
    expect(all.totalResults).toBe(await world.look.count(people, [tenant.id]))
  })

  test('shows only what is wanted', async () => {
    const { id } = await given('Users', { displayName: unique('Shown') })
    const only = (await scim('GET', `/Users/${id}?attributes=userName,name.givenName`)).body
    expect(Object.keys(only).sort()).toEqual(['id', 'meta', 'schemas', 'userName'])
    const but = (await scim('GET', `/Users/${id}?excludedAttributes=${USER}:groups`)).body
    expect(but).not.toHaveProperty('groups')
    expect(but).toHaveProperty('displayName')
  })

  test('with two long names can still be changed by an administrator', async () => {
    const name = { givenName: 'Ada '.repeat(12).trim(), familyName: 'Lovelace '.repeat(6).trim() }
    const { id } = await given('Users', { name })
    const { realName } = (await manager.get(`/users/${id}`)).expect(200)
    ;(await manager.put(`/users/${id}`, { realName })).expect(200)
    const rename = patch({ op: 'Replace', path: 'name.givenName', value: 'Ada' })
    const { body } = await scim('PATCH', `/Users/${id}`, rename)
    expect(body.name).toEqual({ ...name, givenName: 'Ada', formatted: `Ada ${name.familyName}` })
    expect((await manager.get(`/users/${id}`)).expect(200).realName).toBe(body.name.formatted)
  })

  test('is changed by the PATCH requests of Entra ID', async () => {
    const { id } = await given('Users', { name: { givenName: 'Old', familyName: 'Name' } })
    const userName = `${unique('renamed')}@example.org`
    const operations = [
      { op: 'Replace', path: 'emails[type eq "work"].value', value: 'updatedEmail@example.org' },
      { op: 'Add', path: 'phoneNumbers[type eq "mobile"].value', value: '+1 555 0100' },
      { op: 'Replace', path: 'name.familyName', value: 'updatedFamilyName' },
      { op: 'Replace', path: `${USER}:userName`, value: userName },
      { op: 'Replace', path: `${ENTERPRISE}:department`, value: 'Marketing' },
      { op: 'Replace', path: 'addresses[type eq "work"].country', value: 'DE' },
      { op: 'Replace', path: 'title', value: 'Chief' },
    ]
    const changed = await scim('PATCH', `/Users/${id}`, patch(...operations))
    expect(changed.body).toMatchObject({
      userName,
      name: { givenName: 'Old', familyName: 'updatedFamilyName', formatted: 'Old updatedFamilyName' },
      emails: [{ value: 'updatedEmail@example.org' }],
      phoneNumbers: [{ value: '+1 555 0100' }],
    })
    expect((await manager.get(`/users/${id}`)).expect(200)).toMatchObject({ username: userName, phone: '+1 555 0100' })
    const remove = patch({ op: 'Remove', path: 'phoneNumbers[type eq "mobile"].value' })
    expect((await scim('PATCH', `/Users/${id}`, remove)).body).not.toHaveProperty('phoneNumbers')
  })

  test('is disabled by Entra ID and by Okta, which ends its sessions, and enabled again', async () => {
    const person = await world.givenUser(tenant)
    const requests = [
      patch({ op: 'Replace', path: 'active', value: 'False' }),
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
    const before = { displayName: unique('Before'), emails: [{ value: 'before@example.org', type: 'work' }] }
    const { id, userName } = await given('Users', before)
    const { status, body } = await scim('PUT', `/Users/${id}`, {
      ...{ schemas: [USER], id, userName, active: true, groups: [], meta: { resourceType: 'User' } },
      name: { givenName: 'Another', middleName: 'Excited', familyName: 'User' },
      emails: [
        { primary: false, value: 'home@example.org', type: 'home' },
        { primary: true, value: 'main@example.org', type: 'work', display: 'main' },
      ],
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
    [{ op: 'Replace', path: 'emails[type eq "work"].value', value: 'no address' }, 'invalidValue'],
    [{ op: 'Replace', path: 'active', value: 'perhaps' }, 'invalidValue'],
    [{ op: 'Replace', path: 'password', value: 'x2345' }, 'invalidValue'],
    [{ op: 'Replace', path: 'password', value: '      ' }, 'invalidValue'],
    [{ op: 'Replace', path: 'name.formatted', value: 'Ada\nLovelace' }, 'invalidValue'],
    [{ op: 'Replace', path: 'name.givenName', value: 'Ada\tLovelace' }, 'invalidValue'],
    [{ op: 'Add', path: 'phoneNumbers[type eq "work"].value', value: '+1\r\n555' }, 'invalidValue'],
    [{ op: 'Remove', path: 'password' }, 'mutability'],
    [{ op: 'Remove', path: 'emails[type eq null]' }, 'invalidPath'],
    [{ op: 'Add', path: 'emails[type eq "\\u0000"].value', value: 'a@example.org' }, 'invalidPath'],
    [{ op: 'Move', path: 'userName', value: 'x' }, 'invalidValue'],
  ])('is not changed by %j', async (operation, scimType) => {
    const { id, ...before } = await given('Users')
    const disable = { op: 'replace', path: 'active', value: false }
    expect(await scim('PATCH', `/Users/${id}`, patch(disable, operation))).toMatchObject(refused(400, { scimType }))
    expect(await read('Users', id)).toEqual({ id, ...before })
  })

  test('does not take the name of another one', async () => {
    const [{ userName }, { id }] = [await given('Users'), await given('Users')]
    const rename = patch({ op: 'Replace', path: 'userName', value: userName.toUpperCase() })
    expect(await scim('PATCH', `/Users/${id}`, rename)).toMatchObject(refused(409, { scimType: 'uniqueness' }))
  })

  test('is deleted, or only disabled while somebody has to take over their work', async () => {
    const { id } = await given('Users', { externalId: 'to-be-forgotten' })
    expect((await scim('DELETE', `/Users/${id}`)).status).toBe(204)
    expect(await scim('GET', `/Users/${id}`)).toMatchObject(refused(404))
    expect(await world.look.rows('select 1 from scim_users where user_id = $1', [id])).toEqual([])

    const owner = await world.givenUser(tenant)
    await world.givenProject(owner)
    expect((await scim('DELETE', `/Users/${owner.id}`)).status).toBe(204)
    expect(await read('Users', String(owner.id))).toMatchObject({ active: false })
    await until(async () => (await world.as(owner).get('/projects')).expect(401))
  })

  test.skipIf(!isHere('keys'))('that administers the tenant alone stays', async () => {
    const disable = patch({ op: 'Replace', path: 'active', value: false })
    expect(await scim('PATCH', `/Users/${boss.id}`, disable)).toMatchObject(refused(409))
    expect((await scim('DELETE', `/Users/${boss.id}`)).status).toBe(409)
  })
})

describe('a group', () => {
  test('is a role without permissions, made as Entra ID and Okta make one', async () => {
    const member = await given('Users')
    const displayName = unique('Test SCIMv2')
    const externalId = '8aa1a0c0-c4c3-4bc0-b4a5-2ef676900159'
    const shown = { value: member.id, display: member.userName }
    const created = await scim('POST', '/Groups', {
      schemas: [GROUP, 'http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group'],
      ...{ externalId, displayName, members: [shown], meta: { resourceType: 'Group' } },
    })
    const { id } = created.body
    expect([created.status, created.headers.location]).toEqual([201, `/scim/v2/Groups/${id}`])
    expect(created.body).toEqual({
      ...{ schemas: [GROUP], id, externalId, displayName, meta: expect.objectContaining({ resourceType: 'Group' }) },
      members: [{ ...shown, type: 'User', $ref: `/scim/v2/Users/${member.id}` }],
    })
    expect((await manager.get(`/roles/${id}`)).expect(200)).toMatchObject({ name: displayName, permissions: [] })
    expect((await read('Users', member.id)).groups.map(({ value }: any) => value)).toContain(id)
  })

  test('is found by its name, with or without its members', async () => {
    const member = await given('Users')
    const { id, displayName } = await given('Groups', { members: [{ value: member.id }] })
    const query = `?filter=${encodeURIComponent(`displayName eq "${displayName}"`)}&excludedAttributes=members`
    const without = (await scim('GET', `/Groups${query}`)).body
    expect(without.Resources).toEqual([expect.not.objectContaining({ members: expect.anything() })])
    const { body } = await find('Groups', `id eq "${id}" and members eq "${member.id}"`)
    expect(body.Resources).toMatchObject([{ id, members: [{ value: member.id }] }])
    const other = await given('Users')
    expect(await idsOf('Groups', `id eq "${id}" and members eq "${other.id}"`)).toEqual([])
    expect(await find('Groups', 'displayName co "x"')).toMatchObject(refused(400, { scimType: 'invalidFilter' }))
  })

  test('takes and loses members by the requests of Entra ID and Okta', async () => {
    const [one, two, three] = [await given('Users'), await given('Users'), await given('Users')]
    const { id } = await given('Groups')
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
    const member = await given('Users')
    const { id } = await given('Groups')
    const displayName = unique('Replaced')
    const group = { schemas: [GROUP], id, displayName, members: [{ value: member.id }] }
    const { status, body } = await scim('PUT', `/Groups/${id}`, group)
    expect([status, body.displayName]).toEqual([200, displayName])
    expect(await membersOf(id)).toEqual([member.id])
    expect((await scim('DELETE', `/Groups/${id}`)).status).toBe(204)
    expect((await scim('GET', `/Groups/${id}`)).status).toBe(404)
    expect((await read('Users', member.id)).groups.map(({ value }: any) => value)).not.toContain(id)
  })

  test.skipIf(!isHere('keys'))('of the service is neither renamed nor deleted', async () => {
    const id = await roleId('tenant-admin')
    const rename = patch({ op: 'Replace', path: 'displayName', value: 'Kings' })
    expect(await scim('PATCH', `/Groups/${id}`, rename)).toMatchObject(refused(409))
    expect((await scim('DELETE', `/Groups/${id}`)).status).toBe(409)
  })
})

describe('who asks', () => {
  test('needs a key with the rights, and is told so in SCIM’s own words', async () => {
    const user = await givenKey('user')
    for (const kind of ['Users', 'Groups'] as const) {
      const { id } = await given(kind)
      for (const [method, path, body] of [
        ['GET', `/${kind}`, undefined],
        ['POST', `/${kind}`, {}],
        ['GET', `/${kind}/${id}`, undefined],
        ['PUT', `/${kind}/${id}`, {}],
        ['PATCH', `/${kind}/${id}`, {}],
        ['DELETE', `/${kind}/${id}`, undefined],
      ] as const) {
        expect(await scim(method, path, body, user), `${method} ${path}`).toMatchObject(refused(403))
        for (const unknown of ['', `atr_${'0'.repeat(60)}`])
          expect(await scim(method, path, body, unknown), `${method} ${path}`).toMatchObject(refused(401))
      }
    }
  })

  test('gives nobody more than they hold themselves', async () => {
    const code = await world.givenRole(tenant, [
      ...(['user:list', 'user:create', 'user:update', 'user:delete', 'role:list', 'role:update'] as const),
      ...grantsOf('user'),
    ])
    const lesser = await givenKey(code)
    const admins = await roleId('tenant-admin')
    const grant = patch({ op: 'Add', path: 'members', value: [{ value: (await given('Users')).id }] })
    expect((await scim('PATCH', `/Groups/${admins}`, grant, lesser)).status).toBe(403)
    const takeOver = patch({ op: 'Replace', path: 'userName', value: unique('mine') })
    expect((await scim('PATCH', `/Users/${boss.id}`, takeOver, lesser)).status).toBe(403)
    expect((await scim('DELETE', `/Users/${boss.id}`, undefined, lesser)).status).toBe(403)
  })

  test('changes neither the password nor the e-mail of their own account, for which the present password is needed', async () => {
    const ann = await world.givenUser(tenant, 'tenant-admin')
    const change = (path: string, value: string) =>
      scim('PATCH', `/Users/${ann.id}`, patch({ op: 'Replace', path, value }), ann.token)
    expect(await change('password', 'another horse')).toMatchObject(refused(403))
    expect(await change('emails[type eq "work"].value', 'taken-over@example.org')).toMatchObject(refused(403))
    expect((await login(ann.username, 'another horse')).status).toBe(401)
    expect(await change('displayName', unique('Ann'))).toMatchObject({ status: 200 })
  })

  test('changes members only with the right to change users', async () => {
    const lesser = await givenKey(await world.givenRole(tenant, ['role:list', 'role:update', 'user:list']))
    const [{ id: user }, { id: group }] = [await given('Users'), await given('Groups')]
    const add = patch({ op: 'Add', path: 'members', value: [{ value: user }] })
    expect((await scim('PATCH', `/Groups/${group}`, add, lesser)).status).toBe(403)
    expect(await membersOf(group)).toEqual([])
  })

  test('has the same limit of requests as below /api', async () => {
    const limited = await openWorld({ env: { REQUEST_LIMIT: '2' } })
    const read = (url: string) =>
      limited.app.inject({ url, headers: { authorization: `Bearer ${limited.admin.token}` } })
    expect((await read('/api/v1/projects')).statusCode).toBe(200)
    expect((await read('/scim/v2/Users')).statusCode).toBe(200)
    const { statusCode: status, ...answer } = await read('/scim/v2/Users')
    expect({ status, body: answer.json() }).toEqual(refused(429))
    expect(answer.headers).toHaveProperty('retry-after')
    await limited.close()
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
      expect(await scim(method, `/Users/${stranger.id}`, body)).toMatchObject(refused(404))
    const add = patch({ op: 'Add', path: 'members', value: [{ value: String(stranger.id) }] })
    expect((await scim('PATCH', `/Groups/${(await given('Groups')).id}`, add)).status).toBe(404)
  })
})

test.each([
  ...(['userName', 'externalId', 'id'] as const).map((name) => ['Users', name] as const),
  ...(['displayName', 'externalId', 'members'] as const).map((name) => ['Groups', name] as const),
])('no filter of %s compares %s with a NUL', async (kind, name) => {
  expect(await find(kind, `${name} eq "\\u0000"`)).toMatchObject(refused(400, { scimType: 'invalidFilter' }))
})

describe('what a directory asks first', () => {
  test('is what is supported, and which attributes there are', async () => {
    const config = (await scim('GET', '/ServiceProviderConfig')).body
    const not = { supported: false }
    expect(config).toMatchObject({ patch: { supported: true }, bulk: not, filter: { maxResults: 200 } })
    const schemas = (await scim('GET', '/Schemas')).body
    expect(schemas.Resources.map(({ id }: any) => id)).toEqual([USER, GROUP])
    expect((await scim('GET', `/Schemas/${USER}`)).body).toEqual(schemas.Resources[0])
    const types = (await scim('GET', '/ResourceTypes')).body
    expect(types.Resources.map(({ endpoint }: any) => endpoint)).toEqual(['/Users', '/Groups'])
    expect((await scim('GET', '/ResourceTypes/User')).body).toEqual(types.Resources[0])
    const described = schemas.Resources[0].attributes.map(({ name }: any) => name)
    const all = { displayName: unique('All'), emails: [{ value: 'a@example.org' }] }
    const shown = Object.keys(await given('Users', all))
    expect(shown.filter((name) => !['schemas', 'id', 'externalId', 'meta', ...described].includes(name))).toEqual([])
  })
})
