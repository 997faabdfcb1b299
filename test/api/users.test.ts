import { describe, expect, test } from 'vitest'
import { obeying } from '../support/obedient.ts'
import type { Person } from '../support/world.ts'
import { openWorldWithTenant } from '../support/world-with-tenant.ts'

const { world, tenant, boss } = await openWorldWithTenant()

const PASSWORD = 'a good password'
let counter = 0
const newcomer = (draft: object = {}) => ({ username: `newcomer-${++counter}`, password: PASSWORD, ...draft })
const givenNewcomer = async (draft: object = {}) => (await world.as(boss).post('/users', newcomer(draft))).expect(201)
const givenCustomRole = async (permissions: readonly any[] = []) => {
  const code = await world.givenRole(tenant, permissions)
  return roleOf(code)
}
const roleOf = async (code: string, of: { id: number } = tenant) =>
  (
    await world.look.rows<any>('select id::float8, code from roles where tenant_id = $1 and code = $2', [of.id, code])
  )[0]!
const signIn = (username: string, password = PASSWORD) =>
  world.anyone.post('/auth/login', { username, password, tenantCode: tenant.code })
const bearer = (token: string): Person => ({ ...boss, token })
const read = async (id: number) => (await world.as(boss).get(`/users/${id}`)).expect(200)
const listed = async (query = '') => (await world.as(boss).get(`/users?pageSize=100${query}`)).expect(200)

