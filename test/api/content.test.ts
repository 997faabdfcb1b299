import { beforeEach, describe, expect, test } from 'vitest'
import { openWorld, type Person, type Tenant } from '../support/world.ts'

let tenant: Tenant
let boss: Person
let reader: Person
const world = await openWorld()
beforeEach(async () => {
  tenant = await world.givenTenant()
  boss = tenant.administrator
  reader = await world.givenUser(tenant)
})

const write = (fields: object = {}, author = boss) =>
  world.as(author).create('/content/articles', { title: 'A title', status: 'published', ...fields })
const sort = (fields: object = {}) =>
  world.as(boss).create('/content/categories', { name: 'News', slug: 'news', ...fields })
const titles = async (person: Person, query = '') => await world.as(person).list(`/content/articles${query}`, 'title')
const put = (path: string, body: object, person = boss) => world.as(person).put(`/content/${path}`, body)
const read = (path: string, person = boss) => world.as(person).read(`/content/${path}`)
const today = () => new Date().toISOString().slice(0, 10)

describe('an article', () => {
  test('is written, read, changed and deleted', async () => {
    const category = await sort()
    const answer = await world.as(boss).post('/content/articles', {
      title: '  A day in the harbour ',
      categoryId: category.id,
      content: ['First.', '', ' Second, "quoted" \\ {and} braced. '],
      cover: '/covers/harbour.png',
      summary: 'Cranes and coffee',
      tags: ['harbour', '港口'],
    })
    const draft = answer.expect(201)
    expect(answer.headers.location).toBe(`/api/v1/content/articles/${draft.id}`)
    expect(draft).toEqual({
      id: expect.any(Number),
      title: 'A day in the harbour',
      author: 'boss',
      category: 'News',
      categoryId: category.id,
      content: ['First.', '', 'Second, "quoted" \\ {and} braced.'],
      cover: '/covers/harbour.png',
      date: draft.createdAt.slice(0, 10),
      status: 'draft',
      summary: 'Cranes and coffee',
      tags: ['harbour', '港口'],
      createdAt: expect.stringMatching(/Z$/),
      updatedAt: draft.createdAt,
    })
    const path = `articles/${draft.id}`
    expect(await read(path)).toEqual(draft)
    const inside = { 'x-tenant-code': tenant.code }
    const fromOutside = await world.as(world.admin).post('/content/articles', { title: 'x' }, inside)
    expect(fromOutside.expect(201).author).toBe('Administrator')

    const patch = { summary: null, categoryId: null, author: 'Ada' }
    const changed = (await put(path, patch)).expect(200)
    expect(changed).toEqual({ ...draft, ...patch, category: '', updatedAt: changed.updatedAt })
    expect(await read(path)).toEqual(changed)

    ;(await world.as(boss).delete(`/content/${path}`)).expect(200)
    ;(await world.as(boss).get(`/content/${path}`)).expect(404, 'NOT_FOUND')
    ;(await world.as(boss).delete(`/content/${path}`)).expect(404, 'NOT_FOUND')
  })

  test('keeps to its limits, and reports all violations together', async () => {
    const wrong = {
      title: ' ',
      author: 'a'.repeat(65),
      categoryId: 0,
      content: ['x'.repeat(20_001)],
      cover: 'c'.repeat(256),
      status: 'hidden',
      summary: 's'.repeat(513),
      tags: ['t'.repeat(33)],
    }
    const { details } = (await world.as(boss).post('/content/articles', wrong)).expect(400, 'VALIDATION_FAILED')
    expect(new Set(details.map(({ path }: any) => path.split('.')[1]))).toEqual(new Set(Object.keys(wrong)))
    for (const body of [{ content: Array(501).fill('') }, { tags: Array(21).fill('t') }, { content: 'text' }])
      (await world.as(boss).post('/content/articles', { title: 'x', ...body })).expect(400, 'VALIDATION_FAILED')
    await write({
      title: 't'.repeat(255),
      author: 'a'.repeat(64),
      content: [...Array(499).fill(''), 'x'.repeat(20_000)],
      cover: 'c'.repeat(255),
      summary: '摘'.repeat(512),
      tags: Array(20).fill('t'.repeat(32)),
    })
  })
})

