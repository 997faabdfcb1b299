import { describe, expect, test } from 'vitest'
import { openWorld } from '../support/world.ts'

const world = await openWorld()
const tenant = await world.givenTenant()
const owner = await world.givenUser(tenant)

let counter = 0
const create = (draft: object, person = owner) =>
  world
    .as(person)
    .post('/projects', { name: 'Apollo', code: `AP-${++counter}`, ...draft }, { 'idempotency-key': `p-${counter}` })
const put = (project: { id: number }, patch: object, person = owner) =>
  world.as(person).put(`/projects/${project.id}`, patch)
const read = async (project: { id: number }, person = owner) =>
  (await world.as(person).get(`/projects/${project.id}`)).expect(200)
const archive = (project: { id: number }, version: number | string, person = owner) =>
  world.as(person).put(`/projects/${project.id}/archive?version=${version}`)
const history = async (project: { id: number }) =>
  (await world.as(owner).get(`/projects/${project.id}/activities`))
    .expect(200)
    .map(({ action, detail }: any) => [action, detail])
const addMember = (project: { id: number }, person: { id: number }, by = owner) =>
  world.as(by).put(`/projects/${project.id}/members/${person.id}`)
const dropMember = (project: { id: number }, person: { id: number }, by = owner) =>
  world.as(by).delete(`/projects/${project.id}/members/${person.id}`)

describe('a new project', () => {
  test('belongs to its creator, who is its first member, and begins at version 0', async () => {
    const answer = await create({
      name: '  Apollo  ',
      code: 'APOLLO',
      description: 'To the moon',
      startDate: '2026-01-01',
      endDate: '2026-12-31',
    })

    const project = answer.expect(201)
    expect(project).toEqual({
      id: expect.any(Number),
      name: 'Apollo',
      code: 'APOLLO',
      description: 'To the moon',
      ownerId: owner.id,
      ownerName: expect.stringMatching(/^Person \d+$/),
      status: 'ACTIVE',
      startDate: '2026-01-01',
      endDate: '2026-12-31',
      version: 0,
      memberIds: [owner.id],
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updatedAt: project.createdAt,
      archivedAt: null,
    })
    expect(answer.headers.location).toBe(`/api/v1/projects/${project.id}`)
    expect(await read(project)).toEqual(project)
    expect(await history(project)).toEqual([['PROJECT_CREATED', 'Apollo']])
  })

  test('fills what was left out with null, and keeps an empty description', async () => {
    const empty = { description: null, startDate: null, endDate: null }
    expect((await create({})).expect(201)).toMatchObject(empty)
    expect((await create({ ...empty, description: '  ' })).expect(201)).toMatchObject({ ...empty, description: '' })
  })

  test('cannot share its code within the tenant, and may across tenants', async () => {
    const project = (await create({})).expect(201)
    const before = await world.look.count('select count(*) from projects')
    ;(await create({ code: ` ${project.code} ` })).expect(409, 'PROJECT_CODE_TAKEN')
    expect(await world.look.count('select count(*) from projects')).toBe(before)
    ;(await create({ code: project.code }, world.admin)).expect(201)
  })

  test('cannot end before it begins', async () => {
    ;(await create({ startDate: '2026-02-01', endDate: '2026-01-31' })).expect(400, 'DATE_ORDER')
    ;(await create({ startDate: '2026-02-01', endDate: '2026-02-01' })).expect(201)
  })

  test('takes from its creator neither id, owner, status, version nor members', async () => {
    const wishes = {
      id: 1,
      ownerId: 1,
      status: 'ARCHIVED',
      version: 7,
      memberIds: [1],
      archivedAt: '2026-01-01T00:00:00Z',
      tenantId: 1,
      tenant_id: 1,
    }
    expect((await create(wishes)).expect(201)).toMatchObject({
      ownerId: owner.id,
      status: 'ACTIVE',
      version: 0,
      memberIds: [owner.id],
      archivedAt: null,
    })
  })

  test('with several things wrong is told all of them', async () => {
    const { details } = (
      await create({ name: '', code: 'x'.repeat(65), description: 7, startDate: '2026-02-30', endDate: 'soon' })
    ).expect(400, 'VALIDATION_FAILED')
    expect(details.map((detail: any) => detail.path).sort()).toEqual([
      'body.code',
      'body.description',
      'body.endDate',
      'body.name',
      'body.startDate',
    ])
  })

  test.each([
    ['name', 160],
    ['code', 64],
    ['description', 4000],
  ])('may have a %s of %i characters behind the trimming, and not one more', async (field, most) => {
    const long = `${++counter}-`.padEnd(most, 'x')
    expect((await create({ [field]: `  ${long}  ` })).expect(201)[field]).toBe(long)
    ;(await create({ [field]: `${long}x` })).expect(400, 'VALIDATION_FAILED')
  })
})

