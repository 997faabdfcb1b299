import { afterAll, expect, test } from 'vitest'
import { untilDelivered } from '#test/invariants.ts'
import { AT_ONCE, atOnce, expectNoCircle, FEW, ROUNDS, soon } from '#test/races.ts'
import { openWorld } from '#test/world.ts'

/** Somebody begins to watch while what they watch, or their right to see it, goes. */
const world = await openWorld()
const tenant = await world.givenTenant()
const [owner, ben] = [await world.givenUser(tenant), await world.givenUser(tenant)]
const project = await world.givenProject(owner)
afterAll(() => expectNoCircle(world))

const watches = () => world.look.rows('select user_id from watches where project_id = $1', [project.id])
const expectOf = (outcomes: Set<string>, allowed: string[]) => {
  for (const outcome of outcomes) expect(allowed).toContain(outcome)
}

test.each(['task', 'project'])(
  'who leaves a project watches nothing of it, whichever comes first: a %s',
  async (kind) => {
    const task = await world.givenTask(owner, project)
    const path = kind === 'task' ? `/tasks/${task.id}/watch` : `/projects/${project.id}/watch`
    const outcomes = new Set<string>()
    for (let round = 0; round < ROUNDS; round++) {
      await world.givenMember(owner, project, ben)
      const [watched, left] = await Promise.all([
        soon(() => world.as(ben).put(path)),
        soon(() => world.as(owner).delete(`/projects/${project.id}/members/${ben.id}`)),
      ])
      outcomes.add(`${watched.status}, ${left.status}`)
      expect(await watches()).toEqual([])
    }
    expectOf(outcomes, ['200, 200', '404, 200'])
  },
)

test('a deleted task is watched by nobody, and a comment mentions people only if it came first', async () => {
  await world.givenMember(owner, project, ben)
  for (let round = 0; round < ROUNDS; round++) {
    const task = await world.givenTask(owner, project)
    const comment = { content: 'Look', mentions: [ben.id] }
    const [watched, said, deleted] = await Promise.all([
      soon(() => world.as(ben).put(`/tasks/${task.id}/watch`)),
      soon(() => world.as(owner).post(`/tasks/${task.id}/comments`, comment)),
      soon(() => world.as(owner).delete(`/tasks/${task.id}?version=0`)),
    ])
    expect([200, 404]).toContain(watched.status)
    expect([201, 404]).toContain(said.status)
    deleted.expect(200)
    await untilDelivered(world.look)
    const told = `select count(*) from notifications where resource_id = $1 and type = 'TASK_MENTIONED'`
    expect(await world.look.count(told, [task.id])).toBe(said.status === 201 ? 1 : 0)
    expect((await world.as(ben).get('/users/me/watching')).expect(200)).toEqual([])
  }
})

test('comments that mention people are written before their task is deleted, or their task is not found', async () => {
  await world.givenMember(owner, project, ben)
  const mentioning = { content: 'Look', mentions: [ben.id] }
  const outcomes = new Set<string>()
  for (let round = 0; round < ROUNDS; round++) {
    const task = await world.givenTask(owner, project)
    const path = `/tasks/${task.id}/comments`
    const written = await atOnce(() => world.as(owner).post(path, { content: 'Later' }), FEW)
    const edits = written.map((one) => soon(() => world.as(owner).put(`${path}/${one.expect(201).id}`, mentioning)))
    const additions = edits.map(() => soon(() => world.as(owner).post(path, mentioning)))
    const deletion = soon(() => world.as(owner).delete(`/tasks/${task.id}?version=0`))
    for (const { status, error } of await Promise.all([...edits, ...additions]))
      outcomes.add(`${status} ${error?.type ?? ''}`.trim())
    ;(await deletion).expect(200)
  }
  expectOf(outcomes, ['200', '201', '404 NOT_FOUND'])
})

test('many requests to watch the same make one watch', async () => {
  const task = await world.givenTask(owner, project)
  for (const answer of await atOnce(() => world.as(ben).put(`/tasks/${task.id}/watch`), AT_ONCE)) answer.expect(200)
  expect(await world.look.count('select count(*) from watches where task_id = $1', [task.id])).toBe(1)
})
