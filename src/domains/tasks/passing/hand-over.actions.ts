import { MOST_TOLD_SINGLY, type Work } from '#atrium/people'
import { joinProjects } from '#atrium/projects'
import { readFollowers } from '../ports/followers.ts'
import { tell } from '../tasks.actions.ts'
import { listOpenTasks, passTasks } from '../tasks.store.ts'

/** Open tasks as what their assignees are responsible for, those of archived projects too. Finished ones stay. */
export const assignedTasks: Work = {
  kind: 'tasks',
  example: 12,
  needs: 'project:list',
  keeps: (id) => ({ path: 'tasks', id, message: 'task {id} is open' }),
  list: (scope, { userId, most }) => listOpenTasks(scope, { assigneeId: userId, most }),
  async handOver(tx, from, to) {
    const { rows: tasks } = await passTasks(tx, { from, to, updatedAt: tx.now })
    if (tasks.length === 0) return 0
    const ids = tasks.map(({ id }) => id)
    await joinProjects(tx, { userId: to, ids: [...new Set(tasks.map(({ projectId }) => projectId))] })
    const change = { fieldName: 'assigneeId', oldValue: String(from), newValue: String(to) } as const
    for (const { id: taskId, projectId, version } of tasks)
      tx.record({
        event: 'task.updated',
        subject: taskId,
        data: { projectId, version, changes: [{ field: 'assigneeId', from, to }] },
        history: { projectId, taskId, action: 'TASK_ASSIGNED', version, ...change },
      })
    if (tasks.length > MOST_TOLD_SINGLY)
      tx.notify({
        type: 'TASKS_HANDED_OVER',
        facts: { count: String(tasks.length) },
        resourceType: 'task',
        resourceId: ids[0]!,
        receivers: [to],
      })
    else for (const task of tasks) tell(tx, 'TASK_ASSIGNED', task, [to])
    const tellFollowers = await readFollowers(tx, ids)
    tellFollowers(tasks.map((task) => ({ task, what: ['assigneeId'], told: [to] })))
    return tasks.length
  },
}
