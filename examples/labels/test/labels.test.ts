import { gunzipSync } from 'node:zlib'
import { describe, expect, openWorld, test } from 'atrium/test'

const world = await openWorld()
const tenant = await world.givenTenant()
const boss = tenant.administrator
/** a member of the project, with role user, and a user who is not */
const [member, outsider] = [await world.givenUser(tenant), await world.givenUser(tenant)]
const project = await world.givenProject(member)
const task = await world.givenTask(member, project)

let counter = 0
async function givenLabel(draft: object = {}, by = boss) {
  const key = { 'idempotency-key': `label-${++counter}` }
  return (await world.as(by).post('/labels', { name: `Label ${counter}`, colour: '#d1242f', ...draft }, key)).expect(
    201,
  )
}

describe('the labels of a tenant', () => {
  test('are made, read, changed and deleted by administrators, and seen by everybody', async () => {
    const label = await givenLabel({ name: ' Urgent ', colour: '#D1242F' })
    expect(label).toMatchObject({ name: 'Urgent', colour: '#d1242f', version: 0 })
    expect((await world.as(member).get(`/labels/${label.id}`)).expect(200)).toEqual(label)
    expect((await world.as(member).get('/labels?keyword=urg')).expect(200)).toEqual([label])

    const changed = (await world.as(boss).put(`/labels/${label.id}`, { version: 0, name: 'Soon' })).expect(200)
    expect(changed).toMatchObject({ name: 'Soon', colour: '#d1242f', version: 1 })
    ;(await world.as(boss).put(`/labels/${label.id}`, { version: 0, name: 'Later' })).expect(409, 'VERSION_CONFLICT')
    ;(await world.as(boss).delete(`/labels/${label.id}`)).expect(200)
    ;(await world.as(boss).get(`/labels/${label.id}`)).expect(404, 'NOT_FOUND')
    ;(await world.as(boss).delete(`/labels/${label.id}`)).expect(404, 'NOT_FOUND')
  })

  test('have one name each, whatever its case; another tenant may have the same', async () => {
    await givenLabel({ name: 'Bug' })
    const other = await givenLabel()
    const key = { 'idempotency-key': 'bug' }
    ;(await world.as(boss).post('/labels', { name: 'BUG', colour: '#d1242f' }, key)).expect(409, 'LABEL_NAME_TAKEN')
    ;(await world.as(boss).put(`/labels/${other.id}`, { version: 0, name: 'bug' })).expect(409, 'LABEL_NAME_TAKEN')
    await givenLabel({ name: 'Bug' }, (await world.givenTenant()).administrator)
  })

  test('are refused in both languages where the colour is none', async () => {
    const headers = { 'idempotency-key': 'colour', 'accept-language': 'zh-CN' }
    const answer = await world.as(boss).post('/labels', { name: 'X', colour: 'red' }, headers)
    expect(answer.expect(400, 'VALIDATION_FAILED').details).toEqual([
      { path: 'body.colour', message: '必须是六位十六进制颜色值' },
    ])
  })

  test('tell their history', async () => {
    const label = await givenLabel({ name: 'Old' })
    ;(await world.as(boss).put(`/labels/${label.id}`, { version: 0, name: 'New' })).expect(200)
    const history = (await world.as(boss).get(`/labels/${label.id}/activities`)).expect(200)
    expect(history).toMatchObject([
      { action: 'LABEL_UPDATED', actorId: boss.id, oldValue: 'Old', newValue: 'New' },
      { action: 'LABEL_CREATED', actorId: boss.id, oldValue: null, newValue: 'Old' },
    ])
    ;(await world.as(member).get(`/labels/${label.id}/activities`)).expect(403, 'PERMISSION_DENIED')
  })
})

describe('a task', () => {
  test('is given a label, once however often it is asked; its people are told, and its history says so', async () => {
    const label = await givenLabel()
    const other = await world.givenUser(tenant)
    await world.givenMember(member, project, other)
    const path = `/tasks/${task.id}/labels/${label.id}`
    for (const _ of ['once', 'twice']) expect((await world.as(other).put(path)).expect(200)).toEqual(label)
    expect((await world.as(member).get(`/tasks/${task.id}/labels`)).expect(200)).toEqual([label])

    ;(await world.as(other).delete(path)).expect(200)
    ;(await world.as(other).delete(path)).expect(200)
    expect((await world.as(member).get(`/tasks/${task.id}/labels`)).expect(200)).toEqual([])

    const history = (await world.as(member).get(`/tasks/${task.id}/activities`)).expect(200)
    expect(history.slice(0, 2)).toMatchObject([
      { action: 'LABEL_DETACHED', oldValue: label.name },
      { action: 'LABEL_ATTACHED', newValue: label.name },
    ])
    await expect
      .poll(async () => (await world.as(member).get('/notifications')).expect(200))
      .toMatchObject([{ type: 'TASK_LABELLED', title: expect.stringContaining(label.name), resourceId: task.id }])
  })

  test('that is not theirs to see is none for those who give it a label, and is on no list of theirs', async () => {
    const label = await givenLabel()
    const path = `/tasks/${task.id}/labels/${label.id}`
    ;(await world.as(outsider).put(path)).expect(404, 'NOT_FOUND')
    ;(await world.as(outsider).get(`/tasks/${task.id}/labels`)).expect(404, 'NOT_FOUND')
    ;(await world.as(member).put(path)).expect(200)
    expect((await world.as(member).get(`/labels/${label.id}/tasks?page=1`)).expect(200)).toMatchObject([
      { id: task.id },
    ])
    expect((await world.as(outsider).get(`/labels/${label.id}/tasks`)).expect(200)).toEqual([])
  })

  test('of an archived project keeps the labels that it has', async () => {
    const closed = await world.givenProject(member)
    const finished = await world.givenTask(member, closed)
    const label = await givenLabel()
    const path = `/tasks/${finished.id}/labels/${label.id}`
    ;(await world.as(member).put(path)).expect(200)
    ;(await world.as(member).put(`/projects/${closed.id}/archive?version=0`)).expect(200)
    ;(await world.as(member).delete(path)).expect(409, 'PROJECT_ARCHIVED')
    ;(await world.as(member).put(path)).expect(409, 'PROJECT_ARCHIVED')
    expect((await world.as(member).get(`/tasks/${finished.id}/labels`)).expect(200)).toEqual([label])
  })
})

test('its page of the console is served, with the addresses of what it imports', async ({ skip }) => {
  skip(!world.app.plugins.some(({ name }) => name === 'console'), 'the console is not here')
  const page = await world.app.inject('/console/assets/extensions/labels/labels.ts')
  expect(gunzipSync(page.rawPayload).toString()).toContain('/console/assets/console/lib/api.ts')
})
