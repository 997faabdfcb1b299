import { describe, expect, test } from 'vitest'
import { openWorld } from '../support/world.ts'

/** What a person reads, in their language. */
const world = await openWorld()
const tenant = await world.givenTenant()
const owner = await world.givenUser(tenant)
const project: any = await world.givenProject(owner)
const task: any = await world.givenTask(owner, project)

const CHINESE = { 'accept-language': 'zh-CN,zh;q=0.9,en;q=0.8' }
const HAN = /\p{Script=Han}/u

describe('a refusal', () => {
  test('is in English by default', async () => {
    const answer = await world.as(owner).get('/tasks/987654321')

    answer.expect(404, 'NOT_FOUND')
    expect(answer.body.message).toBe('Task not found')
    expect(answer.headers['content-language']).toBe('en')
  })

  test('is in Chinese for a person who prefers it; what programs decide on stays', async () => {
    const answer = await world.as(owner).get('/tasks/987654321', CHINESE)

    expect(answer.body).toMatchObject({
      code: 404,
      message: '任务不存在',
      data: null,
      error: { type: 'NOT_FOUND', details: [] },
    })
    expect(answer.headers['content-language']).toBe('zh-CN')
  })

  test.each([
    ['without a token', () => world.anyone.get('/projects', CHINESE), 401, '请先登录'],
    ['without the permission', () => world.as(owner).get('/users', CHINESE), 403, '您没有执行此操作的权限'],
    ['at an address without a route', () => world.anyone.get('/nothing', CHINESE), 404, '请求的地址不存在'],
    ['by a method that is not there', () => world.anyone.delete('/projects', CHINESE), 405, '该地址不支持此请求方法'],
    [
      'of a tenant that is unknown',
      () => world.anyone.get('/public/home', { ...CHINESE, 'x-tenant-code': 'nobody' }),
      404,
      '租户不存在',
    ],
    [
      'of an address that cannot be read',
      () => world.anyone.send({ method: 'GET', url: '/api/v1/%zz', headers: CHINESE }),
      400,
      '请求不符合本服务的 HTTP 规范',
    ],
    [
      'of a body that is no JSON',
      () =>
        world.as(owner).send({
          method: 'POST',
          url: `/api/v1/projects/${project.id}/tasks`,
          headers: { ...CHINESE, 'content-type': 'application/json' },
          payload: '{',
        }),
      400,
      '请求体不是有效的 JSON',
    ],
    [
      'of a body of another type',
      () =>
        world.as(owner).send({
          method: 'POST',
          url: `/api/v1/projects/${project.id}/tasks`,
          headers: { ...CHINESE, 'content-type': 'text/plain' },
          payload: 'x',
        }),
      415,
      '不支持该请求体的内容类型',
    ],
  ])('%s is in Chinese too, and may not be cached for readers of another language', async (_, send, status, words) => {
    const answer = await send()

    expect(answer.status).toBe(status)
    expect(answer.body.message).toBe(words)
    expect(answer.headers['content-language']).toBe('zh-CN')
    expect(String(answer.headers.vary).split(', ')).toContain('Accept-Language')
  })

  test('says what it says of the origin as well', async () => {
    const answer = await world.anyone.get('/projects', { ...CHINESE, origin: 'http://localhost:5173' })
    expect(String(answer.headers.vary).split(', ').sort()).toEqual(['Accept-Language', 'Origin'])
  })

  test('names its facts as codes and numbers', async () => {
    const patch = { version: 0, status: 'BLOCKED' }
    const { details } = (await world.as(owner).put(`/tasks/${task.id}`, patch, CHINESE)).expect(
      409,
      'ILLEGAL_TRANSITION',
    )
    expect(details).toEqual([
      {
        path: 'body.status',
        from: 'TODO',
        to: 'BLOCKED',
        allowed: ['IN_PROGRESS', 'CANCELLED'],
        message: 'TODO 只能变更为 IN_PROGRESS、CANCELLED',
      },
    ])
  })
})

