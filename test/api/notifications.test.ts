import { describe, expect, test } from 'vitest'
import { openWorld, type Person } from '../support/world.ts'

const world = await openWorld()
const tenant = await world.givenTenant()
const owner = await world.givenUser(tenant)

const inbox = (person: Person, query = '') => world.as(person).read(`/notifications${query}`)
const typesIn = async (person: Person) => (await inbox(person)).map(({ type }: any) => type)
const unread = (person: Person) => world.as(person).read('/notifications/unread-count')

async function givenTeam() {
  const [anna, ben] = [await world.givenUser(tenant), await world.givenUser(tenant)]
  const project = await world.givenProject(owner, { name: 'Moon' })
  await world.givenMember(owner, project, anna)
  await world.givenMember(owner, project, ben)
  return { anna, ben, project }
}

test('the language is that of each reading, in the list and in what is marked as read', async () => {
  const { anna } = await givenTeam()
  const titlesIn = async (language: string) => {
    const answer = await world.as(anna).get('/notifications', { 'accept-language': language })
    return [answer.headers['content-language'], ...answer.expect(200).map(({ title }: any) => title)]
  }
  expect(await titlesIn('en')).toEqual(['en', 'You were added to Moon'])
  expect(await titlesIn('zh-TW')).toEqual(['zh-CN', '您已加入项目 Moon'])

  const [{ id }] = await inbox(anna)
  const read = await world.as(anna).put(`/notifications/${id}/read`, undefined, { 'accept-language': 'zh-CN' })
  expect(read.expect(200)).toMatchObject({ title: '您已加入项目 Moon', read: true })
})

describe('somebody is notified', () => {
  test('of becoming a member, once', async () => {
    const { anna, project } = await givenTeam()
    ;(await world.as(owner).put(`/projects/${project.id}/members/${anna.id}`)).expect(200)

    const told = { type: 'PROJECT_MEMBER_ADDED', title: expect.stringContaining('Moon'), content: null }
    const about = { receiverId: anna.id, resourceType: 'project', resourceId: project.id }
    const unread = { id: expect.any(Number), read: false, readAt: null, createdAt: expect.stringMatching(/Z$/) }
    expect(await inbox(anna)).toEqual([{ ...told, ...about, ...unread }])
  })

  test('of being given a task, at its creation and later', async () => {
    const { anna, ben, project } = await givenTeam()
    const task = await world.givenTask(owner, project, { assigneeId: anna.id })
    ;(await world.as(owner).put(`/tasks/${task.id}`, { version: 0, assigneeId: ben.id })).expect(200)
    const sameHands = { version: 1, assigneeId: ben.id, title: 'Same hands' }
    ;(await world.as(owner).put(`/tasks/${task.id}`, sameHands)).expect(200)

    for (const person of [anna, ben]) {
      expect(await typesIn(person)).toEqual(['TASK_ASSIGNED', 'PROJECT_MEMBER_ADDED'])
      expect((await inbox(person))[0]).toMatchObject({ resourceType: 'task', resourceId: task.id })
    }
  })

  test('of a comment: the assignee and the reporter, each once, in words that are whole, however long it is', async () => {
    const { anna, ben, project } = await givenTeam()
    const task = await world.givenTask(anna, project, { title: 'Land', assigneeId: ben.id })
    const both = await world.givenTask(anna, project, { assigneeId: anna.id })
    for (const { id } of [task, both])
      await world.as(owner).create(`/tasks/${id}/comments`, { content: `${'a'.repeat(199)}🚀 and on` })

    const content = expect.stringMatching(/^a{199}[^\ufffd]*$/)
    expect(await typesIn(anna)).toEqual(['TASK_COMMENTED', 'TASK_COMMENTED', 'PROJECT_MEMBER_ADDED'])
    const told = { type: 'TASK_COMMENTED', content, resourceId: task.id, title: expect.stringContaining('Land') }
    expect((await inbox(anna))[1]).toMatchObject(told)
    expect(await typesIn(ben)).toEqual(['TASK_COMMENTED', 'TASK_ASSIGNED', 'PROJECT_MEMBER_ADDED'])
  })

  test('but not who has left the project, unless they see all of the tenant', async () => {
    const { anna, ben, project } = await givenTeam()
    const [byAnna, byAdministrator] = [
      await world.givenTask(anna, project, { assigneeId: ben.id }),
      await world.givenTask(tenant.administrator, project),
    ]
    for (const [version, status] of ['IN_PROGRESS', 'DONE'].entries())
      (await world.as(ben).put(`/tasks/${byAnna.id}`, { version, status })).expect(200)
    for (const { id } of [anna, ben])
      (await world.as(owner).delete(`/projects/${project.id}/members/${id}`)).expect(200)

    for (const { id } of [byAnna, byAdministrator])
      await world.as(owner).create(`/tasks/${id}/comments`, { content: 'Between us' })

    const told = { content: 'Between us', resourceId: byAdministrator.id }
    expect((await inbox(tenant.administrator))[0]).toMatchObject(told)
    for (const person of [anna, ben]) expect(await typesIn(person)).not.toContain('TASK_COMMENTED')
  })
})

test('nobody is notified of what they did themselves', async () => {
  const { project } = await givenTeam()
  const before = await inbox(owner)
  const task = await world.givenTask(owner, project, { assigneeId: owner.id })
  await world.as(owner).create(`/tasks/${task.id}/comments`, { content: 'Note to self' })
  ;(await world.as(owner).put(`/tasks/${task.id}`, { version: 0, assigneeId: null })).expect(200)
  ;(await world.as(owner).put(`/tasks/${task.id}`, { version: 1, assigneeId: owner.id })).expect(200)
  expect(await inbox(owner)).toEqual(before)
})

describe('the inbox', () => {
  test('counts what is unread, and filters by it', async () => {
    const { anna, project } = await givenTeam()
    await world.givenTask(owner, project, { assigneeId: anna.id })
    expect(await unread(anna)).toEqual({ count: 2 })
    const [latest, first] = await inbox(anna)

    const read = (await world.as(anna).put(`/notifications/${first.id}/read`)).expect(200)

    expect(read).toEqual({ ...first, read: true, readAt: expect.stringMatching(/Z$/) })
    expect(await unread(anna)).toEqual({ count: 1 })
    expect(await inbox(anna, '?read=true')).toEqual([read])
    expect(await inbox(anna, '?read=false')).toEqual([latest])
    // The time of the first reading stays.
    expect((await world.as(anna).put(`/notifications/${first.id}/read`)).expect(200)).toEqual(read)
    ;(await world.as(anna).put('/notifications/read-all')).expect(200)
    expect(await inbox(anna, `?before=${latest.id}`)).toEqual([read])
  })

  test('is read as a whole, and only one’s own', async () => {
    const { anna, ben } = await givenTeam()
    expect((await world.as(anna).put('/notifications/read-all')).expect(200)).toBeNull()
    expect(await unread(anna)).toEqual({ count: 0 })
    expect(await unread(ben)).toEqual({ count: 1 })
  })
})
