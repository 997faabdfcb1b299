import { beforeAll, describe, expect, test } from 'vitest'
import { createClient } from '../../client/index.ts'
import { type Answer, type Client, pagesOf } from '../support/client.ts'
import { openWorld, type Tenant } from '../support/world.ts'

/**
 * Each row of a list is on exactly one page, however the list is walked: by `Link` from its beginning, by `Link` from page
 * 1, and by counting pages. A page that would be too many bytes holds fewer rows than were asked for.
 */
const MOST_BYTES = 2_097_152

const world = await openWorld()
const light = await world.givenTenant()
const heavy = await world.givenTenant()
const heaviest = await world.givenTenant()
const applicant = await world.givenUser(heavy)
const board = await world.givenProject(light.administrator)
beforeAll(async () => {
  await addArticles(heavy, 18, 150_000)
  await addArticles(heaviest, 3, 900_000)
  await addArticles(light, 230, 100)
  for (let at = 0; at < 7; at++) await world.givenUser(light)
  await addTasks(450, '任'.repeat(2000))
  await addApprovals(300, 'short')
  await addApprovals(150, '任'.repeat(10_000))
})

/** Half of them are long, so that a page is not the same number of rows as the one before it. */
async function addArticles({ id }: Tenant, count: number, bytes: number) {
  await world.look.rows(
    `insert into articles (tenant_id, title, content, content_bytes, date, status, created_at, updated_at)
     select $1, 'Article ' || at, array[repeat('a', bytes)], bytes, now(), 'published',
            now() - at * interval '1 hour', now()
       from generate_series(1, $2) as at, lateral (select $3::integer * (1 + at % 2) * 2 / 3 as bytes) as size`,
    [id, count, bytes],
  )
}

async function addTasks(count: number, description: string) {
  await world.look.rows(
    `insert into tasks (tenant_id, project_id, title, description, reporter_id, priority, status, version, created_at, updated_at)
     select $1, $2, 'Task ' || at, $4, $3, 'LOW', 'TODO', 0, now(), now() from generate_series(1, $5) as at`,
    [light.id, board.id, light.administrator.id, description, count],
  )
}

async function addApprovals(count: number, payload: string) {
  await world.look.rows(
    `insert into approvals (tenant_id, type, title, applicant_id, payload, created_at, updated_at)
     select $1, 'LEAVE', 'Request ' || at, $2, $3, now(), now() from generate_series(1, $4) as at`,
    [heavy.id, applicant.id, payload, count],
  )
}

type Reader = Pick<Client, 'get'>
const as = ({ administrator }: Tenant): Reader => world.as(administrator)
const visitor = ({ code }: Tenant): Reader => {
  return { get: (path) => world.anyone.get(path, { 'x-tenant-code': code }) }
}
const LISTS: [string, string, number | undefined, Reader][] = [
  ['18 long articles', '/content/articles', 18, as(heavy)],
  ['18 long articles, found by a keyword', '/content/articles?keyword=article', 18, as(heavy)],
  ['18 long articles, the oldest first', '/content/articles?sort=id', 18, as(heavy)],
  ['18 long posts', '/public/blog', 18, visitor(heavy)],
  ['3 very long articles', '/content/articles', 3, as(heaviest)],
  ['3 very long posts', '/public/blog', 3, visitor(heaviest)],
  ['230 short articles', '/content/articles', 230, as(light)],
  ['users', '/users', 8, as(light)],
  ['users by name', '/users?sort=-username', 8, as(light)],
  ['users of a status', '/users?status=active', 8, as(light)],
  ['roles', '/roles', undefined, as(light)],
  ['sign-ins', '/log/login', undefined, as(light)],
  ['450 long tasks', 'tasks', 450, as(light)],
  ['450 long tasks, found by a keyword', 'tasks?keyword=task', 450, as(light)],
  ['450 requests of their applicant, of which the newest are long', '/approvals', 450, world.as(applicant)],
  ['450 requests of their applicant, the oldest first', '/approvals?sort=id', 450, world.as(applicant)],
]
const SIZES = [3, 20, 100, 400]
/** Of a walk. More of the same say nothing new, and neither does a second size that holds the whole list. */
const MOST_PAGES = 15

const rowsOf = ({ data }: Answer): { id: number }[] => data.items ?? data

