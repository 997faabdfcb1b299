import type { FileResource } from '#atrium/files'
import { projectsSeenBy, type SeesProjects } from '#atrium/projects'
import { taskFaults } from './tasks.rules.ts'
import { getTask, visibleTasks } from './tasks.store.ts'

/** Files of tasks. As with comments, a finished task accepts them, and its version stays. */
export const filesOfTasks: FileResource<SeesProjects> = {
  type: 'task',
  id: 'tasks.id',
  notFound: taskFaults.notFound,
  seenBy: (user) => (user.permissions.has('project:list') ? projectsSeenBy(user) : undefined),
  visible: visibleTasks,
  async change(tx, taskId, sees, change) {
    const { projectId, version } = await getTask(tx, { id: taskId, ...sees })
    return { history: { projectId, taskId, ...change, version } }
  },
}
