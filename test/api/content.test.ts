import { beforeEach, describe, expect, test } from 'vitest'
import { obeying } from '../support/obedient.ts'
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

const write = async (fields: object = {}, author = boss) =>
  (await world.as(author).post('/content/articles', { title: 'A title', status: 'published', ...fields })).expect(201)
const sort = async (fields: object = {}) =>
  (await world.as(boss).post('/content/categories', { name: 'News', slug: 'news', ...fields })).expect(201)
const titles = async (person: Person, query = '') =>
  (await world.as(person).get(`/content/articles${query}`)).expect(200).items.map((article: any) => article.title)
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
      date: today(),
      status: 'draft',
      summary: 'Cranes and coffee',
      tags: ['harbour', '港口'],
      createdAt: expect.stringMatching(/Z$/),
      updatedAt: draft.createdAt,
    })
    expect((await world.as(boss).get(`/content/articles/${draft.id}`)).expect(200)).toEqual(draft)

    const changed = (
      await world.as(boss).put(`/content/articles/${draft.id}`, { summary: null, categoryId: null, author: 'Ada' })
    ).expect(200)
    expect(changed).toEqual({
      ...draft,
      summary: null,
      categoryId: null,
      category: '',
      author: 'Ada',
      updatedAt: changed.updatedAt,
    })
    expect((await world.as(boss).get(`/content/articles/${draft.id}`)).expect(200)).toEqual(changed)

    ;(await world.as(boss).delete(`/content/articles/${draft.id}`)).expect(200)
    ;(await world.as(boss).get(`/content/articles/${draft.id}`)).expect(404, 'NOT_FOUND')
    ;(await world.as(boss).delete(`/content/articles/${draft.id}`)).expect(404, 'NOT_FOUND')
    ;(await world.as(boss).put(`/content/articles/${draft.id}`, {})).expect(404, 'NOT_FOUND')
    const without = await world.as(boss).put(`/content/articles/${draft.id}`, { categoryId: 987654321 })
    without.expect(404, 'NOT_FOUND')
    expect(without.body.message).toBe('Article not found')
  })

  test('is by its writer, under their nickname, unless it says otherwise', async () => {
    const role = await world.givenRole(tenant, ['content:create', 'content:list'])
    const editor = await world.givenUser(tenant, role)
    expect((await write({}, editor)).author).toMatch(/^Person \d+$/)
    expect((await write({ author: ' ' }, editor)).author).toMatch(/^Person \d+$/)
    expect((await write({ author: 'The editors' }, editor)).author).toBe('The editors')
  })

  test('is of the day on which it was published first, and of no other', async () => {
    const draft = await write({ status: 'draft' })
    await world.look.rows(`update articles set date = '2026-01-05' where id = $1`, [draft.id])
    const put = async (body: object) =>
      (await world.as(boss).put(`/content/articles/${draft.id}`, body)).expect(200).date
    expect(await put({ title: 'Still a draft' })).toBe('2026-01-05')
    expect(await put({ status: 'published' })).toBe(today())
    await world.look.rows(`update articles set date = '2026-01-06' where id = $1`, [draft.id])
    expect(await put({ status: 'published', title: 'A better title' })).toBe('2026-01-06')
    expect(await put({ status: 'draft' })).toBe('2026-01-06')
    expect(await put({ status: 'published' })).toBe('2026-01-06')
  })

  test('comes first when it is published, also on the day of others, and keeps that place', async () => {
    const early = await write({ title: 'early', status: 'draft' })
    await write({ title: 'middle' })
    const set = async (status: string) =>
      (await world.as(boss).put(`/content/articles/${early.id}`, { status })).expect(200)
    expect(await titles(boss)).toEqual(['middle', 'early'])
    await set('published')
    await write({ title: 'late' })
    expect(await titles(reader)).toEqual(['late', 'early', 'middle'])
    await set('draft')
    expect(await titles(boss)).toEqual(['late', 'early', 'middle'])
    await set('published')
    expect(await titles(reader)).toEqual(['late', 'early', 'middle'])
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
    expect(details.map(({ path }: any) => path).sort()).toEqual([
      'body.author',
      'body.categoryId',
      'body.content.0',
      'body.cover',
      'body.status',
      'body.summary',
      'body.tags.0',
      'body.title',
    ])
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

  test('goes into a category of its own tenant only', async () => {
    const elsewhere = await world.givenTenant()
    const foreign = (
      await world.as(elsewhere.administrator).post('/content/categories', { name: 'News', slug: 'news' })
    ).expect(201)
    const mine = await write()
    for (const categoryId of [foreign.id, 999_999_999]) {
      ;(await world.as(boss).post('/content/articles', { title: 'x', categoryId })).expect(404, 'NOT_FOUND')
      ;(await world.as(boss).put(`/content/articles/${mine.id}`, { categoryId })).expect(404, 'NOT_FOUND')
      ;(await world.as(boss).put(`/content/articles/${mine.id}`, { title: 'y', categoryId })).expect(404, 'NOT_FOUND')
    }
    expect((await world.as(boss).get(`/content/articles/${mine.id}`)).expect(200)).toEqual(mine)
    ;(await world.as(elsewhere.administrator).get(`/content/articles/${mine.id}`)).expect(404, 'NOT_FOUND')
    ;(await world.as(elsewhere.administrator).put(`/content/articles/${mine.id}`, { title: 'y' })).expect(404)
    ;(await world.as(elsewhere.administrator).delete(`/content/articles/${mine.id}`)).expect(404)
  })

  test('of two concurrent changes, each of another field, both remain', async () => {
    const { id } = await write()
    const answers = await Promise.all([
      world.as(boss).put(`/content/articles/${id}`, { title: 'Changed' }),
      world.as(boss).put(`/content/articles/${id}`, { summary: 'Added' }),
      world.as(boss).put(`/content/articles/${id}`, { tags: ['one'] }),
    ])
    for (const answer of answers) answer.expect(200)
    expect((await world.as(boss).get(`/content/articles/${id}`)).expect(200)).toMatchObject({
      title: 'Changed',
      summary: 'Added',
      tags: ['one'],
    })
  })
})