describe.each(LISTS)('the list of %s', (_, path, count, reader) => {
  const address = (query: string) => {
    const full = path.replace(/^tasks/, `/projects/${board.id}/tasks`)
    return `${full}${full.includes('?') ? '&' : '?'}${query}`
  }
  const mostSize = /tasks|approvals/.test(path) ? 400 : 100
  const sizes = SIZES.filter(
    (size, at) => size <= mostSize && size * MOST_PAGES >= (count ?? 0) && (SIZES[at - 1] ?? 0) < (count ?? 20),
  )

  async function* byNumber(pageSize: number): AsyncGenerator<Answer> {
    for (let page = 1; ; page++) {
      const answer = await reader.get(address(`page=${page}&pageSize=${pageSize}`))
      yield answer
      if (rowsOf(answer).length === 0) return
    }
  }
  const walks = (pageSize: number): [string, AsyncGenerator<Answer>][] => [
    ['by Link', pagesOf(reader, address(`pageSize=${pageSize}`))],
    ['by Link from page 1', pagesOf(reader, address(`page=1&pageSize=${pageSize}`))],
    ['by page numbers', byNumber(pageSize)],
  ]

  test.each(sizes)('is met whole and once in every form, %i rows at a time', async (pageSize) => {
    const orders = new Set<string>()
    for (const [form, walk] of walks(pageSize)) {
      const ids: number[] = []
      for await (const answer of walk) {
        answer.expect(200)
        const rows = rowsOf(answer)
        ids.push(...rows.map(({ id }) => id))
        expect(rows.length, form).toBeLessThanOrEqual(pageSize)
        const isShort = rows.length < pageSize && answer.headers.link !== undefined
        expect(answer.headers['x-truncated'], form).toBe(isShort ? 'items' : undefined)
        expect(answer.headers).not.toHaveProperty('x-total-count-exact')
        if (count) expect(answer.data.total ?? Number(answer.headers['x-total-count']), form).toBe(count)
      }
      expect(new Set(ids).size, form).toBe(ids.length)
      if (count) expect(ids, form).toHaveLength(count)
      orders.add(ids.join())
    }
    expect(orders, 'each walk meets the same rows in the same order').toHaveProperty('size', 1)
  })
})

test('an answer has at most 2 MiB of long texts and a row', async () => {
  for (const query of ['', '?page=2&pageSize=20', '?page=3&pageSize=20']) {
    const answer = await world.as(heavy.administrator).get(`/content/articles${query}`)
    expect(JSON.stringify(answer.expect(200)).length).toBeLessThan(MOST_BYTES + 250_000)
  }
})

test('the client walks each of them whole', async () => {
  const baseUrl = await world.app.listen({ port: 0, host: '127.0.0.1' })
  const clientOf = ({ code, administrator }: Tenant) => {
    const tokens = { accessToken: administrator.token, refreshToken: '' }
    return createClient({ baseUrl, tenant: code, session: { load: () => tokens, save() {} } })
  }
  const idsOf = async (rows: AsyncIterable<{ id: number }>) => {
    const ids: number[] = []
    for await (const { id } of rows) ids.push(id)
    return new Set(ids).size === ids.length ? ids.length : ids
  }
  const [some, more] = [clientOf(heavy), clientOf(light)]
  expect(await idsOf(some.each.listArticles())).toBe(18)
  expect(await idsOf(some.each.listBlogPosts())).toBe(18)
  expect(await idsOf(more.each.listUsers())).toBe(8)
  expect(await idsOf(more.each.listUsers({ sort: 'username' }))).toBe(8)
  expect(await idsOf(more.each.listTasks({ id: board.id }))).toBe(450)
})

test('a walk along users meets nobody twice, though others come meanwhile', async () => {
  const boss = world.as(heavy.administrator)
  for (let at = 0; at < 6; at++) await world.givenUser(heavy)
  const before = await boss.list('/users?pageSize=100', 'id')

  const met: number[] = []
  for await (const answer of pagesOf(boss, '/users?pageSize=2')) {
    met.push(...answer.expect(200).items.map(({ id }: any) => id))
    await world.givenUser(heavy)
  }
  expect(met).toEqual(before)
})

test('a total that counting stopped at says that it is not exact, and is the same on every page', async () => {
  await addTasks(700, 'short')
  for (const page of [1, 10, 11, 12]) {
    const { headers } = await world.as(light.administrator).get(`/projects/${board.id}/tasks?page=${page}&pageSize=100`)
    expect([headers['x-total-count'], headers['x-total-count-exact']]).toEqual(['1000', 'false'])
    expect(String(headers['x-truncated'])).toContain('total')
  }
})
