import type { Atrium } from '../../../client/index.ts'
import { newcomer, type Person, type Tour } from '../cast.ts'
import { expect } from '../guide.ts'

/** Somebody who only looks on, and several tasks that change together. @param member of the project, with an open task */
export async function tellTogether(tour: Tour, admin: Atrium, projectId: number, member: Person): Promise<void> {
  const { chapter, tell, refused } = tour

  chapter('A viewer')
  const { client: viewer, id: viewerId } = await newcomer(tour, admin, 'viewer')
  const viewing = (userId: number) => () => admin.addProjectMember({ id: projectId, userId, body: { role: 'viewer' } })
  await tell('They join the project as a viewer,', viewing(viewerId), 200, {})
  await tell('… read it,', () => viewer.getProject({ id: projectId }), 200, { myRole: 'viewer' })
  const make = (who: Atrium, title: string) => () => who.createTask({ id: projectId, body: { title } })
  await refused('… and change nothing.', make(viewer, 'Move it'), [403, 'PROJECT_READ_ONLY'])
  const stuck = 'Somebody who has open tasks does not become one.'
  await refused(stuck, viewing(member.id), [409, 'MEMBER_HAS_OPEN_TASKS'])

  chapter('Many tasks together')
  const one = await tell('A task,', make(admin, 'Sand the planks'), 201, { priority: 'MEDIUM' })
  const other = await tell('… and another one.', make(admin, 'Drill the holes'), 201, { priority: 'MEDIUM' })
  const hurry = (version: number) => () => {
    const tasks = [one, { ...other, version }].map(({ id, version }) => ({ id, version, priority: 'URGENT' as const }))
    return admin.updateTasks({ body: { tasks } })
  }
  const stale = 'One version is wrong, so none of them changes. The refusal names the place.'
  await refused(stale, hurry(7), [409, 'VERSION_CONFLICT'], ([{ path, expected, actual }]) => {
    expect(path === 'tasks[1].version', 'the place of the second task')
    return `${path}: sent ${expected}, stored ${actual}`
  })
  await tell('Now both change, in one transaction.', hurry(0), 200, (tasks) => {
    const areUrgent = tasks.every(({ priority, version }) => priority === 'URGENT' && version === 1)
    expect(areUrgent, 'two urgent tasks')
    return `${tasks.length} tasks`
  })
}
