import { assertAtHome, type Tx } from '#atrium'
import { createTasks, lockWorkers } from '#atrium/tasks'
import type { TaskRow } from '../tables.schemas.ts'
import type { Drafts, Mistake } from './read-table.rules.ts'

/** Creates the tasks of a table; each assignee is told once. @throws NOT_IN_TENANT, NOT_FOUND, PROJECT_READ_ONLY, PROJECT_ARCHIVED */
export async function importTasks(tx: Tx, projectId: number, rows: Drafts<typeof TaskRow>): Promise<Mistake[]> {
  assertAtHome(tx)
  const usernames = [...new Set(rows.flatMap(({ draft }) => draft.assignee ?? []))]
  const workers = await lockWorkers(tx, projectId, usernames)
  const unknown = rows.filter(({ draft: { assignee } }) => assignee !== undefined && !workers.has(assignee))
  const drafts = rows.map(({ draft: { assignee, ...draft } }) => ({
    ...draft,
    assigneeId: assignee && workers.get(assignee),
  }))
  const tasks = await createTasks(tx, projectId, drafts as never)
  for (const [assigneeId, theirs] of Map.groupBy(tasks, (task) => task.assigneeId))
    if (assigneeId !== null)
      tx.notify({
        type: 'TASKS_IMPORTED',
        facts: { count: String(theirs.length) },
        resourceType: 'project',
        resourceId: projectId,
        receivers: [assigneeId],
      })
  const message = 'must be a member of the project who can read its tasks'
  return unknown.map(({ row }) => ({ row, column: 'assignee', message }))
}
