import { expect, test } from 'vitest'
import { openWorld } from '../support/world.ts'

/** The conversation below a task. */
const world = await openWorld()
const tenant = await world.givenTenant()
const owner = await world.givenUser(tenant)
const member = await world.givenUser(tenant)
const project: any = await world.givenProject(owner)
await world.givenMember(owner, project, member)

const create = (draft: object) => world.as(owner).post(`/projects/${project.id}/tasks`, { title: 'Land', ...draft })
const put = (task: { id: number }, patch: object) => world.as(owner).put(`/tasks/${task.id}`, patch)
const read = async (task: { id: number }) => (await world.as(owner).get(`/tasks/${task.id}`)).expect(200)
const history = async (task: { id: number }) =>
  (await world.as(owner).get(`/tasks/${task.id}/activities`))
    .expect(200)
    .map(({ action, fieldName, oldValue, newValue }: any) => [action, fieldName, oldValue, newValue])

const comment = (task: { id: number }, content: unknown, person = member) =>
  world.as(person).post(`/tasks/${task.id}/comments`, { content })
const commentsOf = async (task: { id: number }, query = '') =>
  await world.as(owner).get(`/tasks/${task.id}/comments${query}`)

test('comments carry the name of their author, and leave a line of history but no new version', async () => {
  const task = (await create({})).expect(201)

  const first = (await comment(task, '  Well done  ')).expect(201)

  expect(first).toEqual({
    id: expect.any(Number),
    taskId: task.id,
    authorId: member.id,
    authorName: expect.stringMatching(/^Person/),
    authorAvatarUrl: null,
    content: 'Well done',
    createdAt: expect.stringMatching(/Z$/),
  })
  expect((await commentsOf(task)).expect(200)).toEqual([first])
  expect(await history(task)).toEqual([
    ['COMMENT_ADDED', null, null, String(first.id)],
    ['TASK_CREATED', null, null, 'Land'],
  ])
  expect(await read(task)).toEqual(task)
})

test('comments are read oldest first; before= gives the last ones before an id, still ascending', async () => {
  const task = (await create({})).expect(201)
  const ids: number[] = []
  for (let at = 0; at < 7; at++) ids.push((await comment(task, `Comment ${at}`)).expect(201).id)
  const idsOf = (answer: any) => answer.expect(200).map(({ id }: any) => id)

  expect(idsOf(await commentsOf(task))).toEqual(ids)
  expect(idsOf(await commentsOf(task, '?page=2&pageSize=3'))).toEqual(ids.slice(3, 6))
  const last = await commentsOf(task, `?before=${ids[6]! + 1}&pageSize=3`)
  expect(idsOf(last)).toEqual(ids.slice(4))
  const older = await world.as(owner).send({ method: 'GET', url: nextOf(last) })
  expect(idsOf(older)).toEqual(ids.slice(1, 4))
  const oldest = await world.as(owner).send({ method: 'GET', url: nextOf(older) })
  expect(idsOf(oldest)).toEqual(ids.slice(0, 1))
  expect(oldest.headers.link).toBeUndefined()
})

test('comments may be added to what is finished', async () => {
  const task = (await create({})).expect(201)
  ;(await put(task, { version: 0, status: 'CANCELLED' })).expect(200)
  ;(await comment(task, 'A pity')).expect(201)
})

test('comments keep any text as it was written, in NFC', async () => {
  const task = (await create({})).expect(201)
  const texts = [
    '<script>alert(1)</script>',
    "'; drop table tasks; --",
    '日本語 ✨ 👩‍👩‍👧',
    'e\u0301 is not \u00e9',
    '\u202eright to left',
    'a\nb\tc',
    '%_\\',
    '"quoted\\"',
    'z̸͔a̷l̴g̶o̵',
    'a\u200b',
    'null',
    'a\ufeffb',
  ]
  for (const text of texts) expect((await comment(task, text)).expect(201).content).toBe(text.normalize('NFC'))
  expect((await commentsOf(task)).expect(200).map(({ content }: any) => content)).toEqual(
    texts.map((text) => text.normalize('NFC')),
  )
})

test.each([
  [''],
  ['   '],
  ['x'.repeat(2001)],
  [null],
  [7],
  [['x']],
  [undefined],
  ['\u200b'],
  ['nul\u0000'],
  ['\ud800'],
])('a comment cannot be %j', async (content) => {
  const task = (await create({})).expect(201)
  ;(await comment(task, content)).expect(400, 'VALIDATION_FAILED')
  expect((await commentsOf(task)).expect(200)).toEqual([])
})

function nextOf(answer: { headers: Record<string, unknown> }): string {
  return /^<([^>]+)>; rel="next"$/.exec(String(answer.headers.link))![1]!
}
