import { beforeEach, describe, expect, test } from 'vitest'
import { openWorld, type Person, type Tenant } from '../support/world.ts'

/** What stays of people who were deleted, and how they come back. */
const PASSWORD = 'a long enough one'
const world = await openWorld()
let tenant: Tenant
let boss: Person
let leaver: Person
beforeEach(async () => {
  tenant = await world.givenTenant()
  boss = tenant.administrator
  leaver = await world.givenUser(tenant)
})

const remove = (person: { id: number }) => world.as(boss).delete(`/users/${person.id}`)
const restore = (person: { id: number }, draft: object, by = boss) =>
  world.as(by).post(`/users/${person.id}/restore`, { password: PASSWORD, ...draft })
const signIn = (username: string) =>
  world.anyone.post('/auth/login', { username, password: PASSWORD, tenantCode: tenant.code })

/** What a person has left behind: a task with a comment, a deleted task, a comment on a post, an order. */
async function givenTraces(person: Person) {
  const project = await world.givenProject(boss)
  await world.givenMember(boss, project, person)
  const task = await world.givenTask(person, project)
  await world.as(person).create(`/tasks/${task.id}/comments`, { content: 'my words' })
  const deleted = await world.givenTask(person, project)
  ;(await world.as(person).delete(`/tasks/${deleted.id}?version=0`)).expect(200)
  await world.givenPrices(tenant)
  await world.as(person).create('/payments/checkout', { planId: 2, channel: 'card' })
  const post = await world.as(boss).create('/content/articles', { title: 'x', status: 'published' })
  await world.as(person).create(`/blog/${post.id}/comments`, { content: 'my words' })
  const visitor = { 'x-tenant-code': tenant.code }
  const paths = [
    ...[`/tasks/${task.id}/comments`, `/tasks/${task.id}`, `/projects/${project.id}/tasks`],
    ...[`/projects/${project.id}/tasks?deleted=true`, '/payments/orders'],
    ...[`/tasks/${task.id}/activities`, '/content/comments', `/users/directory?ids=${person.id}`],
  ]
  /** every name under which the person is shown */
  return async (language = 'en') => {
    const headers = { 'accept-language': language }
    const answers = await Promise.all([
      ...paths.map((path) => world.as(boss).get(path, headers)),
      world.anyone.get(`/public/blog/${post.id}/comments`, { ...visitor, ...headers }),
    ])
    const rows = answers.map((answer) => [answer.expect(200)].flat().at(-1))
    const fields = ['deletedByName', 'userName', 'authorName', 'reporterName', 'actorName', 'username']
    return new Set(rows.map((row) => row[fields.find((field) => field in row)!]))
  }
}

describe('a person who was deleted', () => {
  test('is a former member everywhere but in the audit, and who takes their name is somebody else', async () => {
    const names = await givenTraces(leaver)
    expect(await names()).toEqual(new Set([leaver.username, expect.stringMatching(/^Person /)]))

    ;(await remove(leaver)).expect(200)

    expect(await names()).toEqual(new Set(['former member']))
    expect(await names('zh-CN')).toEqual(new Set(['前成员']))
    const named = await world.look.rows<any>(
      `select (select count(*) from users where tenant_id = $1 and username = $2) as users,
              (select count(*) > 0 from audit_operations where tenant_id = $1 and username = $2) as audited`,
      [tenant.id, leaver.username],
    )
    expect(named).toEqual([{ users: '0', audited: true }])

    const draft = { username: leaver.username, nickname: leaver.username, password: PASSWORD }
    const successor = await world.as(boss).create('/users', draft)
    expect(successor.id).not.toBe(leaver.id)
    expect(await names()).toEqual(new Set(['former member']))
    ;(await restore(leaver, { username: leaver.username })).expect(409, 'USERNAME_TAKEN')
    ;(await remove(successor)).expect(200)
    ;(await restore(leaver, { username: leaver.username })).expect(201)
  })

  test('is not deleted while a request of theirs is open, and the refusal names it', async () => {
    const leader = await world.givenUser(tenant)
    const form = { name: 'D', code: 'D', leaderId: leader.id }
    const { id: departmentId } = await world.as(boss).create('/departments', form)
    const key = (name: string) => ({ 'idempotency-key': `${name}-${leaver.id}` })
    const draft = { type: 'leave', title: 'A week off', departmentId }
    const request = await world.as(leaver).create('/approvals', draft)
    ;(await world.as(leaver).post(`/approvals/${request.id}/submit`, {}, key('s'))).expect(200)

    const { details } = (await remove(leaver)).expect(409, 'USER_IN_USE')
    expect(details).toEqual([{ path: 'approvals', id: request.id, message: `request ${request.id} is not decided` }])
    ;(await world.as(leader).post(`/approvals/${request.id}/reject`, { comment: 'no' }, key('r'))).expect(200)
    ;(await remove(leaver)).expect(200)
    expect((await world.as(boss).read(`/approvals/${request.id}`)).applicantName).toBe('former member')
  })
})