describe('a list of articles', () => {
  test('comes in pages, newest first by day', async () => {
    for (const title of ['one', 'two', 'three', 'four', 'five']) await write({ title })
    const age = `update articles set published_at = '2026-01-01' where title = 'five' and tenant_id = $1`
    await world.look.rows(age, [tenant.id])
    const page = await read('articles?page=1&pageSize=2')
    expect(page).toMatchObject({ page: 1, pageSize: 2, total: 5 })
    expect(page.items.map(({ title }: any) => title)).toEqual(['four', 'three'])
    expect(await titles(boss, '?page=3&pageSize=2')).toEqual(['five'])
    expect(await read('articles?page=9')).toEqual({ items: [], page: 9, pageSize: 10, total: 5 })
    for (const query of ['page=0', 'pageSize=101', 'status=hidden', 'categoryId=0'])
      (await world.as(boss).get(`/content/articles?${query}`)).expect(400, 'VALIDATION_FAILED')
    ;(await world.as(boss).get('/content/articles?page=10002&pageSize=10')).expect(400, 'PAGE_TOO_DEEP')
  })

  test('is searched in the names of writers, in every order', async () => {
    for (const title of ['one', 'two']) await write({ title })
    await write({ title: 'three', author: 'Ada' })
    expect(await titles(boss, '?keyword=boss')).toEqual(['two', 'one'])
    expect(await titles(boss, '?keyword=boss&sort=id')).toEqual(['one', 'two'])
  })

  test('is searched in title, author and summary, in any case and any script, and literally', async () => {
    await write({ title: 'Harbour news', summary: 'Cranes' })
    await write({ title: 'Other', author: 'Zoë HARBOURG' })
    await write({ title: '季度报告', summary: '企业内容管理平台' })
    expect(await titles(boss, '?keyword=harbour')).toEqual(['Other', 'Harbour news'])
    expect(await titles(boss, '?keyword=CRANES')).toEqual(['Harbour news'])
    for (const keyword of ['季度', '告', '内容管理', '季度报告'])
      expect(await titles(boss, `?keyword=${encodeURIComponent(keyword)}`)).toEqual(['季度报告'])
    expect(await titles(boss, '?keyword=')).toHaveLength(3)

    await write({ title: '100% _real_ \\ "quoted" \'single\'' })
    for (const keyword of ['%', '_', '\\', '100%', '_real_', `'single'`, '"quoted"', '% _'])
      expect(await titles(boss, `?keyword=${encodeURIComponent(keyword)}`)).toHaveLength(1)
    const none = ['%%', '%a', 'O%r', 'O_her', '\\\\', '\\%', `'; drop table articles; --`, '$1', 'x'.repeat(100)]
    for (const keyword of none) expect(await titles(boss, `?keyword=${encodeURIComponent(keyword)}`)).toEqual([])
    for (const query of [`keyword=${'x'.repeat(101)}`, 'keyword=a&keyword=b'])
      (await world.as(boss).get(`/content/articles?${query}`)).expect(400, 'VALIDATION_FAILED')
  })
})

describe('who may what', () => {
  test('a token is enough to read what is published, and only that', async () => {
    const category = await sort()
    const published = await write({ title: 'seen', categoryId: category.id })
    const draft = await write({ title: 'secret', status: 'draft', summary: 'hush', categoryId: category.id })
    expect(await titles(reader)).toEqual(['seen'])
    expect(await titles(reader, '?status=draft')).toEqual([])
    expect(await titles(reader, '?keyword=hush')).toEqual([])
    expect((await read('articles', reader)).total).toBe(1)
    expect(await read(`articles/${published.id}`, reader)).toEqual(published)
    ;(await world.as(reader).get(`/content/articles/${draft.id}`)).expect(404, 'NOT_FOUND')
    const counts = async (person: Person) => {
      const [listed, alone] = [await read('categories', person), await read(`categories/${category.id}`, person)]
      return [listed[0].articleCount, alone.articleCount]
    }
    expect([await counts(reader), await counts(boss)].flat()).toEqual([1, 1, 2, 2])
  })

  test('a writer finds their own drafts, and no one else’s', async () => {
    const writer = await world.givenUser(tenant, ['content:create'])
    const category = await sort()
    const answer = await world.as(writer).post('/content/articles', { title: 'mine', categoryId: category.id })
    const mine = answer.expect(201)
    expect(mine.status).toBe('draft')
    const theirs = await write({ title: 'theirs', status: 'draft', categoryId: category.id })
    await write({ title: 'seen', categoryId: category.id })

    const at = String(answer.headers.location)
    expect(await world.as(writer).read(at)).toEqual(mine)
    ;(await world.as(writer).get(`/content/articles/${theirs.id}`)).expect(404, 'NOT_FOUND')
    expect(await titles(writer)).toEqual(['seen', 'mine'])
    expect(await titles(writer, '?status=draft')).toEqual(['mine'])
    expect(await titles(writer, `?categoryId=${category.id}&keyword=i`)).toEqual(['mine'])
    expect(await world.as(writer).read('/content/categories')).toMatchObject([{ articleCount: 2 }])
    expect(await titles(reader)).toEqual(['seen'])
    expect(await titles(boss)).toEqual(['seen', 'theirs', 'mine'])

    await write({ title: 'out' })
    expect(await titles(boss, `?categoryId=${category.id}`)).toEqual(['seen', 'theirs', 'mine'])
    expect(await titles(boss, `?categoryId=${category.id}&status=published`)).toEqual(['seen'])
    expect(await titles(boss, '?status=draft')).toEqual(['theirs', 'mine'])
  })
})