describe('changing a project', () => {
  test('is partial, raises the version by one and leaves one line of history', async () => {
    const project = (await create({ description: 'old', startDate: '2026-01-01' })).expect(201)

    const changed = (await put(project, { version: 0, name: 'New', startDate: null })).expect(200)

    expect(changed).toEqual({ ...project, name: 'New', startDate: null, version: 1, updatedAt: expect.any(String) })
    expect(changed.updatedAt > project.updatedAt).toBe(true)
    expect(await read(project)).toEqual(changed)
    expect(await history(project)).toEqual([
      ['PROJECT_UPDATED', 'New'],
      ['PROJECT_CREATED', 'Apollo'],
    ])
  })

  test('that changes nothing raises the version and leaves no line', async () => {
    const project = (await create({})).expect(201)
    expect((await put(project, { version: 0 })).expect(200)).toMatchObject({ version: 1 })
    expect((await put(project, { version: 1, name: project.name, description: null })).expect(200)).toMatchObject({
      version: 2,
    })
    expect(await history(project)).toEqual([['PROJECT_CREATED', 'Apollo']])
  })

  test('from an old state is refused, and told both versions', async () => {
    const project = (await create({})).expect(201)
    ;(await put(project, { version: 0, name: 'One' })).expect(200)
    const { details } = (await put(project, { version: 0, name: 'Two' })).expect(409, 'VERSION_CONFLICT')
    expect(details).toEqual([{ path: 'version', expected: 0, actual: 1, message: expect.any(String) }])
    expect(await read(project)).toMatchObject({ name: 'One', version: 1 })
  })

  test('never changes its code or its state', async () => {
    const project = (await create({})).expect(201)
    const changed = (
      await put(project, { version: 0, code: 'NEW', ownerId: owner.id, status: 'ARCHIVED', memberIds: [] })
    ).expect(200)
    expect(changed).toMatchObject({ code: project.code, ownerId: owner.id, status: 'ACTIVE', memberIds: [owner.id] })
  })

  test('cannot put its end before its beginning, the other date standing', async () => {
    const project = (await create({ startDate: '2026-05-01' })).expect(201)
    ;(await put(project, { version: 0, endDate: '2026-04-30' })).expect(400, 'DATE_ORDER')
    ;(await put(project, { version: 99, endDate: '2026-04-30' })).expect(400, 'DATE_ORDER')
  })

  test.each([
    { name: '' },
    { name: '  ' },
    { name: null },
    { version: undefined },
    { version: '0' },
    { version: -1 },
    { version: 0.5 },
    { version: null },
  ])('with %j is not valid', async (wrong) => {
    const project = (await create({})).expect(201)
    ;(await put(project, { version: 0, ...wrong })).expect(400, 'VALIDATION_FAILED')
  })
})

