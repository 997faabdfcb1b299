import { beforeEach, describe, expect, test } from 'vitest'
import { defaultPortal as defaultPortalIn } from '../../src/domains/portal/default-portal.ts'
import { SECTION_NAMES } from '../../src/domains/portal/portal.schemas.ts'
import type { Client } from '../support/client.ts'
import { obeying } from '../support/obedient.ts'
import { openWorld, type Person, type Tenant } from '../support/world.ts'

const defaultPortal = defaultPortalIn('en')

let tenant: Tenant
let boss: Person
const world = await openWorld({ env: { PUBLIC_MAX_AGE: '7' } })
beforeEach(async () => {
  tenant = await world.givenTenant()
  boss = tenant.administrator
})

const of = ({ code }: { code: string }) => ({ 'x-tenant-code': code })
const visit = (path: string, at = tenant) => world.anyone.read(`/public${path}`, of(at))
const publish = async (fields: object = {}, by = boss) => {
  const draft = { title: 'A title', status: 'published', content: ['Text.'], ...fields }
  return await world.as(by).create('/content/articles', draft)
}
const replace = (section: string, content: unknown, by = boss) =>
  world.as(by).put(`/content/portal/${section}`, content)
const titles = ({ items }: any) => items.map(({ title }: any) => title)

describe('the portal of a tenant', () => {
  test('claims nothing of its tenant to strangers that nobody of it has written', async () => {
    const theirs = (section: string, language = 'en') =>
      world.anyone.read(`/public/${section}`, { ...of(tenant), 'accept-language': language })
    expect(await theirs('home')).toEqual({ ...defaultPortal.home, stats: [], testimonials: [] })
    expect(await theirs('about')).toMatchObject({ stats: [], team: [], milestones: [] })
    expect(await theirs('pricing')).toEqual([])
    for (const section of ['about', 'product', 'faq', 'docs'])
      for (const language of ['en', 'zh-CN'])
        expect(JSON.stringify(await theirs(section, language))).not.toMatch(/Atrium|[Ii]nvit|邀请|plan/)
    expect(JSON.stringify(await theirs('faq'))).not.toMatch(/pay|subscription/)
    expect(JSON.stringify(await theirs('home', 'zh-CN'))).toMatch(/\p{Script=Han}/u)

    for (const section of ['home', 'pricing'] as const) {
      const proposal = await world.as(boss).read(`/public/${section}`)
      expect(proposal).toEqual(defaultPortal[section])
      ;(await replace(section, proposal)).expect(200)
      expect(await theirs(section)).toEqual(proposal)
    }
  })

  test('is proposed to its own people alone, whoever was answered before', async () => {
    const reader = await world.givenUser(tenant)
    const stranger = await world.givenUser(await world.givenTenant())
    const plans = async (client: Client) => (await client.read('/public/pricing', of(tenant))).map(({ id }: any) => id)
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

  test('is closed with its tenant, what is kept ready too, but not to the system administrator', async () => {
    ;(await world.anyone.get('/public/home', of({ code: 'nobody' }))).expect(404, 'TENANT_NOT_FOUND')
    await visit('/home')
    ;(await world.as(world.admin).put(`/tenants/${tenant.id}`, { status: 'disabled' })).expect(200)
    for (const client of [world.anyone, world.as(boss)]) {
      ;(await client.get('/public/home', of(tenant))).expect(403, 'TENANT_DISABLED')
      ;(await client.post('/public/contact', { email: 'a@b.example' }, of(tenant))).expect(403, 'TENANT_DISABLED')
    }
    await world.as(world.admin).read('/public/home', of(tenant))
    const expired = { status: 'active', expiredAt: '2020-01-01T00:00:00Z' }
    ;(await world.as(world.admin).put(`/tenants/${tenant.id}`, expired)).expect(200)
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

  test('that is not in shape is refused with all that is wrong, and nothing changes', async () => {
    ;(await replace('pricing', defaultPortal.pricing.slice(1))).expect(200)
    const [plan] = defaultPortal.pricing
    const wrong = [
      { ...plan, name: ' ', amountCents: 1.5, currency: 'EUR' },
      { ...plan, features: ['ok', 5] },
      { ...plan, highlighted: undefined, price: null, amountCents: -1 },
    ]
    const { details } = (await replace('pricing', wrong)).expect(400, 'VALIDATION_FAILED')
    expect(details.map(({ path }: any) => path.slice('body.'.length)).sort()).toEqual(
      '0.amountCents 0.currency 0.name 1.features.1 2.amountCents 2.highlighted 2.price'.split(' '),
    )
    expect((await replace('pricing', [plan, plan])).expect(400).details).toMatchObject([{ path: 'body.1.id' }])
    expect(await visit('/pricing')).toEqual(defaultPortal.pricing.slice(1))
  })
})

test('prices are refused to those who may not set them, whatever they send', async () => {
  const editor = await world.givenUser(tenant, ['content:update'])
  for (const prices of [defaultPortal.pricing, 'no prices'])
    (await replace('pricing', prices, editor)).expect(403, 'PERMISSION_DENIED')
})

describe('the blog', () => {
  test('shows what is published, newest first, six to a page', async () => {
    const today = () => new Date().toISOString().slice(0, 10)
    const begun = today()
    for (let n = 1; n <= 8; n++) await publish({ title: `Post ${n}`, summary: `Summary ${n}`, tags: ['tag'] })
    const first = await visit('/blog')
    expect(first).toMatchObject({ page: 1, pageSize: 6, total: 8, categories: ['全部'] })
    expect(titles(first)).toEqual([8, 7, 6, 5, 4, 3].map((n) => `Post ${n}`))
    const words = { title: 'Post 8', author: 'boss', category: '', content: ['Text.'], excerpt: 'Summary 8', cover: '' }
    const date = expect.toBeOneOf([begun, today()])
    expect(first.items[0]).toEqual({ ...words, id: expect.any(Number), date, tags: ['tag'] })
    expect(await visit(`/blog/${first.items[0].id}`)).toEqual(first.items[0])
    expect(titles(await visit('/blog?page=2'))).toEqual(['Post 2', 'Post 1'])
    expect(await visit('/blog?page=9')).toEqual({ items: [], page: 9, pageSize: 6, total: 8, categories: ['全部'] })
  })

  test('gives the paragraphs as they were written', async () => {
    const odd = ['', 'He said "no" \\ "yes" {1,2}', 'two\nlines\tand \u0001 and \u2028 too', '技巧 🎉 é', 'NULL', ',']
    const { id } = await publish({ title: 'Odd "content":[""]', content: odd })
    const post = await visit(`/blog/${id}`)
    expect(post).toMatchObject({ content: odd, excerpt: odd[1], title: 'Odd "content":[""]' })
    expect((await visit('/blog')).items).toContainEqual(post)
    expect((await visit('/blog?keyword=odd')).items).toEqual([post])
    expect((await visit('/blog?keyword=%25')).items).toEqual([])
  })

  test('is narrowed to a category by its name; All means all', async () => {
    const make = (name: string, status = 'active') => world.as(boss).create('/content/categories', { name, status })
    const [news, tips, old] = [await make('News'), await make('技巧'), await make('Old', 'inactive')]
    for (const [title, categoryId] of Object.entries({ n: news.id, t: tips.id, o: old.id, none: null }))
      await publish({ title, categoryId })
    const found = async (category: string) => {
      const page = await visit(`/blog?category=${encodeURIComponent(category)}`)
      expect(page.categories).toEqual(['全部', 'News', '技巧'])
      expect(page.total).toBe(page.items.length)
      return page.items.map(({ title, category }: any) => [title, category])
    }
    expect(await found('News')).toEqual([['n', 'News']])
    expect(await found('技巧')).toEqual([['t', '技巧']])
    for (const none of ['Nowhere', 'Old']) expect(await found(none)).toEqual([])
    expect((await found('All')).find(([title]: any) => title === 'o')).toEqual(['o', ''])
    for (const all of ['All', '全部', '', ' ']) expect(await found(all)).toHaveLength(4)
    ;(await world.as(boss).put(`/content/categories/${old.id}`, { status: 'active' })).expect(200)
    expect((await visit('/blog?category=Old')).items).toMatchObject([{ title: 'o', category: 'Old' }])
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
          ...{ 'cache-control': 'public, max-age=7', 'content-type': 'application/json; charset=utf-8' },
          ...{ 'x-request-id': expect.any(String), 'x-content-type-options': 'nosniff' },
          etag: expect.stringMatching(/^"[A-Za-z0-9_-]{43}"$/),
          vary: `Origin, X-Tenant-Code, Authorization${path === '/blog' ? '' : ', Accept-Language'}`,
        })
      expect(made.headers.etag).toBe(ready.headers.etag)
    }
  })

  test('answers alike at the door and the long way', async () => {
    const { id } = await publish()
    const whole = async (path: string, headers: Record<string, string>) => {
      const answer = await get(path, { 'x-request-id': 'the-same', ...headers })
      return [answer.status, answer.body, { ...answer.headers, date: '' }]
    }
    for (const path of ['/home', '/blog', '/blog?page=1&pageSize=2', `/blog/${id}`]) {
      await get(path)
      expect(await whole(path, {})).toEqual(await whole(path, { 'if-none-match': '"something else"' }))
    }
    for (const url of ['/api/v1/%70ublic/home', '/%61pi/v1/public/h%6fme'])
      for (const headers of [of(tenant), of({ code: 'nobody' })])
        expect((await world.anyone.send({ method: 'GET', url, headers })).data).toEqual(
          (await world.anyone.get('/public/home', headers)).data,
        )
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
    const { id } = await publish({ title: 'Before', status: 'draft' })
    const writes: [string, () => Promise<unknown>, string[]][] = [
      ['publish', () => world.as(boss).put(`/content/articles/${id}`, { status: 'published' }), ['/blog']],
      ['edit', () => world.as(boss).put(`/content/articles/${id}`, { title: 'After' }), ['/blog', `/blog/${id}`]],
      ['category', () => world.as(boss).post('/content/categories', { name: 'N', slug: 'n' }), ['/blog']],
      ['comment', () => world.as(boss).post(`/blog/${id}/comments`, { content: 'Yes' }), [`/blog/${id}/comments`]],
      ['section', () => replace('about', { ...defaultPortal.about, intro: 'New' }), ['/about']],
      ['delete', () => world.as(boss).delete(`/content/articles/${id}`), ['/blog']],
    ]
    for (const [name, write, shown] of writes) {
      const before = await Promise.all(shown.map(etagOf))
      await write()
      for (const [at, etag] of (await Promise.all(shown.map(etagOf))).entries())
        expect(etag, `${name} of ${shown[at]}`).not.toBe(before[at])
    }
    for (const path of [`/blog/${id}`, `/blog/${id}/comments`]) (await get(path)).expect(404, 'NOT_FOUND')
  })
})

describe('a message to the tenant', () => {
  /** @param body also as JSON already */
  const send = (body: object | string, address = '10.0.0.1', at: { code: string } = tenant) =>
    world.anyone.send({
      method: 'POST',
      url: '/api/v1/public/contact',
      headers: { 'content-type': 'application/json', ...of(at) },
      payload: typeof body === 'string' ? body : JSON.stringify(body),
      remoteAddress: address,
    })

  test('is accepted, kept, read, handled and deleted by those who may', async () => {
    const receipt = (await send({ email: ' ada@example.org ', name: '', message: ' Hello,\nthere ' })).expect(201)
    expect(receipt).toEqual({ accepted: true, email: 'ada@example.org', submittedAt: expect.stringMatching(/Z$/) })
    ;(await send({ email: 'bob@example.org', name: 'Bob <b>' })).expect(201)
    const common = { id: expect.any(Number), handled: false }
    expect(await world.as(boss).read('/content/contact-messages')).toEqual([
      { ...common, email: 'bob@example.org', name: 'Bob <b>', message: null, createdAt: expect.any(String) },
      { ...common, email: 'ada@example.org', name: '', message: 'Hello,\nthere', createdAt: receipt.submittedAt },
    ])
    const page = await world.as(boss).get('/content/contact-messages?pageSize=1')
    expect(page.expect(200)).toHaveLength(1)
    expect(page.headers).toMatchObject({ 'x-total-count': '2', link: expect.stringMatching(/[?&]before=\d+/) })

    const path = `/content/contact-messages/${page.data[0].id}`
    for (const handled of [true, false])
      expect((await world.as(boss).put(path, { handled })).expect(200)).toMatchObject({ handled })
    ;(await world.as(boss).delete(path)).expect(200)
    ;(await world.as(boss).delete(path)).expect(404, 'NOT_FOUND')
    expect(await world.as(boss).read('/content/contact-messages')).toHaveLength(1)
  })

  test('has 5000 characters at most, in whatever way they are written', async () => {
    const message = '\\u4f60'.repeat(4999)
    const payload = `{"email":"ada@example.org","message":"${message}\\u597d"}`
    ;(await send(payload, '10.0.0.7')).expect(201)
    expect(await world.as(boss).read('/content/contact-messages')).toMatchObject([
      { message: `${'你'.repeat(4999)}好` },
    ])
    ;(await send(payload.replace('"}', 'x"}'), '10.0.0.7')).expect(400, 'VALIDATION_FAILED')
  })

  test('notifies those who edit the pages, without its text in the title', async () => {
    const editor = await world.givenUser(tenant, ['content:update'])
    const reader = await world.givenUser(tenant, ['content:list'])
    ;(await send({ email: 'ada@example.org', name: 'Ada', message: 'A secret' }, '10.0.0.6')).expect(201)
    const [{ id }] = await world.as(boss).read('/content/contact-messages')

    for (const person of [boss, editor]) {
      const [notice] = await world.as(person).read('/notifications')
      expect(notice).toMatchObject({
        type: 'CONTACT_RECEIVED',
        title: 'A message has come from ada@example.org',
        content: null,
        resourceType: 'contact_message',
        resourceId: id,
      })
    }
    expect(await world.as(reader).read('/notifications')).toEqual([])
  })

  test('is one of five in ten minutes from one address; what was refused does not count', async () => {
    const message = { email: 'ada@example.org' }
    for (let n = 0; n < 8; n++) {
      ;(await send({ email: 'x' }, '10.0.0.3')).expect(400)
      ;(await send(message, '10.0.0.3', { code: 'nobody' })).expect(404, 'TENANT_NOT_FOUND')
    }
    const burst = await Promise.all(Array.from({ length: 12 }, () => obeying(() => send(message, '10.0.0.3'))))
    expect(burst.map(({ status }) => status).sort()).toEqual([...Array(5).fill(201), ...Array(7).fill(429)])
    const late = await send(message, '10.0.0.3')
    late.expect(429, 'RATE_LIMITED')
    expect(Number(late.headers['retry-after'])).toBeGreaterThan(500)
    ;(await send({ email: 'x' }, '10.0.0.3')).expect(400)
    ;(await send(message, '10.0.0.4')).expect(201)
    expect(await world.look.count('select count(*) from contact_messages where tenant_id = $1', [tenant.id])).toBe(6)
  })
})
