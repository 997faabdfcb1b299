import { beforeAll, describe, expect, test } from 'vitest'
import type { Answer } from '../support/client.ts'
import { inTime } from '../support/patience.ts'
import { openWorld, type Person, type Tenant } from '../support/world.ts'

let tenant: Tenant
let owner: Person
let project: any
let task: any
const world = await openWorld()
beforeAll(async () => {
  tenant = await world.givenTenant()
  owner = await world.givenUser(tenant)
  const colleague = await world.givenUser(tenant)
  project = await world.givenProject(owner)
  await world.givenMember(owner, project, colleague)
  for (let at = 0; at < 6; at++) {
    task = await world.givenTask(owner, project, { assigneeId: colleague.id, description: `Number ${at}` })
    await world.givenProject(owner)
    ;(await world.as(owner).put(`/projects/${project.id}`, { version: at, name: `Project, revision ${at}` })).expect(
      200,
    )
    ;(await world.as(owner).post('/approvals', { type: 'leave', title: `Leave ${at}` })).expect(201)
    await world.givenTenant()
  }
  for (let at = 0; at < 6; at++) {
    ;(await world.as(colleague).post(`/tasks/${task.id}/comments`, { content: `Comment ${at}` })).expect(201)
    ;(await world.as(colleague).put(`/tasks/${task.id}`, { version: at, title: `Title ${at}` })).expect(200)
  }
})

interface List {
  path: () => string
  reader: () => Person
  first?: 'newest' | 'oldest'
  /** grows, and is walked by `before` as well */
  isFeed?: boolean
}
const LISTS: [string, List][] = [
  ['tenants', { path: () => '/tenants', reader: () => world.admin }],
  ['projects', { path: () => '/projects', reader: () => owner }],
  ['all projects of a tenant', { path: () => '/projects', reader: () => tenant.administrator }],
  ['tasks', { path: () => `/projects/${project.id}/tasks`, reader: () => owner }],
  ['tasks, for an administrator', { path: () => `/projects/${project.id}/tasks`, reader: () => tenant.administrator }],
  ['activities of a project', { path: () => `/projects/${project.id}/activities`, reader: () => owner, isFeed: true }],
  ['activities of a task', { path: () => `/tasks/${task.id}/activities`, reader: () => owner, isFeed: true }],
  ['comments', { path: () => `/tasks/${task.id}/comments`, reader: () => owner, isFeed: true, first: 'oldest' }],
  ['notifications', { path: () => '/notifications', reader: () => owner, isFeed: true }],
  ['approvals', { path: () => '/approvals', reader: () => owner }],
  ['operations', { path: () => '/audit/operations', reader: () => tenant.administrator, isFeed: true }],
]

