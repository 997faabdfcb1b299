import { describe, expect, test } from 'vitest'
import { deliverNotifications } from '../../src/data/outbox/outbox.ts'
import { outboxWorker } from '../../src/data/outbox/outbox-worker.ts'
import { startJob } from '../support/jobs.ts'
import { until } from '../support/patience.ts'
import { openWorld, type Person } from '../support/world.ts'

const world = await openWorld()
const tenant = await world.givenTenant()
const owner = await world.givenUser(tenant)

const inbox = async (person: Person, query = '') => (await world.as(person).get(`/notifications${query}`)).expect(200)
const typesIn = async (person: Person) => (await inbox(person)).map(({ type }: any) => type)
const unread = async (person: Person) => (await world.as(person).get('/notifications/unread-count')).expect(200)

async function givenTeam() {
  const [anna, ben] = [await world.givenUser(tenant), await world.givenUser(tenant)]
  const project = await world.givenProject(owner, { name: 'Moon' })
  await world.givenMember(owner, project, anna)
  await world.givenMember(owner, project, ben)
  return { anna, ben, project }
}

describe('the language of the reader', () => {
  const titlesIn = async (person: Person, language: string) => {
    const answer = await world.as(person).get('/notifications', { 'accept-language': language })
    return [answer.headers['content-language'], ...answer.expect(200).map(({ title }: any) => title)]
  }

  test('is that of each reading, in the list and in what is marked as read', async () => {
    const { anna } = await givenTeam()

    expect(await titlesIn(anna, 'en')).toEqual(['en', 'You were added to Moon'])
    expect(await titlesIn(anna, 'zh-TW')).toEqual(['zh-CN', '您已加入项目 Moon'])

    const [{ id }] = await inbox(anna)
    const read = await world.as(anna).put(`/notifications/${id}/read`, undefined, { 'accept-language': 'zh-CN' })
    expect(read.expect(200)).toMatchObject({ title: '您已加入项目 Moon', read: true })
  })

  test('is that of the title where the row is older than facts', async () => {
    const { anna } = await givenTeam()
    await world.look.rows(
      `insert into outbox (tenant_id, type, title, receivers) values ($1, 'PROJECT_MEMBER_ADDED', 'Older than facts', $2)`,
      [tenant.id, [anna.id]],
    )
    while (await deliverNotifications(world.database, tenant.id));

    expect(await titlesIn(anna, 'zh-CN')).toEqual(['zh-CN', 'Older than facts', '您已加入项目 Moon'])
  })
})

describe('somebody is notified', () => {
  test('of becoming a member, once', async () => {
    const { anna, project } = await givenTeam()
    ;(await world.as(owner).put(`/projects/${project.id}/members/${anna.id}`)).expect(200)

    expect(await inbox(anna)).toEqual([
      {
        id: expect.any(Number),
        type: 'PROJECT_MEMBER_ADDED',
        title: expect.stringContaining('Moon'),
        content: null,
        receiverId: anna.id,
        read: false,
        readAt: null,
        resourceType: 'project',
        resourceId: project.id,
        createdAt: expect.stringMatching(/Z$/),
      },
    ])
  })

  test('of being given a task, at its creation and later', async () => {
    const { anna, ben, project } = await givenTeam()
    const task = await world.givenTask(owner, project, { assigneeId: anna.id })
    ;(await world.as(owner).put(`/tasks/${task.id}`, { version: 0, assigneeId: ben.id })).expect(200)
    ;(await world.as(owner).put(`/tasks/${task.id}`, { version: 1, assigneeId: ben.id, title: 'Same hands' })).expect(
      200,
    )

    for (const person of [anna, ben]) {
      expect(await typesIn(person)).toEqual(['TASK_ASSIGNED', 'PROJECT_MEMBER_ADDED'])
      expect((await inbox(person))[0]).toMatchObject({ resourceType: 'task', resourceId: task.id })
    }
  })

  test('of a comment: the assignee and the reporter, each once', async () => {
    const { anna, ben, project } = await givenTeam()
    const task = await world.givenTask(anna, project, { title: 'Land', assigneeId: ben.id })
    ;(await world.as(owner).post(`/tasks/${task.id}/comments`, { content: 'When?' })).expect(201)

    expect((await inbox(anna))[0]).toMatchObject({
      type: 'TASK_COMMENTED',
      title: expect.stringContaining('Land'),
      content: 'When?',
      resourceId: task.id,
    })
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
      (await world.as(owner).post(`/tasks/${id}/comments`, { content: 'Between us' })).expect(201)

    expect((await inbox(tenant.administrator))[0]).toMatchObject({
      content: 'Between us',
      resourceId: byAdministrator.id,
    })
    for (const person of [anna, ben]) expect(await typesIn(person)).not.toContain('TASK_COMMENTED')
  })

  test('once where they are both', async () => {
    const { anna, project } = await givenTeam()
    const task = await world.givenTask(anna, project, { assigneeId: anna.id })
    ;(await world.as(owner).post(`/tasks/${task.id}/comments`, { content: 'x' })).expect(201)
    expect((await typesIn(anna)).filter((type: string) => type === 'TASK_COMMENTED')).toHaveLength(1)
  })

  test('in words that are whole, however long the comment', async () => {
    const { anna, project } = await givenTeam()
    const task = await world.givenTask(anna, project)
    ;(await world.as(owner).post(`/tasks/${task.id}/comments`, { content: `${'a'.repeat(199)}🚀 and on` })).expect(201)
    const [{ content }] = await inbox(anna)
    expect(content).toMatch(/^a{199}/)
    expect(content).not.toContain('\ufffd')
  })
})

