import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { TASK_MOVES } from '../../src/domains/tasks/tasks.rules.ts'
import type { TaskStatus } from '../../src/domains/tasks/tasks.schemas.ts'
import { openWorld, type World } from '../support/world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

describe('the life of a task', () => {
  const statuses = Object.keys(TASK_MOVES) as TaskStatus[]
  const wayTo: Record<TaskStatus, TaskStatus[]> = {
    TODO: [],
    IN_PROGRESS: ['IN_PROGRESS'],
    BLOCKED: ['IN_PROGRESS', 'BLOCKED'],
    DONE: ['IN_PROGRESS', 'DONE'],
    CANCELLED: ['CANCELLED'],
  }

  test('begins in a project that was changed before the clock of the database was set back', async () => {
    const project = await world.givenProject(world.admin)
    await world.look.rows(`update projects set updated_at = now() + interval '1 hour' where id = $1`, [project.id])
    ;(await world.as(world.admin).post(`/projects/${project.id}/tasks`, { title: 'x' })).expect(201)
  })

  test.each(statuses.flatMap((from) => statuses.map((to) => [from, to] as const)))(
    '%s to %s follows the table',
    async (from, to) => {
      const me = world.as(world.admin)
      const task = await world.givenTask(world.admin, await world.givenProject(world.admin))
      for (const [at, status] of wayTo[from].entries())
        (await me.put(`/tasks/${task.id}`, { version: at, status })).expect(200)
      const version = wayTo[from].length

      const answer = await me.put(`/tasks/${task.id}`, { version, status: to })

      const terminal = TASK_MOVES[from].length === 0
      const moves = [...wayTo[from], ...(TASK_MOVES[from].includes(to) ? [to] : [])]
      if (terminal) answer.expect(409, 'TASK_FINISHED')
      else if (from === to || TASK_MOVES[from].includes(to))
        expect(answer.expect(200)).toMatchObject({ status: to, version: version + 1 })
      else
        expect(answer.expect(409, 'ILLEGAL_TRANSITION').details[0]).toMatchObject({
          from,
          to,
          allowed: TASK_MOVES[from],
        })
      const history = (await me.get(`/tasks/${task.id}/activities`)).expect(200)
      expect(
        history
          .filter((row: any) => row.action === 'STATUS_CHANGED')
          .map((row: any) => row.newValue)
          .reverse(),
      ).toEqual(moves)
    },
  )
})
