import type { Insertable } from 'kysely'
import { lend } from '../sql/lend.ts'
import type { DB } from '../sql/schema.ts'
import { type From, write } from '../sql/verbs.ts'
import type { Activity, Tx } from './scope.ts'

const insertActivity = write(({ insert }, p: Omit<Insertable<DB['activities']>, 'tenantId'>) => insert('activities', p))

/** Records what happened, in the transaction that did it. */
export function recordActivity(tx: Tx, activity: Activity): void {
  insertActivity(tx, {
    projectId: activity.projectId ?? null,
    taskId: activity.taskId ?? null,
    // For anything but a task: its own key proves it.
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