describe.each(LISTS)('the list of %s', (_, { path, reader, first = 'newest', isFeed = false }) => {
  const get = (query = '') => world.as(reader()).get(`${path()}${query}`)
  const idsOf = (answer: Answer) => answer.expect(200).map(({ id }: any) => id) as number[]

  test(`comes whole, ${first} first, uncounted and without a next page`, async () => {
    const answer = await get()
    const ids = idsOf(answer)
    expect(ids.length).toBeGreaterThanOrEqual(6)
    expect(ids).toEqual([...ids].sort((a, b) => (first === 'newest' ? b - a : a - b)))
    expect(answer.headers).not.toHaveProperty('x-total-count')
    expect(answer.headers).not.toHaveProperty('link')
  })

  test.each(['?page=1', '?pageSize=500', '?page=1&pageSize=3', '?page=99&pageSize=3'])(
    'is counted when %s is sent',
    async (query) => {
      expect((await get(query)).headers['x-total-count']).toBe(String(idsOf(await get()).length))
    },
  )

  test('walked by its links gives every row exactly once', async () => {
    const walked: number[] = []
    for (let answer = await get('?pageSize=4'); ; answer = await follow(answer, reader())) {
      walked.push(...idsOf(answer))
      if (!answer.headers.link) break
      expect(idsOf(answer)).toHaveLength(4)
    }
    expect(walked).toEqual(idsOf(await get()))
  })

  test('ends at its end: the last full page has no next one, and after it there is nothing', async () => {
    const all = idsOf(await get())
    expect((await get(`?pageSize=${all.length}`)).headers.link).toBeUndefined()
    expect((await get(`?pageSize=${all.length - 1}`)).headers.link).toContain('rel="next"')
    const beyond = await get(`?page=2&pageSize=${all.length}`)
    expect(idsOf(beyond)).toEqual([])
    expect(beyond.headers.link).toBeUndefined()
  })

  test.each([
    'page=0',
    'page=-1',
    'page=x',
    'page=',
    'page=1.5',
    'page=1e1',
    'page=0x1',
    'page=1000000000',
    'page=1&page=2',
    'pageSize=0',
    'pageSize=1001',
    'pageSize=-5',
    'pageSize=x',
  ])('refuses ?%s', async (query) => {
    const { details } = (await get(`?${query}`)).expect(400, 'VALIDATION_FAILED')
    expect(details[0].path).toBe(`query.${query.split('=')[0]}`)
  })

  test('refuses to skip more than 100 000 rows', async () => {
    expect(idsOf(await get('?page=101&pageSize=1000'))).toEqual([])
    ;(await get('?page=102&pageSize=1000')).expect(400, 'PAGE_TOO_DEEP')
    ;(await get('?page=999999999&pageSize=1000')).expect(400, 'PAGE_TOO_DEEP')
  })

  test('ignores what it does not know', async () => {
    expect(idsOf(await get('?sortBy=password_hash&order=desc;drop&tenantId=1&constructor=x&__proto__=y'))).toEqual(
      idsOf(await get()),
    )
  })

  if (!isFeed) return

  test('is counted as a whole below an id too, where a page size is sent', async () => {
    const ids = idsOf(await get())
    const [least, most] = [Math.min(...ids), Math.max(...ids)]
    const totalOf = async (query: string) => (await get(query)).headers['x-total-count']
    for (const before of [least, least + 1, most]) {
      expect(await totalOf(`?before=${before}&pageSize=2`)).toBe(String(ids.length))
      expect(await totalOf(`?before=${before}`)).toBeUndefined()
    }
  })

  test('goes on below an id, at the same cost however deep', async () => {
    const newestFirst = [...idsOf(await get())].sort((a, b) => b - a)
    const walked: number[] = []
    for (
      let answer = await get(`?before=${newestFirst[0]! + 1}&pageSize=4`);
      ;
      answer = await follow(answer, reader())
    ) {
      const ids = idsOf(answer)
      walked.push(...(first === 'oldest' ? ids.reverse() : ids))
      if (!answer.headers.link) break
      expect(String(answer.headers.link)).toMatch(/[?&]before=\d+/)
    }
    expect(walked).toEqual(newestFirst)
    for (const wrong of ['0', '-1', 'x', '9007199254740993', ''])
      (await get(`?before=${wrong}`)).expect(400, 'VALIDATION_FAILED')
  })
})

