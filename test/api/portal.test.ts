import pino from 'pino'
import { beforeEach, describe, expect, test } from 'vitest'
import { buildApp } from '../../src/app.ts'
import type { Call } from '../../src/data/wire/flight.ts'
import { defaultPortal as defaultPortalIn, neutralPortal } from '../../src/domains/portal/default-portal.ts'
import { withoutClaims } from '../../src/domains/portal/portal.rules.ts'
import { SECTION_NAMES } from '../../src/domains/portal/portal.schemas.ts'
import { type Client, clientOf } from '../support/client.ts'
import { testConfig } from '../support/config.ts'
import { openWorld, type Person, type Tenant } from '../support/world.ts'

const defaultPortal = defaultPortalIn('en')

let tenant: Tenant
let boss: Person
const world = await openWorld({ env: { PUBLIC_MAX_AGE: '7', METRICS_PORT: '9464' } })
beforeEach(async () => {
  tenant = await world.givenTenant()
  boss = tenant.administrator
})

const of = ({ code }: { code: string }) => ({ 'x-tenant-code': code })
const visit = async (path: string, at = tenant) => (await world.anyone.get(`/public${path}`, of(at))).expect(200)
const publish = async (fields: object = {}, by = boss) =>
  (
    await world
      .as(by)
      .post('/content/articles', { title: 'A title', status: 'published', content: ['Text.'], ...fields })
  ).expect(201)
const replace = (section: string, content: unknown, by = boss) =>
  world.as(by).put(`/content/portal/${section}`, content)
const product = (name: string) => ({ name, slogan: `${name} for everybody`, highlights: [] })