describe('archiving a project', () => {
  test('stamps it, raises its version, and leaves a line of history', async () => {
    const project = (await create({})).expect(201)

    const archived = (await archive(project, 0)).expect(200)

    expect(archived).toEqual({
      ...project,
      status: 'ARCHIVED',
      version: 1,
      updatedAt: archived.archivedAt,
      archivedAt: expect.stringMatching(/Z$/),
    })
    expect(await read(project)).toEqual(archived)
    expect(await history(project)).toEqual([
      ['PROJECT_ARCHIVED', 'Apollo'],
      ['PROJECT_CREATED', 'Apollo'],
    ])
  })

  test('wants the current version, in the query', async () => {
    const project = (await create({})).expect(201)
    expect((await archive(project, 7)).expect(409, 'VERSION_CONFLICT').details[0]).toMatchObject({
      expected: 7,
      actual: 0,
    })
    for (const wrong of ['', 'x', '-1', '0x0', '1e3', '1.0', '9999999999'])
      (await archive(project, wrong)).expect(400, 'VALIDATION_FAILED')
    ;(await world.as(owner).put(`/projects/${project.id}/archive`, { version: 0 })).expect(400, 'VALIDATION_FAILED')
    ;(await world.as(owner).put(`/projects/${project.id}/archive?version=0&version=0`)).expect(400, 'VALIDATION_FAILED')
  })

  test('ends edits, new tasks and changes of members; reading, tasks and comments go on', async () => {
    const project = (await create({})).expect(201)
    const [member, stranger] = [await world.givenUser(tenant), await world.givenUser(tenant)]
    ;(await addMember(project, member)).expect(200)
    const task = await world.givenTask(owner, project)
    ;(await archive(project, 0)).expect(200)

    ;(await put(project, { version: 1, name: 'New' })).expect(409, 'PROJECT_ARCHIVED')
    ;(await put(project, { version: 99, endDate: '0999-01-01' })).expect(409, 'PROJECT_ARCHIVED')
    ;(await archive(project, 1)).expect(409, 'PROJECT_ARCHIVED')
    ;(await archive(project, 99)).expect(409, 'PROJECT_ARCHIVED')
    ;(await world.as(owner).post(`/projects/${project.id}/tasks`, { title: 'Late', assigneeId: 999999 })).expect(
      409,
      'PROJECT_ARCHIVED',
    )
    ;(await addMember(project, stranger)).expect(409, 'PROJECT_ARCHIVED')
    ;(await addMember(project, member)).expect(409, 'PROJECT_ARCHIVED')
    ;(await dropMember(project, member)).expect(409, 'PROJECT_ARCHIVED')
    ;(await dropMember(project, owner)).expect(409, 'PROJECT_ARCHIVED')
    ;(await addMember(project, { id: 999999 })).expect(404, 'NOT_FOUND')
    ;(await dropMember(project, { id: 999999 })).expect(404, 'NOT_FOUND')

    ;(await world.as(member).get(`/projects/${project.id}/tasks`)).expect(200)
    ;(
      await world.as(member).put(`/tasks/${task.id}`, { version: 0, status: 'IN_PROGRESS', assigneeId: member.id })
    ).expect(200)
    ;(await world.as(member).post(`/tasks/${task.id}/comments`, { content: 'Still here' })).expect(201)
    expect(await read(project)).toMatchObject({ version: 1, status: 'ARCHIVED' })
  })
})

