import { beforeEach, describe, expect, test } from 'vitest'
import { EVENTS } from '../support/event-rows.ts'
import { tablesWith } from '../support/rows-with.ts'
import { openWorldWithTenant } from '../support/world-with-tenant.ts'

const { world, tenant, boss } = await openWorldWithTenant()
const [owner, author, other, stranger] = await Promise.all([1, 2, 3, 4].map(() => world.givenUser(tenant)))
const managers = await world.givenRole(tenant, ['project:list', 'project:manage'])
const [manager, outsideManager] = await Promise.all([1, 2].map(() => world.givenUser(tenant, managers)))
let project: { id: number; version: number }
let task: { id: number }
let comment: { id: number }
beforeEach(async () => {
  project = await world.givenProject(owner!)
  for (const person of [author, other, manager]) await world.givenMember(owner!, project, person!)
  task = await world.givenTask(other!, project, { title: 'Land' })
  comment = await say('Going up')
})

type Who = typeof boss
const path = () => `/tasks/${task.id}/comments/${comment.id}`
const say = (content: string, who: Who = author!) => world.as(who).create(`/tasks/${task.id}/comments`, { content })
const edit = (content: unknown, who: Who = author!) => world.as(who).put(path(), { content })
const remove = (who: Who = author!) => world.as(who).delete(path())
const listed = () => world.as(owner!).read(`/tasks/${task.id}/comments`)
const history = () =>
  world.as(owner!).list(`/tasks/${task.id}/activities`, 'action', 'fieldName', 'oldValue', 'newValue', 'actorId')
const events = (of = 'task.comment%') =>
  world.look.rows(
    `select type, subject_id::int, data from ${EVENTS}
      where tenant_id = $1 and type like $2 and type <> 'task.commented' and (data ->> 'commentId')::bigint = $3 order by occurred_at`,
    [tenant.id, of, comment.id],
  )
const inbox = async (who: Who) =>
  (await world.as(who).read('/notifications')).filter(
    ({ resourceType, resourceId }: any) => resourceType === 'task' && resourceId === task.id,
  )