/** What a reader sees of it without its words: fields, ids, prices. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shapeOf)
  if (typeof value !== 'object' || value === null) return typeof value === 'string' ? '' : value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shapeOf(inner)]))
}

describe('the portal of a tenant', () => {
  test('says something sensible from the first moment', async () => {
    for (const section of SECTION_NAMES) {
      expect((await world.as(boss).get(`/public/${section}`)).expect(200)).toEqual(defaultPortal[section])
      expect((await world.anyone.get(`/public/${section}`)).expect(200)).toEqual(defaultPortal[section])
    }
    expect(defaultPortal.pricing.map(({ id, amountCents, highlighted }) => [id, amountCents, highlighted])).toEqual([
      [1, 0, false],
      [2, 29_900, true],
      [3, 99_900, false],
      [4, null, false],
    ])
  })

  test('claims nothing of its tenant to strangers that nobody of it has written', async () => {
    const theirs = async (section: string) => visit(`/${section}`)
    expect(await theirs('home')).toEqual({ ...defaultPortal.home, stats: [], testimonials: [] })
    expect(await theirs('about')).toMatchObject({ stats: [], team: [], milestones: [] })
    expect(await theirs('pricing')).toEqual([])
    expect(JSON.stringify(await theirs('faq'))).not.toMatch(/plan|pay|subscription/)

    for (const section of ['home', 'pricing'] as const) {
      const proposal = (await world.as(boss).get(`/public/${section}`)).expect(200)
      expect(proposal).toEqual(defaultPortal[section])
      ;(await replace(section, proposal)).expect(200)
      expect(await theirs(section)).toEqual(proposal)
    }
  })

  test('is proposed to its own people alone, whoever was answered before', async () => {
    const reader = await world.givenUser(tenant)
    const stranger = await world.givenUser(await world.givenTenant())
    const plans = async (client: Client) =>
      (await client.get('/public/pricing', of(tenant))).expect(200).map(({ id }: any) => id)
    for (let round = 0; round < 2; round++)
      expect([await plans(world.as(reader)), await plans(world.anyone), await plans(world.as(boss))]).toEqual([
        [1, 2, 3, 4],
        [],
        [1, 2, 3, 4],
      ])
    ;(await replace('pricing', defaultPortal.pricing.slice(2, 3))).expect(200)
    expect([await plans(world.as(reader)), await plans(world.anyone)]).toEqual([[3], [3]])
    // A token speaks for its own tenant, whatever the header says.
    expect(await plans(world.as(stranger))).toEqual([1, 2, 3, 4])
  })

  test('is there with a tenant that is made over the wire, in the language of each visitor, though nobody has written it', async () => {
    const made = (
      await world.as(world.admin).post('/tenants', {
        name: 'Made',
        code: 'made',
        plan: 'team',
        adminUsername: 'root',
        adminPassword: 'a long password',
        adminEmail: 'root@made.example',
      })
    ).expect(201)
    const theirs = async (section: string, language = 'en') => {
      const headers = { 'x-tenant-code': made.code, 'accept-language': language }
      return (await world.anyone.get(`/public/${section}`, headers)).expect(200)
    }
    for (const [section, content] of Object.entries(withoutClaims(defaultPortal, neutralPortal('en')))) {
      expect(await theirs(section)).toEqual(content)
      expect(shapeOf(await theirs(section, 'zh-CN'))).toEqual(shapeOf(content))
      if (section !== 'pricing') expect(JSON.stringify(await theirs(section, 'zh-CN'))).toMatch(/\p{Script=Han}/u)
    }
    for (const section of ['about', 'product', 'faq', 'docs'])
      expect(JSON.stringify([await theirs(section), await theirs(section, 'zh-CN')])).not.toMatch(
        /Atrium|[Ii]nvit|邀请|plan/,
      )
    expect(await world.look.count('select count(*) from portal_sections where tenant_id = $1', [made.id])).toBe(0)
  })

  test("is its own: two tenants, two portals, and the default tenant's by default", async () => {
    const other = await world.givenTenant()
    expect((await replace('product', product('Ours'))).expect(200)).toEqual(product('Ours'))
    ;(await replace('product', product('Theirs'), other.administrator)).expect(200)
    expect([await visit('/product'), await visit('/product', other)]).toEqual([product('Ours'), product('Theirs')])
    for (const headers of [{}, { 'x-tenant-code': '' }, { 'x-tenant-code': ' default ' }] as Record<string, string>[])
      expect((await world.anyone.get('/public/product', headers)).expect(200)).toEqual(defaultPortal.product)
    await publish({ title: 'Only ours' })
    expect((await visit('/blog')).total).toBe(1)
    expect((await visit('/blog', other)).total).toBe(0)
  })

  test('is closed with its tenant', async () => {
    ;(await world.anyone.get('/public/home', of({ code: 'nobody' }))).expect(404, 'TENANT_NOT_FOUND')
    await visit('/home')
    ;(await world.as(world.admin).put(`/tenants/${tenant.id}`, { status: 'disabled' })).expect(200)
    const message = { email: 'a@b.example' }
    for (const client of [world.anyone, world.as(boss)]) {
      ;(await client.get('/public/home', of(tenant))).expect(403, 'TENANT_DISABLED')
      ;(await client.post('/public/contact', message, of(tenant))).expect(403, 'TENANT_DISABLED')
    }
    ;(await world.as(world.admin).get('/public/home', of(tenant))).expect(200)
    ;(
      await world.as(world.admin).put(`/tenants/${tenant.id}`, { status: 'active', expiredAt: '2020-01-01T00:00:00Z' })
    ).expect(200)
    ;(await world.anyone.get('/public/blog', of(tenant))).expect(403, 'TENANT_EXPIRED')
  })
})

describe('a section', () => {
  test.each(SECTION_NAMES)('%s is replaced by what it would answer, without what it does not know', async (section) => {
    const content: any = structuredClone(defaultPortal[section])
    ;(Array.isArray(content) ? content[0] : content).tenantId = 1
    if (Array.isArray(content)) content.reverse()
    const { tenantId: _, ...kept } = Array.isArray(content) ? content.at(-1) : content
    const wanted = Array.isArray(content) ? [...content.slice(0, -1), kept] : kept
    expect((await replace(section, content)).expect(200)).toEqual(wanted)
    expect(await visit(`/${section}`)).toEqual(wanted)
  })

  test('may be empty lists', async () => {
    for (const section of ['features', 'pricing', 'faq', 'docs']) {
      ;(await replace(section, [])).expect(200)
      expect(await visit(`/${section}`)).toEqual([])
    }
  })

  test('that is not in shape is refused with all that is wrong, and nothing changes', async () => {
    ;(await replace('pricing', defaultPortal.pricing.slice(1))).expect(200)
    const [plan] = defaultPortal.pricing
    const wrong = [
      { ...plan, name: ' ', amountCents: 1.5, currency: 'EUR' },
      { ...plan, features: ['ok', 5] },
      { ...plan, highlighted: undefined, price: null, amountCents: -1 },
    ]
    const { details } = (await replace('pricing', wrong)).expect(400, 'VALIDATION_FAILED')
    expect(details.map(({ path }: any) => path).sort()).toEqual([
      'body.0.amountCents',
      'body.0.currency',
      'body.0.name',
      'body.1.features.1',
      'body.2.amountCents',
      'body.2.highlighted',
      'body.2.price',
    ])
    expect((await replace('pricing', [plan, plan])).expect(400).details).toMatchObject([{ path: 'body.1.id' }])
    for (const content of [undefined, null, 'text', {}, 5]) (await replace('pricing', content)).expect(400)
    ;(await replace('home', [])).expect(400, 'VALIDATION_FAILED')
    ;(await replace('faq', Array(101).fill(defaultPortal.faq[0]))).expect(400, 'VALIDATION_FAILED')
    expect(await visit('/pricing')).toEqual(defaultPortal.pricing.slice(1))
  })

  test('is one of seven', async () => {
    for (const section of ['blog', 'HOME', 'contact', '__proto__', 'constructor'])
      (await replace(section, {})).expect(400, 'VALIDATION_FAILED')
    ;(await world.anyone.get('/public/nothing', of(tenant))).expect(404, 'ROUTE_NOT_FOUND')
  })
})

describe('the blog', () => {
  test('shows what is published, newest first, six to a page', async () => {
    for (let n = 1; n <= 8; n++) await publish({ title: `Post ${n}`, summary: `Summary ${n}`, tags: ['tag'] })
    const first = await visit('/blog')
    expect(first).toMatchObject({ page: 1, pageSize: 6, total: 8, categories: ['全部'] })
    expect(first.items.map(({ title }: any) => title)).toEqual([8, 7, 6, 5, 4, 3].map((n) => `Post ${n}`))
    expect(first.items[0]).toEqual({
      id: expect.any(Number),
      title: 'Post 8',
      author: 'boss',
      category: '',
      content: ['Text.'],
      cover: '',
      date: new Date().toISOString().slice(0, 10),
      excerpt: 'Summary 8',
      tags: ['tag'],
    })
    expect(await visit(`/blog/${first.items[0].id}`)).toEqual(first.items[0])
    expect((await visit('/blog?page=2')).items.map(({ title }: any) => title)).toEqual(['Post 2', 'Post 1'])
    expect(await visit('/blog?page=9')).toEqual({ items: [], page: 9, pageSize: 6, total: 8, categories: ['全部'] })
  })

  test('gives the paragraphs as they were written, and of a post without a summary how it begins', async () => {
    const odd = ['', 'He said "no" \\ "yes" {1,2}', 'two\nlines\tand \u0001 and \u2028 too', '技巧 🎉 é', 'NULL', ',']
    const { id } = await publish({ title: 'Odd "content":[""]', content: odd })
    const post = await visit(`/blog/${id}`)
    expect(post).toMatchObject({ content: odd, excerpt: odd[1], title: 'Odd "content":[""]' })
    expect((await visit('/blog')).items).toContainEqual(post)
    expect((await visit('/blog?keyword=odd')).items).toEqual([post])

    const long = await publish({ title: 'Long', content: ['', '🎉'.repeat(500), 'more'] })
    expect((await visit(`/blog/${long.id}`)).excerpt).toBe(`${'🎉'.repeat(160)}…`)
    const empty = await publish({ title: 'Empty', content: [] })
    expect(await visit(`/blog/${empty.id}`)).toMatchObject({ content: [], excerpt: '' })
  })

  test.each([
    ['page=0&pageSize=0', 1, 1],
    ['page=-5&pageSize=1000', 1, 100],
    ['page=abc&pageSize=', 1, 6],
    ['page=2&pageSize=3&nonsense=1', 2, 3],
  ])('moves ?%s into its bounds', async (query, page, pageSize) => {
    expect(await visit(`/blog?${query}`)).toMatchObject({ page, pageSize })
  })

  test('does not go endlessly deep', async () => {
    ;(await world.anyone.get('/public/blog?page=16667', of(tenant))).expect(200)
    ;(await world.anyone.get('/public/blog?page=16668', of(tenant))).expect(400, 'PAGE_TOO_DEEP')
  })

  test('is narrowed to a category by its name; All means all', async () => {
    const make = async (name: string, slug: string, status = 'active') =>
      (await world.as(boss).post('/content/categories', { name, slug, status })).expect(201)
    const [news, tips, old] = [
      await make('News', 'news'),
      await make('技巧', 'tips'),
      await make('Old', 'old', 'inactive'),
    ]
    await publish({ title: 'n', categoryId: news.id })
    await publish({ title: 't', categoryId: tips.id })
    await publish({ title: 'o', categoryId: old.id })
    await publish({ title: 'none' })
    const found = async (category: string) => {
      const page = await visit(`/blog?category=${encodeURIComponent(category)}`)
      expect(page.categories).toEqual(['全部', 'News', '技巧'])
      expect(page.total).toBe(page.items.length)
      return page.items.map(({ title, category }: any) => [title, category])
    }
    expect(await found('News')).toEqual([['n', 'News']])
    expect(await found('技巧')).toEqual([['t', '技巧']])
    expect(await found('Nowhere')).toEqual([])
    expect(await found('Old')).toEqual([])
    expect((await found('All')).find(([title]: any) => title === 'o')).toEqual(['o', ''])
    ;(await world.as(boss).put(`/content/categories/${old.id}`, { status: 'active' })).expect(200)
    expect((await visit('/blog?category=Old')).items).toMatchObject([{ title: 'o', category: 'Old' }])
    ;(await world.as(boss).put(`/content/categories/${old.id}`, { status: 'inactive' })).expect(200)
    for (const all of ['All', '全部', '', ' ']) expect((await found(all)).map(([title]: any) => title)).toHaveLength(4)
  })

  test('is searched literally', async () => {
    await publish({ title: '50% off', summary: '年度优惠' })
    await publish({ title: 'fifty off' })
    const found = async (keyword: string) =>
      (await visit(`/blog?keyword=${encodeURIComponent(keyword)}`)).items.map(({ title }: any) => title)
    expect([await found('%'), await found('优惠'), await found('OFF'), await found('_'), await found(' ')]).toEqual([
      ['50% off'],
      ['50% off'],
      ['fifty off', '50% off'],
      [],
      ['fifty off', '50% off'],
    ])
  })

  test('never shows a draft', async () => {
    const draft = await publish({ title: 'Secret plan', status: 'draft' })
    const other = await world.givenTenant()
    for (const path of [`/blog/${draft.id}`, `/blog/${draft.id}/comments`, '/blog/999999999'])
      (await world.anyone.get(`/public${path}`, of(tenant))).expect(404, 'NOT_FOUND')
    expect(await visit('/blog')).toMatchObject({ items: [], total: 0 })
    expect(await visit('/blog?keyword=secret')).toMatchObject({ items: [], total: 0 })
    // Not for those who may edit it either: this is what the public sees.
    ;(await world.as(boss).get(`/public/blog/${draft.id}`)).expect(404, 'NOT_FOUND')
    ;(await world.as(boss).put(`/content/articles/${draft.id}`, { status: 'published' })).expect(200)
    await visit(`/blog/${draft.id}`)
    ;(await world.anyone.get(`/public/blog/${draft.id}`, of(other))).expect(404, 'NOT_FOUND')
    ;(await world.as(boss).put(`/content/articles/${draft.id}`, { status: 'draft' })).expect(200)
    ;(await world.anyone.get(`/public/blog/${draft.id}`, of(tenant))).expect(404, 'NOT_FOUND')
    ;(await world.anyone.get('/public/blog/0', of(tenant))).expect(400, 'VALIDATION_FAILED')
  })
})

describe('what is kept ready', () => {
  const get = (path: string, headers: Record<string, string> = {}) =>
    world.anyone.get(`/public${path}`, { ...of(tenant), ...headers })
  const etagOf = async (path: string) => String((await get(path)).headers.etag)

  test('carries a strong tag, its age and what it depends on', async () => {
    for (const path of ['/home', '/blog', '/faq']) {
      const [made, ready] = [await get(path), await get(path)]
      expect(ready.body).toEqual(made.body)
      for (const { headers } of [made, ready])
        expect(headers).toMatchObject({
          'cache-control': 'public, max-age=7',
          'content-type': 'application/json; charset=utf-8',
          etag: expect.stringMatching(/^"[A-Za-z0-9_-]{43}"$/),
          vary: `Origin, X-Tenant-Code, Authorization${path === '/blog' ? '' : ', Accept-Language'}`,
          'x-request-id': expect.any(String),
          'x-content-type-options': 'nosniff',
        })
      expect(made.headers.etag).toBe(ready.headers.etag)
    }
  })

  test.each(['/home', '/blog', '/blog?page=1&pageSize=2', '/blog/1'])(
    'answers alike at the door and the long way: %s',
    async (path) => {
      await publish()
      const id = (await visit('/blog')).items[0].id
      const address = path.replace('/1', `/${id}`)
      await get(address)
      const whole = async (headers: Record<string, string>) => {
        const answer = await get(address, { 'x-request-id': 'the-same', ...headers })
        return [answer.status, answer.body, { ...answer.headers, date: '' }]
      }
      expect(await whole({})).toEqual(await whole({ 'if-none-match': '"something else"' }))
    },
  )

  test('is closed with the tenant, and speaks of it in the log and the metrics like every answer', async () => {
    const series = /^http_requests_total\{method="GET",route="\/api\/v1\/public\/home",status="200"\} (\d+)$/m
    const counted = async () => Number(series.exec(await world.app.metrics!.metrics())?.[1] ?? 0)
    const before = await counted()
    for (let time = 0; time < 3; time++) await visit('/home')
    expect(await counted()).toBe(before + 3)
    expect(world.app.lifetime.inHand).toBe(0)
    ;(await world.as(world.admin).put(`/tenants/${tenant.id}`, { status: 'disabled' })).expect(200)
    expect((await get('/home')).body.error.type).toBe('TENANT_DISABLED')
  })

  test('is not sent again to who has it', async () => {
    const etag = await etagOf('/features')
    for (const known of [etag, `"x", ${etag}`, `W/${etag}`, '*']) {
      const answer = await get('/features', { 'if-none-match': known })
      expect([answer.status, answer.body, answer.headers.etag]).toEqual([304, undefined, etag])
      expect(answer.headers['content-length']).toBeUndefined()
    }
    ;(await get('/features', { 'if-none-match': '"something else"' })).expect(200)
    const head = await world.anyone.send({ method: 'HEAD', url: '/api/v1/public/features', headers: of(tenant) })
    expect([head.status, head.body, head.headers.etag]).toEqual([200, undefined, etag])
    const { headers } = await get('/features')
    expect(head.headers['content-length']).toBe(headers['content-length'])
    // A first answer may be known too: another replica has made the same bytes.
    const fresh = await world.givenTenant()
    const first = await world.anyone.get('/public/features', { ...of(fresh), 'if-none-match': etag })
    expect(first.status).toBe(304)
  })

  test('is replaced immediately by every write that it shows', async () => {
    const article = await publish({ title: 'Before', status: 'draft' })
    const writes: [string, () => Promise<unknown>, string[]][] = [
      ['publish', () => world.as(boss).put(`/content/articles/${article.id}`, { status: 'published' }), ['/blog']],
      ['edit', () => world.as(boss).put(`/content/articles/${article.id}`, { title: 'After' }), ['/blog', 'post']],
      ['category', () => world.as(boss).post('/content/categories', { name: 'N', slug: 'n' }), ['/blog']],
      ['comment', () => world.as(boss).post(`/blog/${article.id}/comments`, { content: 'Yes' }), ['comments']],
      ['section', () => replace('about', { ...defaultPortal.about, intro: 'New' }), ['/about']],
      ['delete', () => world.as(boss).delete(`/content/articles/${article.id}`), ['/blog']],
    ]
    const pathOf = (name: string) =>
      name === 'post' ? `/blog/${article.id}` : name === 'comments' ? `/blog/${article.id}/comments` : name
    for (const [name, write, shown] of writes) {
      const before = await Promise.all(shown.map((path) => etagOf(pathOf(path))))
      await write()
      const after = await Promise.all(shown.map((path) => etagOf(pathOf(path))))
      for (const [at, etag] of after.entries()) expect(etag, `${name} of ${shown[at]}`).not.toBe(before[at])
    }
    ;(await get(`/blog/${article.id}`)).expect(404, 'NOT_FOUND')
    ;(await get(`/blog/${article.id}/comments`)).expect(404, 'NOT_FOUND')
  })

  test('is not touched by a write that was refused, nor by one of another tenant', async () => {
    const version = () => world.look.count('select content_version from tenants where id = $1', [tenant.id])
    await publish()
    const [etag, before] = [await etagOf('/blog'), await version()]
    ;(await replace('home', {})).expect(400)
    ;(await world.as(boss).post('/content/articles', { title: 'x', categoryId: 999_999_999 })).expect(404)
    ;(await world.as(boss).delete('/content/articles/999999999')).expect(404)
    await publish({}, (await world.givenTenant()).administrator)
    expect([await etagOf('/blog'), await version()]).toEqual([etag, before])
  })

  test('is replaced in another replica, which is not notified', async () => {
    const replica = await buildApp(testConfig(), {
      database: world.database,
      coordination: undefined,
      logger: pino({ level: 'silent' }),
    })
    try {
      const there: Client = clientOf(replica, of(tenant))
      await publish({ title: 'Old' })
      const seen = async () => (await there.get('/public/blog')).expect(200).items.map(({ title }: any) => title)
      expect(await seen()).toEqual(['Old'])
      await publish({ title: 'New' })
      await expect.poll(seen).toEqual(['New', 'Old'])
    } finally {
      await replica.close()
    }
  })

  test('says nothing of itself to caches where a token comes along, and the token chooses the tenant', async () => {
    const elsewhere = await world.givenTenant()
    ;(await replace('product', product('Ours'))).expect(200)
    const answer = await world.as(boss).get('/public/product', of(elsewhere))
    expect(answer.expect(200)).toEqual(product('Ours'))
    expect(answer.headers['cache-control']).toBe('no-store')
    const stale = await get('/product', { authorization: 'Bearer stale', ...of(elsewhere) })
    expect(stale.expect(200)).toEqual(neutralPortal('en').product)
    expect(stale.headers['cache-control']).toBe('no-store')
    // The system administrator may name the tenant, as everywhere.
    expect((await world.as(world.admin).get('/public/product', of(tenant))).expect(200)).toEqual(product('Ours'))
  })

  test('is made once for all who ask together, and for nobody who asks what is not worth keeping', async () => {
    await publish({ title: 'One' })
    const asked = async (paths: string[]) => {
      const { send, search } = world.database
      let flights = 0
      const count = (calls: readonly Call[]) => {
        if (calls.some(({ prepared }) => prepared.text.includes('"articles"'))) flights++
      }
      world.database.send = (tenantId, calls) => {
        count(calls)
        return send(tenantId, calls)
      }
      world.database.search = (tenantId, calls, who) => {
        count(calls)
        return search(tenantId, calls, who)
      }
      const answers = await Promise.all(paths.map((path) => get(path)))
      Object.assign(world.database, { send, search })
      expect(new Set(answers.map(({ headers }) => headers.etag)).size).toBe(1)
      return flights
    }
    expect(await asked(Array(20).fill('/blog?pageSize=9'))).toBe(1)
    expect(await asked(['/blog?pageSize=9', '/blog?pageSize=9&utm=x', '/blog?pageSize=09&category=All'])).toBe(0)
    expect(await asked(['/blog?keyword=one'])).toBe(1)
    expect(await asked(['/blog?keyword=one'])).toBe(1)
    expect(await asked(['/blog?category=Nowhere'])).toBe(1)
    expect(await asked(['/blog?category=Nowhere'])).toBe(1)
  })
})

test('an address that is written in percent-encoding is the same address', async () => {
  for (const url of ['/api/v1/%70ublic/home', '/%61pi/v1/public/h%6fme']) {
    const answer = await world.anyone.send({ method: 'GET', url, headers: of(tenant) })
    expect(answer.expect(200)).toEqual((await world.anyone.get('/public/home', of(tenant))).data)
    ;(await world.anyone.send({ method: 'GET', url, headers: { 'x-tenant-code': 'nobody' } })).expect(404)
  }
})

describe('a message to the tenant', () => {
  const send = (body: object, address = '10.0.0.1', at: { code: string } = tenant) =>
    world.anyone.send({
      method: 'POST',
      url: '/api/v1/public/contact',
      headers: { 'content-type': 'application/json', ...of(at) },
      payload: JSON.stringify(body),
      remoteAddress: address,
    })

  test('is accepted, kept, and read by those who may', async () => {
    const receipt = (await send({ email: ' ada@example.org ', name: '', message: ' Hello,\nthere ' })).expect(201)
    expect(receipt).toEqual({ accepted: true, email: 'ada@example.org', submittedAt: expect.stringMatching(/Z$/) })
    ;(await send({ email: 'bob@example.org', name: 'Bob <b>' })).expect(201)
    expect((await world.as(boss).get('/content/contact-messages')).expect(200)).toEqual([
      {
        id: expect.any(Number),
        email: 'bob@example.org',
        name: 'Bob <b>',
        message: null,
        handled: false,
        createdAt: expect.any(String),
      },
      {
        id: expect.any(Number),
        email: 'ada@example.org',
        name: '',
        message: 'Hello,\nthere',
        handled: false,
        createdAt: receipt.submittedAt,
      },
    ])
    const page = await world.as(boss).get('/content/contact-messages?pageSize=1')
    expect([page.expect(200).length, page.headers['x-total-count'], page.headers.link]).toEqual([
      1,
      '2',
      expect.stringMatching(/[?&]before=\d+/),
    ])
    const other = await world.givenTenant()
    expect((await world.as(other.administrator).get('/content/contact-messages')).expect(200)).toEqual([])
  })

  test('is handled, opened again and deleted by those who edit the pages, each in their own tenant', async () => {
    ;(await send({ email: 'ada@example.org', message: 'Hello' }, '10.0.0.5')).expect(201)
    const [{ id }] = (await world.as(boss).get('/content/contact-messages')).expect(200)
    const path = `/content/contact-messages/${id}`
    const reader = await world.givenUser(tenant, await world.givenRole(tenant, ['content:list']))
    const stranger = (await world.givenTenant()).administrator

    expect((await world.as(boss).put(path, { handled: true })).expect(200)).toMatchObject({ id, handled: true })
    expect((await world.as(reader).get('/content/contact-messages')).expect(200)).toMatchObject([{ handled: true }])
    expect((await world.as(boss).put(path, { handled: false })).expect(200)).toMatchObject({ handled: false })
    ;(await world.as(boss).put(path, { handled: 'yes' })).expect(400, 'VALIDATION_FAILED')
    ;(await world.as(reader).put(path, { handled: true })).expect(403, 'PERMISSION_DENIED')
    ;(await world.as(reader).delete(path)).expect(403, 'PERMISSION_DENIED')
    ;(await world.as(stranger).put(path, { handled: true })).expect(404, 'NOT_FOUND')
    ;(await world.as(stranger).delete(path)).expect(404, 'NOT_FOUND')
    ;(await world.as(boss).delete(path)).expect(200)
    ;(await world.as(boss).delete(path)).expect(404, 'NOT_FOUND')
    expect((await world.as(boss).get('/content/contact-messages')).expect(200)).toEqual([])
  })

  test('notifies those who edit the pages, without its text in the title', async () => {
    const editor = await world.givenUser(tenant, await world.givenRole(tenant, ['content:update']))
    const reader = await world.givenUser(tenant, await world.givenRole(tenant, ['content:list']))
    ;(await send({ email: 'ada@example.org', name: 'Ada', message: 'A secret' }, '10.0.0.6')).expect(201)
    const [{ id }] = (await world.as(boss).get('/content/contact-messages')).expect(200)

    for (const person of [boss, editor]) {
      const [notice] = (await world.as(person).get('/notifications')).expect(200)
      expect(notice).toMatchObject({
        type: 'CONTACT_RECEIVED',
        title: 'A message has come from ada@example.org',
        content: null,
        resourceType: 'contact_message',
        resourceId: id,
      })
    }
    const chinese = await world.as(boss).get('/notifications', { 'accept-language': 'zh-CN' })
    expect(chinese.expect(200)[0].title).toBe('收到来自 ada@example.org 的留言')
    expect((await world.as(reader).get('/notifications')).expect(200)).toEqual([])
  })

  test('needs an address that is one', async () => {
    for (const email of [undefined, '', 'nobody', 'a@b', `${'a'.repeat(120)}@example.org`])
      (await send({ email }, '10.0.0.2')).expect(400, 'VALIDATION_FAILED')
    const wrong = { email: 'x', name: 'n'.repeat(65), message: 'm'.repeat(5001) }
    expect((await send(wrong, '10.0.0.2')).expect(400).details).toHaveLength(3)
  })

  test('is one of five in ten minutes from one address; what was refused does not count', async () => {
    const message = { email: 'ada@example.org' }
    for (let n = 0; n < 8; n++) {
      ;(await send({ email: 'x' }, '10.0.0.3')).expect(400)
      ;(await send(message, '10.0.0.3', { code: 'nobody' })).expect(404, 'TENANT_NOT_FOUND')
    }
    const burst = await Promise.all(Array.from({ length: 12 }, () => send(message, '10.0.0.3')))
    expect(burst.map(({ status }) => status).sort()).toEqual([...Array(5).fill(201), ...Array(7).fill(429)])
    const late = await send(message, '10.0.0.3')
    late.expect(429, 'RATE_LIMITED')
    expect(Number(late.headers['retry-after'])).toBeGreaterThan(500)
    ;(await send({ email: 'x' }, '10.0.0.3')).expect(400)
    ;(await send(message, '10.0.0.4')).expect(201)
    expect(await world.look.count('select count(*) from contact_messages where tenant_id = $1', [tenant.id])).toBe(6)
  })
})
