import { afterAll, afterEach, expect, test } from 'vitest'
import { openInstance } from '../support/instance.ts'
import { interleave } from '../support/interleave.ts'
import { checkDatabase, expectNoViolation } from '../support/invariants.ts'
import { expectNoCircle, ROUNDS, SEED, soon } from '../support/races.ts'
import { openWorld } from '../support/world.ts'

let project: any
let outcomes: Record<string, number>
const world = await openWorld()
const tenant = await world.givenTenant()
const [owner, member] = [await world.givenUser(tenant), await world.givenUser(tenant)]
afterEach(async () => expectNoViolation('the bin', await checkDatabase(world.look, ['I5']), { seed: SEED, outcomes }))
afterAll(() => expectNoCircle(world))

async function givenProject() {
  outcomes = {}
  project = await world.givenProject(owner)
  await world.givenMember(owner, project, member)
}
const note = (outcome: string) => {
  outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
}
const me = () => world.as(owner)
const remove = ({ id, version }: any, by = me()) => by.delete(`/tasks/${id}?version=${version}`)
const read = async ({ id }: any) => {
  const [row] = await world.look.rows(
    'select assignee_id::float8 as assignee, version, is_open as "isOpen", deleted_at is null as lives from tasks where id = $1',
    [id],
  )
  return row!
}

test('a task that is deleted while it is given to somebody is deleted or given, and never both', async () => {
  await givenProject()
  for (let round = 0; round < ROUNDS; round++) {
    const task = await world.givenTask(owner, project)
    const [gone, given] = await Promise.all([
      soon(() => remove(task)),
      soon(() => me().put(`/tasks/${task.id}`, { version: 0, assigneeId: member.id })),
    ])
    const isGone = gone.status === 200
    if (isGone) given.expect(404, 'NOT_FOUND')
    else [gone.expect(409, 'VERSION_CONFLICT'), given.expect(200)]
    expect(await read(task)).toEqual(
      isGone
        ? { assignee: null, version: 0, isOpen: null, lives: false }
        : { assignee: member.id, version: 1, isOpen: true, lives: true },
    )
    note(isGone ? 'deleted' : 'given')
  }
})

test('a task that is restored while its project is archived is restored before it or not at all', async () => {
  await givenProject()
  for (let round = 0, version = 0; round < ROUNDS; round++) {
    const task = await world.givenTask(owner, project, { assigneeId: member.id })
    ;(await remove(task)).expect(200)
    const [restored, archived] = await Promise.all([
      soon(() => me().post(`/tasks/${task.id}/restore`)),
      soon(() => me().put(`/projects/${project.id}/archive?version=${version}`)),
    ])
    archived.expect(200)
    const isRestored = restored.status === 200
    if (!isRestored) restored.expect(409, 'PROJECT_ARCHIVED')
    expect(await read(task)).toMatchObject({ lives: isRestored, version: Number(isRestored) })
    ;(await me().put(`/projects/${project.id}/unarchive?version=${version + 1}`)).expect(200)
    version += 2
    note(isRestored ? 'restored' : 'refused')
  }
})

test('a task is deleted once, of two deletions at two instances, and restored once, of two restorations', async () => {
  await givenProject()
  const other = await openInstance(world.databaseUrl)
  const both = () => [me(), other.as(owner)]
  for (let round = 0; round < ROUNDS; round++) {
    const task = await world.givenTask(owner, project, { assigneeId: member.id })
    const deletions = await Promise.all(both().map((by) => soon(() => remove(task, by))))
    expect(deletions.map(({ status }) => status).sort()).toEqual([200, 404])
    const restorations = await Promise.all(both().map((by) => soon(() => by.post(`/tasks/${task.id}/restore`))))
    expect(restorations.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(await read(task)).toEqual({ assignee: member.id, version: 1, isOpen: true, lives: true })
    const actions = await world.look.rows(
      `select action, count(*)::int as n from activities where task_id = $1 and action ~ 'DELETED|RESTORED' group by 1 order by 1`,
      [task.id],
    )
    expect(actions).toEqual([
      { action: 'TASK_DELETED', n: 1 },
      { action: 'TASK_RESTORED', n: 1 },
    ])
  }
  await other.close()
})

test('a task that is restored while its assignee leaves the project is theirs, or they are gone', async () => {
  await givenProject()
  for (let round = 0; round < ROUNDS; round++) {
    const task = await world.givenTask(owner, project, { assigneeId: member.id })
    ;(await remove(task)).expect(200)
    const [restored, left] = await Promise.all([
      soon(() => me().post(`/tasks/${task.id}/restore`)),
      soon(() => me().delete(`/projects/${project.id}/members/${member.id}`)),
    ])
    const { assigneeId, version } = restored.expect(200)
    expect(assigneeId).toBe(left.status === 200 ? null : member.id)
    if (left.status !== 200) {
      left.expect(409, 'MEMBER_HAS_OPEN_TASKS')
      ;(await me().put(`/tasks/${task.id}`, { version, assigneeId: null })).expect(200)
    }
    await world.givenMember(owner, project, member)
    note(left.status === 200 ? 'left' : 'stayed')
  }
})

/** Met on purpose: the first is stopped after its decision and before its commit, while the second is carried out. */
const deleted = (task: any) => () => remove(task)
const restored = (task: any) => () => me().post(`/tasks/${task.id}/restore`)
const assigned = (task: any) => () => me().put(`/tasks/${task.id}`, { version: 0, assigneeId: member.id })
const archived = () => () => me().put(`/projects/${project.id}/archive?version=0`)
const left = () => () => me().delete(`/projects/${project.id}/members/${member.id}`)
test.each([
  ['an assignment', 'a deletion', assigned, deleted, 404],
  ['a deletion', 'an assignment', deleted, assigned, 409],
  ['a deletion', 'a deletion', deleted, deleted, 404],
  ['a deletion', 'an archiving', deleted, archived, 409],
  ['a restoration', 'a restoration', restored, restored, 409],
  ['a restoration', 'an archiving', restored, archived, 409],
  ['a restoration', 'a departure', restored, left, 200],
])('%s that meets %s', async (_, __, first, second, status) => {
  await givenProject()
  const task = await world.givenTask(owner, project, { ...(first === restored && { assigneeId: member.id }) })
  if (first === restored) (await remove(task)).expect(200)
  const met = await interleave(world, first(task), second(task))
  met.second.expect(200)
  met.first.expect(status)
  if (second === left) expect(met.first.data).toMatchObject({ assigneeId: null, version: 1 })
})

test('a restoration that meets a restoration, a change and a deletion begins again, with the version of then', async () => {
  await givenProject()
  const task = await world.givenTask(owner, project)
  ;(await remove(task)).expect(200)
  const met = await interleave(world, restored(task), async () => {
    ;(await restored(task)()).expect(200)
    ;(await me().put(`/tasks/${task.id}`, { version: 1, title: 'Changed' })).expect(200)
    return remove({ ...task, version: 2 })
  })
  met.second.expect(200)
  expect(met.first.expect(200)).toMatchObject({ title: 'Changed', version: 3 })
})
