import { describe, expect, test } from 'vitest'
import { openWorldWithTenant } from '#test/world-with-tenant.ts'

/** What directories and validators have met at other servers of SCIM, tried here. */
const { world, tenant, boss } = await openWorldWithTenant()

async function scim(method: string, path: string, body?: object) {
  const answer = await world.app.inject({
    method: method as 'GET',
    url: `/scim/v2${path}`,
    headers: {
      authorization: `Bearer ${boss.token}`,
      ...(body && { 'content-type': 'application/scim+json' }),
    },
    ...(body && { payload: JSON.stringify(body) }),
  })
  return { status: answer.statusCode, headers: answer.headers, body: answer.body ? answer.json() : undefined }
}
const patch = (...Operations: object[]) => ({ Operations })
const refused = (status: number, detail?: string) => ({
  status,
  body: {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
    status: String(status),
    ...(detail && { detail }),
  },
})
let counter = 0
const given = async (kind: 'Users' | 'Groups', more: object = {}) => {
  const name = `reported-${++counter}`
  const made = await scim('POST', `/${kind}`, { [kind === 'Users' ? 'userName' : 'displayName']: name, ...more })
  expect(made.status, JSON.stringify(made.body)).toBe(201)
  return made.body
}

const FOREIGN = [
  '010101001010101011001010101011',
  'c9b6e1a4-2c62-4a3a-9a0f-0d6a3a3c1e11',
  'abc',
  '0',
  '01',
  '-1',
  '1.0',
  '%31%20',
  '9007199254740993',
  'x'.repeat(400),
]

describe('an id that the service has not given', () => {
  test.each(FOREIGN)('%s is the id of nobody and of no group', async (id) => {
    for (const [kind, resource] of [
      ['Users', { userName: 'somebody' }],
      ['Groups', { displayName: 'something' }],
    ] as const) {
      for (const [method, body] of [
        ['GET', undefined],
        ['PUT', resource],
        ['PATCH', patch({ op: 'replace', value: resource })],
        ['DELETE', undefined],
      ] as const)
        expect(await scim(method, `/${kind}/${id}`, body), `${method} ${kind}`).toMatchObject(refused(404))
      const found = await scim('GET', `/${kind}?filter=${encodeURIComponent(`id eq "${id}"`)}`)
      expect(found).toMatchObject({ status: 200, body: { totalResults: 0 } })
    }
    const found = await scim('GET', `/Groups?filter=${encodeURIComponent(`members.value eq "${id}"`)}`)
    expect(found).toMatchObject({ status: 200, body: { totalResults: 0 } })
  })

  test.each(['987654321', ...FOREIGN])('%s is no member, and none is removed', async (value) => {
    const { id } = await given('Groups')
    const members = [{ value }]
    for (const [method, path, body] of [
      ['POST', '/Groups', { displayName: `With ${value.slice(0, 40)}`, members }],
      ['PUT', `/Groups/${id}`, { displayName: 'Other', members }],
      ['PATCH', `/Groups/${id}`, patch({ op: 'add', path: 'members', value: members })],
    ] as const)
      expect(await scim(method, path, body), method).toMatchObject(refused(404))
    for (const operation of [
      { op: 'remove', path: `members[value eq "${value}"]` },
      { op: 'remove', path: 'members', value: members },
    ])
      expect((await scim('PATCH', `/Groups/${id}`, patch(operation))).status).toBe(200)
    expect((await scim('GET', `/Groups/${id}`)).body.members).toEqual([])
  })
})