describe('a comment on a task', () => {
  test('is changed by its author, and its history and its event say so without the text', async () => {
    const before = await world.as(owner!).read(`/tasks/${task.id}`)

    const edited = (await edit('  Going down ')).expect(200)

    expect(edited).toEqual({ ...comment, content: 'Going down', editedAt: expect.stringMatching(/Z$/) })
    expect(await listed()).toEqual([edited])
    expect(await world.as(owner!).read(`/tasks/${task.id}`)).toEqual(before)
    expect((await history())[0]).toEqual(['COMMENT_EDITED', null, null, String(comment.id), author!.id])
    const data = { projectId: project.id, commentId: comment.id }
    expect(await events()).toEqual([{ type: 'task.comment_edited', subject_id: task.id, data }])
  })

  test('stays as it is where the text is the same, and takes no other than a new one', async () => {
    expect((await edit(' Going up')).expect(200)).toEqual(comment)
    for (const content of ['', ' \n', 'x'.repeat(2001), null, undefined])
      (await edit(content)).expect(400, 'VALIDATION_FAILED')
    expect(await listed()).toEqual([comment])
    expect([(await history())[0]![0], await events()]).toEqual(['COMMENT_ADDED', []])
  })

  test('is deleted once: it stays in the list without its text, which is nowhere any more', async () => {
    await say('An answer', other)
    ;(await edit('Text-that-goes')).expect(200)
    expect(await tablesWith(world.look, 'Text-that-goes')).toContain('notifications')

    expect((await remove()).expect(200)).toBeNull()

    const [deleted, ...others] = await listed()
    const rest = { editedAt: expect.stringMatching(/Z$/), deletedAt: expect.stringMatching(/Z$/) }
    expect(deleted).toEqual({ ...comment, content: '', ...rest })
    expect(others).toHaveLength(1)
    for (const answer of [await remove(), await edit('Again'), await remove(owner)]) answer.expect(404, 'NOT_FOUND')
    expect(await tablesWith(world.look, 'Text-that-goes')).toEqual([])
    expect((await history())[0]).toEqual(['COMMENT_DELETED', null, null, String(comment.id), author!.id])
    expect((await events()).map(({ type }: any) => type)).toEqual(['task.comment_edited', 'task.comment_deleted'])
  })

  test('is quoted by notifications as it is now, also by those that are not delivered yet', async () => {
    const quoted = async () => (await inbox(other!)).map(({ content }: any) => content)
    await say('Going up')
    ;(await edit(`${'🎉'.repeat(200)} and on`)).expect(200)
    expect(await quoted()).toEqual(['Going up', '🎉'.repeat(200)])

    const waiting = `insert into outbox (tenant_id, type, title, content, resource_type, resource_id, receivers, created_at, facts)
      select tenant_id, type, title, content, resource_type, resource_id, array[receiver_id], created_at, facts
        from notifications where tenant_id = $1 and resource_id = $2 and content <> 'Going up'`
    await world.look.rows(waiting, [tenant.id, task.id])
    ;(await remove()).expect(200)
    expect(await quoted()).toEqual(expect.arrayContaining(['Going up', null]))
    expect(await tablesWith(world.look, '🎉')).toEqual([])
  })

  const people = {
    'its author': () => author!,
    'the owner of the project': () => owner!,
    'a member who manages all projects': () => manager!,
    'an administrator': () => boss,
    'another member': () => other!,
    'a manager who is no member': () => outsideManager!,
    'a stranger': () => stranger!,
  }
  const states = {
    'an open task': async () => {},
    'a finished task': async () => {
      ;(await world.as(owner!).put(`/tasks/${task.id}`, { version: 0, status: 'CANCELLED' })).expect(200)
    },
    'an archived project': async () => {
      ;(await world.as(owner!).put(`/projects/${project.id}/archive?version=0`)).expect(200)
    },
  }
  const table: [keyof typeof people, edit: number, remove: number][] = [
    ['its author', 200, 200],
    ['the owner of the project', 403, 200],
    ['a member who manages all projects', 403, 200],
    ['an administrator', 403, 200],
    ['another member', 403, 403],
    ['a manager who is no member', 404, 404],
    ['a stranger', 404, 404],
  ]
  test.each(
    table.flatMap((row) => (Object.keys(states) as (keyof typeof states)[]).map((state) => [state, ...row] as const)),
  )('in %s answers %s: edit %i, delete %i', async (state, who, editing, removing) => {
    await states[state]()
    const person = people[who]()
    const types: Record<number, string> = { 403: 'NOT_AUTHOR', 404: 'NOT_FOUND' }
    ;(await edit('Changed', person)).expect(editing, types[editing])
    ;(await remove(person)).expect(removing, types[removing])
    const [now] = await listed()
    expect(now.content).toBe(removing === 200 ? '' : editing === 200 ? 'Changed' : 'Going up')
  })

  test('is not there under another task, and not for an author who has left the project', async () => {
    const elsewhere = await world.givenTask(owner!, project)
    const there = `/tasks/${elsewhere.id}/comments/${comment.id}`
    ;(await world.as(author!).put(there, { content: 'x' })).expect(404, 'NOT_FOUND')
    ;(await world.as(author!).delete(there)).expect(404, 'NOT_FOUND')
    ;(await world.as(owner!).delete(`/projects/${project.id}/members/${author!.id}`)).expect(200)
    for (const answer of [await edit('x'), await remove()]) answer.expect(404, 'NOT_FOUND')
    expect(await listed()).toEqual([comment])
  })

  test('that the first tenant’s administrator deletes in another tenant is deleted', async () => {
    const inside = { 'x-tenant-code': tenant.code }
    ;(
      await world.as(world.admin).send({
        method: 'PUT',
        url: `/api/v1${path()}`,
        headers: { ...inside, 'content-type': 'application/json' },
        payload: '{"content":"x"}',
      })
    ).expect(403, 'NOT_AUTHOR')
    ;(await world.as(world.admin).delete(path(), inside)).expect(200)
    expect((await listed())[0].content).toBe('')
  })
})