describe('the members of a project', () => {
  test('come and go, each leaving a line of history, and move no version', async () => {
    const project = (await create({})).expect(201)
    const member = await world.givenUser(tenant)

    expect((await addMember(project, member)).expect(200)).toBeNull()
    expect((await read(project, member)).memberIds).toEqual([owner.id, member.id])
    expect((await dropMember(project, member)).expect(200)).toBeNull()

    expect(await read(project)).toEqual(project)
    ;(await world.as(member).get(`/projects/${project.id}`)).expect(404, 'NOT_FOUND')
    expect(await history(project)).toEqual([
      ['PROJECT_MEMBER_REMOVED', String(member.id)],
      ['PROJECT_MEMBER_ADDED', String(member.id)],
      ['PROJECT_CREATED', 'Apollo'],
    ])
  })

  test('are added twice as once, and removed twice as once', async () => {
    const project = (await create({})).expect(201)
    const member = await world.givenUser(tenant)
    for (let at = 0; at < 2; at++) (await addMember(project, member)).expect(200)
    for (let at = 0; at < 2; at++) (await dropMember(project, member)).expect(200)
    ;(await addMember(project, owner)).expect(200)
    expect(await history(project)).toHaveLength(3)
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

  test('never lose their owner', async () => {
    const project = (await create({})).expect(201)
    ;(await dropMember(project, owner)).expect(409, 'OWNER_CANNOT_LEAVE')
    ;(await dropMember(project, owner, tenant.administrator)).expect(409, 'OWNER_CANNOT_LEAVE')
  })

  test('stay while tasks of theirs are open, which the refusal names', async () => {
    const project = (await create({})).expect(201)
    const member = await world.givenUser(tenant)
    ;(await addMember(project, member)).expect(200)
    const tasks = [
      await world.givenTask(owner, project, { assigneeId: member.id }),
      await world.givenTask(owner, project, { assigneeId: member.id }),
    ]
    await world.givenTask(owner, project, { assigneeId: owner.id })
    const elsewhere = (await create({})).expect(201)
    ;(await addMember(elsewhere, member)).expect(200)
    await world.givenTask(owner, elsewhere, { assigneeId: member.id })

    const { details } = (await dropMember(project, member)).expect(409, 'MEMBER_HAS_OPEN_TASKS')
    expect(details).toEqual(tasks.map(({ id }) => ({ path: 'userId', id, message: expect.any(String) })))

    ;(await world.as(owner).put(`/tasks/${tasks[0].id}`, { version: 0, status: 'CANCELLED' })).expect(200)
    ;(await dropMember(project, member)).expect(409, 'MEMBER_HAS_OPEN_TASKS')
    ;(await world.as(owner).put(`/tasks/${tasks[1].id}`, { version: 0, assigneeId: null })).expect(200)
    ;(await dropMember(project, member)).expect(200)
  })
})

describe('who sees a project', () => {
  test('its members and the administrators of the tenant; for everybody else it is not there', async () => {
    const project = (await create({})).expect(201)
    const task = await world.givenTask(owner, project)
    const stranger = await world.givenUser(tenant)
    const missing = (path: string) => path.replace(String(project.id), '999999').replace(String(task.id), '888888')

    for (const path of [
      `/projects/${project.id}`,
      `/projects/${project.id}/activities`,
      `/projects/${project.id}/tasks`,
      `/tasks/${task.id}`,
      `/tasks/${task.id}/comments`,
      `/tasks/${task.id}/activities`,
    ]) {
      ;(await world.as(owner).get(path)).expect(200)
      ;(await world.as(tenant.administrator).get(path)).expect(200)
      const hidden = await world.as(stranger).get(path)
      hidden.expect(404, 'NOT_FOUND')
      expect({ ...hidden.body, requestId: '' }).toEqual({
        ...(await world.as(stranger).get(missing(path))).body,
        requestId: '',
      })
    }
    expect((await world.as(stranger).get('/projects')).expect(200)).toEqual([])
    expect((await world.as(tenant.administrator).get('/projects')).expect(200).map(({ id }: any) => id)).toContain(
      project.id,
    )
  })

  test('an administrator changes what they are no member of', async () => {
    const project = (await create({})).expect(201)
    ;(await put(project, { version: 0, name: 'By the boss' }, tenant.administrator)).expect(200)
    ;(await addMember(project, await world.givenUser(tenant), tenant.administrator)).expect(200)
    ;(await archive(project, 1, tenant.administrator)).expect(200)
    expect((await read(project)).memberIds).not.toContain(tenant.administrator.id)
  })
})