describe('values that are not valid', () => {
  const draft = {
    title: ' ',
    description: 'x'.repeat(8001),
    assigneeId: 0,
    priority: '<script>',
    dueDate: '2026-02-30',
  }
  const refused = async (headers: Record<string, string>) =>
    (await world.as(owner).post(`/projects/${project.id}/tasks`, draft, headers)).expect(400, 'VALIDATION_FAILED')

  test('are each named with their limits', async () => {
    const { details } = await refused({})
    expect(details).toEqual([
      { path: 'body.title', message: 'must not be blank' },
      { path: 'body.description', maximum: 8000, message: 'must have no more than 8000 characters' },
      { path: 'body.assigneeId', minimum: 0, message: 'must be greater than 0' },
      {
        path: 'body.priority',
        values: ['LOW', 'MEDIUM', 'HIGH', 'URGENT'],
        message: 'must be one of LOW, MEDIUM, HIGH, URGENT',
      },
      { path: 'body.dueDate', message: 'must be a date in the form yyyy-MM-dd' },
    ])
  })

  test('in Chinese as well, the same at the same place', async () => {
    const [english, chinese] = [await refused({}), await refused(CHINESE)]
    expect(chinese.details.map(({ message }: any) => message)).toEqual([
      '不能为空',
      '最多 8000 个字符',
      '必须大于 0',
      '必须是以下之一：LOW、MEDIUM、HIGH、URGENT',
      '必须是格式为 yyyy-MM-dd 的有效日期',
    ])
    const silent = (details: any[]) => details.map(({ message: _, ...facts }: any) => facts)
    expect(silent(chinese.details)).toEqual(silent(english.details))
  })

  test('of a query, of a path, and of nothing at all', async () => {
    const person = world.as(owner)
    const messageOf = async (send: Promise<any>) => (await send).expect(400, 'VALIDATION_FAILED').details[0].message
    expect(await messageOf(person.get('/projects?page=0', CHINESE))).toBe('必须在 1 到 999999999 之间')
    expect(await messageOf(person.get('/tasks/first', CHINESE))).toBe('必须是正整数')
    expect(await messageOf(person.put(`/tasks/${task.id}`, {}, CHINESE))).toBe('此项必填')
    expect(await messageOf(person.post(`/projects/${project.id}/tasks`, undefined, CHINESE))).toBe('此项必填')
    expect(await messageOf(person.post(`/projects/${project.id}/tasks`, { title: 'a\0' }, CHINESE))).toMatch(/NUL/)
  })
})

describe('a success', () => {
  test('says what it always says, in no language, and asks nobody for theirs', async () => {
    const answer = await world.as(owner).get(`/tasks/${task.id}`, CHINESE)

    answer.expect(200)
    expect(answer.body.message).toBe('success')
    expect(answer.headers['content-language']).toBeUndefined()
    expect(String(answer.headers.vary)).not.toContain('Accept-Language')
  })

  const ofHome = async (headers: object) =>
    (await world.anyone.get('/public/home', { 'x-tenant-code': tenant.code, ...headers })).headers.etag

  test('of a public page that nobody wrote yet is in the language of the reader, and says so', async () => {
    const { headers } = await world.anyone.get('/public/home', { 'x-tenant-code': tenant.code, ...CHINESE })
    expect(headers).toMatchObject({ 'content-language': 'zh-CN', vary: expect.stringContaining('Accept-Language') })
    expect(headers.etag).not.toBe(await ofHome({}))
  })

  test('of a public page that somebody wrote is the same for every reader', async () => {
    const home = (await world.anyone.get('/public/home')).expect(200)
    const highlights = [{ title: 'Ours', description: 'Written by us.' }]
    ;(await world.as(tenant.administrator).put('/content/portal/home', { ...home, highlights })).expect(200)

    expect(await ofHome(CHINESE)).toBe(await ofHome({}))
  })
})

test('what a notification says is in the language of its reader, not of its author', async () => {
  const member = await world.givenUser({ id: owner.tenantId })
  await world.givenMember(owner, project, member)
  ;(await world.as(owner).put(`/tasks/${task.id}`, { version: 0, assigneeId: member.id }, CHINESE)).expect(200)
  await expect
    .poll(async () => (await world.as(member).get('/notifications')).data.map(({ title }: any) => title))
    .toContain(`You were assigned ${task.title}`)
  const [{ title }] = (await world.as(member).get('/notifications', CHINESE)).expect(200)
  expect(title).toBe(`您被指派了任务 ${task.title}`)
  expect(task.title).not.toMatch(HAN)
})