describe('the entry that is kept of several', () => {
  const NUMBER = [{ type: 'mobile', value: '+49 1' }]
  const ADDRESS = [{ type: 'other', value: 'one@example.com' }]
  const WORK = { type: 'work', value: 'two@example.com' }
  const kept = ({ emails, phoneNumbers }: any) => [...(emails ?? []), ...(phoneNumbers ?? [])]
  const shown = (value: string, type: string) => ({ value, type, primary: true })
  const [number, address] = [shown('+49 1', 'mobile'), shown('one@example.com', 'other')]

  test.each([
    ['its type is kept', { op: 'replace', path: 'active', value: true }, [address, number]],
    [
      'is changed by its type',
      { op: 'Replace', path: 'phoneNumbers[type eq "Mobile"].value', value: '+49 2' },
      [address, shown('+49 2', 'mobile')],
    ],
    [
      'is not that of another type',
      { op: 'Replace', path: 'emails[type eq "home"].value', value: 'a@b.example' },
      [address, number],
    ],
    ['is removed by its type', { op: 'Remove', path: 'phoneNumbers[type eq "mobile"]' }, [address]],
    ['is not removed by another', { op: 'Remove', path: 'phoneNumbers[type eq "work"]' }, [address, number]],
    [
      'gets another type',
      { op: 'Replace', path: 'emails[type eq "other"].type', value: 'home' },
      [shown('one@example.com', 'home'), number],
    ],
    [
      'is a new primary one',
      { op: 'Add', path: 'emails', value: [{ ...WORK, primary: true }] },
      [shown('two@example.com', 'work'), number],
    ],
    [
      'is a new primary one, without a path',
      { op: 'add', value: { emails: [{ ...WORK, primary: 'True' }] } },
      [shown('two@example.com', 'work'), number],
    ],
    [
      'is a new primary number',
      { op: 'add', path: 'phoneNumbers', value: { value: '+49 2', primary: true } },
      [address, shown('+49 2', 'work')],
    ],
    [
      'is one that is made primary by a filter',
      { op: 'replace', path: 'emails[type eq "work" and primary eq true].value', value: WORK.value },
      [shown('two@example.com', 'work'), number],
    ],
    [
      'is not one that is not primary',
      { op: 'add', path: 'emails', value: [{ ...WORK, primary: false }] },
      [address, number],
    ],
  ])('%s', async (_, operation, after) => {
    const { id } = await given('Users', { emails: ADDRESS, phoneNumbers: NUMBER })
    const { status, body } = await scim('PATCH', `/Users/${id}`, patch(operation))
    expect([status, kept(body)]).toEqual([200, after])
    expect(kept((await scim('GET', `/Users/${id}`)).body)).toEqual(after)
  })

  test('is the last of those that are made primary one after the other, and what is then changed by its type', async () => {
    const { id } = await given('Users', { emails: ADDRESS })
    const { body } = await scim(
      'PATCH',
      `/Users/${id}`,
      patch(
        { op: 'add', path: 'emails', value: [{ ...WORK, primary: true }] },
        { op: 'add', path: 'emails', value: [{ type: 'home', value: 'three@example.com', primary: true }] },
        { op: 'replace', path: 'emails[type eq "home"].value', value: 'four@example.com' },
      ),
    )
    expect(kept(body)).toEqual([shown('four@example.com', 'home')])
  })
})

