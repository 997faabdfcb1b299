import { find, list, type RowOf, sql, write } from '#atrium'
import { personOf } from '#atrium/people'
import type { SeesProjects } from '#atrium/projects'
import { administrators, holdersOf } from '#atrium/roles'
import { visibleTasks } from '#atrium/tasks'

/** Gives a person a key, in place of the one that they have. */
export const saveKey = write(({ insert }, p: RowOf<'calendarKeys', 'id' | 'createdAt'>) =>
  insert('calendarKeys', p).onConflict((conflict) =>
    conflict.columns(['tenantId', 'userId']).doUpdateSet({
      keyHash: sql<string>`excluded.key_hash`,
      createdAt: sql<string>`excluded.created_at`,
    }),
  ),
)

export const removeKey = write(({ remove }, p: { userId: number }) =>
  remove('calendarKeys').where('calendarKeys.userId', '=', p.userId),
)

/** The person whose key it is, if they may sign in and read tasks. No calendar outlives the key of a service account. */
export const findReader = find((from, p: { keyHash: string }) =>
  from('calendarKeys')
    .innerJoin('users', personOf('calendarKeys.userId'))
    .select(['users.id', 'users.locale'])
    .select((eb) => eb('users.id', 'in', administrators(from)).$castTo<boolean>().as('isAdministrator'))
    .where('calendarKeys.keyHash', '=', p.keyHash)
    .where('users.status', '=', 'active')
    .where('users.deletedAt', 'is', null)
    .where('users.isService', 'is', false)
    .where('users.id', 'in', holdersOf(from, 'project:list')),
)

/** A person's tasks with a due date, open or finished, from a day on; the last ones if there are too many. */
export const listDatedTasks = list(
  (from, p: SeesProjects & { assigneeId: number; isOpen: boolean; since: string; most: number }) =>
    visibleTasks(from, p)
      .select(['tasks.id', 'tasks.title', 'tasks.description', 'tasks.priority', 'tasks.status'])
      .select(['tasks.dueDate', 'tasks.version', 'tasks.createdAt', 'tasks.updatedAt'])
      .where('tasks.assigneeId', '=', p.assigneeId)
      .where('tasks.isOpen', '=', p.isOpen)
      .where('tasks.dueDate', '>=', p.since)
      .orderBy('tasks.dueDate', 'desc')
      .orderBy('tasks.id', 'desc')
      .limit(p.most),
)
