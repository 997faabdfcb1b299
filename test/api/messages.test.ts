import { describe, expect, test } from 'vitest'
import type { Answer } from '../support/client.ts'
import { openWorldWithTenant } from '../support/world-with-tenant.ts'

/** What a person reads, in their language. */
const { world, tenant } = await openWorldWithTenant()
const owner = await world.givenUser(tenant)
const project: any = await world.givenProject(owner)
const task: any = await world.givenTask(owner, project)

const CHINESE = { 'accept-language': 'zh-CN,zh;q=0.9,en;q=0.8' }

describe('a refusal', () => {
  test('is in English by default, and in Chinese for a person who prefers it; what programs decide on stays', async () => {
    const english = await world.as(owner).get('/tasks/987654321')
    expect(english.body).toMatchObject({ code: 404, message: 'Task not found' })
    expect(english.headers['content-language']).toBe('en')
    const answer = await world.as(owner).get('/tasks/987654321', { ...CHINESE, origin: 'http://localhost:5173' })
    expect(String(answer.headers.vary).split(', ').sort()).toEqual(['Accept-Language', 'Origin'])

    const error = { type: 'NOT_FOUND', details: [] }
    expect(answer.body).toMatchObject({ code: 404, message: '任务不存在', data: null, error })
    expect(answer.headers['content-language']).toBe('zh-CN')
  })

  test('is in Chinese wherever it is made, and may not be cached for readers of another language', async () => {
    const raw = (method: 'GET' | 'POST', path: string, type = 'application/json', payload = '{') =>
      world.as(owner).send({
        ...{ method, url: `/api/v1${path}`, headers: { ...CHINESE, 'content-type': type } },
        ...(method === 'POST' && { payload }),
      })
    const tasks = `/projects/${project.id}/tasks`
    const refusals: Record<string, [Promise<Answer>, status: number]> = {
      请先登录: [world.anyone.get('/projects', CHINESE), 401],
      您没有执行此操作的权限: [world.as(owner).get('/users', CHINESE), 403],
      请求的地址不存在: [world.anyone.get('/nothing', CHINESE), 404],
      该地址不支持此请求方法: [world.anyone.delete('/projects', CHINESE), 405],
      租户不存在: [world.anyone.get('/public/home', { ...CHINESE, 'x-tenant-code': 'nobody' }), 404],
      '请求不符合本服务的 HTTP 规范': [raw('GET', '/%zz'), 400],
      '请求体不是有效的 JSON': [raw('POST', tasks), 400],
      不支持该请求体的内容类型: [raw('POST', tasks, 'text/plain', 'x'), 415],
    }
    for (const [words, [asked, status]] of Object.entries(refusals)) {
      const answer = await asked
      expect(answer).toMatchObject({ status, body: { message: words }, headers: { 'content-language': 'zh-CN' } })
      expect(String(answer.headers.vary).split(', ')).toContain('Accept-Language')
    }
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

  test('are each named with their limits, in Chinese the same at the same place', async () => {
    const [english, chinese] = [await refused({}), await refused(CHINESE)]
    expect(english.details).toEqual([
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
})

describe('a success', () => {
  test('says what it always says, in no language, and asks nobody for theirs', async () => {
    const answer = await world.as(owner).get(`/tasks/${task.id}`, CHINESE)

    answer.expect(200)
    expect(answer.body.message).toBe('success')
    expect(answer.headers['content-language']).toBeUndefined()
    expect(String(answer.headers.vary)).not.toContain('Accept-Language')
  })

  test('of a public page that nobody wrote yet is in the language of the reader, and says so; what somebody wrote is the same for all', async () => {
    const ofHome = async (headers: object) =>
      (await world.anyone.get('/public/home', { 'x-tenant-code': tenant.code, ...headers })).headers
    const chinese = { 'content-language': 'zh-CN', vary: expect.stringContaining('Accept-Language') }
    expect(await ofHome(CHINESE)).toMatchObject(chinese)
    expect((await ofHome(CHINESE)).etag).not.toBe((await ofHome({})).etag)

    const home = await world.anyone.read('/public/home')
    const highlights = [{ title: 'Ours', description: 'Written by us.' }]
    ;(await world.as(tenant.administrator).put('/content/portal/home', { ...home, highlights })).expect(200)
    expect((await ofHome(CHINESE)).etag).toBe((await ofHome({})).etag)
  })
})
