import { describe, expect, test } from 'vitest'
import { commentFields } from '../../src/domains/tasks/ports/comment-fields.ts'
import { openWorldWithTenant } from '../support/world-with-tenant.ts'

const { world, tenant } = await openWorldWithTenant()
const owner = await world.givenUser(tenant)
const member = await world.givenUser(tenant)
const project = await world.givenProject(owner)
await world.givenMember(owner, project, member)

const create = (draft: object, person = owner) =>
  world.as(person).post(`/projects/${project.id}/tasks`, { title: 'Land', ...draft })
const put = (task: { id: number }, patch: object, person = owner) => world.as(person).put(`/tasks/${task.id}`, patch)
const read = (task: { id: number }) => world.as(owner).read(`/tasks/${task.id}`)
const history = (task: { id: number }) =>
  world.as(owner).list(`/tasks/${task.id}/activities`, 'action', 'fieldName', 'oldValue', 'newValue')

test('a task is created, given to somebody, worked on and over in the end, and its history says so', async () => {
  const task = (await create({ title: 'Land', priority: 'HIGH' })).expect(201)
  ;(await put(task, { version: 0, assigneeId: member.id })).expect(200)
  ;(await put(task, { version: 1, status: 'IN_PROGRESS' }, member)).expect(200)
  await world.as(member).create(`/tasks/${task.id}/comments`, { content: 'Going down' })
  ;(await put(task, { version: 2, status: 'BLOCKED' }, member)).expect(200)
  ;(await put(task, { version: 3, status: 'DONE' }, member)).expect(409, 'ILLEGAL_TRANSITION')
  ;(await put(task, { version: 3, status: 'CANCELLED', title: 'Land softly' }, member)).expect(200)
  ;(await put(task, { version: 4, status: 'CANCELLED' }, member)).expect(409, 'TASK_FINISHED')
  await world.as(member).create(`/tasks/${task.id}/comments`, { content: 'A pity' })

  const over = { title: 'Land softly', status: 'CANCELLED', assigneeId: member.id, version: 4 }
  expect(await read(task)).toMatchObject(over)
  expect((await history(task)).reverse()).toEqual([
    ['TASK_CREATED', null, null, 'Land'],
    ['TASK_ASSIGNED', 'assigneeId', null, String(member.id)],
    ['STATUS_CHANGED', 'status', 'TODO', 'IN_PROGRESS'],
    ['COMMENT_ADDED', null, null, expect.stringMatching(/^\d+$/)],
    ['STATUS_CHANGED', 'status', 'IN_PROGRESS', 'BLOCKED'],
    ['FIELD_CHANGED', 'title', 'Land', 'Land softly'],
    ['STATUS_CHANGED', 'status', 'BLOCKED', 'CANCELLED'],
    ['COMMENT_ADDED', null, null, expect.stringMatching(/^\d+$/)],
  ])
})

/** How a task changes is in `model.test.ts` and `test/unit/tasks.rules.test.ts`. */
describe('a new task', () => {
  test('is to do, of medium priority, for nobody, and reported by its creator', async () => {
    const answer = await create({}, member)

    const task = answer.expect(201)
    const nothing = { description: null, assigneeId: null, assigneeName: null, dueDate: null }
    const reporter = { reporterId: member.id, reporterName: expect.stringMatching(/^Person \d+$/) }
    const state = { projectId: project.id, title: 'Land', priority: 'MEDIUM', status: 'TODO', version: 0 }
    const made = { id: expect.any(Number), createdAt: expect.stringMatching(/Z$/), updatedAt: task.createdAt }
    expect(task).toEqual({ ...nothing, ...reporter, ...state, ...made })
    expect(answer.headers.location).toBe(`/api/v1/tasks/${task.id}`)
    expect(await read(task)).toEqual(task)
    expect(await history(task)).toEqual([['TASK_CREATED', null, null, 'Land']])
  })

  test('takes neither status, version nor reporter', async () => {
    const wishes = { status: 'DONE', version: 9, reporterId: 1, projectId: 1, id: 1, createdAt: '2001-01-01T00:00:00Z' }
    const own = { status: 'TODO', version: 0, reporterId: owner.id, projectId: project.id }
    expect((await create(wishes)).expect(201)).toMatchObject(own)
  })

  test('is given to nobody who may not read it', async () => {
    const member = await world.givenUser(tenant, ['department:list'])
    await world.givenMember(owner, project, member)
    ;(await create({ assigneeId: member.id })).expect(400, 'ASSIGNEE_NOT_MEMBER')
    const task = await world.givenTask(owner, project)
    const given = { version: 0, assigneeId: member.id }
    ;(await world.as(owner).put(`/tasks/${task.id}`, given)).expect(400, 'ASSIGNEE_NOT_MEMBER')
  })

  test('can be made in a project that was changed before the clock of the database was set back', async () => {
    const changed = await world.givenProject(owner)
    await world.look.rows(`update projects set updated_at = now() + interval '1 hour' where id = $1`, [changed.id])
    await world.as(owner).create(`/projects/${changed.id}/tasks`, { title: 'x' })
  })
})

const comment = (task: { id: number }, content: unknown, person = member) =>
  world.as(person).post(`/tasks/${task.id}/comments`, { content })
const commentsOf = (task: { id: number }) => world.as(owner).read(`/tasks/${task.id}/comments`)

test('comments carry the name of their author, and leave a line of history but no new version', async () => {
  const task = (await create({})).expect(201)

  const first = (await comment(task, '  Well done  ')).expect(201)

  const author = { authorId: member.id, authorName: expect.stringMatching(/^Person/), authorAvatarUrl: null }
  const written = { id: expect.any(Number), taskId: task.id, content: 'Well done', editedAt: null, deletedAt: null }
  const more = Object.fromEntries(commentFields.all().map(({ name }) => [name, expect.anything()]))
  expect(first).toEqual({ ...author, ...written, ...more, createdAt: expect.stringMatching(/Z$/) })
  expect(await commentsOf(task)).toEqual([first])
  expect(await history(task)).toEqual([
    ['COMMENT_ADDED', null, null, String(first.id)],
    ['TASK_CREATED', null, null, 'Land'],
  ])
  expect(await read(task)).toEqual(task)
})

test('comments keep any text as it was written, in NFC', async () => {
  const task = (await create({})).expect(201)
  const texts = [
    ...[
      '<script>alert(1)</script>',
      "'; drop table tasks; --",
      '日本語 ✨ 👩‍👩‍👧',
      'e\u0301 is not \u00e9',
      '%_\\',
      'null',
    ],
    ...['\u202eright to left', 'a\nb\tc', '"quoted\\"', 'z̸͔a̷l̴g̶o̵', 'a\u200b', 'a\ufeffb'],
  ]
  for (const text of texts) expect((await comment(task, text)).expect(201).content).toBe(text.normalize('NFC'))
  const kept = (await commentsOf(task)).map(({ content }: any) => content)
  expect(kept).toEqual(texts.map((text) => text.normalize('NFC')))
})

test('a comment is a text in which something can be seen', async () => {
  const task = (await create({})).expect(201)
  for (const content of ['', '   ', 'x'.repeat(2001), null, 7, ['x'], undefined, '\u200b', 'nul\u0000', '\ud800'])
    (await comment(task, content)).expect(400, 'VALIDATION_FAILED')
  expect(await commentsOf(task)).toEqual([])
})
