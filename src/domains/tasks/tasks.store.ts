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
  sql,
  updateIfUnchanged,
  write,
  writeReturning,
} from '#atrium'
import { avatarUrlAs, nameAs, nameOf, personAs, personOf } from '#atrium/people'
import { members, membersOf, type SeesProjects } from '#atrium/projects'
import { holdersOf } from '#atrium/roles'
import { taskFaults } from './tasks.rules.ts'

const names = [
  'id',
  'projectId',
  'title',
  'description',
  'assigneeId',
  'reporterId',
  'priority',
  'status',
  'dueDate',
  'version',
  'createdAt',
  'updatedAt',
] as const
/** The columns of a task. */
export const taskColumns = columnsOf('tasks', names)
/** Tasks with the names of their people, for other domains' lists; this domain uses a cache of names. */
export const withPeople = <O>(tasks: Rows<'tasks', O>) =>
  tasks
    .leftJoin('users as assignee', personAs('assignee', 'tasks.assigneeId'))
    .leftJoin('users as reporter', personAs('reporter', 'tasks.reporterId'))
    .select([nameAs('assignee').as('assigneeName'), nameAs('reporter').$notNull().as('reporterName')])
/** The columns that a change of a task may set. */
const changeable = except(names, ['id', 'projectId', 'reporterId', 'createdAt'])

/** The tasks that a person may see. */
export const visibleTasks = lend(['tasks'], (from: From, p: SeesProjects) =>
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

/** The assignee's membership in the task's project, and whether they can sign in and read it. */
export const findAssignee = find((from, p: { taskId: number; userId: number }) =>
  members(from)
    .innerJoin('users', personOf('projectMembers.userId'))
    .select(['projectMembers.userId', 'users.status', nameOf.as('name')])
    .select(sql<boolean>`users.id in (${holdersOf(from, 'project:list')})`.as('mayRead'))
    .where('projectMembers.userId', '=', p.userId)
    .where('projectMembers.projectId', '=', from('tasks').select('tasks.projectId').where('tasks.id', '=', p.taskId)),
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

export const insertTask = write(({ insert }, p: RowOf<'tasks', 'isOpen'>) => insert('tasks', p))

/** Changes a task that was read in version `was`. */
export const saveTask = updateIfUnchanged(
  ({ update }, p: PartOf<'tasks', 'id' | (typeof changeable)[number]> & { isOpen: boolean; was: number }) =>
    update('tasks')
      .set(only(p, [...changeable, 'isOpen']))
      .where('tasks.id', '=', p.id)
      .where('tasks.version', '=', p.was),
)

export const insertComment = write(({ insert }, p: RowOf<'taskComments'>) => insert('taskComments', p))

export const listComments = paginate(
  (from, p: { taskId: number }) =>
    from('taskComments')
      // A left join, so that a count can skip the authors; every comment has one.
      .leftJoin('users', personOf('taskComments.authorId'))
      .select(columnsOf('taskComments', ['id', 'taskId', 'authorId', 'content', 'createdAt']))
      .select([nameOf.as('authorName'), avatarUrlAs('users').as('authorAvatarUrl')])
      .where('taskComments.taskId', '=', p.taskId),
  'taskComments.id',
  'oldest',
  { long: { text: ['content'] } },
)

export const listTaskActivities = paginate(
  (from, p: { taskId: number }) =>
    activities(from)
      .leftJoin('users as actor', personAs('actor', 'activities.actorId'))
      .select([
        'activities.id',
        'activities.taskId',
        'activities.actorId',
        'activities.action',
        'activities.fieldName',
        'activities.oldValue',
        'activities.newValue',
        'activities.createdAt',
      ])
      .select(nameAs('actor').$notNull().as('actorName'))
      .where('activities.taskId', '=', p.taskId)
      .$narrowType<{ taskId: number }>(),
  'activities.id',
  'newest',
  { long: { text: ['oldValue', 'newValue'] } },
)
