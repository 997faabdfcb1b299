import type { Tx } from '#atrium'
import { findMember, getVisibleProject, projectFaults, projectsSeenBy } from '#atrium/projects'
import { getTask } from '#atrium/tasks'
import { findMemberOfTask, insertWatch, removeProjectWatch, removeTaskWatch } from './watching.store.ts'

/** The actor is told of changes of a task from now on. Repeating it changes nothing. @throws NOT_FOUND, NOT_IN_TENANT */
export async function watchTask(tx: Tx, taskId: number): Promise<void> {
  const userId = tx.actor.id
  const [{ projectId }, member] = await Promise.all([
    getTask(tx, { id: taskId, ...projectsSeenBy(tx.actor) }),
    findMemberOfTask(tx, { taskId, userId }),
  ])
  insertWatch(tx, { userId, projectId, taskId, memberId: placeOf(tx, member), createdAt: tx.now })
}

/** They are no longer told of it, unless they watch its project. @throws NOT_FOUND */
export async function unwatchTask(tx: Tx, taskId: number): Promise<void> {
  await getTask(tx, { id: taskId, ...projectsSeenBy(tx.actor) })
  removeTaskWatch(tx, { userId: tx.actor.id, taskId })
}

/** The same for all tasks of a project, future ones too. @throws NOT_FOUND, NOT_IN_TENANT */
export async function watchProject(tx: Tx, projectId: number): Promise<void> {
  const userId = tx.actor.id
  const [, member] = await Promise.all([
    getVisibleProject(tx, { id: projectId, ...projectsSeenBy(tx.actor) }),
    findMember(tx, { projectId, userId }),
  ])
  insertWatch(tx, { userId, projectId, taskId: null, memberId: placeOf(tx, member), createdAt: tx.now })
}

/** Tasks that they watch themselves stay watched. @throws NOT_FOUND */
export async function unwatchProject(tx: Tx, projectId: number): Promise<void> {
  await getVisibleProject(tx, { id: projectId, ...projectsSeenBy(tx.actor) })
  removeProjectWatch(tx, { userId: tx.actor.id, projectId })
}

/** The membership that a watch ends with; null for who sees the project without one. @throws NOT_FOUND if it has just ended */
function placeOf({ actor }: Tx, member: { userId: number } | undefined): number | null {
  if (!member && !actor.isAdministrator) throw projectFaults.notFound()
  return member?.userId ?? null
}
