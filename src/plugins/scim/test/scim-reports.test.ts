import { describe, expect, test } from 'vitest'
import { openDirectory, patch, refused, USER } from './directory.ts'

/** What directories and validators have met at other servers of SCIM, tried here. */
const { scim, find, idsOf, given, unique, membersOf, login } = await openDirectory()

const FOREIGN = ['010101001010101011001010101011', 'abc', '01', '-1', '%31%20', '9007199254740993', 'x'.repeat(400)]

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
      expect(await idsOf(kind, `id eq "${id}"`)).toEqual([])
    }
    expect(await idsOf('Groups', `members.value eq "${id}"`)).toEqual([])
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
    expect(await membersOf(id)).toEqual([])
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
    ['is removed by its type', { op: 'Remove', path: 'phoneNumbers[type eq "mobile"]' }, [address]],
    ['is not removed by another', { op: 'Remove', path: 'phoneNumbers[type eq "work"]' }, [address, number]],
    [
      'is a new primary one',
      { op: 'Add', path: 'emails', value: [{ ...WORK, primary: true }] },
      [shown('two@example.com', 'work'), number],
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
})

describe('a value of a filter is a string of JSON', () => {
  test.each(['DOMAIN\\user', 'a\\"b', 'ends in \\', 'é/🎉', 'x) and (y'])('%s', async (name) => {
    const user = await given('Users', { userName: unique(name), externalId: unique(`${name}\\`) })
    for (const key of ['userName', 'externalId'])
      expect(await idsOf('Users', `${key} eq ${JSON.stringify(user[key])}`), key).toEqual([user.id])
    const escaped = [...user.userName].map((one) =>
      one.length > 1 ? one : `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
    )
    expect(await idsOf('Users', `((userName eq "${escaped.join('')}") AND (active eq true) )`)).toEqual([user.id])
    const group = await given('Groups', { displayName: unique(name) })
    expect(await idsOf('Groups', `displayName eq ${JSON.stringify(group.displayName)}`)).toEqual([group.id])

    const { id } = await given('Users', { phoneNumbers: [{ value: '1', type: name }] })
    const operation = { op: 'replace', path: `phoneNumbers[type eq ${JSON.stringify(name)}].value`, value: '2' }
    expect((await scim('PATCH', `/Users/${id}`, patch(operation))).body.phoneNumbers).toMatchObject([{ value: '2' }])
  })

  test.each([
    ...['userName eq "DOMAIN\\user"', 'userName eq "a" and', 'userName sw "a"', 'userName eq "a"and active eq true'],
    ...['title eq "x"', '(userName eq "a"', ')userName eq "a"(', '(userName eq "a" and) active eq true', '(((((((', ''],
    ...['userName eq "a" or userName eq "b"', 'not (userName eq "a")', 'userName eq null', 'userName eq 5'],
    ...[`${'('.repeat(5000)}userName eq "a"${')'.repeat(5000)}`, 'active eq "perhaps"', '__proto__ eq "x"'],
    'emails[type eq "work"].value eq "a@b.c"',
  ])('%j is none', async (filter) => {
    expect(await find('Users', filter)).toMatchObject(refused(400, { scimType: 'invalidFilter' }))
  })
})

describe('a password by PATCH', () => {
  test.each([
    ['as Okta sends it', { op: 'replace', value: { password: 't1meMa$heen' } }],
    ['with its full name', { op: 'Add', path: `${USER}:Password`, value: 't1meMa$heen' }],
  ])('is that of the person, %s', async (_, operation) => {
    const { id, userName } = await given('Users', { password: 'a-former-one' })
    const enable = { op: 'replace', path: 'active', value: true }
    const { status, body } = await scim('PATCH', `/Users/${id}`, patch(enable, operation))
    expect(status, JSON.stringify(body)).toBe(200)
    expect(body).not.toHaveProperty('password')
    ;(await login(userName, 't1meMa$heen')).expect(200)
    ;(await login(userName, 'a-former-one')).expect(401)
  })

  test('is what the service says that it takes', async () => {
    expect((await scim('GET', '/ServiceProviderConfig')).body.changePassword).toEqual({ supported: true })
  })
})

describe('a method that an address does not have', () => {
  test.each([
    ['POST', '/ServiceProviderConfig', 'GET, HEAD'],
    ['PATCH', '/Users', 'GET, HEAD, POST'],
    ['DELETE', '/Groups/', 'GET, HEAD, POST'],
    ['PROPFIND', '/Groups/abc', 'DELETE, GET, HEAD, PATCH, PUT'],
  ])('%s %s is a 405 that names %s', async (method, path, allow) => {
    const answer = await scim(method, path)
    expect(answer).toMatchObject(refused(405, { detail: 'This address does not support the method' }))
    expect(answer.headers).toMatchObject({ allow, 'content-type': 'application/scim+json; charset=utf-8' })
  })

  test.each(['/.search', '/Nothing/1'])('and at %s there is nothing', async (path) => {
    expect(await scim('POST', path)).toMatchObject(refused(404, { detail: 'There is nothing of this kind in SCIM' }))
  })
})

describe('a refusal names what it is about', () => {
  const PATH = 'The path is not understood: only value, type, primary, compared by eq and joined by and'
  const ACTIVE = 'Some of the values are not valid: active must be true or false'
  test.each([
    ['Groups', { op: 'remove', path: 'members[a or b]' }, PATH],
    ['Users', { op: 'replace', path: 'emails[type gt "a"]', value: [] }, PATH],
    ['Users', { op: 'remove', path: 'userName' }, 'This cannot be changed: userName cannot be removed'],
    ['Users', { op: 'replace', path: 'active', value: 'perhaps' }, ACTIVE],
  ] as const)('%s: %j', async (kind, operation, detail) => {
    const { id } = await given(kind)
    expect(await scim('PATCH', `/${kind}/${id}`, patch(operation))).toMatchObject(refused(400, { detail }))
  })
})
