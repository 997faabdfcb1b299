import { lend } from '../sql/lend.ts'
import { type From, write } from '../sql/verbs.ts'
import type { Activity, Tx } from './scope.ts'

const insertActivity = write(
  (
    { insert },
    p: {
      projectId: number | null
      taskId: number | null
      /** the project, for anything but a task: its own key proves it */
      ownProjectId: number | null
      actorId: number
      action: string
      fieldName: string | null
      oldValue: string | null
      newValue: string | null
      version: number
      requestId: string
      createdAt: string
      subjectType?: string
      subjectId?: number
    },
  ) => insert('activities', p),
)

/** Records what happened, in the transaction that did it. */
export function recordActivity(tx: Tx, activity: Activity): void {
  insertActivity(tx, {
    projectId: activity.projectId ?? null,
    taskId: activity.taskId ?? null,
    ownProjectId: activity.taskId ? null : (activity.projectId ?? null),
    actorId: tx.actor.id,
    action: activity.action,
    fieldName: activity.fieldName ?? null,
    oldValue: activity.oldValue ?? null,
    newValue: activity.newValue ?? null,
    version: activity.version,
    requestId: tx.requestId,
    createdAt: tx.now,
    ...(activity.subject && { subjectType: activity.subject.type, subjectId: activity.subject.id }),
  })
}

/** What happened; each domain shows its own part of it. */
export const activities = lend(['activities'], (from: From) => from('activities'))
