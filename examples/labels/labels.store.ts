import {
  activities,
  columnsOf,
  find,
  matches,
  onKey,
  only,
  type PartOf,
  paginate,
  type RowOf,
  updateIfUnchanged,
  write,
  writeReturning,
} from 'atrium'
import { projectOf, roleSeen, type SeesProjects } from 'atrium/projects'
import { taskColumns, taskFaults, visibleTasks, withPeople } from 'atrium/tasks'
import { labelFaults } from './labels.rules.ts'
import type { LabelAction } from './labels.schemas.ts'

const columns = columnsOf('labels', ['id', 'name', 'colour', 'version', 'createdAt', 'updatedAt'])
/** The columns that a change of a label may set. */
const changeable = ['name', 'colour', 'version', 'updatedAt'] as const

const conflicts = { labels_name_taken: labelFaults.nameTaken }

export const getLabel = find((from, p: { id: number }) =>
  from('labels').select(columns).where('labels.id', '=', p.id),
).or(labelFaults.notFound)

export const listLabels = paginate(
  (from, p: { pattern?: string }) =>
    from('labels')
      .select(columns)
      .$if(p.pattern !== undefined, (query) => query.where('labels.name', 'ilike', p.pattern!)),
  'labels.id',
  'newest',
  { costly: ['pattern'] },
)

export const insertLabel = write(({ insert }, p: RowOf<'labels'>) => insert('labels', p), { conflicts })

/** Changes a label that was read in version `was`. */
export const saveLabel = updateIfUnchanged(
  ({ update }, p: PartOf<'labels', 'id' | (typeof changeable)[number]> & { was: number }) =>
    update('labels').set(only(p, changeable)).where('labels.id', '=', p.id).where('labels.version', '=', p.was),
  { conflicts },
)

/** The foreign key removes it from the tasks too. */
export const removeLabel = writeReturning(({ remove }, p: { id: number }) =>
  remove('labels').where('labels.id', '=', p.id).returning(['labels.name', 'labels.version']),
)

/** A task that a person may see, with the state of its project. */
export const getLabelledTask = find((from, p: SeesProjects & { id: number }) =>
  visibleTasks(from, p)
    .innerJoin('projects', projectOf('tasks.projectId'))
    .select(taskColumns)
    .select(['projects.status as projectStatus', roleSeen(from, p, 'tasks.projectId').as('role')])
    .where('tasks.id', '=', p.id),
).or(taskFaults.notFound)

/** If two people attach the same label at the same moment, `affected` says which of them was first. */
export const attach = writeReturning(
  ({ insert }, p: RowOf<'taskLabels'>) => insert('taskLabels', p).onConflict((conflict) => conflict.doNothing()),
  { conflicts: { task_labels_label_lives: labelFaults.notFound, task_labels_task_lives: taskFaults.notFound } },
)

export const detach = writeReturning(({ remove }, p: { taskId: number; labelId: number }) =>
  remove('taskLabels').where('taskLabels.taskId', '=', p.taskId).where('taskLabels.labelId', '=', p.labelId),
)

export const listLabelsOfTask = paginate(
  (from, p: { taskId: number }) =>
    from('labels')
      .innerJoin('taskLabels', onKey('taskLabels.labelId', 'labels.id'))
      .select(columns)
      .where('taskLabels.taskId', '=', p.taskId),
  'labels.id',
)

/** The tasks with a label that a person may see. */
export const listTasksByLabel = paginate(
  (from, p: SeesProjects & { labelId: number }) =>
    withPeople(visibleTasks(from, p))
      .select(taskColumns)
      .where((eb) =>
        eb.exists(
          from('taskLabels')
            .select('taskLabels.taskId')
            .where(matches('taskLabels.taskId', 'tasks.id'))
            .where('taskLabels.labelId', '=', p.labelId),
        ),
      ),
  'tasks.id',
)

export const listLabelActivities = paginate(
  (from, p: { labelId: number }) =>
    activities(from)
      .select(columnsOf('activities', ['id', 'actorId', 'action', 'oldValue', 'newValue', 'createdAt']))
      .where('activities.subjectType', '=', 'label')
      .where('activities.subjectId', '=', p.labelId)
      .$narrowType<{ action: LabelAction }>(),
  'activities.id',
)