describe('a walk by links', () => {
  test('sees every row that was there, though the rows seen leave the list', async () => {
    const reader = await world.givenUser(tenant)
    await world.givenMember(owner, project, reader)
    for (let at = 0; at < 7; at++) await world.givenTask(owner, project, { assigneeId: reader.id })
    const me = world.as(reader)
    const unread = (await me.get('/notifications?read=false')).expect(200).map(({ id }: any) => id)

    const seen: number[] = []
    for (let answer = await me.get('/notifications?read=false&pageSize=3'); ; answer = await follow(answer, reader)) {
      for (const { id } of answer.expect(200)) {
        seen.push(id)
        ;(await me.put(`/notifications/${id}/read`)).expect(200)
      }
      expect(answer.headers['x-total-count']).toBeDefined()
      if (!answer.headers.link) break
    }
    expect(seen).toEqual(unread)
  })

  test('sees no row twice, though more come in before it', async () => {
    const seen: number[] = []
    for (let answer = await world.as(owner).get('/projects?pageSize=3'); ; answer = await follow(answer, owner)) {
      seen.push(...answer.expect(200).map(({ id }: any) => id))
      if (!answer.headers.link) break
      await world.givenProject(owner)
    }
    expect(seen).toEqual([...new Set(seen)])
    expect(seen.length).toBeGreaterThanOrEqual(6)
  })

  test('of a list that begins with the oldest sees all, though the first ones go', async () => {
    const boss = world.as(tenant.administrator)
    const make = (at: number) => boss.post('/content/categories', { name: `Walk ${at}`, slug: `walk-${at}` })
    for (let at = 0; at < 6; at++) (await make(at)).expect(201)
    const all = (await boss.get('/content/categories')).expect(200).map(({ id }: any) => id)

    const seen: number[] = []
    for (
      let answer = await boss.get('/content/categories?pageSize=2');
      ;
      answer = await follow(answer, tenant.administrator)
    ) {
      for (const { id } of answer.expect(200)) {
        seen.push(id)
        ;(await boss.delete(`/content/categories/${id}`)).expect(200)
      }
      if (!answer.headers.link) break
    }
    expect(seen).toEqual(all)
  })

  test('goes on by pages where a page was asked for', async () => {
    const answer = await world.as(owner).get('/projects?page=1&pageSize=3')
    expect(answer.headers.link).toMatch(/[?&]page=2(&|>)/)
  })

  test('may begin behind an id, for what came since', async () => {
    const [newest] = (await world.as(owner).get('/projects?pageSize=1')).expect(200)
    const later = [await world.givenProject(owner), await world.givenProject(owner)].map(({ id }) => id)
    const since = (await world.as(owner).get(`/projects?after=${newest.id}`)).expect(200)
    expect(since.map(({ id }: any) => id)).toEqual(later.reverse())
    const answer = await world.as(owner).get(`/projects?after=${newest.id}&pageSize=1`)
    expect((await follow(answer, owner)).expect(200).map(({ id }: any) => id)).toEqual([later[1]])
  })
})

describe('a link to the next page', () => {
  test('keeps the filters as they were sent', async () => {
    const marked = await world.givenProject(owner)
    for (let at = 0; at < 3; at++) await world.givenTask(owner, marked, { title: `Why? a&b=c ${at}`, priority: 'HIGH' })
    await world.givenTask(owner, marked, { title: 'Why not', priority: 'HIGH' })
    const path = `/projects/${marked.id}/tasks?keyword=Why?%20a%26b%3Dc&priority=HIGH&pageSize=2`

    const answer = await world.as(owner).get(path)
    const next = await follow(answer, owner)

    expect(answer.expect(200)).toHaveLength(2)
    expect(answer.headers['x-total-count']).toBe('3')
    expect(next.expect(200)).toHaveLength(1)
    expect(next.headers['x-total-count']).toBe('3')
  })

  test('cannot be made to carry a second header', async () => {
    const answer = await world.as(owner).get('/projects?pageSize=1&x=%0d%0aSet-Cookie:%20a=b')
    answer.expect(200)
    expect(answer.headers.link).not.toMatch(/[\r\n]/)
    expect(answer.headers).not.toHaveProperty('set-cookie')
  })
})

