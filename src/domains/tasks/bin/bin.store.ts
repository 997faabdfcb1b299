import { type From, find, lockAll, only, type PartOf, type Rows, sql, updateIfUnchanged, write } from '#atrium'
import { projectOf, roleSeen, type SeesProjects } from '#atrium/projects'
import { taskFaults } from '../tasks.rules.ts'
import { everyTask, taskColumns, visibleTasks } from '../tasks.store.ts'
import { KEPT_DAYS } from './bin.rules.ts'

/** Since when a task has been in the bin that can be restored. */
export const KEPT_SINCE = sql<string>`now() - ${sql.lit(KEPT_DAYS)} * interval '1 day'`

/** With what decides who may delete them. */
const owned = <O>(from: From, p: SeesProjects, tasks: Rows<'tasks', O>) =>
  tasks
    .innerJoin('projects', projectOf('tasks.projectId'))
    .select(taskColumns)
    .select(roleSeen(from, p, 'tasks.projectId').as('role'))
    .select(['projects.ownerId', 'projects.status as projectStatus', 'projects.version as projectVersion'])

export const getTaskToDelete = find((from, p: SeesProjects & { id: number }) =>
  owned(from, p, visibleTasks(from, p)).where('tasks.id', '=', p.id),
).or(taskFaults.notFound)

/** A task that is in the bin, or was never deleted. */
export const getTaskToRestore = find((from, p: SeesProjects & { id: number }) =>
  owned(from, p, everyTask(from, p))
    .select((eb) => eb('tasks.isOpen', 'is', null).$castTo<boolean>().as('isDeleted'))
    .where('tasks.id', '=', p.id)
    .where((eb) => eb.or([eb('tasks.isOpen', 'is not', null), eb('tasks.deletedAt', '>', KEPT_SINCE)])),
).or(taskFaults.notFound)

/** Deletes a task that was read in version `was`. */
export const putInBin = updateIfUnchanged(
  ({ update }, p: PartOf<'tasks', 'id' | 'deletedAt' | 'deletedById'> & { was: number }) =>
    update('tasks')
      .set({ ...only(p, ['deletedAt', 'deletedById']), isOpen: null })
      .where('tasks.id', '=', p.id)
      .where('tasks.version', '=', p.was)
      .where('tasks.isOpen', 'is not', null),
)

/** Restores a task that was read in version `was`. */
export const takeFromBin = updateIfUnchanged(
  ({ update }, p: PartOf<'tasks', 'id' | 'assigneeId' | 'version' | 'updatedAt'> & { isOpen: boolean; was: number }) =>
    update('tasks')
      .set({ ...only(p, ['assigneeId', 'version', 'updatedAt', 'isOpen']), deletedAt: null, deletedById: null })
      .where('tasks.id', '=', p.id)
      .where('tasks.version', '=', p.was)
      .where('tasks.isOpen', 'is', null),
)

/** Tasks whose time in the bin is over, unless another process removes them. */
export const lockOverdue = lockAll((from, p: { most: number }) =>
  from('tasks')
    .select('tasks.id')
    .where('tasks.isOpen', 'is', null)
    .where('tasks.deletedAt', '<=', KEPT_SINCE)
    .orderBy('tasks.id')
    .limit(p.most)
    .forUpdate()
    .skipLocked(),
)

export const removeComments = write(({ remove }, p: { taskIds: readonly number[] }) =>
  remove('taskComments').where('taskComments.taskId', '=', sql<number>`any(${p.taskIds}::bigint[])`),
)

export const removeTasks = write(({ remove }, p: { ids: readonly number[] }) =>
  remove('tasks').where('tasks.id', '=', sql<number>`any(${p.ids}::bigint[])`),
)
