import type { FastifyRequest } from '#atrium'
import type { Task, TaskView } from './tasks.schemas.ts'

/** Call it before the commit: a failed read after it would report a finished command as failed. */
export async function withName(req: FastifyRequest, task: Task): Promise<TaskView> {
  return (await withNames(req, [task]))[0]!
}

/** Adds the names of assignees and reporters. */
export async function withNames(req: FastifyRequest, tasks: Task[]): Promise<TaskView[]> {
  const people = tasks.flatMap(({ assigneeId, reporterId }) => (assigneeId ? [assigneeId, reporterId] : reporterId))
  const names = await req.namesOf(people)
  return tasks.map((task) => ({
    ...task,
    assigneeName: task.assigneeId === null ? null : names.get(task.assigneeId)!,
    reporterName: names.get(task.reporterId)!,
  }))
}
