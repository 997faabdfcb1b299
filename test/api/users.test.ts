import { describe, expect, test } from 'vitest'
import type { Answer } from '../support/client.ts'
import type { Person } from '../support/world.ts'
import { openWorldWithTenant } from '../support/world-with-tenant.ts'

const { world, tenant, boss } = await openWorldWithTenant()

const PASSWORD = 'a good password'
let counter = 0
const newcomer = (draft: object = {}) => ({ username: `newcomer-${++counter}`, password: PASSWORD, ...draft })
const givenNewcomer = (draft: object = {}) => world.as(boss).create('/users', newcomer(draft))
const givenCustomRole = async (permissions: readonly any[] = []) => roleOf(await world.givenRole(tenant, permissions))
const roleOf = async (code: string, of = { id: tenant.id }) => ({ id: await world.roleId(of, code), code })
const signIn = (username: string, password = PASSWORD) =>
  world.anyone.post('/auth/login', { username, password, tenantCode: tenant.code })
const bearer = (token: string): Person => ({ ...boss, token })
const read = (id: number) => world.as(boss).read(`/users/${id}`)
const listed = (query = '') => world.as(boss).read(`/users?pageSize=100${query}`)

describe('a new user', () => {
  test('has the role that everybody has who registers, and can sign in', async () => {
    const answer = await world.as(boss).post('/users', newcomer({ nickname: 'Nick', email: 'n@example.org' }))
    const user = answer.expect(201)

    expect(answer.headers.location).toBe(`/api/v1/users/${user.id}`)
    const named = { username: user.username, nickname: 'Nick', email: 'n@example.org', phone: null, realName: null }
    const standing = { status: 'active', roles: ['user'], selfRegistered: false, lastSignInAt: null, version: 0 }
    const [createdAt, updatedAt] = [expect.stringMatching(/Z$/), expect.stringMatching(/Z$/)]
    expect(user).toEqual({ ...named, ...standing, id: expect.any(Number), createdAt, updatedAt })
    expect(await read(user.id)).toEqual(user)
    ;(await signIn(user.username)).expect(200)
  })

  test('shows when they last signed in; a session that is continued and a wrong password are no sign-in', async () => {
    const { id, username } = await givenNewcomer()
    const { refreshToken } = (await signIn(username)).expect(200)
    expect((await read(id)).lastSignInAt).toMatch(/Z$/)
    await world.look.rows(`update last_sign_ins set signed_in_at = '2026-01-01' where user_id = $1`, [id])
    ;(await world.anyone.post('/auth/refresh', { refreshToken })).expect(200)
    ;(await signIn(username, 'wrong')).expect(401, 'INVALID_CREDENTIALS')
    const found = async () => (await listed(`&keyword=${username}`)).items[0].lastSignInAt
    expect(await found()).toBe('2026-01-01T00:00:00.000Z')
    ;(await signIn(username)).expect(200)
    expect((await found()) > '2026-01-02').toBe(true)
  })
})

test('the list of users is searched by user name, nickname, e-mail and real name, literally and without regard to case', async () => {
  const names = { username: 'Ab_Name', nickname: '100%\\Nick', email: 'Mail@Example.org', realName: "Zoë O'Real" }
  const user = await givenNewcomer({ ...names, phone: '555-0199' })
  for (const keyword of ['b_n', '0%\\n', 'MAIL@', "zoë o'"]) {
    const { items, total } = await listed(`&keyword=${encodeURIComponent(keyword)}`)
    expect(items.map(({ id }: any) => id)).toEqual([user.id])
    expect(total).toBe(1)
  }
  for (const keyword of ['b%n', '555-0199', '100_'])
    expect((await listed(`&keyword=${encodeURIComponent(keyword)}`)).items).toEqual([])
  expect((await listed('&keyword=%20')).total).toBe((await listed()).total)
})

