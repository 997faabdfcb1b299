import type { FastifyRequest } from '#atrium'
import type { ListedTaskView, Task, TaskView } from './tasks.schemas.ts'

/** Call it before the commit: a failed read after it would report a finished command as failed. */
export async function withName(req: FastifyRequest, task: Task): Promise<TaskView> {
  return (await withNames(req, [task]))[0]!
}

/** Adds the names of assignees and reporters. */
export async function withNames(
  req: FastifyRequest,
  tasks: (Task & { deletedById?: number })[],
): Promise<ListedTaskView[]> {
  const people = tasks.flatMap(({ assigneeId, reporterId, deletedById }) => [assigneeId, reporterId, deletedById])
  const names = await req.namesOf(people.filter((id) => typeof id === 'number'))
  return tasks.map((task) => ({
    ...task,
    assigneeName: task.assigneeId === null ? null : names.get(task.assigneeId)!,
    reporterName: names.get(task.reporterId)!,
    ...(task.deletedById && { deletedByName: names.get(task.deletedById)! }),
  }))
}