describe('nobody is notified', () => {
  test('of what they did themselves', async () => {
    const { project } = await givenTeam()
    const before = await inbox(owner)
    const task = await world.givenTask(owner, project, { assigneeId: owner.id })
    ;(await world.as(owner).post(`/tasks/${task.id}/comments`, { content: 'Note to self' })).expect(201)
    ;(await world.as(owner).put(`/tasks/${task.id}`, { version: 0, assigneeId: null })).expect(200)
    ;(await world.as(owner).put(`/tasks/${task.id}`, { version: 1, assigneeId: owner.id })).expect(200)
    expect(await inbox(owner)).toEqual(before)
  })

  test('of what did not happen', async () => {
    const { anna, project } = await givenTeam()
    const task = await world.givenTask(owner, project)
    const before = await inbox(anna)
    ;(await world.as(owner).put(`/tasks/${task.id}`, { version: 9, assigneeId: anna.id })).expect(409)
    ;(await world.as(owner).post(`/tasks/${task.id}/comments`, { content: ' ' })).expect(400)
    expect(await inbox(anna)).toEqual(before)
    expect(await world.look.count('select count(*) from outbox')).toBe(0)
  })

  test('of leaving a project, or of what others are notified of', async () => {
    const { anna, ben, project } = await givenTeam()
    await world.givenTask(owner, project, { assigneeId: ben.id })
    ;(await world.as(owner).delete(`/projects/${project.id}/members/${anna.id}`)).expect(200)
    expect(await typesIn(anna)).toEqual(['PROJECT_MEMBER_ADDED'])
  })
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
  })

  test('keeps the time of the first reading', async () => {
    const { anna } = await givenTeam()
    const [{ id }] = await inbox(anna)
    const first = (await world.as(anna).put(`/notifications/${id}/read`)).expect(200)
    expect((await world.as(anna).put(`/notifications/${id}/read`)).expect(200)).toEqual(first)
    ;(await world.as(anna).put('/notifications/read-all')).expect(200)
    expect(await inbox(anna)).toEqual([first])
  })

  test('is read as a whole, and only one’s own', async () => {
    const { anna, ben } = await givenTeam()
    expect((await world.as(anna).put('/notifications/read-all')).expect(200)).toBeNull()
    expect(await unread(anna)).toEqual({ count: 0 })
    expect(await unread(ben)).toEqual({ count: 1 })
    ;(await world.as(anna).put('/notifications/read-all')).expect(200)
  })

  test('of somebody else is not there, for nobody', async () => {
    const { anna, ben } = await givenTeam()
    const [{ id }] = await inbox(anna)
    for (const person of [ben, owner, tenant.administrator, world.admin]) {
      const answer = await world.as(person).put(`/notifications/${id}/read`)
      answer.expect(404, 'NOT_FOUND')
      expect(answer.body.message).toBe('Notification not found')
    }
    expect((await inbox(anna))[0]).toMatchObject({ read: false })
  })
})

describe('the news of a process that was killed before it could deliver them', () => {
  const leave = (receivers: number[], title = 'left behind') =>
    world.look.rows(
      `insert into outbox (tenant_id, type, title, resource_type, resource_id, receivers) values ($1, 'TASK_ASSIGNED', $2, 'task', 1, $3)`,
      [tenant.id, title, receivers],
    )

  test('arrive with the next sweep, once', async () => {
    const { anna } = await givenTeam()
    await leave([anna.id])
    const sweep = () => deliverNotifications(world.database, tenant.id)
    await Promise.all([sweep(), sweep(), sweep()])
    expect((await inbox(anna)).filter(({ title }: any) => title === 'left behind')).toHaveLength(1)
    expect(await world.look.count('select count(*) from outbox')).toBe(0)
  })

  test('are found by the courier of any other process', async () => {
    const { anna } = await givenTeam()
    await leave([anna.id])
    const courier = await startJob(world.database, outboxWorker, 20)
    await until(async () => expect(await typesIn(anna)).toContain('TASK_ASSIGNED'))
    await courier.stop()
  })

  test('reach the others when one receiver is gone', async () => {
    const { anna, project } = await givenTeam()
    await leave([999_999], 'for nobody')
    await leave([999_999, anna.id], 'for anna')
    await world.givenTask(owner, project, { assigneeId: anna.id })
    expect((await inbox(anna)).map(({ title }: any) => title)).toContain('for anna')
    expect(await world.look.count('select count(*) from outbox')).toBe(0)
  })
})
