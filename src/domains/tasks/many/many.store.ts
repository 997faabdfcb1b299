import { lockAll, sql, write } from '#atrium'
import { personOf } from '#atrium/people'
import { members } from '#atrium/projects'
import { holdersOf } from '#atrium/roles'
import type { Task } from '../tasks.schemas.ts'

/**
 * The members of a project who have these user names and can be given a task. They stay members until the transaction
 * ends.
 */
export const shareLockWorkers = lockAll((from, p: { projectId: number; usernames: readonly string[] }) =>
  members(from)
    .innerJoin('users', personOf('projectMembers.userId'))
    .select(['projectMembers.userId', sql<string>`users.username`.as('username')])
    .where('projectMembers.projectId', '=', p.projectId)
    .where('projectMembers.role', '=', 'member')
    .where(sql<boolean>`users.username = any(${p.usernames}::text[])`)
    .where('users.status', '=', 'active')
    .where('projectMembers.userId', 'in', holdersOf(from, 'project:list'))
    .orderBy('projectMembers.userId')
    .forShare('projectMembers'),
)

/** Inserts many tasks: of each column an array. */
export const insertTasks = write(
  (
    { insert },
    p: { projectId: number; reporterId: number; status: Task['status']; now: string } & {
      [Column in 'ids' | 'titles' | 'descriptions' | 'assigneeIds' | 'priorities' | 'dueDates']: readonly unknown[]
    },
  ) =>
    insert('tasks', {
      id: sql<number>`unnest(${p.ids}::bigint[])`,
      projectId: p.projectId,
      title: sql<string>`unnest(${p.titles}::text[])`,
      description: sql<string>`unnest(${p.descriptions}::text[])`,
      assigneeId: sql<number>`unnest(${p.assigneeIds}::bigint[])`,
      reporterId: p.reporterId,
      priority: sql<Task['priority']>`unnest(${p.priorities}::text[])`,
      status: p.status,
      dueDate: sql<string>`unnest(${p.dueDates}::date[])`,
      version: 0,
      createdAt: p.now,
      updatedAt: p.now,
    }),
)
