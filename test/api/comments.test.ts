import { beforeEach, describe, expect, test, vi } from 'vitest'
import { EVENTS } from '../support/event-rows.ts'
import { tablesWith } from '../support/rows-with.ts'
import { openWorldWithTenant } from '../support/world-with-tenant.ts'

let article: { id: number }
const { world, tenant, boss } = await openWorldWithTenant()
const reader = await world.givenUser(tenant)
beforeEach(async () => {
  article = await world.as(boss).create('/content/articles', { title: 'A post', status: 'published' })
})

const say = (content: unknown, person = reader, id = article.id) =>
  world.as(person).post(`/blog/${id}/comments`, { content })
const inside = { 'x-tenant-code': tenant.code }
const ask = (query: string) => world.anyone.get(`/public/blog/${article.id}/comments${query}`, inside)
const heard = async (query = '') => {
  const answer = await ask(query)
  return { ...answer, texts: answer.expect(200).map(({ content }: any) => content) }
}

describe('a comment', () => {
  test('by anyone signed in is public immediately, newest first', async () => {
    const first = (await say('  Well said,\n<b>indeed</b> ')).expect(201)
    expect(first).toEqual({
      id: expect.any(Number),
      articleId: article.id,
      username: reader.username,
      content: 'Well said,\n<b>indeed</b>',
      createdAt: expect.stringMatching(/Z$/),
      editedAt: null,
    })
    ;(await say('同意 🎉', boss)).expect(201)
    const { data, texts } = await heard()
    expect(texts).toEqual(['同意 🎉', 'Well said,\n<b>indeed</b>'])
    expect(data[1]).toEqual(first)
  })

  test('has something to say, within a thousand characters', async () => {
    for (const content of ['', ' \n', 'x'.repeat(1001), null, undefined])
      (await say(content)).expect(400, 'VALIDATION_FAILED')
    ;(await say('x'.repeat(1000))).expect(201)
  })

  test('needs a post that is published in the tenant of who says it', async () => {
    const draft = await world.as(boss).create('/content/articles', { title: 'Draft' })
    const stranger = await world.givenUser(await world.givenTenant())
    for (const answer of [
      await say('Hi', reader, draft.id),
      await say('Hi', boss, draft.id),
      await say('Hi', stranger),
      await say('Hi', reader, 999_999_999),
      await world.as(stranger).post(`/blog/${article.id}/comments`, { content: 'Hi' }, inside),
    ])
      answer.expect(404, 'NOT_FOUND')
    const fromOutside = await world.as(world.admin).post(`/blog/${article.id}/comments`, { content: 'Hi' }, inside)
    fromOutside.expect(409, 'NOT_IN_TENANT')
    expect((await heard()).texts).toEqual([])
  })

  test('goes with its post', async () => {
    ;(await say('Hi')).expect(201)
    ;(await world.as(boss).delete(`/content/articles/${article.id}`)).expect(200)
    expect(await world.look.count('select count(*) from comments where article_id = $1', [article.id])).toBe(0)
  })
})

test('an editor hides a comment, finds those that are hidden, and shows them again', async () => {
  const [shown, hidden] = [(await say('Fine')).expect(201), (await say('Buy now')).expect(201)]
  const set = (status: unknown) => world.as(boss).put(`/content/comments/${hidden.id}`, { status })
  const list = (query = '') => world.as(boss).read(`/content/comments${query}`)
  for (const _ of ['once', 'again'])
    expect((await set('hidden')).expect(200)).toEqual({ ...hidden, status: 'hidden', deletedAt: null })

  expect((await heard()).texts).toEqual(['Fine'])
  expect(await list(`?articleId=${article.id}`)).toEqual([
    { ...hidden, status: 'hidden', deletedAt: null },
    { ...shown, status: 'published', deletedAt: null },
  ])
  expect(await list('?status=hidden&pageSize=1')).toEqual([{ ...hidden, status: 'hidden', deletedAt: null }])
  expect(await list('?articleId=987654321')).toEqual([])

  ;(await set('published')).expect(200)
  expect((await heard()).texts).toEqual(['Buy now', 'Fine'])
  for (const status of ['deleted', undefined]) (await set(status)).expect(400, 'VALIDATION_FAILED')
})

