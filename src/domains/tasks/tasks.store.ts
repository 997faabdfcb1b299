import {
  activities,
  columnsOf,
  except,
  type From,
  find,
  lend,
  list,
  matches,
  only,
  type PartOf,
  paginate,
  type RowOf,
  type Rows,
  type SearchedRange,
  searchedIn,
  sql,
  updateIfUnchanged,
  write,
  writeReturning,
} from '#atrium'
import { nameAs, nameOf, personAs, personOf } from '#atrium/people'
import { members, membersOf, roleSeen, type SeesProjects } from '#atrium/projects'
import { holdersOf } from '#atrium/roles'
import { taskFaults } from './tasks.rules.ts'
import { TaskActivityView, TaskView } from './tasks.schemas.ts'

export const taskFields = except(TaskView.keyof().options, ['assigneeName', 'reporterName'])
/** The columns of a task. */
export const taskColumns = columnsOf('tasks', taskFields)
/** Tasks with the names of their people, for other domains' lists; this domain uses a cache of names. */
export const withPeople = <O>(tasks: Rows<'tasks', O>) =>
  tasks
    .leftJoin('users as assignee', personAs('assignee', 'tasks.assigneeId'))
    .leftJoin('users as reporter', personAs('reporter', 'tasks.reporterId'))
    .select([nameAs('assignee').as('assigneeName'), nameAs('reporter').$notNull().as('reporterName')])
const changeable = except(taskFields, ['id', 'projectId', 'reporterId', 'createdAt'])

/** Tasks that are not deleted: one in the bin is neither open nor finished. */
export const living = <O>(tasks: Rows<'tasks', O>) => tasks.where('tasks.isOpen', 'is not', null)

/** The tasks that a person may see. */
export const visibleTasks = lend(['tasks'], (from: From, p: SeesProjects) => living(everyTask(from, p)))

/** The same with those in the bin. */
export const everyTask = lend(['tasks'], (from: From, p: SeesProjects) =>
  from('tasks').$if(p.memberId !== undefined, (query) =>
    query.where((eb) =>
      eb.exists(
        members(from)
          .select(sql`1`.as('one'))
          .where(matches('projectMembers.projectId', 'tasks.projectId'))
          .where('projectMembers.userId', '=', p.memberId!),
      ),
    ),
  ),
)

export const getTask = find((from, p: SeesProjects & { id: number }) =>
  visibleTasks(from, p).select(taskColumns).where('tasks.id', '=', p.id),
).or(taskFaults.notFound)

const tasksToChange = (from: From, p: SeesProjects) =>
  visibleTasks(from, p)
    .select(taskColumns)
    .select(roleSeen(from, p, 'tasks.projectId').as('role'))

/** The same for a change of it, with the role in which the actor sees it. */
export const getTaskToChange = find((from, p: SeesProjects & { id: number }) =>
  tasksToChange(from, p).where('tasks.id', '=', p.id),
).or(taskFaults.notFound)

/** The same for changes of several, without those that the actor does not see. */
export const listTasksToChange = list((from, p: SeesProjects & { ids: readonly number[] }) =>
  tasksToChange(from, p).where('tasks.id', '=', sql<number>`any(${p.ids}::bigint[])`),
)

const assignees = (from: From) =>
  members(from)
    .innerJoin('users', personOf('projectMembers.userId'))
    .select(['projectMembers.projectId', 'projectMembers.userId', 'projectMembers.role'])
    .select(['users.status', nameOf.as('name')])
    .select(sql<boolean>`users.id in (${holdersOf(from, 'project:list')})`.as('mayRead'))

/** The assignee's membership in the task's project, and whether they can sign in and read it. */
export const findAssignee = find((from, p: { taskId: number; userId: number }) =>
  assignees(from)
    .where('projectMembers.userId', '=', p.userId)
    .where('projectMembers.projectId', '=', from('tasks').select('tasks.projectId').where('tasks.id', '=', p.taskId)),
)

/** The same of several people in the projects of several tasks. */
export const listAssignees = list((from, p: { taskIds: readonly number[]; userIds: readonly number[] }) =>
  assignees(from)
    .where('projectMembers.userId', '=', sql<number>`any(${p.userIds}::bigint[])`)
    .where(
      'projectMembers.projectId',
      'in',
      from('tasks').select('tasks.projectId').where('tasks.id', '=', sql<number>`any(${p.taskIds}::bigint[])`),
    ),
)

/** The task's assignee and reporter, if they are members of its project now. */
export const listInvolvedMembers = list((from, p: { taskId: number }) =>
  from('tasks')
    .innerJoin('projectMembers', membersOf('tasks.projectId'))
    .select('projectMembers.userId')
    .where('tasks.id', '=', p.taskId)
    .where((eb) =>
      eb.or([
        eb('projectMembers.userId', '=', eb.ref('tasks.assigneeId')),
        eb('projectMembers.userId', '=', eb.ref('tasks.reporterId')),
      ]),
    ),
)

/** A person's open tasks, in one project or in all, in the order of their ids. */
export const listOpenTasks = list((from, p: { projectId?: number; assigneeId: number; most: number }) =>
  from('tasks')
    .select(['tasks.id', 'tasks.title as name'])
    .$if(p.projectId !== undefined, (query) => query.where('tasks.projectId', '=', p.projectId!))
    .where('tasks.assigneeId', '=', p.assigneeId)
    .where('tasks.isOpen', 'is', true)
    .orderBy('tasks.id')
    .limit(p.most),
)

/** Gives all open tasks of a person to another one. */
export const passTasks = writeReturning(({ update }, p: { from: number; to: number; updatedAt: string }) =>
  update('tasks')
    .set({ assigneeId: p.to, version: sql<number>`tasks.version + 1`, updatedAt: p.updatedAt })
    .where('tasks.assigneeId', '=', p.from)
    .where('tasks.isOpen', 'is', true)
    .returning(['tasks.id', 'tasks.projectId', 'tasks.title', 'tasks.version']),
)

export const insertTask = write(({ insert }, p: RowOf<'tasks', 'isOpen' | 'deletedAt' | 'deletedById'>) =>
  insert('tasks', p),
)

/** Changes a task that was read in version `was`. */
export const saveTask = updateIfUnchanged(
  ({ update }, p: PartOf<'tasks', 'id' | (typeof changeable)[number]> & { isOpen: boolean; was: number }) =>
    update('tasks')
      .set(only(p, [...changeable, 'isOpen']))
      .where('tasks.id', '=', p.id)
      .where('tasks.version', '=', p.was)
      .where('tasks.isOpen', 'is not', null),
)

export const listTaskActivities = paginate(
  (from, p: { taskId: number }) =>
    activities(from)
      .leftJoin('users as actor', personAs('actor', 'activities.actorId'))
      .select(columnsOf('activities', except(TaskActivityView.keyof().options, ['actorName'])))
      .select(nameAs('actor').$notNull().as('actorName'))
      .where('activities.taskId', '=', p.taskId)
      .$narrowType<{ taskId: number }>(),
  'activities.id',
  'newest',
  { long: { text: ['oldValue', 'newValue'] } },
)

/** The tasks that a person finds. */
export const listSearchedTasks = list((from, p: SeesProjects & SearchedRange) =>
  searchedIn(
    visibleTasks(from, p),
    'tasks',
    { title: sql`tasks.title`, text: sql`coalesce(tasks.description, '')`, projectId: sql`tasks.project_id` },
    p,
  ),
)
