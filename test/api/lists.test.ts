import { beforeAll, describe, expect, test } from 'vitest'
import { type Answer, nextOf, pagesOf } from '../support/client.ts'
import { openWorld, type Person } from '../support/world.ts'

const world = await openWorld()
const tenant = await world.givenTenant()
const owner = await world.givenUser(tenant)
const project = await world.givenProject(owner)
let task: any
beforeAll(async () => {
  const [client, colleague] = [world.as(owner), await world.givenUser(tenant)]
  await world.givenMember(owner, project, colleague)
  for (let at = 0; at < 6; at++) {
    task = await world.givenTask(owner, project, { assigneeId: colleague.id, description: `Number ${at}` })
    await world.givenProject(owner)
    ;(await client.put(`/projects/${project.id}`, { version: at, name: `Project, revision ${at}` })).expect(200)
    await client.create('/approvals', { type: 'leave', title: `Leave ${at}` })
    await world.givenTenant()
  }
  for (let at = 0; at < 6; at++) {
    await world.as(colleague).create(`/tasks/${task.id}/comments`, { content: `Comment ${at}` })
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
/** Tasks are in `my-work.test.ts`; what a page may be in `test/unit/page.test.ts`. */
const LISTS: [string, List][] = [
  ['tenants', { path: () => '/tenants', reader: () => world.admin }],
  ['projects', { path: () => '/projects', reader: () => owner }],
  ['all projects of a tenant', { path: () => '/projects', reader: () => tenant.administrator }],
  ['activities of a project', { path: () => `/projects/${project.id}/activities`, reader: () => owner, isFeed: true }],
  ['activities of a task', { path: () => `/tasks/${task.id}/activities`, reader: () => owner, isFeed: true }],
  ['comments', { path: () => `/tasks/${task.id}/comments`, reader: () => owner, isFeed: true, first: 'oldest' }],
  ['notifications', { path: () => '/notifications', reader: () => owner, isFeed: true }],
  ['approvals', { path: () => '/approvals', reader: () => owner }],
  ['operations', { path: () => '/audit/operations', reader: () => tenant.administrator, isFeed: true }],
]

describe.each(LISTS)('the list of %s', (_, { path, reader, first = 'newest', isFeed = false }) => {
  const get = (query = '') => world.as(reader()).get(`${path()}${query}`)

  test(`comes whole, ${first} first, without a next page, and is counted when a page is asked for`, async () => {
    const answer = await get()
    const ids = idsOf(answer)
    expect(ids.length).toBeGreaterThanOrEqual(6)
    expect(ids).toEqual([...ids].sort((a, b) => (first === 'newest' ? b - a : a - b)))
    expect(answer.headers).not.toHaveProperty('x-total-count')
    expect(answer.headers).not.toHaveProperty('link')
    for (const query of ['?page=1', '?pageSize=500', '?page=99&pageSize=3'])
      expect((await get(query)).headers['x-total-count']).toBe(String(ids.length))
  })

  test('walked by its links gives every row exactly once, and ends at its end', async () => {
    const all = idsOf(await get())
    const pages = await walk(reader(), `${path()}?pageSize=4`)
    for (const page of pages.slice(0, -1)) expect(page).toHaveLength(4)
    expect(pages.flat()).toEqual(all)
    expect((await get(`?pageSize=${all.length}`)).headers.link).toBeUndefined()
    const beyond = await get(`?page=2&pageSize=${all.length}`)
    expect([idsOf(beyond), beyond.headers.link]).toEqual([[], undefined])
    ;(await get('?page=0&pageSize=1001')).expect(400, 'VALIDATION_FAILED')
    ;(await get('?page=102&pageSize=1000')).expect(400, 'PAGE_TOO_DEEP')
  })

  if (!isFeed) return

  test('goes on below an id, counted as a whole', async () => {
    const newestFirst = [...idsOf(await get())].sort((a, b) => b - a)
    const query = `?before=${newestFirst[0]! + 1}&pageSize=4`
    const begin = await get(query)
    expect(String(begin.headers.link)).toMatch(/[?&]before=\d+/)
    expect(begin.headers['x-total-count']).toBe(String(newestFirst.length))
    const pages = await walk(reader(), path() + query)
    expect(pages.flatMap((ids) => (first === 'oldest' ? ids.reverse() : ids))).toEqual(newestFirst)
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
    const unread = await me.list('/notifications?read=false', 'id')

    const path = '/notifications?read=false&pageSize=3'
    expect((await me.get(path)).headers['x-total-count']).toBe(String(unread.length))
    const seen = await walk(reader, path, async (ids) => {
      for (const id of ids) (await me.put(`/notifications/${id}/read`)).expect(200)
    })
    expect(seen.flat()).toEqual(unread)
  })

  test('of a list that begins with the oldest sees all, though the first ones go', async () => {
    const boss = world.as(tenant.administrator)
    const make = (at: number) => boss.post('/content/categories', { name: `Walk ${at}`, slug: `walk-${at}` })
    for (let at = 0; at < 6; at++) (await make(at)).expect(201)
    const all = await boss.list('/content/categories', 'id')

    const seen = await walk(tenant.administrator, '/content/categories?pageSize=2', async (ids) => {
      for (const id of ids) (await boss.delete(`/content/categories/${id}`)).expect(200)
    })
    expect(seen.flat()).toEqual(all)
  })

  test('may begin behind an id, for what came since', async () => {
    const [newest] = await world.as(owner).read('/projects?pageSize=1')
    const later = [await world.givenProject(owner), await world.givenProject(owner)].map(({ id }) => id)
    const path = `/projects?after=${newest.id}`
    expect(await world.as(owner).list(path, 'id')).toEqual(later.reverse())
    const answer = await world.as(owner).get(`${path}&pageSize=1`)
    expect(await world.as(owner).list(nextOf(answer)!, 'id')).toEqual([later[1]])
  })
})

test('a link to the next page keeps the filters as they were sent, and carries no second header', async () => {
  const marked = await world.givenProject(owner)
  for (let at = 0; at < 3; at++) await world.givenTask(owner, marked, { title: `Why? a&b=c ${at}`, priority: 'HIGH' })
  await world.givenTask(owner, marked, { title: 'Why not', priority: 'HIGH' })
  const path = `/projects/${marked.id}/tasks?keyword=Why?%20a%26b%3Dc&priority=HIGH&pageSize=2&x=%0d%0aSet-Cookie:%20a=b`

  const answer = await world.as(owner).get(path)
  const next = await world.as(owner).get(nextOf(answer)!)

  expect(answer.expect(200)).toHaveLength(2)
  expect(answer.headers).not.toHaveProperty('set-cookie')
  expect(answer.headers['x-total-count']).toBe('3')
  expect(next.expect(200)).toHaveLength(1)
  expect(next.headers['x-total-count']).toBe('3')
})

test('serves every combination of filters, however many of them were sent before', async () => {
  const get = (query: string) => world.as(owner).list(`/approvals?${query}`, 'id')
  const drafts = await get('')
  const filters = [
    'scope=mine',
    'status=DRAFT',
    `applicantId=${owner.id}`,
    'from=2020-01-01T00:00:00Z',
    'keyword=leave',
  ]
  const sets = filters.reduce((sets, filter) => sets.flatMap((set) => [set, [...set, filter]]), [[]] as string[][])
  const pages = { '': 6, 'page=1': 6, 'page=2': 0, [`before=${drafts[0]}`]: 5, [`after=${drafts[5]}`]: 5 }
  expect(sets.length * Object.keys(pages).length).toBeGreaterThan(128)

  for (const set of sets)
    for (const [page, length] of Object.entries(pages))
      expect(await get([...set, page].join('&')), `${set} ${page}`).toHaveLength(length)
})

test('filters of projects look at name and code', async () => {
  const own = await world.givenUser(tenant)
  const gamma = await world.givenProject(own, { name: 'Gamma ray', code: 'GR-1' })
  const delta = await world.givenProject(own, { name: 'Delta', code: 'DX-gam' })
  ;(await world.as(own).put(`/projects/${delta.id}/archive?version=0`)).expect(200)
  const found = (query: string) => world.as(own).list(`/projects?${query}`, 'id')

  expect(await found('keyword=GAM')).toEqual([delta.id, gamma.id])
  expect(await found('keyword=gam&status=ACTIVE')).toEqual([gamma.id])
  expect(await found('status=ARCHIVED')).toEqual([delta.id])
})

test('a keyword is looked for literally', async () => {
  const titles = [
    ...['100% sure', '100 sure', 'snake_case', 'snakeXcase', 'back\\slash', 'backslash', "it's", 'its'],
    ...['漢字テスト', 'ÜBUNG', '%%%', 'a%b_c\\d', 'emoji 🚀 on', '((a+)+)$'],
  ]
  const own = await world.givenProject(owner)
  for (const title of titles) await world.givenTask(owner, own, { title })
  const found: Record<string, string[]> = {
    '%': ['100% sure', '%%%', 'a%b_c\\d'],
    _: ['snake_case', 'a%b_c\\d'],
    '\\': ['back\\slash', 'a%b_c\\d'],
    "'": ["it's"],
    '0% s': ['100% sure'],
    e_c: ['snake_case'],
    '%b_c\\': ['a%b_c\\d'],
    字テ: ['漢字テスト'],
    übung: ['ÜBUNG'],
    '🚀': ['emoji 🚀 on'],
    '(a+)': ['((a+)+)$'],
    "' or 1=1 --": [],
    "'; drop table tasks; --": [],
    ['%'.repeat(100)]: [],
    ['\\'.repeat(99)]: [],
    ['_'.repeat(100)]: [],
  }
  for (const [keyword, wanted] of Object.entries(found)) {
    const path = `/projects/${own.id}/tasks?keyword=${encodeURIComponent(keyword)}`
    const shown = await world.as(owner).list(path, 'title')
    expect(shown.sort(), keyword).toEqual(wanted.sort())
  }
})

const idsOf = (answer: Answer): number[] => answer.expect(200).map(({ id }: any) => id)

/** The ids on each page of a list, by its links. */
async function walk(person: Person, path: string, between = async (_ids: number[]) => {}): Promise<number[][]> {
  const pages: number[][] = []
  for await (const answer of pagesOf(world.as(person), path)) {
    pages.push(idsOf(answer))
    await between(pages.at(-1)!)
  }
  return pages
}