describe('filters', () => {
  test('of tasks combine', async () => {
    const own = await world.givenProject(owner)
    const [low, high] = [
      await world.givenTask(owner, own, { title: 'Paint', priority: 'LOW', assigneeId: owner.id }),
      await world.givenTask(owner, own, { title: 'Repaint', priority: 'HIGH' }),
    ]
    ;(await world.as(owner).put(`/tasks/${high.id}`, { version: 0, status: 'IN_PROGRESS' })).expect(200)
    const found = async (query: string) =>
      (await world.as(owner).get(`/projects/${own.id}/tasks?${query}`)).expect(200).map(({ id }: any) => id)

    expect(await found('')).toEqual([high.id, low.id])
    expect(await found('status=IN_PROGRESS')).toEqual([high.id])
    expect(await found('priority=LOW')).toEqual([low.id])
    expect(await found(`assigneeId=${owner.id}`)).toEqual([low.id])
    expect(await found('keyword=pAINT')).toEqual([high.id, low.id])
    expect(await found('keyword=repaint&status=IN_PROGRESS&priority=HIGH')).toEqual([high.id])
    expect(await found('keyword=repaint&priority=LOW')).toEqual([])
    expect(await found('keyword=%20%20')).toEqual([high.id, low.id])
  })

  test('of projects look at name and code', async () => {
    const own = await world.givenUser(tenant)
    const gamma = await world.givenProject(own, { name: 'Gamma ray', code: 'GR-1' })
    const delta = await world.givenProject(own, { name: 'Delta', code: 'DX-gam' })
    ;(await world.as(own).put(`/projects/${delta.id}/archive?version=0`)).expect(200)
    const found = async (query: string) =>
      (await world.as(own).get(`/projects?${query}`)).expect(200).map(({ id }: any) => id)

    expect(await found('keyword=GAM')).toEqual([delta.id, gamma.id])
    expect(await found('keyword=gam&status=ACTIVE')).toEqual([gamma.id])
    expect(await found('status=ARCHIVED')).toEqual([delta.id])
  })

  test.each([
    ['/projects', 'status=active'],
    ['/projects', 'status=ACTIVE&status=ARCHIVED'],
    ['/projects', `keyword=${'x'.repeat(101)}`],
    ['/projects', 'keyword=a&keyword=b'],
    ['tasks', 'priority=low'],
    ['tasks', 'assigneeId=x'],
    ['tasks', 'assigneeId=0'],
    ['/notifications', 'read=yes'],
    ['/notifications', 'read=1'],
  ])('of %s refuse ?%s', async (path, query) => {
    const url = path === 'tasks' ? `/projects/${project.id}/tasks` : path
    ;(await world.as(owner).get(`${url}?${query}`)).expect(400, 'VALIDATION_FAILED')
  })
})

describe('a keyword is looked for literally', () => {
  const titles = [
    '100% sure',
    '100 sure',
    'snake_case',
    'snakeXcase',
    'back\\slash',
    'backslash',
    "it's",
    'its',
    '漢字テスト',
    'ÜBUNG',
    '%%%',
    'a%b_c\\d',
    'emoji 🚀 on',
    '((a+)+)$',
  ]
  let own: any
  beforeAll(async () => {
    own = await world.givenProject(owner)
    for (const title of titles) await world.givenTask(owner, own, { title })
  })
  const found = async (keyword: string) =>
    (await world.as(owner).get(`/projects/${own.id}/tasks?keyword=${encodeURIComponent(keyword)}`))
      .expect(200)
      .map(({ title }: any) => title)

  test.each([
    ['%', ['100% sure', '%%%', 'a%b_c\\d']],
    ['_', ['snake_case', 'a%b_c\\d']],
    ['\\', ['back\\slash', 'a%b_c\\d']],
    ["'", ["it's"]],
    ['0% s', ['100% sure']],
    ['e_c', ['snake_case']],
    ['%b_c\\', ['a%b_c\\d']],
    ['字テ', ['漢字テスト']],
    ['übung', ['ÜBUNG']],
    ['🚀', ['emoji 🚀 on']],
    ['(a+)', ['((a+)+)$']],
    ["' or 1=1 --", []],
    ["'; drop table tasks; --", []],
    ['%'.repeat(100), []],
    ['\\'.repeat(99), []],
    ['_'.repeat(100), []],
  ])('%s', async (keyword, wanted) => {
    const start = performance.now()
    expect((await found(keyword)).sort()).toEqual([...wanted].sort())
    expect(performance.now() - start).toBeLessThan(inTime(2000))
  })
})

async function follow(answer: Answer, person: Person): Promise<Answer> {
  const [, url] = /^<([^>]+)>; rel="next"$/.exec(String(answer.headers.link)) ?? []
  return world.as(person).send({ method: 'GET', url: url! })
}