describe('a new user', () => {
  test('has the role that everybody has who registers, and can sign in', async () => {
    const answer = await world.as(boss).post('/users', newcomer({ nickname: 'Nick', email: 'n@example.org' }))
    const user = answer.expect(201)

    expect(answer.headers.location).toBe(`/api/v1/users/${user.id}`)
    expect(user).toEqual({
      id: expect.any(Number),
      username: user.username,
      nickname: 'Nick',
      email: 'n@example.org',
      phone: null,
      realName: null,
      status: 'active',
      roles: ['user'],
      selfRegistered: false,
      lastSignInAt: null,
      version: 0,
      createdAt: expect.stringMatching(/Z$/),
      updatedAt: expect.stringMatching(/Z$/),
    })
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

  test('has the roles that are named, each once', async () => {
    const [one, other] = [await givenCustomRole(), await givenCustomRole()]
    const user = await givenNewcomer({ roleIds: [other.id, one.id, other.id] })
    expect(user.roles).toEqual([one.code, other.code])
    expect((await read(user.id)).roles).toEqual([one.code, other.code])
    expect((await givenNewcomer({ roleIds: [] })).roles).toEqual(['user'])
  })

  test('may be made disabled, and does not get in', async () => {
    const { username } = await givenNewcomer({ status: 'disabled' })
    ;(await signIn(username)).expect(401, 'INVALID_CREDENTIALS')
  })

  test.each([
    ['username', { username: '   ' }],
    ['username', { username: 'x'.repeat(65) }],
    ['password', { password: 'short' }],
    ['password', { password: 'x'.repeat(129) }],
    ['password', { password: undefined }],
    ['nickname', { nickname: 'x'.repeat(65) }],
    ['email', { email: 'nowhere' }],
    ['email', { email: `${'x'.repeat(120)}@example.org` }],
    ['phone', { phone: '1'.repeat(33) }],
    ['realName', { realName: 7 }],
    ['status', { status: 'gone' }],
    ['roleIds.0', { roleIds: ['1'] }],
    ['roleIds.0', { roleIds: [0] }],
  ])('with a %s out of shape is refused: %j', async (path, draft) => {
    const refusal = (await world.as(boss).post('/users', newcomer(draft))).expect(400, 'VALIDATION_FAILED')
    expect(refusal.details.map((detail: any) => detail.path)).toEqual([`body.${path}`])
  })

  test('takes a user name once in a tenant; other tenants have theirs', async () => {
    const { username } = await givenNewcomer()
    ;(await world.as(boss).post('/users', newcomer({ username }))).expect(409, 'USERNAME_TAKEN')
    ;(await world.as((await world.givenTenant()).administrator).post('/users', newcomer({ username }))).expect(201)
  })

  test('requested by 16 concurrently is made once', async () => {
    const draft = newcomer()
    const answers = await Promise.all(
      Array.from({ length: 16 }, () => obeying(() => world.as(boss).post('/users', draft))),
    )
    const refused = answers.filter(({ status }) => status !== 201)
    expect(refused).toHaveLength(15)
    for (const answer of refused) answer.expect(409, 'USERNAME_TAKEN')
    expect(await world.look.count('select count(*) from users where username = $1', [draft.username])).toBe(1)
    expect(
      await world.look.count(
        'select count(*) from user_roles ur join users u on u.tenant_id = ur.tenant_id and u.id = ur.user_id where u.username = $1',
        [draft.username],
      ),
    ).toBe(1)
  })

  test('with a role that there is not, here or in another tenant, is not made', async () => {
    const foreign = await roleOf('user', await world.givenTenant())
    for (const id of [999_999, foreign.id]) {
      const draft = newcomer({ roleIds: [id] })
      const answer = await world.as(boss).post('/users', draft)
      answer.expect(404, 'NOT_FOUND')
      expect(answer.body.message).toBe('Role not found')
      expect(await world.look.count('select count(*) from users where username = $1', [draft.username])).toBe(0)
    }
  })

  test('is made by the system administrator in a tenant that is named', async () => {
    const draft = newcomer()
    const user = (await world.as(world.admin).post('/users', draft, { 'x-tenant-code': tenant.code })).expect(201)
    expect((await read(user.id)).username).toBe(draft.username)
  })
})

describe('the list of users', () => {
  test('comes in pages, newest first', async () => {
    const other = await world.givenTenant()
    const people = []
    for (let n = 0; n < 5; n++) people.unshift(await world.givenUser(other))
    const all = [...people, other.administrator].map(({ id }) => id)
    const page = async (query: string) => (await world.as(other.administrator).get(`/users?${query}`)).expect(200)

    const whole = await page('')
    expect(Object.keys(whole)).toEqual(['items', 'page', 'pageSize', 'total'])
    expect(whole).toMatchObject({ page: 1, pageSize: 10, total: 6 })
    expect(whole.items.map(({ id }: any) => id)).toEqual(all)
    const second = await page('page=2&pageSize=4')
    expect(second).toMatchObject({ page: 2, pageSize: 4, total: 6 })
    expect(second.items.map(({ id }: any) => id)).toEqual(all.slice(4))
    expect(await page('page=9')).toEqual({ items: [], page: 9, pageSize: 10, total: 6 })
  })

  test.each(['page=0', 'pageSize=0', 'pageSize=101', 'page=-1', 'pageSize=0x10', 'page=1.5', 'status=gone'])(
    'refuses ?%s',
    async (query) => {
      ;(await world.as(boss).get(`/users?${query}`)).expect(400, 'VALIDATION_FAILED')
    },
  )

  test('refuses pages that are too deep', async () => {
    ;(await world.as(boss).get('/users?page=1002&pageSize=100')).expect(400, 'PAGE_TOO_DEEP')
  })

  test('is searched by user name, nickname, e-mail and real name, literally and without regard to case', async () => {
    const user = await givenNewcomer({
      username: 'Ab_Name',
      nickname: '100%\\Nick',
      email: 'Mail@Example.org',
      realName: "Zoë O'Real",
      phone: '555-0199',
    })
    for (const keyword of ['b_n', '0%\\n', 'MAIL@', "zoë o'"]) {
      const { items, total } = await listed(`&keyword=${encodeURIComponent(keyword)}`)
      expect(items.map(({ id }: any) => id)).toEqual([user.id])
      expect(total).toBe(1)
    }
    for (const keyword of ['b%n', '555-0199', '100_'])
      expect((await listed(`&keyword=${encodeURIComponent(keyword)}`)).items).toEqual([])
    expect((await listed('&keyword=%20')).total).toBe((await listed()).total)
  })

  test('is filtered by status', async () => {
    const user = await givenNewcomer({ status: 'disabled' })
    const disabled = (await listed('&status=disabled')).items
    expect(disabled.map(({ id }: any) => id)).toContain(user.id)
    expect(disabled.every(({ status }: any) => status === 'disabled')).toBe(true)
    expect((await listed('&status=active')).items.map(({ id }: any) => id)).not.toContain(user.id)
  })

  test('shows nobody of another tenant, and never a password', async () => {
    const stranger = await world.givenUser(await world.givenTenant())
    const { items } = await listed()
    expect(items.map(({ id }: any) => id)).not.toContain(stranger.id)
    expect(JSON.stringify(items)).not.toMatch(/password|argon2/i)
    ;(await world.as(boss).get(`/users/${stranger.id}`)).expect(404, 'NOT_FOUND')
    ;(await world.as(boss).get('/users/999999')).expect(404, 'NOT_FOUND')
    ;(await world.as(boss).get('/users/0x1')).expect(400, 'VALIDATION_FAILED')
  })
})

describe('changing a user', () => {
  test('changes what is sent and leaves the rest', async () => {
    const user = await givenNewcomer({ nickname: 'Before', phone: '1', realName: 'Real' })
    const after = (
      await world.as(boss).put(`/users/${user.id}`, { nickname: 'After', phone: '', realName: null, username: 'other' })
    ).expect(200)
    const changed = { nickname: 'After', phone: '', realName: null, version: 1, updatedAt: expect.any(String) }
    expect(after).toEqual({ ...user, ...changed })
    expect(await read(user.id)).toEqual(after)
  })

  test('takes back the whole form as it was read', async () => {
    const user = await givenNewcomer({ nickname: 'Same', email: 's@example.org' })
    const { id: roleId } = await roleOf('user')
    const form = { ...user, password: '', roleIds: [roleId] }
    expect((await world.as(boss).put(`/users/${user.id}`, form)).expect(200)).toEqual({
      ...user,
      version: 1,
      updatedAt: expect.any(String),
    })
    ;(await signIn(user.username)).expect(200)
  })

  test('a new password ends the sessions, and the old one is over', async () => {
    const user = await givenNewcomer()
    const { accessToken, refreshToken } = (await signIn(user.username)).expect(200)
    ;(await world.as(bearer(accessToken)).get('/auth/me')).expect(200)
    ;(await world.as(boss).put(`/users/${user.id}`, { password: 'another password' })).expect(200)
    ;(await world.as(bearer(accessToken)).get('/auth/me')).expect(401, 'UNAUTHENTICATED')
    ;(await world.anyone.post('/auth/refresh', { refreshToken })).expect(401, 'INVALID_REFRESH_TOKEN')
    ;(await signIn(user.username)).expect(401, 'INVALID_CREDENTIALS')
    ;(await signIn(user.username, 'another password')).expect(200)
    ;(await world.as(boss).put(`/users/${user.id}`, { password: '12345' })).expect(400, 'VALIDATION_FAILED')
  })

  test.each(['changeme', '123456', 'password'])(
    'an administrator may set the password %s, nobody for themselves',
    async (common) => {
      const user = (await world.as(boss).post('/users', newcomer({ password: common }))).expect(201)
      const { accessToken } = (await signIn(user.username, common)).expect(200)
      const change = { currentPassword: common, newPassword: 'iloveyou' }
      const own = await world.anyone.put('/auth/password', change, { authorization: `Bearer ${accessToken}` })
      expect(own.expect(400, 'VALIDATION_FAILED').details[0].path).toBe('body.newPassword')
      ;(await world.as(boss).put(`/users/${user.id}`, { password: user.username })).expect(200)
      ;(await world.as(boss).put(`/users/${user.id}`, { password: common })).expect(200)
      const mine = { password: common, currentPassword: 'a good password' }
      ;(await world.as(boss).put(`/users/${boss.id}`, mine)).expect(400, 'VALIDATION_FAILED')
      const registration = { ...newcomer({ password: common }), email: 'new@example.com', tenantCode: tenant.code }
      ;(await world.anyone.post('/auth/register', registration)).expect(400, 'VALIDATION_FAILED')
    },
  )

  test('whoever changes their own password here keeps this session and no other', async () => {
    const role = await givenCustomRole(['user:update'])
    const user = await givenNewcomer({ roleIds: [role.id] })
    const here = bearer((await signIn(user.username)).expect(200).accessToken)
    const there = bearer((await signIn(user.username)).expect(200).accessToken)
    ;(
      await world.as(here).put(`/users/${user.id}`, { password: 'a password of mine', currentPassword: PASSWORD })
    ).expect(200)
    ;(await world.as(here).get('/auth/me')).expect(200)
    ;(await world.as(there).get('/auth/me')).expect(401, 'UNAUTHENTICATED')
  })

  test('a person who is disabled is out immediately, and back only by signing in again', async () => {
    const user = await givenNewcomer()
    const { accessToken, refreshToken } = (await signIn(user.username)).expect(200)
    ;(await world.as(bearer(accessToken)).get('/auth/me')).expect(200)
    ;(await world.as(boss).put(`/users/${user.id}`, { status: 'disabled' })).expect(200)
    ;(await world.as(bearer(accessToken)).get('/auth/me')).expect(401, 'UNAUTHENTICATED')
    ;(await signIn(user.username)).expect(401, 'INVALID_CREDENTIALS')
    ;(await world.as(boss).put(`/users/${user.id}`, { status: 'active' })).expect(200)
    ;(await world.as(bearer(accessToken)).get('/auth/me')).expect(401, 'UNAUTHENTICATED')
    ;(await world.anyone.post('/auth/refresh', { refreshToken })).expect(401, 'INVALID_REFRESH_TOKEN')
    ;(await signIn(user.username)).expect(200)
  })

  test('roles are replaced as a whole, and count immediately', async () => {
    const person = await world.givenUser(tenant)
    const role = await givenCustomRole(['audit:view'])
    ;(await world.as(person).get('/audit/operations')).expect(403, 'PERMISSION_DENIED')
    expect((await world.as(boss).put(`/users/${person.id}`, { roleIds: [role.id] })).expect(200).roles).toEqual([
      role.code,
    ])
    ;(await world.as(person).get('/audit/operations')).expect(200)
    ;(await world.as(person).get('/projects')).expect(403, 'PERMISSION_DENIED')
    expect((await world.as(boss).put(`/users/${person.id}`, { roleIds: [] })).expect(200).roles).toEqual([])
    expect((await world.as(person).get('/auth/me')).expect(200)).toMatchObject({ roles: [], permissions: [] })
  })

  test('of another tenant is none: it answers as a missing one', async () => {
    const stranger = await world.givenUser(await world.givenTenant())
    for (const id of [stranger.id, 999_999]) {
      ;(await world.as(boss).put(`/users/${id}`, { nickname: 'Mine' })).expect(404, 'NOT_FOUND')
      ;(await world.as(boss).delete(`/users/${id}`)).expect(404, 'NOT_FOUND')
    }
  })

  test('with a role that there is not changes nothing', async () => {
    const user = await givenNewcomer()
    const foreign = await roleOf('tenant-admin', await world.givenTenant())
    const patch = { nickname: 'Changed', roleIds: [foreign.id] }
    ;(await world.as(boss).put(`/users/${user.id}`, patch)).expect(404, 'NOT_FOUND')
    expect(await read(user.id)).toEqual(user)
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

describe('a tenant keeps an administrator', () => {
  const alone = async () => {
    const company = await world.givenTenant()
    return { company, boss: company.administrator, role: await roleOf('tenant-admin', company) }
  }

  test('the last active one is neither disabled nor demoted nor deleted', async () => {
    const { company, boss, role } = await alone()
    const second = await world.givenUser(company, 'tenant-admin')
    ;(await world.as(boss).put(`/users/${second.id}`, { status: 'disabled' })).expect(200)
    ;(await world.as(boss).put(`/users/${boss.id}`, { status: 'disabled' })).expect(409, 'LAST_ADMINISTRATOR')
    ;(await world.as(boss).put(`/users/${boss.id}`, { roleIds: [] })).expect(409, 'LAST_ADMINISTRATOR')
    ;(await world.as(boss).delete(`/users/${boss.id}`)).expect(409, 'LAST_ADMINISTRATOR')
    ;(await world.as(boss).put(`/users/${boss.id}`, { roleIds: [role.id], nickname: 'Boss' })).expect(200)
    ;(await world.as(boss).delete(`/users/${second.id}`)).expect(200)
  })

  test('two who demote each other concurrently do not both succeed', async () => {
    for (let round = 0; round < 5; round++) {
      const { company, boss } = await alone()
      const second = await world.givenUser(company, 'tenant-admin')
      const answers = await Promise.all([
        world.as(boss).put(`/users/${second.id}`, { roleIds: [] }),
        world.as(second).put(`/users/${boss.id}`, { roleIds: [] }),
      ])
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 403])
    }
  })
})

describe('the system administrator', () => {
  test('is changed by nobody else, in nothing', async () => {
    const other = await world.givenUser({ id: 1 }, 'admin')
    for (const patch of [{ nickname: 'Me' }, { status: 'disabled' }, { password: 'taken over' }, { roleIds: [] }, {}])
      (await world.as(other).put('/users/1', patch)).expect(409, 'RESERVED')
    ;(await world.as(other).delete('/users/1')).expect(409, 'RESERVED')
    ;(await world.as(world.admin).get('/auth/me')).expect(200)
  })

  test('changes their own data, but stays active and administrator', async () => {
    const me = world.as(world.admin)
    expect((await me.put('/users/1', { nickname: 'Root' })).expect(200)).toMatchObject({ nickname: 'Root' })
    const user = await roleOf('user', { id: 1 })
    for (const patch of [{ status: 'disabled' }, { roleIds: [] }, { roleIds: [user.id] }])
      (await me.put('/users/1', patch)).expect(409, 'RESERVED')
    ;(await me.delete('/users/1')).expect(409, 'RESERVED')
    expect((await me.get('/users/1')).expect(200)).toMatchObject({ status: 'active', roles: ['admin'] })
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
    const department = (await world.as(boss).post('/departments', { name: 'D', code: `D-${leaver.id}` })).expect(201)
    ;(await world.as(boss).put(`/departments/${department.id}/members/${leaver.id}`)).expect(200)
    const before = (await listed()).total

    ;(await world.as(boss).delete(`/users/${leaver.id}`)).expect(200)

    ;(await world.as(leaver).get('/auth/me')).expect(401, 'UNAUTHENTICATED')
    ;(await world.anyone.post('/auth/refresh', { refreshToken: leaver.refreshToken })).expect(401)
    ;(await signIn(leaver.username)).expect(401, 'INVALID_CREDENTIALS')
    ;(await world.as(boss).get(`/users/${leaver.id}`)).expect(404, 'NOT_FOUND')
    ;(await world.as(boss).put(`/users/${leaver.id}`, { status: 'active' })).expect(404, 'NOT_FOUND')
    ;(await world.as(boss).delete(`/users/${leaver.id}`)).expect(404, 'NOT_FOUND')
    expect((await listed()).total).toBe(before - 1)
    for (const query of ['&status=disabled', `&keyword=${leaver.username}`])
      expect((await listed(query)).items.map(({ id }: any) => id)).not.toContain(leaver.id)
    const directory = (await world.as(boss).get(`/users/directory?keyword=${leaver.username}`)).expect(200)
    expect(directory).toEqual([])
    expect((await world.as(boss).get(`/projects/${project.id}`)).expect(200).memberIds).toEqual([boss.id])
    expect((await world.as(boss).get(`/departments/${department.id}/members`)).expect(200)).toEqual([])

    const successor = { username: leaver.username, nickname: 'Leaver', password: PASSWORD }
    const { id } = (await world.as(boss).post('/users', successor)).expect(201)
    expect(id).not.toBe(leaver.id)
    ;(await signIn(leaver.username)).expect(200)
  })

  test('can be given nothing any more', async () => {
    const leaver = await givenLeaver()
    const project = await world.givenProject(boss)
    ;(await world.as(boss).delete(`/users/${leaver.id}`)).expect(200)
    ;(await world.as(boss).put(`/projects/${project.id}/members/${leaver.id}`)).expect(404, 'NOT_FOUND')
    ;(await world.as(boss).post(`/projects/${project.id}/tasks`, { title: 'x', assigneeId: leaver.id })).expect(
      400,
      'ASSIGNEE_NOT_MEMBER',
    )
    const form = { name: 'D', code: `L-${leaver.id}` }
    ;(await world.as(boss).post('/departments', { ...form, leaderId: leaver.id })).expect(404, 'NOT_FOUND')
    const department = (await world.as(boss).post('/departments', form)).expect(201)
    ;(await world.as(boss).put(`/departments/${department.id}/members/${leaver.id}`)).expect(404, 'NOT_FOUND')
  })

  test('is a former member on what they have written, and nothing else of them is kept', async () => {
    const leaver = await givenLeaver()
    const project = await world.givenProject(boss)
    await world.givenMember(boss, project, leaver)
    const task = await world.givenTask(leaver, project, { assigneeId: leaver.id })
    ;(await world.as(leaver).post(`/tasks/${task.id}/comments`, { content: 'my words' })).expect(201)
    ;(await world.as(leaver).put(`/tasks/${task.id}`, { version: 0, status: 'CANCELLED' })).expect(200)

    ;(await world.as(boss).delete(`/users/${leaver.id}`)).expect(200)

    const comments = (await world.as(boss).get(`/tasks/${task.id}/comments`)).expect(200)
    expect(comments).toMatchObject([{ authorId: leaver.id, authorName: 'former member', content: 'my words' }])
    expect((await world.as(boss).get(`/tasks/${task.id}`)).expect(200)).toMatchObject({
      assigneeId: leaver.id,
      reporterId: leaver.id,
    })
    const [activity] = (await world.as(boss).get(`/projects/${project.id}/activities`)).expect(200)
    expect(activity).toMatchObject({
      action: 'PROJECT_MEMBER_REMOVED',
      detail: String(leaver.id),
      actorId: boss.id,
    })
    const [row] = await world.look.rows<any>('select * from users where id = $1', [leaver.id])
    expect(row).toMatchObject({
      username: '',
      nickname: null,
      email: null,
      phone: null,
      real_name: null,
      nickname_skeleton: null,
      look: `\u0001${leaver.id}`,
      skeleton: `\u0001${leaver.id}`,
    })
    expect(row.password_hash).not.toContain('argon2')
    for (const table of ['sessions', 'user_roles', 'project_members', 'department_members'])
      expect(await world.look.count(`select count(*) from ${table} where user_id = $1`, [leaver.id])).toBe(0)
  })

  test('leaves archived projects without a trace in their history', async () => {
    const leaver = await givenLeaver()
    const project = await world.givenProject(boss)
    await world.givenMember(boss, project, leaver)
    ;(await world.as(boss).put(`/projects/${project.id}/archive?version=0`)).expect(200)
    ;(await world.as(boss).delete(`/users/${leaver.id}`)).expect(200)
    expect((await world.as(boss).get(`/projects/${project.id}`)).expect(200).memberIds).toEqual([boss.id])
    const [last] = (await world.as(boss).get(`/projects/${project.id}/activities`)).expect(200)
    expect(last.action).toBe('PROJECT_ARCHIVED')
  })

  test('may not leave projects, departments or tasks behind: the refusal names each, and nothing has changed', async () => {
    const holder = await world.givenUser(tenant)
    const projects = [await world.givenProject(holder), await world.givenProject(holder)]
    ;(await world.as(holder).put(`/projects/${projects[1].id}/archive?version=0`)).expect(200)
    const form = { name: 'Led', code: `LED-${holder.id}`, leaderId: holder.id }
    const department = (await world.as(boss).post('/departments', form)).expect(201)
    const theirs = await world.givenProject(boss)
    await world.givenMember(boss, theirs, holder)
    const tasks = [
      await world.givenTask(holder, projects[0], { assigneeId: holder.id }),
      await world.givenTask(boss, theirs, { assigneeId: holder.id }),
    ]
    const done = await world.givenTask(boss, theirs, { assigneeId: holder.id })
    ;(await world.as(boss).put(`/tasks/${done.id}`, { version: 0, status: 'CANCELLED' })).expect(200)
    const before = await read(holder.id)

    const { details } = (await world.as(boss).delete(`/users/${holder.id}`)).expect(409, 'USER_IN_USE')

    const named = (path: string, ids: number[]) => ids.map((id) => ({ path, id, message: expect.any(String) }))
    expect(details).toEqual([
      ...named('departments', [department.id]),
      ...named(
        'projects',
        projects.map(({ id }) => id),
      ),
      ...named(
        'tasks',
        tasks.map(({ id }) => id),
      ),
    ])
    expect(await read(holder.id)).toEqual(before)
    ;(await world.as(holder).get('/auth/me')).expect(200)
    expect((await world.as(boss).get(`/projects/${theirs.id}`)).expect(200).memberIds).toContain(holder.id)
  })
})

describe('a deletion, at the same moment as', () => {
  const ROUNDS = 12
  /** What must never be: somebody who is gone and yet has something. */
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

  /** Both answers of each round, and what there is afterwards. */
  async function race(
    prepare: (person: Person) => Promise<() => Promise<{ status: number }>>,
    outcomes: [deleted: number, other: number][],
  ) {
    for (let round = 0; round < ROUNDS; round++) {
      const person = await world.givenUser(tenant)
      const other = await prepare(person)
      const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, Math.max(ms, 0)))
      const head = (round % 5) - 2
      const [deletion, answer] = await Promise.all([
        wait(-head).then(() => world.as(boss).delete(`/users/${person.id}`)),
        wait(head).then(() => other()),
      ])
      expect(outcomes).toContainEqual([deletion.status, answer.status])
      expect(await isGone(person.id)).toBe(deletion.status === 200)
      expect(await leftBehind()).toBe(0)
    }
  }

  test('a new task for them', () =>
    race(
      async (person) => {
        const project = await world.givenProject(boss)
        await world.givenMember(boss, project, person)
        return () => world.as(boss).post(`/projects/${project.id}/tasks`, { title: 'x', assigneeId: person.id })
      },
      [
        [200, 400],
        [409, 201],
      ],
    ))

  test('a task that is passed on to them', () =>
    race(
      async (person) => {
        const project = await world.givenProject(boss)
        await world.givenMember(boss, project, person)
        const task = await world.givenTask(boss, project)
        return () => world.as(boss).put(`/tasks/${task.id}`, { version: 0, assigneeId: person.id })
      },
      [
        [200, 400],
        [409, 200],
      ],
    ))

  test('their joining a project', () =>
    race(
      async (person) => {
        const project = await world.givenProject(boss)
        return () => world.as(boss).put(`/projects/${project.id}/members/${person.id}`)
      },
      [
        [200, 404],
        [200, 200],
      ],
    ))

  test('their leaving a project', () =>
    race(
      async (person) => {
        const project = await world.givenProject(boss)
        await world.givenMember(boss, project, person)
        return () => world.as(boss).delete(`/projects/${project.id}/members/${person.id}`)
      },
      [
        [200, 404],
        [200, 200],
      ],
    ))

  test('their becoming the leader of a department', () =>
    race(
      async (person) => {
        const form = { name: 'R', code: `R-${person.id}` }
        const { id } = (await world.as(boss).post('/departments', form)).expect(201)
        return () => world.as(boss).put(`/departments/${id}`, { ...form, leaderId: person.id })
      },
      [
        [200, 404],
        [409, 200],
      ],
    ))

  test('a project that they make themselves', () =>
    race(
      async (person) => () =>
        world
          .as(person)
          .post('/projects', { name: 'Mine', code: `M-${person.id}` }, { 'idempotency-key': `m-${person.id}` }),
      [
        [200, 401],
        [200, 409],
        [409, 201],
      ],
    ))

  test('another deletion is done once', async () => {
    const person = await world.givenUser(tenant)
    const answers = await Promise.all(Array.from({ length: 8 }, () => world.as(boss).delete(`/users/${person.id}`)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(404)])
  })
})
