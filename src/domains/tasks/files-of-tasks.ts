import type { FileResource } from '#atrium/files'
import { assertMayChange, projectFaults, projectsSeenBy, type SeesProjects } from '#atrium/projects'
import { taskFaults } from './tasks.rules.ts'
import { getTaskToChange, visibleTasks } from './tasks.store.ts'

/** Files of tasks. As with comments, a finished task accepts them, and its version stays; but viewers attach none. */
export const filesOfTasks: FileResource<SeesProjects> = {
  type: 'task',
  id: 'tasks.id',
  notFound: taskFaults.notFound,
  refuses: [projectFaults.readOnly],
  seenBy: (user) => (user.permissions.has('project:list') ? projectsSeenBy(user) : undefined),
  visible: visibleTasks,
  async change(tx, taskId, sees, change) {
    const { projectId, version, role } = await getTaskToChange(tx, { id: taskId, ...sees })
    assertMayChange(role, tx.actor)
    return { history: { projectId, taskId, ...change, version } }
  },
}
