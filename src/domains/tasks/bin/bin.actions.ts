import { assertMatch, type CleanupJob, type Config, type Expected, only, type Tx } from '#atrium'
import { discardFilesOf } from '#atrium/files'
import { findActiveMember, projectsSeenBy, stillActive, stillActiveMember } from '#atrium/projects'
import { readFollowers } from '../ports/followers.ts'
import { loadInvolved, tell } from '../tasks.actions.ts'
import { assertCurrent, isOpen } from '../tasks.rules.ts'
import type { Task } from '../tasks.schemas.ts'
import { taskFields } from '../tasks.store.ts'
import { assertMayDelete, binFaults, KEPT_DAYS } from './bin.rules.ts'
import {
  getTaskToDelete,
  getTaskToRestore,
  lockOverdue,
  putInBin,
  removeComments,
  removeTasks,
  takeFromBin,
} from './bin.store.ts'

type Owned = Awaited<ReturnType<typeof getTaskToDelete>>

/**
 * Deletes a task: it can be restored for a while. Its version stays, because it is the one that is restored.
 * @throws NOT_FOUND, PROJECT_READ_ONLY, NOT_OWNER, PROJECT_ARCHIVED, PRECONDITION_FAILED, VERSION_CONFLICT
 */
export async function deleteTask(tx: Tx, id: number, expected: Expected): Promise<void> {
  const [task, involved, tellFollowers] = await Promise.all([
    getTaskToDelete(tx, { id, ...projectsSeenBy(tx.actor) }),
    loadInvolved(tx, id),
    readFollowers(tx, [id]),
  ])
  assertMayDelete(task, tx.actor)
  assertCurrent(task, expected)
  relyOnProjectOf(tx, task)
  putInBin(tx, { id, was: task.version, deletedAt: tx.now, deletedById: tx.actor.id })
  tx.record({
    event: 'task.deleted',
    subject: id,
    data: only(task, ['projectId', 'title', 'version']),
    history: historyOf('TASK_DELETED', task, task.version),
  })
  const told = involved(task).filter((person) => person === task.assigneeId)
  tell(tx, 'TASK_DELETED', task, told)
  tellFollowers([{ task, what: ['deletion'], told }])
}

/**
 * Restores a deleted task. An assignee who may not have it any more is taken off.
 * @throws NOT_FOUND, PROJECT_READ_ONLY, NOT_OWNER, PROJECT_ARCHIVED, TASK_NOT_DELETED, PRECONDITION_FAILED
 */
export async function restoreTask(tx: Tx, id: number, { ifMatch }: Expected = {}): Promise<Task> {
  const found = await getTaskToRestore(tx, { id, ...projectsSeenBy(tx.actor) })
  assertMayDelete(found, tx.actor)
  if (!found.isDeleted) throw binFaults.notDeleted()
  assertMatch(found.version, ifMatch)
  const task = only(found, taskFields)
  const { projectId, assigneeId } = task
  const assignee = assigneeId === null ? undefined : await findActiveMember(tx, { projectId, userId: assigneeId })
  if (assignee) stillActiveMember(tx, { projectId, userId: assignee.userId })
  relyOnProjectOf(tx, found)
  const restored = { assigneeId: assignee?.userId ?? null, version: task.version + 1, updatedAt: tx.now }
  takeFromBin(tx, { id, was: task.version, ...restored, isOpen: isOpen(task) })
  const { version } = restored
  const change = { fieldName: 'assigneeId', oldValue: String(assigneeId), newValue: null } as const
  tx.record({
    event: 'task.restored',
    subject: id,
    data: { ...only(task, ['projectId', 'title']), assigneeId: restored.assigneeId, version },
    history: [
      ...historyOf('TASK_RESTORED', found, version),
      ...(assigneeId === restored.assigneeId
        ? []
        : [{ projectId, taskId: id, action: 'TASK_ASSIGNED', version, ...change } as const]),
    ],
  })
  return { ...task, ...restored }
}

/** The project stays as it was read, and active, until the commit. */
function relyOnProjectOf(tx: Tx, { projectId, projectVersion }: Owned): void {
  stillActive(tx, { id: projectId, version: projectVersion, ...projectsSeenBy(tx.actor) })
}

/** A line for the task and one for its project, which stays when the task is gone for good. */
function historyOf(
  action: 'TASK_DELETED' | 'TASK_RESTORED',
  { id: taskId, projectId, title, projectVersion }: Owned,
  version: number,
) {
  const line = { projectId, action, newValue: title }
  return [
    { ...line, taskId, version },
    { ...line, version: projectVersion },
  ]
}

/** Removes tasks for good, with their comments and files. */
export const overdueTasks = ({ files }: Config): CleanupJob => ({
  what: `tasks that were deleted ${KEPT_DAYS} days ago`,
  async remove(tx, most) {
    const ids = (await lockOverdue(tx, { most })).map(({ id }) => id)
    if (ids.length === 0) return 0
    await discardFilesOf(tx, files, { resourceType: 'task', ids })
    removeComments(tx, { taskIds: ids })
    removeTasks(tx, { ids })
    return ids.length
  },
})
