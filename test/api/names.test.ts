import { beforeAll, describe, expect, test } from 'vitest'
import { openWorldWithTenant } from '../support/world-with-tenant.ts'

const { world, tenant, boss } = await openWorldWithTenant()
beforeAll(async () => {
  await world.setRegistration(tenant, 'open')
})

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
const signIn = (username: string) =>
  world.anyone.post('/auth/login', { username, password: PASSWORD, tenantCode: tenant.code })

describe('a user name', () => {
  test.each(['Boss', 'BOSS', 'b0ss', 'bоss', 'ｂｏｓｓ', 'Βoss', 'ΒΟSS', 'ʙoss', 'ьoss'])(
    'is taken if it looks like boss: %s',
    async (username) => {
      ;(await register(username)).expect(409, 'USERNAME_TAKEN')
      ;(await create(username)).expect(409, 'USERNAME_TAKEN')
    },
  )

  test('is taken where a capital makes it look like another', async () => {
    ;(await create('paypal')).expect(201)
    ;(await register('paypaI')).expect(409, 'USERNAME_TAKEN')
  })

  test.each(['bo\nss', 'bo\u200bss', 'bo\u202ess', 'bo\u0007ss'])(
    'has nothing invisible in it: %j',
    async (username) => {
      for (const answer of [await register(username), await create(username)]) {
        const { details } = answer.expect(400, 'VALIDATION_FAILED')
        expect(details).toEqual([expect.objectContaining({ path: 'body.username' })])
      }
      ;(await create(`nick-${++counter}`, { nickname: username })).expect(400, 'VALIDATION_FAILED')
    },
  )

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
    expect((await world.anyone.get('/public/home', named)).expect(200)).toEqual(
      (await world.anyone.get('/public/home', { 'x-tenant-code': tenant.code })).expect(200),
    )
  })

  test('is free when its owner has gone, in every spelling', async () => {
    const { id } = (await create('leaver')).expect(201)
    ;(await world.as(boss).delete(`/users/${id}`)).expect(200)
    ;(await create('Leaver')).expect(201)
    ;(await register('leaver')).expect(409, 'USERNAME_TAKEN')
  })

  test('is free in another tenant', async () => {
    const other = await world.givenTenant()
    const draft = { username: 'paypal', password: PASSWORD }
    ;(await world.as(other.administrator).post('/users', draft)).expect(201)
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
    const titles = [
      'Tenant Administrator',
      'TENANT ADMINISTRATOR',
      'Tenаnt Administrator',
      'Administrator',
      '租户管理员',
      'System Administrator',
      '系统管理员',
    ]
    for (const nickname of ['The Chief', 'Тhe Сhief', ...titles]) {
      ;(await world.as(boss).put(`/users/${id}`, { nickname })).expect(409, 'NICKNAME_TAKEN')
      ;(await create(`other-${++counter}`, { nickname })).expect(409, 'NICKNAME_TAKEN')
      ;(await register(nickname)).expect(409, 'USERNAME_TAKEN')
    }
    ;(await world.as(boss).put('/users/me', { nickname: 'Tenant Administrator' })).expect(200)
  })

  test.each(['علی\u200cرضا', 'क्\u200dष', '👨\u200d👩\u200d👧'])(
    'has joiners where its script needs them: %s',
    async (nickname) => {
      const { id } = (await create(`joined-${++counter}`)).expect(201)
      expect((await world.as(boss).put(`/users/${id}`, { nickname })).expect(200)).toMatchObject({ nickname })
    },
  )

  test('may be that of a colleague: two may have one name', async () => {
    for (const username of ['wang.wei', 'wang.wei2']) (await create(username, { nickname: '王伟' })).expect(201)
  })
})

test.each(['\u200b', '\u2800', ' \u200d\ufe0f ', '\u3164'])(
  'what is called nothing that can be seen is refused: %j',
  async (name) => {
    const they = world.as(boss)
    const project = await world.givenProject(boss)
    const attempts: [string, object][] = [
      ['/projects', { name, code: `SEEN-${++counter}` }],
      ['/projects', { name: 'Seen', code: name }],
      [`/projects/${project.id}/tasks`, { title: name }],
      ['/departments', { name, code: `d-${counter}` }],
      ['/roles', { name }],
      ['/content/categories', { name }],
      ['/content/articles', { title: name }],
      ['/approvals', { type: 'leave', title: name }],
    ]
    for (const [path, body] of attempts)
      (await they.post(path, body, { 'idempotency-key': `seen-${++counter}` })).expect(400, 'VALIDATION_FAILED')
  },
)

describe('a password', () => {
  test.each(['      ', '123456', 'password', 'Qwerty123'])('that everybody tries is refused: %j', async (password) => {
    const person = await world.givenUser(tenant)
    const answers = [
      [await register(`p-${++counter}`, { password }), 'body.password'],
      [await world.as(boss).put(`/users/${boss.id}`, { password }), 'body.password'],
      [
        await world.as(person).put('/auth/password', { currentPassword: PASSWORD, newPassword: password }),
        'body.newPassword',
      ],
    ] as const
    for (const [answer, path] of answers)
      expect(answer.expect(400, 'VALIDATION_FAILED').details).toEqual([expect.objectContaining({ path })])
  })

  test('is not the name of its owner', async () => {
    const username = `somebody-${++counter}`
    ;(await register(username, { password: username })).expect(400, 'VALIDATION_FAILED')
    ;(await register(username, { password: 'me@example.com', email: 'me@example.com' })).expect(
      400,
      'VALIDATION_FAILED',
    )
    ;(await create(username)).expect(201)
    ;(await world.as(boss).put(`/users/${boss.id}`, { password: boss.username })).expect(400, 'VALIDATION_FAILED')
    const { accessToken: token } = (await signIn(username)).expect(200)
    const change = { currentPassword: PASSWORD, newPassword: username }
    ;(await world.as({ ...boss, token }).put('/auth/password', change)).expect(400, 'VALIDATION_FAILED')
    const made = {
      name: 'T',
      code: 'the-name',
      plan: 'p',
      adminEmail: 'a@example.com',
      adminUsername: 'the-administrator',
    }
    ;(await world.as(world.admin).post('/tenants', { ...made, adminPassword: 'the-administrator' })).expect(
      400,
      'VALIDATION_FAILED',
    )
  })
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