describe('a name that is shown beside an id', () => {
  /** What the public, who has read it before, and the boss see of a post, and what the boss was notified of. */
  const shown = async (post: { id: number }, language = 'en') => {
    const headers = { 'accept-language': language }
    const visitor = { ...headers, 'x-tenant-code': tenant.code }
    const [open, listed, read, news] = await Promise.all([
      world.anyone.get(`/public/blog/${post.id}`, visitor),
      world.anyone.get('/public/blog', visitor),
      world.as(boss).get(`/content/articles/${post.id}`, headers),
      world.as(boss).get('/notifications', headers),
    ])
    const articles = [open.expect(200), listed.expect(200).items[0], read.expect(200)]
    return [...articles.map(({ author }) => author), ...news.expect(200).map(({ title }: any) => title)]
  }
  const write = (by: Person, fields: object = {}) =>
    world.as(by).create('/content/articles', { title: 'x', status: 'published', ...fields })

  test('is the present one in bylines and titles, for the public too, and then that of a former member', async () => {
    await world.setRegistration(tenant, 'open')
    const form = { username: 'newcomer', password: PASSWORD, tenantCode: tenant.code }
    const { id } = await world.anyone.create('/auth/register', { ...form, email: 'n@example.com' })
    const roleIds = [await world.roleId(tenant, 'tenant-admin')]
    ;(await world.as(boss).put(`/users/${id}`, { roleIds })).expect(200)
    const { accessToken } = (await signIn(form.username)).expect(200)
    const writer = { ...form, id, tenantId: tenant.id, token: accessToken }
    const post = await write(writer)
    const seen = (name: string) => [name, name, name, `${name} registered`]
    const name = post.author
    expect(await shown(post)).toEqual(seen(name))

    const { data: read } = await world.as(boss).get(`/users/${id}`)
    ;(await world.as(boss).put(`/users/${id}`, { ...read, nickname: 'Renamed' })).expect(200)
    expect(await shown(post)).toEqual(seen('Renamed'))
    const found = async (keyword: string) =>
      (await world.as(boss).read(`/content/articles?keyword=${keyword}`)).items.length
    expect([await found('renamed'), await found(encodeURIComponent(name))]).toEqual([1, 0])

    ;(await remove(writer)).expect(200)
    expect(await shown(post)).toEqual(seen('former member'))
    expect(await shown(post, 'zh-CN')).toEqual(['前成员', '前成员', '前成员', '前成员 已注册'])
  })

  test('stays so when a form sends it back, and a byline that was typed by hand stays as it is', async () => {
    const writer = await world.givenUser(tenant, 'tenant-admin')
    const [own, typed] = [await write(writer), await write(writer, { author: 'The editors' })]
    const save = async (post: { id: number }, language = 'en') => {
      const read = await world.as(boss).get(`/content/articles/${post.id}`, { 'accept-language': language })
      return (await world.as(boss).put(`/content/articles/${post.id}`, read.expect(200))).expect(200).author
    }
    expect([await save(own), await save(typed)]).toEqual([own.author, 'The editors'])
    ;(await remove(writer)).expect(200)
    expect([await save(own, 'zh-CN'), await save(typed)]).toEqual(['former member', 'The editors'])
    const stored = await world.look.rows('select author from articles where tenant_id = $1 order by id', [tenant.id])
    expect(stored).toEqual([{ author: null }, { author: 'The editors' }])
    const change = async (author: string | null) =>
      (await world.as(boss).put(`/content/articles/${own.id}`, { author })).expect(200).author
    expect([await change('By hand'), await change(null)]).toEqual(['By hand', 'former member'])
  })
})

describe('a restoration', () => {
  test('brings back the same id with the role user, and their name on what they have done', async () => {
    const administrator = await world.givenUser(tenant, 'tenant-admin')
    const names = await givenTraces(administrator)
    ;(await remove(administrator)).expect(200)

    const answer = await restore(administrator, { username: 'Back', nickname: 'Again', email: 'b@example.com' })
    const user = answer.expect(201)
    expect(answer.headers.location).toBe(`/api/v1/users/${administrator.id}`)
    expect(user).toMatchObject({ id: administrator.id, username: 'Back', nickname: 'Again', email: 'b@example.com' })
    expect([user.roles, user.status]).toEqual([['user'], 'active'])
    expect(await world.as(boss).read(`/users/${user.id}`)).toEqual(user)
    expect(await names()).toEqual(new Set(['Again', 'Back']))
    const { accessToken } = (await signIn('Back')).expect(200)
    const back = world.as({ token: accessToken })
    ;(await back.get('/users')).expect(403, 'PERMISSION_DENIED')
  })

  test('is refused for anyone who is not deleted here, and to anyone who lacks their rights', async () => {
    const elsewhere = await world.givenTenant()
    const foreign = await world.givenUser(elsewhere)
    ;(await world.as(elsewhere.administrator).delete(`/users/${foreign.id}`)).expect(200)
    for (const person of [leaver, foreign, { id: 987_654_321 }])
      (await restore(person, { username: 'somebody' })).expect(404, 'NOT_FOUND')
    ;(await remove(leaver)).expect(200)
    const colleague = await world.givenUser(tenant)
    // Nobody brings somebody back into rights that they lack themselves.
    const clerk = await world.givenUser(tenant, ['user:create'])
    ;(await restore(leaver, { username: 'somebody' }, clerk)).expect(403, 'PERMISSION_DENIED')
    ;(await restore(leaver, { username: colleague.username })).expect(409, 'USERNAME_TAKEN')
    const known = await world.as(boss).read(`/users/${colleague.id}`)
    ;(await restore(leaver, { username: 'somebody', nickname: known.username })).expect(409, 'NICKNAME_TAKEN')
    ;(await signIn('somebody')).expect(401)
    ;(await restore(leaver, { username: 'somebody' })).expect(201)
    ;(await restore(leaver, { username: 'somebody' })).expect(404, 'NOT_FOUND')
  })
})
