import { beforeEach, describe, expect, test } from 'vitest'
import { pngOf } from '../support/form.ts'
import { until } from '../support/patience.ts'
import { openWorldWithFiles } from '../support/uploads.ts'
import type { Person, Tenant } from '../support/world.ts'

const { world, upload } = await openWorldWithFiles()
let tenant: Tenant
let boss: Person
beforeEach(async () => {
  tenant = await world.givenTenant()
  boss = tenant.administrator
})

/** The public address of a file. */
const outside = ({ url }: { url: string }) => url.replace('/api/v1/', '/api/v1/public/')
const visit = (url: string, headers: Record<string, string> = {}) => world.app.inject({ method: 'GET', url, headers })
const statusOf = async (url: string) => (await visit(url)).statusCode
const write = (fields: object) => world.as(boss).create('/content/articles', { title: 'With a picture', ...fields })

const EDITS = ['content:create', 'content:update', 'file:upload'] as const
const feature = (icon: string) => ({ id: 1, title: 'Fast', description: 'Very', icon })

describe('the cover of an article', () => {
  test('is seen by everybody while the article is published, at the address that the post names', async () => {
    const content = pngOf(2000)
    const file = await upload.file(boss, { content })
    const article = await write({ cover: file.url })
    expect(await statusOf(outside(file))).toBe(404)

    ;(await world.as(boss).put(`/content/articles/${article.id}`, { status: 'published' })).expect(200)
    const post = await world.anyone.read(`/public/blog/${article.id}`, { 'x-tenant-code': tenant.code })
    expect(post.cover).toBe(outside(file))
    const answer = await visit(post.cover)
    expect([answer.statusCode, answer.rawPayload]).toEqual([200, content])
    expect(answer.headers).toMatchObject({
      'content-type': 'image/png',
      'cache-control': expect.stringMatching(/^public, max-age=\d+$/),
      'content-disposition': expect.stringMatching(/^inline; /),
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
      'cross-origin-resource-policy': 'cross-origin',
      'x-content-type-options': 'nosniff',
      'accept-ranges': 'bytes',
    })
    const etag = String(answer.headers.etag)
    expect((await visit(post.cover, { 'if-none-match': etag })).statusCode).toBe(304)
    const part = await visit(post.cover, { range: 'bytes=0-7' })
    expect([part.statusCode, part.rawPayload]).toEqual([206, content.subarray(0, 8)])

    ;(await world.as(boss).put(`/content/articles/${article.id}`, { status: 'draft' })).expect(200)
    expect(await statusOf(outside(file))).toBe(404)
  })

  test('may be named by either of its addresses, and ceases to be public with another cover', async () => {
    const [one, two] = [await upload.file(boss), await upload.file(boss)]
    const article = await write({ cover: outside(one), status: 'published' })
    expect(await Promise.all([statusOf(outside(one)), statusOf(outside(two))])).toEqual([200, 404])
    ;(await world.as(boss).put(`/content/articles/${article.id}`, { cover: two.url })).expect(200)
    expect(await Promise.all([statusOf(outside(one)), statusOf(outside(two))])).toEqual([404, 200])
    ;(await world.as(boss).delete(`/content/articles/${article.id}`)).expect(200)
    expect(await statusOf(outside(two))).toBe(404)
  })

  test('does not open the way inside, nor what it only resembles', async () => {
    const [named, other] = [await upload.file(boss), await upload.file(boss)]
    await write({ cover: named.url, status: 'published', content: [other.url], summary: other.url })
    await write({ cover: `${other.url}x`, status: 'published' })
    await write({ cover: `x${other.url}`, status: 'published' })
    expect((await visit(named.url)).statusCode).toBe(401)
    expect(await statusOf(outside(other))).toBe(404)
    for (const [from, to] of [
      ['/public/files/', '/public/files/0'],
      ['.png', '.pdf'],
      ['.png', ''],
      ['/public/files/', '/public/files/..%2f'],
      ['/public/files/', '/public/files//'],
    ] as const)
      expect([400, 404]).toContain(await statusOf(outside(named).replace(from, to)))
  })

  test('is of the tenant in its address: a file of another tenant is named like a missing one', async () => {
    const elsewhere = await world.givenTenant()
    const foreign = await upload.file(elsewhere.administrator)
    const missing = foreign.url.replace(`/${elsewhere.id}/`, `/${tenant.id}/`)
    const refusals = []
    for (const cover of [foreign.url, outside(foreign), missing]) {
      const answer = await world.as(boss).post('/content/articles', { title: 'x', cover, status: 'published' })
      answer.expect(404, 'NOT_FOUND')
      refusals.push({ ...answer.body, requestId: '' })
    }
    expect(new Set(refusals.map((refusal) => JSON.stringify(refusal))).size).toBe(1)
    expect(await statusOf(outside(foreign))).toBe(404)
    expect(await statusOf(outside(foreign).replace(`/${elsewhere.id}/`, '/987654321/'))).toBe(404)
    await write({ cover: '/covers/x.webp', status: 'published' })
    await write({ cover: `https://pictures.example.com${missing}` })
  })

  test.each(['articles', 'portal'])(
    'is published by nobody but its uploader and managers of files (%s)',
    async (where) => {
      const [uploader, editor, manager] = [
        await world.givenUser(tenant),
        await world.givenUser(tenant, EDITS),
        await world.givenUser(tenant, [...EDITS, 'file:manage']),
      ]
      const file = await upload.file(uploader)
      const own = await upload.file(editor)
      const name = (person: Person, { url }: { url: string }) =>
        where === 'articles'
          ? world.as(person).post('/content/articles', { title: 'x', status: 'published', cover: url })
          : world.as(person).put('/content/portal/features', [feature(url)])
      expect((await name(editor, file)).expect(403, 'PERMISSION_DENIED')).toBeDefined()
      ;(await name(editor, { url: outside(file) })).expect(403, 'PERMISSION_DENIED')
      expect(await statusOf(outside(file))).toBe(404)
      expect((await name(editor, own)).status).toBeLessThan(300)
      expect((await name(manager, file)).status).toBeLessThan(300)
      expect(await statusOf(outside(file))).toBe(200)
    },
  )

  test('that is there already stays when somebody else saves the form', async () => {
    const editor = await world.givenUser(tenant, EDITS)
    const [file, other] = [await upload.file(boss), await upload.file(boss)]
    const article = await write({ cover: file.url, status: 'published' })
    for (const cover of [file.url, outside(file)])
      (await world.as(editor).put(`/content/articles/${article.id}`, { title: 'New title', cover })).expect(200)
    ;(await world.as(editor).put(`/content/articles/${article.id}`, { cover: other.url })).expect(403)
    expect(await Promise.all([statusOf(outside(file)), statusOf(outside(other))])).toEqual([200, 404])
    const put = (person: Person, section: string, content: unknown) =>
      world.as(person).put(`/content/portal/${section}`, content)
    ;(await put(boss, 'features', [feature(other.url)])).expect(200)
    const shown = await world.anyone.get('/public/features', { 'x-tenant-code': tenant.code })
    expect([shown.expect(200)[0].icon, await statusOf(outside(other))]).toEqual([outside(other), 200])
    ;(await put(editor, 'features', [{ ...feature(outside(other)), title: 'New' }])).expect(200)
    const highlights = [{ title: 'x', description: `see ${file.url}` }]
    ;(await put(editor, 'product', { name: 'x', slogan: 'x', highlights })).expect(403)
  })

  test('is an image', async () => {
    const text = await upload.file(boss, { filename: 'salaries.txt', content: Buffer.from('all of them') })
    const { details } = (await world.as(boss).post('/content/articles', { title: 'x', cover: text.url })).expect(400)
    expect(details).toEqual([{ path: 'body.cover', message: 'must be an image' }])
    const refused = (await world.as(boss).put('/content/portal/features', [feature(text.url)])).expect(400)
    expect(refused.details).toEqual([{ path: 'body.0.icon', message: 'must be an image' }])
    expect(await statusOf(outside(text))).toBe(404)
  })

  test('is closed with its tenant', async () => {
    const file = await upload.file(boss)
    await write({ cover: file.url, status: 'published' })
    expect(await statusOf(outside(file))).toBe(200)
    ;(await world.as(world.admin).put(`/tenants/${tenant.id}`, { status: 'disabled' })).expect(200)
    await until(async () => expect(await statusOf(outside(file))).toBe(403))
  })

  test('is not deleted while an article or the portal names it, and the refusal says what does', async () => {
    const file = await upload.file(boss)
    const remove = () => world.as(boss).delete(file.url)
    const published = await write({ cover: file.url, status: 'published' })
    const draft = await write({ cover: outside(file) })
    ;(await world.as(boss).put('/content/portal/features', [feature(file.url)])).expect(200)
    const answer = await world.as(boss).delete(file.url, { 'accept-language': 'zh-CN' })
    expect(answer.expect(409, 'FILE_IN_USE').details).toEqual([
      { path: 'articles', id: published.id, message: `文章 ${published.id} 使用该文件作为封面` },
      { path: 'articles', id: draft.id, message: `文章 ${draft.id} 使用该文件作为封面` },
      { path: 'portal', section: 'features', message: '门户的 features 栏目引用了该文件' },
    ])
    expect(await statusOf(outside(file))).toBe(200)
    for (const { id } of [published, draft])
      (await world.as(boss).put(`/content/articles/${id}`, { cover: null })).expect(200)
    expect((await remove()).expect(409, 'FILE_IN_USE').details).toHaveLength(1)
    ;(await world.as(boss).put('/content/portal/features', [])).expect(200)
    ;(await remove()).expect(200)
    expect(await statusOf(outside(file))).toBe(404)
  })
})