describe('a category', () => {
  test('is made, read, changed and deleted', async () => {
    const answer = await world.as(boss).post('/content/categories', { name: ' News ', slug: 'news', description: '' })
    const category = answer.expect(201)
    expect(answer.headers.location).toBe(`/api/v1/content/categories/${category.id}`)
    expect(category).toEqual({
      id: expect.any(Number),
      name: 'News',
      slug: 'news',
      description: '',
      status: 'active',
      articleCount: 0,
    })
    await write({ categoryId: category.id })
    const path = `categories/${category.id}`
    expect(await read('categories', reader)).toEqual([{ ...category, articleCount: 1 }])
    const patch = { name: 'Latest', status: 'inactive' }
    expect((await put(path, patch)).expect(200)).toEqual({ ...category, ...patch, articleCount: 1 })
    expect(await read(path)).toEqual({ ...category, ...patch, articleCount: 1 })
    const [article] = (await read('articles')).items
    expect(article.category).toBe('Latest')

    const remove = () => world.as(boss).delete(`/content/${path}`)
    ;(await put(`articles/${article.id}`, { status: 'draft' })).expect(200)
    expect((await remove()).expect(409, 'CATEGORY_NOT_EMPTY').details).toMatchObject([{ articles: 1 }])
    ;(await world.as(boss).delete(`/content/articles/${article.id}`)).expect(200)
    ;(await remove()).expect(200)
    ;(await remove()).expect(404, 'NOT_FOUND')
  })

  test.each([
    ['Product News', '', 'product-news'],
    ['Anything', ' Upper & lower_case ', 'upper-lower-case'],
    ['产品 动态!', undefined, '产品-动态'],
    ['हिन्दी', null, 'हिन्दी'],
    ['!!!', '???', 'category'],
  ])('“%s” with the slug %j gets %s', async (name, slug, made) => {
    expect(await sort({ name, slug })).toMatchObject({ name, slug: made })
    const twin = (mark: string) => sort({ name: name + mark, slug: `${slug || name}!` })
    expect(await twin(' ?')).toMatchObject({ slug: `${made}-2` })
    expect(await twin(' ??')).toMatchObject({ slug: `${made}-3` })
  })

  test('has a slug of at most 64 characters, keeps it, and gets one of its new name where the form is blank', async () => {
    const category = await sort({ name: 'Weekly News', slug: '' })
    const change = async (patch: object) => (await put(`categories/${category.id}`, patch)).expect(200).slug
    expect(await change({ slug: 'Weekly  News' })).toBe('weekly-news')
    expect(await change({ name: 'Daily News', slug: '' })).toBe('daily-news')
    expect(await change({ name: 'Hourly News' })).toBe('daily-news')

    ;(await world.as(boss).post('/content/categories', { name: 'x', slug: 'a'.repeat(65) })).expect(400)
    const long = `${'a'.repeat(62)} b`
    expect((await sort({ name: 'One', slug: long })).slug).toBe(`${'a'.repeat(62)}-b`)
    expect((await sort({ name: 'Two', slug: long })).slug).toBe(`${'a'.repeat(62)}-2`)
  })

  test('shares neither name nor slug with another of its tenant', async () => {
    const category = await sort()
    for (const [body, path] of [
      [{ name: 'News', slug: 'other' }, 'body.name'],
      [{ name: 'Other', slug: 'news' }, 'body.slug'],
    ] as const) {
      const refused = await world.as(boss).post('/content/categories', body)
      expect(refused.expect(409, 'CATEGORY_TAKEN').details).toMatchObject([{ path }])
    }
    const other = await sort({ name: 'Other', slug: 'other' })
    for (const patch of [{ slug: 'news' }, { name: 'News' }])
      (await put(`categories/${other.id}`, patch)).expect(409, 'CATEGORY_TAKEN')
    ;(await put(`categories/${category.id}`, { name: 'News', slug: 'news' })).expect(200)
  })
})

test('the first start has written four categories and nine articles, of which the public sees eight', async () => {
  const categories = await read('categories', world.admin)
  const slugs = categories.map(({ id, slug }: any) => `${id} ${slug}`)
  expect(slugs).toEqual(['1 product', '2 tech', '3 team', '4 announcement'])
  const { items, total } = await read('articles?pageSize=20', world.admin)
  expect(total).toBe(9)
  expect(items.map(({ id }: any) => id)).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1])
  expect(items.filter(({ status }: any) => status === 'draft')).toHaveLength(1)
  expect(items.every(({ date }: any) => date < today())).toBe(true)
  expect((await world.anyone.read('/public/blog')).total).toBe(8)
  const next = await world.as(world.admin).create('/content/articles', { title: 'The next one' })
  expect(next.id).toBeGreaterThan(9)
})
