import { describe, expect, test } from 'vitest'
import { openWorldWithTenant } from '../support/world-with-tenant.ts'

const { world, tenant, boss } = await openWorldWithTenant()
await world.setRegistration(tenant, 'open')

let counter = 0
const PASSWORD = 'correct horse'
const decomposed = (text: string) => text.normalize('NFD')
const create = (username: string, more: object = {}) =>
  world.as(boss).post('/users', { username, password: PASSWORD, ...more })
const register = (username: string, more: object = {}) =>
  world.anyone.post('/auth/register', {
    ...{ username, password: PASSWORD, email: `stranger-${++counter}@example.com`, tenantCode: tenant.code },
    ...more,
  })
const post = (path: string, body: object) =>
  world.as(boss).post(path, body, { 'idempotency-key': `named-${++counter}` })
const signIn = (username: string) =>
  world.anyone.post('/auth/login', { username, password: PASSWORD, tenantCode: tenant.code })

/** Which names look alike, and what may be in one, is in `test/unit/usernames.test.ts`. */
describe('a user name', () => {
  test('is taken if it looks like another', async () => {
    for (const username of ['Boss', 'bоss']) {
      ;(await register(username)).expect(409, 'USERNAME_TAKEN')
      ;(await create(username)).expect(409, 'USERNAME_TAKEN')
    }
  })

  test('has nothing invisible in it', async () => {
    const username = 'bo\u202ess'
    for (const answer of [await register(username), await create(username)])
      expect(answer.expect(400, 'VALIDATION_FAILED').details).toMatchObject([{ path: 'body.username' }])
    ;(await create(`nick-${++counter}`, { nickname: username })).expect(400, 'VALIDATION_FAILED')
  })

  test('is kept in NFC, and signs in either way', async () => {
    expect((await register(decomposed('josé'))).expect(201)).toMatchObject({ username: 'josé', nickname: 'josé' })
    ;(await register('josé')).expect(409, 'USERNAME_TAKEN')
    ;(await signIn('josé')).expect(200)
    ;(await signIn(decomposed('josé'))).expect(200)
  })

  test('signs in however it is capitalised, and the tenant is named so too; look-alikes do not sign in', async () => {
    ;(await register('Paula')).expect(201)
    const enter = (username: string, tenantCode: string) =>
      world.anyone.post('/auth/login', { username, password: PASSWORD, tenantCode })
    for (const username of ['Paula', 'paula', 'PAULA']) (await enter(username, tenant.code.toUpperCase())).expect(200)
    ;(await enter('pаula', tenant.code)).expect(401)
    const named = { 'x-tenant-code': ` ${tenant.code.toUpperCase()}` }
    expect(await world.anyone.read('/public/home', named)).toEqual(
      await world.anyone.read('/public/home', { 'x-tenant-code': tenant.code }),
    )
  })

  test('of who registers is nobody’s nickname, whatever that one signs in as', async () => {
    ;(await create('al', { nickname: 'Ada Lovelace' })).expect(201)
    ;(await register('ada lovelace')).expect(409, 'USERNAME_TAKEN')
    ;(await register('ada lоvelace')).expect(409, 'USERNAME_TAKEN')
  })
})

describe('a nickname', () => {
  test('is not what somebody else is known by', async () => {
    ;(await create('mallory', { nickname: 'Bоss' })).expect(409, 'NICKNAME_TAKEN')
    const { id } = (await create('mallory', { nickname: 'MALLORY' })).expect(201)
    ;(await world.as(boss).put(`/users/${id}`, { nickname: 'BOSS' })).expect(409, 'NICKNAME_TAKEN')
    ;(await world.as(boss).put(`/users/${id}`, { nickname: 'Mallory' })).expect(200)
  })

  test('is neither an administrator’s nor what administrators are called, in no script', async () => {
    const { id } = (await create('would-be')).expect(201)
    ;(await world.as(boss).put('/users/me', { nickname: 'The Chief' })).expect(200)
    const titles = ['Tenаnt Administrator', '租户管理员', 'System Administrator', '系统管理员', 'Administrator']
    for (const nickname of ['The Chief', 'Тhe Сhief', ...titles]) {
      ;(await world.as(boss).put(`/users/${id}`, { nickname })).expect(409, 'NICKNAME_TAKEN')
      ;(await create(`other-${++counter}`, { nickname })).expect(409, 'NICKNAME_TAKEN')
      ;(await register(nickname)).expect(409, 'USERNAME_TAKEN')
    }
    ;(await world.as(boss).put('/users/me', { nickname: 'Tenant Administrator' })).expect(200)
  })

  test('may be that of a colleague: two may have one name', async () => {
    for (const username of ['wang.wei', 'wang.wei2']) (await create(username, { nickname: '王伟' })).expect(201)
  })
})