describe('changing a user', () => {
  test('a new password ends the sessions, and the old one is over', async () => {
    const user = await givenNewcomer()
    const { accessToken, refreshToken } = (await signIn(user.username)).expect(200)
    await world.as(bearer(accessToken)).read('/auth/me')
    ;(await world.as(boss).put(`/users/${user.id}`, { password: '12345' })).expect(400, 'VALIDATION_FAILED')
    ;(await world.as(boss).put(`/users/${user.id}`, { password: 'another password' })).expect(200)
    ;(await world.as(bearer(accessToken)).get('/auth/me')).expect(401, 'UNAUTHENTICATED')
    ;(await world.anyone.post('/auth/refresh', { refreshToken })).expect(401, 'INVALID_REFRESH_TOKEN')
    ;(await signIn(user.username)).expect(401, 'INVALID_CREDENTIALS')
    ;(await signIn(user.username, 'another password')).expect(200)
  })

  test('an administrator may set a common password, nobody for themselves', async () => {
    const common = 'changeme'
    const user = await world.as(boss).create('/users', newcomer({ password: common }))
    const { accessToken } = (await signIn(user.username, common)).expect(200)
    const change = { currentPassword: common, newPassword: 'iloveyou' }
    const own = await world.as(bearer(accessToken)).put('/auth/password', change)
    expect(own.expect(400, 'VALIDATION_FAILED').details[0].path).toBe('body.newPassword')
    for (const password of [user.username, common])
      (await world.as(boss).put(`/users/${user.id}`, { password })).expect(200)
    const mine = { password: common, currentPassword: PASSWORD }
    ;(await world.as(boss).put(`/users/${boss.id}`, mine)).expect(400, 'VALIDATION_FAILED')
    const registration = { ...newcomer({ password: common }), email: 'new@example.com', tenantCode: tenant.code }
    ;(await world.anyone.post('/auth/register', registration)).expect(400, 'VALIDATION_FAILED')
  })

  test('whoever changes their own password here keeps this session and no other', async () => {
    const role = await givenCustomRole(['user:update'])
    const user = await givenNewcomer({ roleIds: [role.id] })
    const here = bearer((await signIn(user.username)).expect(200).accessToken)
    const there = bearer((await signIn(user.username)).expect(200).accessToken)
    const change = { password: 'a password of mine', currentPassword: PASSWORD }
    ;(await world.as(here).put(`/users/${user.id}`, change)).expect(200)
    await world.as(here).read('/auth/me')
    ;(await world.as(there).get('/auth/me')).expect(401, 'UNAUTHENTICATED')
  })

  test('roles are replaced as a whole, and count immediately', async () => {
    const person = await world.givenUser(tenant)
    const role = await givenCustomRole(['audit:view'])
    ;(await world.as(person).get('/audit/operations')).expect(403, 'PERMISSION_DENIED')
    expect((await world.as(boss).put(`/users/${person.id}`, { roleIds: [role.id] })).expect(200).roles).toEqual([
      role.code,
    ])
    await world.as(person).read('/audit/operations')
    ;(await world.as(person).get('/projects')).expect(403, 'PERMISSION_DENIED')
    expect((await world.as(boss).put(`/users/${person.id}`, { roleIds: [] })).expect(200).roles).toEqual([])
    expect(await world.as(person).read('/auth/me')).toMatchObject({ roles: [], permissions: [] })
  })

  test('by several concurrently leaves the roles of one of them, whole', async () => {
    const user = await givenNewcomer()
    const roles = [await givenCustomRole(), await givenCustomRole(), await givenCustomRole()]
    const sets = [[roles[0]!, roles[1]!], [roles[1]!, roles[2]!], [roles[0]!, roles[2]!], []]
    const answers = await Promise.all(
      sets.map((set) => world.as(boss).put(`/users/${user.id}`, { roleIds: set.map(({ id }) => id) })),
    )
    for (const answer of answers) answer.expect(200)
    expect(sets.map((set) => set.map(({ code }) => code))).toContainEqual((await read(user.id)).roles)
  })
})

test('the last active administrator of a tenant is neither disabled nor demoted nor deleted', async () => {
  const company = await world.givenTenant()
  const last = company.administrator
  const role = await roleOf('tenant-admin', company)
  const second = await world.givenUser(company, 'tenant-admin')
  ;(await world.as(last).put(`/users/${second.id}`, { status: 'disabled' })).expect(200)
  for (const patch of [{ status: 'disabled' }, { roleIds: [] }])
    (await world.as(last).put(`/users/${last.id}`, patch)).expect(409, 'LAST_ADMINISTRATOR')
  ;(await world.as(last).delete(`/users/${last.id}`)).expect(409, 'LAST_ADMINISTRATOR')
  ;(await world.as(last).put(`/users/${last.id}`, { roleIds: [role.id], nickname: 'Boss' })).expect(200)
  ;(await world.as(last).delete(`/users/${second.id}`)).expect(200)
})

describe('the system administrator', () => {
  test('is changed by nobody else, in nothing', async () => {
    const other = await world.givenUser({ id: 1 }, 'admin')
    for (const patch of [{ nickname: 'Me' }, { status: 'disabled' }, { password: 'taken over' }, { roleIds: [] }, {}])
      (await world.as(other).put('/users/1', patch)).expect(409, 'RESERVED')
    ;(await world.as(other).delete('/users/1')).expect(409, 'RESERVED')
    await world.as(world.admin).read('/auth/me')
  })

  test('changes their own data, but stays active and administrator', async () => {
    const me = world.as(world.admin)
    expect((await me.put('/users/1', { nickname: 'Root' })).expect(200)).toMatchObject({ nickname: 'Root' })
    const user = await roleOf('user', { id: 1 })
    for (const patch of [{ status: 'disabled' }, { roleIds: [] }, { roleIds: [user.id] }])
      (await me.put('/users/1', patch)).expect(409, 'RESERVED')
    ;(await me.delete('/users/1')).expect(409, 'RESERVED')
    expect(await me.read('/users/1')).toMatchObject({ status: 'active', roles: ['admin'] })
  })
})