describe('a list of articles', () => {
  test('comes in pages, newest first by day', async () => {
    for (const title of ['one', 'two', 'three', 'four', 'five']) await write({ title })
    await world.look.rows(`update articles set published_at = '2026-01-01' where title = 'five' and tenant_id = $1`, [
      tenant.id,
    ])
    const page = (await world.as(boss).get('/content/articles?page=1&pageSize=2')).expect(200)
    expect(page).toMatchObject({ page: 1, pageSize: 2, total: 5 })
    expect(page.items.map(({ title }: any) => title)).toEqual(['four', 'three'])
    expect(await titles(boss, '?page=3&pageSize=2')).toEqual(['five'])
    expect((await world.as(boss).get('/content/articles?page=9')).expect(200)).toEqual({
      items: [],
      page: 9,
      pageSize: 10,
      total: 5,
    })
  })

  test.each(['page=0', 'pageSize=0', 'pageSize=101', 'page=x', 'page=-1', 'status=hidden', 'categoryId=0'])(
    'refuses ?%s',
    async (query) => {
      ;(await world.as(boss).get(`/content/articles?${query}`)).expect(400, 'VALIDATION_FAILED')
    },
  )

  test('does not go endlessly deep', async () => {
    ;(await world.as(boss).get('/content/articles?page=10002&pageSize=10')).expect(400, 'PAGE_TOO_DEEP')
  })

  test('is narrowed by category and status', async () => {
    const category = await sort()
    await write({ title: 'in', categoryId: category.id })
    await write({ title: 'draft in', categoryId: category.id, status: 'draft' })
    await write({ title: 'out' })
    expect(await titles(boss, `?categoryId=${category.id}`)).toEqual(['draft in', 'in'])
    expect(await titles(boss, `?categoryId=${category.id}&status=published`)).toEqual(['in'])
    expect(await titles(boss, '?status=draft')).toEqual(['draft in'])
    expect(await titles(boss, '?categoryId=999999999')).toEqual([])
  })

  test('is searched in title, author and summary, in any case and any script', async () => {
    await write({ title: 'Harbour news', summary: 'Cranes' })
    await write({ title: 'Other', author: 'Zoë HARBOURG' })
    await write({ title: '季度报告', summary: '企业内容管理平台' })
    expect(await titles(boss, '?keyword=harbour')).toEqual(['Other', 'Harbour news'])
    expect(await titles(boss, '?keyword=CRANES')).toEqual(['Harbour news'])
    for (const keyword of ['季度', '告', '内容管理', '季度报告'])
      expect(await titles(boss, `?keyword=${encodeURIComponent(keyword)}`)).toEqual(['季度报告'])
    expect(await titles(boss, '?keyword=')).toHaveLength(3)
  })

  test('takes what is looked for literally, however hostile', async () => {
    await write({ title: '100% _real_ \\ "quoted" \'single\'' })
    await write({ title: 'plain' })
    for (const keyword of ['%', '_', '\\', '100%', '_real_', `'single'`, '"quoted"', '% _'])
      expect(await titles(boss, `?keyword=${encodeURIComponent(keyword)}`)).toHaveLength(1)
    for (const keyword of [
      '%%',
      '%a',
      'p%n',
      'p_ain',
      '\\\\',
      '\\%',
      `'; drop table articles; --`,
      '$1',
      'x'.repeat(100),
    ])
      expect(await titles(boss, `?keyword=${encodeURIComponent(keyword)}`)).toEqual([])
    ;(await world.as(boss).get(`/content/articles?keyword=${'x'.repeat(101)}`)).expect(400, 'VALIDATION_FAILED')
    ;(await world.as(boss).get('/content/articles?keyword=%00')).expect(400, 'VALIDATION_FAILED')
    ;(await world.as(boss).get('/content/articles?keyword=a&keyword=b')).expect(400, 'VALIDATION_FAILED')
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
    expect((await world.as(reader).get('/content/articles')).expect(200).total).toBe(1)
    expect((await world.as(reader).get(`/content/articles/${published.id}`)).expect(200)).toEqual(published)
    ;(await world.as(reader).get(`/content/articles/${draft.id}`)).expect(404, 'NOT_FOUND')
    const counts = async (person: Person) => [
      (await world.as(person).get('/content/categories')).expect(200)[0].articleCount,
      (await world.as(person).get(`/content/categories/${category.id}`)).expect(200).articleCount,
    ]
    expect([await counts(reader), await counts(boss)]).toEqual([
      [1, 1],
      [2, 2],
    ])
  })

  test('a writer finds their own drafts, and no one else’s', async () => {
    const writer = await world.givenUser(tenant, await world.givenRole(tenant, ['content:create']))
    const category = await sort()
    const answer = await world.as(writer).post('/content/articles', { title: 'mine', categoryId: category.id })
    const mine = answer.expect(201)
    expect(mine.status).toBe('draft')
    const theirs = await write({ title: 'theirs', status: 'draft', categoryId: category.id })
    await write({ title: 'seen', categoryId: category.id })

    const at = String(answer.headers.location).replace('/api/v1', '')
    expect((await world.as(writer).get(at)).expect(200)).toEqual(mine)
    ;(await world.as(writer).get(`/content/articles/${theirs.id}`)).expect(404, 'NOT_FOUND')
    expect(await titles(writer)).toEqual(['seen', 'mine'])
    expect(await titles(writer, '?status=draft')).toEqual(['mine'])
    expect(await titles(writer, `?categoryId=${category.id}&keyword=i`)).toEqual(['mine'])
    expect((await world.as(writer).get('/content/categories')).expect(200)).toMatchObject([{ articleCount: 2 }])
    expect(await titles(reader)).toEqual(['seen'])
    expect(await titles(boss)).toEqual(['seen', 'theirs', 'mine'])
  })

  test('writing needs its permission, whatever the body', async () => {
    const article = await write()
    const category = await sort()
    const attempts = (person: Person) =>
      Promise.all([
        world.as(person).post('/content/articles', { title: 5 }),
        world.as(person).put(`/content/articles/${article.id}`, { title: 'x' }),
        world.as(person).delete(`/content/articles/${article.id}`),
        world.as(person).post('/content/categories', {}),
        world.as(person).put(`/content/categories/${category.id}`, { name: 'x' }),
        world.as(person).delete(`/content/categories/${category.id}`),
        world.as(person).put('/content/portal/home', {}),
        world.as(person).put('/content/comments/1', {}),
        world.as(person).get('/content/contact-messages'),
      ])
    for (const answer of await attempts(reader)) answer.expect(403, 'PERMISSION_DENIED')
    ;(await world.anyone.get('/content/articles')).expect(401, 'UNAUTHENTICATED')
    ;(await world.anyone.post('/content/articles', { title: 'x' })).expect(401, 'UNAUTHENTICATED')

    const creator = await world.givenUser(tenant, await world.givenRole(tenant, ['content:create']))
    expect((await attempts(creator)).map(({ status }) => status)).toEqual([400, 403, 403, 400, 403, 403, 403, 403, 403])
    expect((await world.as(boss).get(`/content/articles/${article.id}`)).expect(200)).toEqual(article)
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
    expect((await world.as(reader).get('/content/categories')).expect(200)).toEqual([{ ...category, articleCount: 1 }])
    const changed = (
      await world.as(boss).put(`/content/categories/${category.id}`, { name: 'Latest', status: 'inactive' })
    ).expect(200)
    expect(changed).toEqual({ ...category, name: 'Latest', status: 'inactive', articleCount: 1 })
    expect((await world.as(boss).get(`/content/categories/${category.id}`)).expect(200)).toEqual(changed)
    expect((await world.as(boss).get('/content/articles')).expect(200).items[0].category).toBe('Latest')

    const { details } = (await world.as(boss).delete(`/content/categories/${category.id}`)).expect(
      409,
      'CATEGORY_NOT_EMPTY',
    )
    expect(details).toMatchObject([{ articles: 1 }])
    const [article] = (await world.as(boss).get('/content/articles')).expect(200).items
    ;(await world.as(boss).delete(`/content/articles/${article.id}`)).expect(200)
    ;(await world.as(boss).delete(`/content/categories/${category.id}`)).expect(200)
    for (const answer of [
      await world.as(boss).get(`/content/categories/${category.id}`),
      await world.as(boss).put(`/content/categories/${category.id}`, {}),
      await world.as(boss).delete(`/content/categories/${category.id}`),
    ])
      answer.expect(404, 'NOT_FOUND')
  })

  test.each([
    ['Product News', '', 'product-news'],
    ['产品 动态', '产品 动态', '产品-动态'],
    ['Anything', ' Upper & lower_case ', 'upper-lower-case'],
    ['Ümlaut!', undefined, 'ümlaut'],
    ['हिन्दी', null, 'हिन्दी'],
    ['!!!', '???', 'category'],
  ])('“%s” with the slug %j gets %s', async (name, slug, made) => {
    expect(await sort({ name, slug })).toMatchObject({ name, slug: made })
    const twin = (mark: string) => sort({ name: name + mark, slug: `${slug || name}!` })
    expect(await twin(' ?')).toMatchObject({ slug: `${made}-2` })
    expect(await twin(' ??')).toMatchObject({ slug: `${made}-3` })
  })

  test('keeps its slug where a form sends it back, and gets one of its new name where the form is blank', async () => {
    const category = await sort({ name: 'Weekly News', slug: '' })
    const change = async (patch: object) =>
      (await world.as(boss).put(`/content/categories/${category.id}`, patch)).expect(200).slug
    expect(await change({ slug: 'Weekly  News' })).toBe('weekly-news')
    expect(await change({ name: 'Daily News', slug: '' })).toBe('daily-news')
    expect(await change({ name: 'Hourly News' })).toBe('daily-news')
  })

  test('has a slug of at most 64 characters, also behind others of the same', async () => {
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
    ] as const)
      expect(
        (await world.as(boss).post('/content/categories', body)).expect(409, 'CATEGORY_TAKEN').details,
      ).toMatchObject([{ path }])
    const other = await sort({ name: 'Other', slug: 'other' })
    ;(await world.as(boss).put(`/content/categories/${other.id}`, { slug: 'news' })).expect(409, 'CATEGORY_TAKEN')
    ;(await world.as(boss).put(`/content/categories/${other.id}`, { name: 'News' })).expect(409, 'CATEGORY_TAKEN')
    ;(await world.as(boss).put(`/content/categories/${category.id}`, { name: 'News', slug: 'news' })).expect(200)
    const elsewhere = await world.givenTenant()
    ;(await world.as(elsewhere.administrator).post('/content/categories', { name: 'News', slug: 'news' })).expect(201)
  })

  test('is not empty while a draft is in it', async () => {
    const category = await sort()
    await write({ status: 'draft', categoryId: category.id })
    ;(await world.as(boss).delete(`/content/categories/${category.id}`)).expect(409, 'CATEGORY_NOT_EMPTY')
  })

  test('of many concurrent ones with one name, exactly one is', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, at) => {
        const draft = { name: 'Race', slug: at % 2 ? 'race' : `race-${at}` }
        return obeying(() => world.as(boss).post('/content/categories', draft))
      }),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(409)])
    expect((await world.as(boss).get('/content/categories')).expect(200)).toHaveLength(1)
  })

  test('that is deleted while an article is put into it: one of the two comes too late', async () => {
    for (let round = 0; round < 4; round++) {
      const category = await sort({ name: `Round ${round}`, slug: `round-${round}` })
      const [gone, written] = await Promise.all([
        world.as(boss).delete(`/content/categories/${category.id}`),
        world.as(boss).post('/content/articles', { title: 'late', categoryId: category.id }),
      ])
      expect([
        [200, 404],
        [409, 201],
      ]).toContainEqual([gone.status, written.status])
    }
  })
})

