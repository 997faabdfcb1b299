import { nextId, type Tx } from '#atrium'
import { relyOnProject } from '#atrium/projects'
import { newTask, recordNewTask } from '../tasks.actions.ts'
import type { Task, TaskDraft } from '../tasks.schemas.ts'
import { insertTasks, shareLockWorkers } from './many.store.ts'

/** The ids of those with these user names who can be given tasks of a project, until the transaction ends. */
export async function lockWorkers(
  tx: Tx,
  projectId: number,
  usernames: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const workers = await shareLockWorkers(tx, { projectId, usernames })
  return new Map(workers.map(({ username, userId }) => [username, userId]))
}

/**
 * Creates tasks in a project that is not archived. The caller has locked their assignees, and tells them.
 * @throws NOT_FOUND, PROJECT_READ_ONLY, PROJECT_ARCHIVED
 */
export async function createTasks(tx: Tx, projectId: number, drafts: readonly TaskDraft[]): Promise<Task[]> {
  const [ids] = await Promise.all([Promise.all(drafts.map(() => nextId(tx, 'tasks'))), relyOnProject(tx, projectId)])
  const tasks = drafts.map((draft, at) => newTask(tx, ids[at]!, projectId, draft))
  if (tasks.length === 0) return tasks
  insertTasks(tx, {
    projectId,
    reporterId: tx.actor.id,
    status: 'TODO',
    now: tx.now,
    ids,
    titles: tasks.map(({ title }) => title),
    descriptions: tasks.map(({ description }) => description),
    assigneeIds: tasks.map(({ assigneeId }) => assigneeId),
    priorities: tasks.map(({ priority }) => priority),
    dueDates: tasks.map(({ dueDate }) => dueDate),
  })
  for (const task of tasks) recordNewTask(tx, task)
  return tasks
}