describe('a comment that its author', () => {
  const path = (comment: { id: number }, of = article) => `/blog/${of.id}/comments/${comment.id}`
  const edit = (comment: { id: number }, content: unknown, person = reader) =>
    world.as(person).put(path(comment), { content })
  const remove = (comment: { id: number }, person = reader) => world.as(person).delete(path(comment))
  const moderated = () => world.as(boss).read(`/content/comments?articleId=${article.id}`)
  const events = async (comment: { id: number }) =>
    (
      await world.look.rows<{ type: string; data: object }>(
        `select type, data from ${EVENTS}
          where tenant_id = $1 and subject_type = 'comment' and subject_id = $2 order by occurred_at`,
        [tenant.id, comment.id],
      )
    ).map(({ type, data }) => [type, data])

  test('edits is read as it is now, and stays hidden where an editor has hidden it', async () => {
    const comment = (await say('Well sad')).expect(201)
    expect((await heard()).texts).toEqual(['Well sad'])

    const edited = (await edit(comment, ' Well said ')).expect(200)

    expect(edited).toEqual({ ...comment, content: 'Well said', editedAt: expect.stringMatching(/Z$/) })
    expect((await heard()).data).toEqual([edited])
    expect((await edit(comment, 'Well said')).expect(200)).toEqual(edited)
    ;(await world.as(boss).put(`/content/comments/${comment.id}`, { status: 'hidden' })).expect(200)
    ;(await edit(comment, 'Said well')).expect(200)
    expect((await heard()).texts).toEqual([])
    const articleId = article.id
    expect(await events(comment)).toEqual([
      ['comment.created', { articleId }],
      ['comment.edited', { articleId }],
      ['comment.moderated', { articleId, status: 'hidden' }],
      ['comment.edited', { articleId }],
    ])
    for (const content of ['', 'x'.repeat(1001), null]) (await edit(comment, content)).expect(400, 'VALIDATION_FAILED')
  })

  test('deletes leaves the public list, keeps its place without a text for editors, and is shown by nobody', async () => {
    const [comment, other] = [(await say('Text-that-goes')).expect(201), (await say('Stays')).expect(201)]
    expect((await heard()).texts).toEqual(['Stays', 'Text-that-goes'])

    expect((await remove(comment)).expect(200)).toBeNull()

    expect((await heard('?page=1')).texts).toEqual(['Stays'])
    expect((await heard('?page=1')).headers['x-total-count']).toBe('1')
    const deletedAt = expect.stringMatching(/Z$/)
    expect(await moderated()).toEqual([
      { ...other, status: 'published', deletedAt: null },
      { ...comment, content: '', status: 'hidden', deletedAt },
    ])
    expect(await tablesWith(world.look, 'Text-that-goes')).toEqual([])
    const show = () => world.as(boss).put(`/content/comments/${comment.id}`, { status: 'published' })
    for (const answer of [await remove(comment), await remove(comment, boss), await edit(comment, 'x'), await show()])
      answer.expect(404, 'NOT_FOUND')
    expect((await events(comment)).at(-1)).toEqual(['comment.deleted', { articleId: article.id }])
  })

  test('wrote is changed by nobody else, and deleted by editors, also when its article is withdrawn', async () => {
    const somebody = await world.givenUser(tenant)
    const comment = (await say('Mine')).expect(201)
    for (const person of [boss, somebody]) (await edit(comment, 'Yours', person)).expect(403, 'NOT_AUTHOR')
    ;(await remove(comment, somebody)).expect(403, 'NOT_AUTHOR')
    const another = await world.as(boss).create('/content/articles', { title: 'B', status: 'published' })
    ;(await world.as(reader).delete(path(comment, another))).expect(404, 'NOT_FOUND')
    const stranger = await world.givenUser(await world.givenTenant())
    for (const answer of [await edit(comment, 'x', stranger), await remove(comment, stranger)])
      answer.expect(404, 'NOT_FOUND')

    ;(await world.as(boss).put(`/content/articles/${article.id}`, { status: 'draft' })).expect(200)
    for (const answer of [await edit(comment, 'x'), await remove(comment), await remove(comment, somebody)])
      answer.expect(404, 'NOT_FOUND')
    ;(await remove(comment, boss)).expect(200)
    expect((await moderated())[0]).toMatchObject({ content: '', deletedAt: expect.any(String) })
  })
})

test('a long list is read by windows, and its links carry nothing of others', async () => {
  for (let n = 1; n <= 5; n++) (await say(`${n}`)).expect(201)
  const page = await heard('?pageSize=2')
  expect([page.texts, page.headers['x-total-count']]).toEqual([['5', '4'], '5'])
  const { id: last } = page.data.at(-1)
  expect(page.headers.link).toBe(`</api/v1/public/blog/${article.id}/comments?pageSize=2&before=${last}>; rel="next"`)
  expect((await heard('?pageSize=2&page=3')).texts).toEqual(['1'])
  expect((await heard(`?before=${page.data[1].id}&pageSize=2`)).texts).toEqual(['3', '2'])
  const [plain, junk] = [await heard('?pageSize=2&utm=a'), await heard('?pageSize=2')]
  expect(plain.headers.link).toContain('utm=a')
  expect(junk.headers.link).not.toContain('utm')
  for (const query of ['?page=0', '?pageSize=1001', '?before=x']) (await ask(query)).expect(400)
})

test('pages in endlessly many places are not kept ready, only the first one is', async () => {
  const send = vi.spyOn(world.database, 'send')
  const readsComments = () =>
    send.mock.calls.some(([, calls]) => calls.some(({ prepared }) => prepared.text.includes('from "comments"')))
  const made: Record<string, boolean> = {}
  for (const query of ['', '?after=1', '?before=99', '?page=1']) {
    ;(await ask(query)).expect(200)
    send.mockClear()
    ;(await ask(query)).expect(200)
    made[query] = readsComments()
  }
  send.mockRestore()
  expect(made).toEqual({ '': false, '?after=1': true, '?before=99': true, '?page=1': true })
})