test('what is written is audited, and the system administrator may write in any tenant', async () => {
  const inside = { 'x-tenant-code': tenant.code }
  const article = (
    await world.as(world.admin).post('/content/articles', { title: 'From outside', status: 'published' }, inside)
  ).expect(201)
  expect(article.author).toBe('Administrator')
  expect(await titles(reader)).toEqual(['From outside'])
  const [row] = await world.look.rows('select * from audit_operations where tenant_id = $1 order by id desc limit 1', [
    tenant.id,
  ])
  expect(row).toMatchObject({ method: 'POST', route: '/api/v1/content/articles', status: 201, username: 'admin' })
})

test('the first start has written four categories and nine articles, of which the public sees eight', async () => {
  const categories = (await world.as(world.admin).get('/content/categories')).expect(200)
  expect(categories.map(({ id, slug }: any) => [id, slug])).toEqual([
    [1, 'product'],
    [2, 'tech'],
    [3, 'team'],
    [4, 'announcement'],
  ])
  const { items, total } = (await world.as(world.admin).get('/content/articles?pageSize=20')).expect(200)
  expect(total).toBe(9)
  expect(items.map(({ id }: any) => id)).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1])
  expect(items.filter(({ status }: any) => status === 'draft')).toHaveLength(1)
  expect(items.every(({ date }: any) => date < today())).toBe(true)
  expect((await world.anyone.get('/public/blog')).expect(200).total).toBe(8)
  const next = (await world.as(world.admin).post('/content/articles', { title: 'The next one' })).expect(201)
  expect(next.id).toBeGreaterThan(9)
})