describe('a value of a filter is a string of JSON', () => {
  const found = async (kind: string, filter: string) => {
    const { status, body } = await scim('GET', `/${kind}?filter=${encodeURIComponent(filter)}`)
    return [status, body.Resources?.map(({ id }: { id: string }) => id)]
  }

  test.each(['DOMAIN\\user', 'say "so"', 'a\\"b', 'ends in \\', 'é/🎉', 'x) and (y'])('%s', async (name) => {
    const user = await given('Users', { userName: `${name}-${++counter}`, externalId: `${name}\\${counter}` })
    for (const key of ['userName', 'externalId'])
      expect(await found('Users', `${key} eq ${JSON.stringify(user[key])}`), key).toEqual([200, [user.id]])
    const escaped = [...user.userName].map((one) =>
      one.length > 1 ? one : `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
    )
    expect(await found('Users', `((userName eq "${escaped.join('')}") AND (active eq true) )`)).toEqual([
      200,
      [user.id],
    ])
    const group = await given('Groups', { displayName: `${name}-${counter}` })
    expect(await found('Groups', `displayName eq ${JSON.stringify(group.displayName)}`)).toEqual([200, [group.id]])

    const { id } = await given('Users', { phoneNumbers: [{ value: '1', type: name }] })
    const operation = { op: 'replace', path: `phoneNumbers[type eq ${JSON.stringify(name)}].value`, value: '2' }
    expect((await scim('PATCH', `/Users/${id}`, patch(operation))).body.phoneNumbers).toMatchObject([{ value: '2' }])
  })

  test.each([
    'userName eq "DOMAIN\\user"',
    'userName eq "a" and',
    'and userName eq "a"',
    'userName eq "a" userName eq "a"',
    'userName eq "a"and active eq true',
    '(userName eq "a"',
    'userName eq "a")',
    ')userName eq "a"(',
    '(userName eq "a" and) active eq true',
    'userName eq active',
    'userName eq null',
    '',
    ' ',
  ])('%j is none', async (filter) => {
    expect(await scim('GET', `/Users?filter=${encodeURIComponent(filter)}`)).toMatchObject({
      status: 400,
      body: { scimType: 'invalidFilter' },
    })
  })
})

test('and null in a path is nothing to compare with', async () => {
  const { id } = await given('Users')
  const operation = { op: 'remove', path: 'emails[type eq null]' }
  expect(await scim('PATCH', `/Users/${id}`, patch(operation))).toMatchObject({
    status: 400,
    body: { scimType: 'invalidPath' },
  })
})

describe('a password by PATCH', () => {
  const login = (username: string, password: string) =>
    world.anyone.post('/auth/login', { username, password, tenantCode: tenant.code })

  test.each([
    ['as Okta sends it', { op: 'replace', value: { password: 't1meMa$heen' } }],
    ['with a path', { op: 'Add', path: 'password', value: 't1meMa$heen' }],
    [
      'with its full name',
      { op: 'replace', path: 'urn:ietf:params:scim:schemas:core:2.0:User:Password', value: 't1meMa$heen' },
    ],
  ])('is that of the person, %s', async (_, operation) => {
    const { id, userName } = await given('Users', { password: 'a-former-one' })
    const { status, body } = await scim(
      'PATCH',
      `/Users/${id}`,
      patch({ op: 'replace', path: 'active', value: true }, operation),
    )
    expect(status, JSON.stringify(body)).toBe(200)
    expect(body).not.toHaveProperty('password')
    ;(await login(userName, 't1meMa$heen')).expect(200)
    ;(await login(userName, 'a-former-one')).expect(401)
  })

  test.each([
    [{ op: 'replace', path: 'password', value: 'short' }, 'invalidValue'],
    [{ op: 'replace', path: 'password', value: 5 }, 'invalidValue'],
    [{ op: 'remove', path: 'password' }, 'mutability'],
    [{ op: 'replace', path: 'password.value', value: 't1meMa$heen' }, 'invalidPath'],
  ])('that is %j changes nothing', async (operation, scimType) => {
    const { id, userName } = await given('Users', { password: 'a-former-one' })
    const answer = await scim(
      'PATCH',
      `/Users/${id}`,
      patch({ op: 'replace', path: 'active', value: false }, operation),
    )
    expect(answer).toMatchObject({ status: 400, body: { scimType } })
    ;(await login(userName, 'a-former-one')).expect(200)
  })

  test('is what the service says that it takes', async () => {
    expect((await scim('GET', '/ServiceProviderConfig')).body.changePassword).toEqual({ supported: true })
  })
})

describe('a method that an address does not have', () => {
  test.each([
    ['POST', '/ServiceProviderConfig', 'GET, HEAD'],
    ['DELETE', '/Schemas', 'GET, HEAD'],
    ['PUT', '/ResourceTypes/User', 'GET, HEAD'],
    ['PATCH', '/Schemas/urn:ietf:params:scim:schemas:core:2.0:User', 'GET, HEAD'],
    ['PATCH', '/Users', 'GET, HEAD, POST'],
    ['DELETE', '/Groups/', 'GET, HEAD, POST'],
    ['POST', '/Users/1?attributes=id', 'DELETE, GET, HEAD, PATCH, PUT'],
    ['PROPFIND', '/Groups/abc', 'DELETE, GET, HEAD, PATCH, PUT'],
  ])('%s %s is a 405 that names %s', async (method, path, allow) => {
    const answer = await scim(method, path)
    expect(answer).toMatchObject(refused(405, 'This address does not support the method'))
    expect(answer.headers).toMatchObject({ allow, 'content-type': 'application/scim+json; charset=utf-8' })
  })

  test.each(['/Bulk', '/Me', '/.search', '/Nothing/1'])('and at %s there is nothing', async (path) => {
    const answer = await scim('POST', path)
    expect(answer).toMatchObject(refused(404, 'There is nothing of this kind in SCIM'))
    expect(answer.headers).not.toHaveProperty('allow')
  })
})

describe('a refusal names what it is about', () => {
  test.each([
    [
      'Groups',
      { op: 'remove', path: 'members[a or b]' },
      'The path is not understood: only value, type, primary, compared by eq and joined by and',
    ],
    [
      'Users',
      { op: 'replace', path: 'emails[type gt "a"]', value: [] },
      'The path is not understood: only value, type, primary, compared by eq and joined by and',
    ],
    ['Users', { op: 'remove', path: 'userName' }, 'This cannot be changed: userName cannot be removed'],
    [
      'Users',
      { op: 'replace', path: 'active', value: 'perhaps' },
      'Some of the values are not valid: active must be true or false',
    ],
  ] as const)('%s: %j', async (kind, operation, detail) => {
    const { id } = await given(kind)
    expect(await scim('PATCH', `/${kind}/${id}`, patch(operation))).toMatchObject(refused(400, detail))
  })
})