test('what is called nothing that can be seen is refused', async () => {
  const project = await world.givenProject(boss)
  const name = ' \u200d\ufe0f '
  for (const [path, body] of [
    ['/projects', { name, code: 'SEEN' }],
    ['/projects', { name: 'Seen', code: name }],
    [`/projects/${project.id}/tasks`, { title: name }],
    ['/departments', { name, code: 'd' }],
    ['/roles', { name }],
    ['/content/categories', { name }],
    ['/content/articles', { title: name }],
    ['/approvals', { type: 'leave', title: name }],
  ] as const)
    (await post(path, body)).expect(400, 'VALIDATION_FAILED')
})

test('a password is not the name of its owner', async () => {
  const username = `somebody-${++counter}`
  for (const own of [{ password: username }, { password: 'me@example.com', email: 'me@example.com' }])
    (await register(username, own)).expect(400, 'VALIDATION_FAILED')
  ;(await create(username)).expect(201)
  ;(await world.as(boss).put(`/users/${boss.id}`, { password: boss.username })).expect(400, 'VALIDATION_FAILED')
  const { accessToken: token } = (await signIn(username)).expect(200)
  const change = { currentPassword: PASSWORD, newPassword: username }
  ;(await world.as({ token }).put('/auth/password', change)).expect(400, 'VALIDATION_FAILED')
  const made = { name: 'T', code: 'the-name', plan: 'p', adminEmail: 'a@example.com' }
  const admin = { adminUsername: 'the-administrator', adminPassword: 'the-administrator' }
  ;(await world.as(world.admin).post('/tenants', { ...made, ...admin })).expect(400, 'VALIDATION_FAILED')
})

test('a search finds what is composed and what is not', async () => {
  const { id } = (await create(`search-${++counter}`, { nickname: decomposed('Zoë Müller') })).expect(201)
  const project = await world.givenProject(boss, { name: decomposed('Café') })
  for (const form of ['NFC', 'NFD']) {
    const found = await world.as(boss).get(`/users?keyword=${encodeURIComponent('zoë mül'.normalize(form))}`)
    expect(found.expect(200).items.map((user: any) => user.id)).toEqual([id])
    const projects = await world.as(boss).get(`/projects?keyword=${encodeURIComponent('café'.normalize(form))}`)
    expect(projects.expect(200)).toEqual([expect.objectContaining({ id: project.id, name: 'Café' })])
  }
})

/** A dot above a letter that has one cannot be seen: nobody takes a name by adding it. More in `test/unit/codes.test.ts`. */
const DOTTED = 'adm\u0456\u0307n'
test.each([
  ['a user name', 'USERNAME_TAKEN', (username: string) => post('/users', { username, password: PASSWORD })],
  ['the code of a project', 'PROJECT_CODE_TAKEN', (code: string) => post('/projects', { name: 'P', code })],
  ['the code of a department', 'DEPARTMENT_CODE_TAKEN', (code: string) => post('/departments', { name: 'D', code })],
  ['the name of a category', 'CATEGORY_TAKEN', (name: string) => post('/content/categories', { name })],
])('%s is taken with and without the dot', async (_, type, make) => {
  ;(await make('admin')).expect(201)
  ;(await make(DOTTED)).expect(409, type)
})

test('a stranger gets neither the user name nor the title of an administrator with such a dot', async () => {
  for (const name of [DOTTED, 'Tenant Admi\u0307nistrator']) (await register(name)).expect(409, 'USERNAME_TAKEN')
  const user = world.as(await world.givenUser(tenant))
  ;(await user.put('/users/me', { nickname: 'Tenant Admi\u0307nistrator' })).expect(409)
})

test('a person signs in with the name as it is, dot and all', async () => {
  ;(await post('/users', { username: 'İbrahim', password: PASSWORD })).expect(201)
  for (const username of ['İbrahim', decomposed('İbrahim')]) (await signIn(username)).expect(200)
})