describe('a person who is deleted', () => {
  const givenLeaver = async () => {
    const user = await givenNewcomer({ nickname: 'Leaver', email: 'leaver@example.org', phone: '42' })
    const { accessToken, refreshToken } = (await signIn(user.username)).expect(200)
    return { ...user, tenantId: tenant.id, token: accessToken, refreshToken }
  }

  test('is gone from everywhere, out immediately, and their user name is free', async () => {
    const leaver = await givenLeaver()
    const project = await world.givenProject(boss)
    await world.givenMember(boss, project, leaver)
    const department = await world.as(boss).create('/departments', { name: 'D', code: `D-${leaver.id}` })
    ;(await world.as(boss).put(`/departments/${department.id}/members/${leaver.id}`)).expect(200)
    const before = (await listed()).total

    ;(await world.as(boss).delete(`/users/${leaver.id}`)).expect(200)

    ;(await world.as(leaver).get('/auth/me')).expect(401, 'UNAUTHENTICATED')
    ;(await world.anyone.post('/auth/refresh', { refreshToken: leaver.refreshToken })).expect(401)
    ;(await signIn(leaver.username)).expect(401, 'INVALID_CREDENTIALS')
    expect((await listed()).total).toBe(before - 1)
    for (const query of ['&status=disabled', `&keyword=${leaver.username}`])
      expect((await listed(query)).items.map(({ id }: any) => id)).not.toContain(leaver.id)
    expect(await world.as(boss).read(`/users/directory?keyword=${leaver.username}`)).toEqual([])
    expect((await world.as(boss).read(`/projects/${project.id}`)).memberIds).toEqual([boss.id])
    expect(await world.as(boss).read(`/departments/${department.id}/members`)).toEqual([])

    const successor = { username: leaver.username, nickname: 'Leaver', password: PASSWORD }
    const { id } = await world.as(boss).create('/users', successor)
    expect(id).not.toBe(leaver.id)
    ;(await signIn(leaver.username)).expect(200)
  })

  test('leaves archived projects without a trace in their history', async () => {
    const leaver = await givenLeaver()
    const project = await world.givenProject(boss)
    await world.givenMember(boss, project, leaver)
    ;(await world.as(boss).put(`/projects/${project.id}/archive?version=0`)).expect(200)
    ;(await world.as(boss).delete(`/users/${leaver.id}`)).expect(200)
    expect((await world.as(boss).read(`/projects/${project.id}`)).memberIds).toEqual([boss.id])
    const [last] = await world.as(boss).read(`/projects/${project.id}/activities`)
    expect(last.action).toBe('PROJECT_ARCHIVED')
  })
})

describe('a deletion, at the same moment as', () => {
  const leftBehind = () =>
    world.look.count(
      `select count(*) from users u where tenant_id = $1 and deleted_at is not null and (
        exists (select from projects where tenant_id = $1 and owner_id = u.id)
        or exists (select from departments where tenant_id = $1 and leader_id = u.id)
        or exists (select from project_members where tenant_id = $1 and user_id = u.id)
        or exists (select from department_members where tenant_id = $1 and user_id = u.id)
        or exists (select from tasks where tenant_id = $1 and assignee_id = u.id and status in ('TODO', 'IN_PROGRESS', 'BLOCKED')))`,
      [tenant.id],
    )
  const isGone = async (id: number) =>
    (await world.look.count('select count(*) from users where id = $1 and deleted_at is not null', [id])) === 1

  /** By what happens beside it: its preparation, and which answers the two may get. */
  const races: Record<string, [prepare: (person: Person) => Promise<() => Promise<Answer>>, outcomes: string[]]> = {
    'their becoming the leader of a department': [
      async (person) => {
        const form = { name: 'R', code: `R-${person.id}` }
        const { id } = await world.as(boss).create('/departments', form)
        return () => world.as(boss).put(`/departments/${id}`, { ...form, leaderId: person.id })
      },
      ['200 404', '409 200'],
    ],
    'a project that they make themselves': [
      async (person) => () =>
        world.as(person).post('/projects', { name: 'M', code: `M-${person.id}` }, { 'idempotency-key': 'mine' }),
      ['200 401', '200 409', '409 201'],
    ],
  }

  test.each(Object.entries(races))('%s', async (_, [prepare, outcomes]) => {
    for (let round = 0; round < 3; round++) {
      const person = await world.givenUser(tenant)
      const other = await prepare(person)
      const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, Math.max(ms, 0)))
      const head = round - 1
      const [deletion, answer] = await Promise.all([
        wait(-head).then(() => world.as(boss).delete(`/users/${person.id}`)),
        wait(head).then(() => other()),
      ])
      expect(outcomes).toContain(`${deletion.status} ${answer.status}`)
      expect(await isGone(person.id)).toBe(deletion.status === 200)
      expect(await leftBehind()).toBe(0)
    }
  })

  test('another deletion is done once', async () => {
    const person = await world.givenUser(tenant)
    const answers = await Promise.all(Array.from({ length: 8 }, () => world.as(boss).delete(`/users/${person.id}`)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(404)])
  })
})
