import {
  columnsOf,
  type From,
  faults,
  find,
  lend,
  list,
  matches,
  onKey,
  only,
  paginate,
  type RowOf,
  seesEverything,
  sql,
  write,
} from '#atrium'
import { everybody, nameAs, nameOf, personOf } from '#atrium/people'
import { members, projectFaults, projectIdsSeen, projectOf, type SeesProjects } from '#atrium/projects'
import { administrators, holdersOf } from '#atrium/roles'
import { everyTask, visibleTasks } from '#atrium/tasks'

const ofTasks = seesEverything('each watcher is asked whether they see the project')
type Project = ReturnType<typeof sql<number>>

/** In a query over `users`: who sees a project, and can sign in. */
const sees = (from: From, project: Project) =>
  sql<boolean>`users.status = 'active' and users.id in (${holdersOf(from, 'project:list')})
    and (users.id in (${administrators(from)}) or users.id in (${members(from)
      .select('projectMembers.userId')
      .where(sql<boolean>`project_members.project_id = ${project}`)}))`
const projectOfWatch: Project = sql.ref('watches.projectId')

/** Who watches tasks, or their projects, and sees them; a person may be there twice. */
export const listWatches = list((from, p: { taskIds: readonly number[] }) =>
  visibleTasks(from, ofTasks)
    .innerJoin('watches', onKey('watches.projectId', 'tasks.projectId'))
    .innerJoin('users', personOf('watches.userId'))
    .select(['tasks.id as taskId', 'watches.userId'])
    .where('tasks.id', '=', sql<number>`any(${p.taskIds}::bigint[])`)
    .where(sql<boolean>`(watches.task_id is null or watches.task_id = tasks.id)`)
    .where(sees(from, projectOfWatch)),
)

/**
 * Some people, in the order of their ids, and who of them sees the project of a task. One in the bin has a project too:
 * whether the task is there is not asked here, because it may be deleted after the command has found it.
 */
export const listPeople = list((from, p: { taskId: number; ids: readonly number[] }) =>
  everybody(from)
    .select(['users.id', nameAs('users').$notNull().as('name')])
    .select(
      sees(
        from,
        sql<number>`(${everyTask(from, ofTasks).select('tasks.projectId').where('tasks.id', '=', p.taskId)})`,
      ).as('sees'),
    )
    .where('users.id', '=', sql<number>`any(${p.ids}::bigint[])`)
    .orderBy('users.id'),
)

/** Who watches a task itself, and sees it. */
export const listWatchers = paginate(
  (from, p: { taskId: number }) =>
    from('watches')
      .innerJoin('users', personOf('watches.userId'))
      .select(['watches.id', 'watches.userId', nameOf.as('name')])
      .where('watches.taskId', '=', p.taskId)
      .where(sees(from, projectOfWatch)),
  'watches.id',
  'oldest',
)

/** What a person watches, of what they see. */
export const listWatched = paginate((from, p: SeesProjects & { userId: number }) => {
  const task = visibleTasks(from, ofTasks).where(matches('tasks.id', 'watches.taskId'))
  return from('watches')
    .innerJoin('projects', projectOf('watches.projectId'))
    .select('watches.id')
    .select(
      sql<'task' | 'project'>`case when watches.task_id is null then 'project' else 'task' end`.as('resourceType'),
    )
    .select(sql<number>`coalesce(watches.task_id, watches.project_id)`.as('resourceId'))
    .select(sql<string>`coalesce((${task.select('tasks.title')}), projects.name)`.as('title'))
    .where('watches.userId', '=', p.userId)
    .where('watches.projectId', 'in', projectIdsSeen(from, p))
    .where(sql<boolean>`(watches.task_id is null or exists (${task.select(sql`1`.as('one'))}))`)
}, 'watches.id')

/** The membership of a person in the project of a task, if they have one. */
export const findMemberOfTask = find((from, p: { taskId: number; userId: number }) =>
  members(from)
    .select('projectMembers.userId')
    .where(
      'projectMembers.projectId',
      '=',
      visibleTasks(from, ofTasks).select('tasks.projectId').where('tasks.id', '=', p.taskId),
    )
    .where('projectMembers.userId', '=', p.userId),
)

/** Repeating it changes nothing. */
export const insertWatch = write(
  ({ insert }, p: RowOf<'watches', 'id'>) => insert('watches', p).onConflict((conflict) => conflict.doNothing()),
  { conflicts: { watches_user_lives: faults.notInTenant, watches_member: projectFaults.notFound } },
)

export const removeTaskWatch = write(({ remove }, p: { userId: number; taskId: number }) =>
  remove('watches').where('watches.userId', '=', p.userId).where('watches.taskId', '=', p.taskId),
)

export const removeProjectWatch = write(({ remove }, p: { userId: number; projectId: number }) =>
  remove('watches')
    .where('watches.userId', '=', p.userId)
    .where('watches.projectId', '=', p.projectId)
    .where('watches.taskId', 'is', null),
)

export const findMentions = find((from, p: { commentId: number }) =>
  from('commentMentions')
    .select(columnsOf('commentMentions', ['userIds', 'toldIds']))
    .where('commentMentions.commentId', '=', p.commentId),
)

/** In a query over `taskComments`: the people whom a comment mentions. */
export const mentionsShown = lend(['commentMentions'], (from: From) => {
  const ids = from('commentMentions')
    .select('commentMentions.userIds')
    .where(matches('commentMentions.commentId', 'taskComments.id'))
  return sql<{ id: number; name: string }[]>`coalesce((${everybody(from)
    .where('users.id', '=', sql<number>`any((${ids})::bigint[])`)
    .select(
      sql`json_agg(json_build_object('id', users.id, 'name', ${nameAs('users')}) order by users.id)`.as('mentions'),
    )}), '[]')`
})

export const saveMentions = write(({ insert }, p: RowOf<'commentMentions'>) =>
  insert('commentMentions', p).onConflict((conflict) =>
    conflict.columns(['tenantId', 'commentId']).doUpdateSet(only(p, ['userIds', 'toldIds'])),
  ),
)

export const removeMentions = write(({ remove }, p: { commentId: number }) =>
  remove('commentMentions').where('commentMentions.commentId', '=', p.commentId),
)
