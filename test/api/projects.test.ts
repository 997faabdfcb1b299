import { describe, expect, test } from 'vitest'
import { openWorldWithTenant } from '../support/world-with-tenant.ts'

const { world, tenant } = await openWorldWithTenant()
const owner = await world.givenUser(tenant)

let counter = 0
const create = (draft: object) =>
  world
    .as(owner)
    .post('/projects', { name: 'Apollo', code: `AP-${++counter}`, ...draft }, { 'idempotency-key': `p-${counter}` })
const put = (project: { id: number }, patch: object) => world.as(owner).put(`/projects/${project.id}`, patch)
const read = (project: { id: number }, person = owner) => world.as(person).read(`/projects/${project.id}`)
const archive = (project: { id: number }, version: number) =>
  world.as(owner).put(`/projects/${project.id}/archive?version=${version}`)
const history = (project: { id: number }) =>
  world.as(owner).list(`/projects/${project.id}/activities`, 'action', 'detail')
const addMember = (project: { id: number }, person: { id: number }) =>
  world.as(owner).put(`/projects/${project.id}/members/${person.id}`)
const dropMember = (project: { id: number }, person: { id: number }) =>
  world.as(owner).delete(`/projects/${project.id}/members/${person.id}`)

describe('a new project', () => {
  test('belongs to its creator, who is its first member, and begins at version 0', async () => {
    const draft = { code: 'APOLLO', description: 'To the moon', startDate: '2026-01-01', endDate: '2026-12-31' }
    const answer = await create({ ...draft, name: '  Apollo  ' })

    const project = answer.expect(201)
    const members = {
      ownerId: owner.id,
      ownerName: expect.stringMatching(/^Person \d+$/),
      memberIds: [owner.id],
      myRole: 'owner',
    }
    const createdAt = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    const made = { id: expect.any(Number), createdAt, updatedAt: project.createdAt, archivedAt: null }
    expect(project).toEqual({ ...draft, ...members, ...made, name: 'Apollo', status: 'ACTIVE', version: 0 })
    expect(answer.headers.location).toBe(`/api/v1/projects/${project.id}`)
    expect(await read(project)).toEqual(project)
    expect(await history(project)).toEqual([['PROJECT_CREATED', 'Apollo']])
  })

  test('takes from its creator neither id, owner, status, version nor members, nor an end before its beginning', async () => {
    const state = { ownerId: owner.id, status: 'ACTIVE', version: 0, memberIds: [owner.id], archivedAt: null }
    const wishes = { ownerId: 1, status: 'ARCHIVED', version: 7, memberIds: [1], archivedAt: '2026-01-01T00:00:00Z' }
    expect((await create({ ...wishes, id: 1, tenantId: 1, tenant_id: 1 })).expect(201)).toMatchObject(state)
    ;(await create({ startDate: '2026-02-01', endDate: '2026-01-31' })).expect(400, 'DATE_ORDER')
  })
})

test('changing a project is partial, never of its code or state, raises the version by one and leaves one line of history', async () => {
  const project = (await create({ description: 'old', startDate: '2026-01-01' })).expect(201)

  const wishes = { code: 'NEW', status: 'ARCHIVED', memberIds: [] }
  const changed = (await put(project, { version: 0, name: 'New', startDate: null, ...wishes })).expect(200)

  expect(changed).toEqual({ ...project, name: 'New', startDate: null, version: 1, updatedAt: expect.any(String) })
  expect(changed.updatedAt > project.updatedAt).toBe(true)
  expect(await read(project)).toEqual(changed)
  expect(await history(project)).toEqual([
    ['PROJECT_UPDATED', 'New'],
    ['PROJECT_CREATED', 'Apollo'],
  ])
})

describe('archiving a project', () => {
  test('stamps it, raises its version, and leaves a line of history', async () => {
    const project = (await create({})).expect(201)

    const archived = (await archive(project, 0)).expect(200)

    const { archivedAt } = archived
    expect(archivedAt).toMatch(/Z$/)
    expect(archived).toEqual({ ...project, status: 'ARCHIVED', version: 1, updatedAt: archivedAt, archivedAt })
    expect(await read(project)).toEqual(archived)
    expect(await history(project)).toEqual([
      ['PROJECT_ARCHIVED', 'Apollo'],
      ['PROJECT_CREATED', 'Apollo'],
    ])
  })

  test('ends edits, new tasks and changes of members; reading, tasks and comments go on', async () => {
    const project = (await create({})).expect(201)
    const [member, stranger] = [await world.givenUser(tenant), await world.givenUser(tenant)]
    ;(await addMember(project, member)).expect(200)
    const task = await world.givenTask(owner, project)
    ;(await archive(project, 0)).expect(200)

    for (const answer of [
      await put(project, { version: 1, name: 'New' }),
      await put(project, { version: 99, endDate: '0999-01-01' }),
      await archive(project, 1),
      await archive(project, 99),
      await world.as(owner).post(`/projects/${project.id}/tasks`, { title: 'Late', assigneeId: 999999 }),
      await addMember(project, stranger),
      await addMember(project, member),
      await dropMember(project, member),
      await dropMember(project, owner),
    ])
      answer.expect(409, 'PROJECT_ARCHIVED')
    for (const change of [addMember, dropMember]) (await change(project, { id: 999999 })).expect(404, 'NOT_FOUND')

    const client = world.as(member)
    const patch = { version: 0, status: 'IN_PROGRESS', assigneeId: member.id }
    await client.read(`/projects/${project.id}/tasks`)
    ;(await client.put(`/tasks/${task.id}`, patch)).expect(200)
    await client.create(`/tasks/${task.id}/comments`, { content: 'Still here' })
    expect(await read(project)).toMatchObject({ version: 1, status: 'ARCHIVED' })
  })
})

describe('the members of a project', () => {
  test('come and go, twice as once, each leaving a line of history, and move no version', async () => {
    const project = (await create({})).expect(201)
    const member = await world.givenUser(tenant)

    for (let at = 0; at < 2; at++) expect((await addMember(project, member)).expect(200)).toBeNull()
    expect((await read(project, member)).memberIds).toEqual([owner.id, member.id])
    for (let at = 0; at < 2; at++) expect((await dropMember(project, member)).expect(200)).toBeNull()
    ;(await addMember(project, owner)).expect(200)

    expect(await read(project)).toEqual(project)
    ;(await world.as(member).get(`/projects/${project.id}`)).expect(404, 'NOT_FOUND')
    expect(await history(project)).toEqual([
      ['PROJECT_MEMBER_REMOVED', String(member.id)],
      ['PROJECT_MEMBER_ADDED', String(member.id)],
      ['PROJECT_CREATED', 'Apollo'],
    ])
  })

  test('are active users of the tenant and nobody else', async () => {
    const project = (await create({})).expect(201)
    const disabled = await world.givenUser(tenant)
    await world.look.rows(`update users set status = 'disabled' where id = $1`, [disabled.id])
    for (const nobody of [{ id: 999999 }, world.admin, disabled]) {
      const answer = await addMember(project, nobody)
      answer.expect(404, 'NOT_FOUND')
      expect(answer.body.message).toBe('User not found')
    }
  })

  test('stay when they are added again after they were disabled', async () => {
    const project = (await create({})).expect(201)
    const disabled = await world.givenUser(tenant)
    ;(await addMember(project, disabled)).expect(200)
    const before = [await read(project), await history(project)]
    await world.look.rows(`update users set status = 'disabled' where id = $1`, [disabled.id])
    ;(await addMember(project, disabled)).expect(200)
    expect([await read(project), await history(project)]).toEqual(before)
  })
})
