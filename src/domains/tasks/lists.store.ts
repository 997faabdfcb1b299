import {
  anyLike,
  type Builder,
  columnsOf,
  Day,
  type From,
  Instant,
  paginate,
  paginateOrSearch,
  type Sorts,
  sql,
} from '#atrium'
import { members, projectIdsSeen, type SeesProjects } from '#atrium/projects'
import { KEPT_SINCE } from './bin/bin.store.ts'
import type { TaskChoice } from './lists.rules.ts'
import { TaskPriority } from './tasks.schemas.ts'
import { living, taskColumns, visibleTasks } from './tasks.store.ts'

/** The tasks that are wanted. No index serves these filters, because it would make every change of a task slower. */
function wanted<O>(tasks: Builder<O>, p: TaskChoice): Builder<O> {
  return tasks
    .$if(p.statuses !== undefined, (query) =>
      query
        .where(sql<boolean>`${sql.ref('tasks.status')} = any(${p.statuses}::text[])`)
        .where(sql<boolean>`${sql.ref('tasks.priority')} = any(${p.priorities}::text[])`)
        .where(sql<boolean>`(${p.assigneeId}::bigint is null or ${sql.ref('tasks.assigneeId')} = ${p.assigneeId})`)
        .where(sql<boolean>`(not ${p.dated}::boolean or ${dueWithin(p)})`),
    )
    .$if(p.isOpen !== undefined, (query) => query.where('tasks.isOpen', '=', p.isOpen!))
    .$if(p.pattern !== undefined, (query) =>
      query.where(anyLike(p.pattern!, ['tasks.title', 'tasks.description'])),
    ) as Builder<O>
}

const dueWithin = (p: TaskChoice) =>
  sql<boolean>`${sql.ref('tasks.dueDate')} between ${p.dueFrom}::date and ${p.dueTo}::date`

const halves = { column: 'tasks.isOpen', chosenBy: 'isOpen' }
const priority = sql.ref('tasks.priority')
const RANKS = TaskPriority.options

const byDueDate: Sorts = {
  dueDate: {
    column: 'tasks.dueDate',
    read: (written) => Day.safeParse(written).data,
    halves,
    nullable: { having: (tasks, p: TaskChoice) => (p.dueFrom === undefined ? tasks : tasks.where(dueWithin(p))) },
  },
}
const byChange: Sorts = { updatedAt: { column: 'tasks.updatedAt', read: (written) => Instant.safeParse(written).data } }
const sorts: Sorts = {
  ...byDueDate,
  ...byChange,
  priority: {
    column: 'tasks.priority',
    // As the index tasks_by_priority has it.
    by: sql`case ${priority} when 'LOW' then 1 when 'MEDIUM' then 2 when 'HIGH' then 3 else 4 end`,
    read: (written) => RANKS.indexOf(written as TaskPriority) + 1 || undefined,
    halves,
  },
  title: { column: 'tasks.title', read: (written) => written },
}
/** The same orders for the bin, whose tasks are in neither half. */
const undivided: Sorts = Object.fromEntries(
  Object.entries(sorts).map(([field, { halves: _, ...sort }]: [string, any]) => [field, sort]),
)
const long = { text: ['description'] }

/** All tasks of a project. Membership is checked once for the list, not for each row: without it the list is empty. */
const tasksIn = (from: From, p: SeesProjects & { projectId: number }) =>
  from('tasks')
    .select(taskColumns)
    .where('tasks.projectId', '=', p.projectId)
    .$if(p.memberId !== undefined, (query) =>
      query.where((eb) =>
        eb.exists(
          members(from)
            .select(sql`1`.as('one'))
            .where('projectMembers.projectId', '=', p.projectId)
            .where('projectMembers.userId', '=', p.memberId!),
        ),
      ),
    )

export const listTasks = paginateOrSearch(
  (from: From, p: SeesProjects & { projectId: number }) => living(tasksIn(from, p)),
  (found, p: SeesProjects & TaskChoice & { projectId: number }) => wanted(found, p),
  'tasks',
  { filters: ['statuses', 'pattern'], costly: ['pattern'], sorts, long },
)

/** The tasks of all projects that a person sees, by their ids: for everything of a tenant, and for searches. */
export const searchSeenTasks = paginateOrSearch(
  (from: From, p: SeesProjects) =>
    living(from('tasks'))
      .select(taskColumns)
      .$if(p.memberId !== undefined, (query) => query.where('tasks.projectId', 'in', projectIdsSeen(from, p))),
  (found, p: SeesProjects & Omit<TaskChoice, 'isOpen'>) => wanted(found, p),
  'tasks',
  { filters: ['statuses', 'pattern'], costly: ['pattern'], long },
)

/** The same in any order. The cost of a page grows with the number of projects, and not with that of tasks. */
export const listSeenTasks = paginate(
  (from: From, p: SeesProjects & TaskChoice) => wanted(living(from('tasks')).select(taskColumns), p),
  'tasks.id',
  'newest',
  {
    groups: { of: (from, p: SeesProjects) => projectIdsSeen(from, p), column: 'tasks.projectId' },
    sorts: { ...byDueDate, ...byChange },
    costly: ['pattern'],
    long,
  },
)

/** The tasks of an assignee, in the projects that the reader sees. */
export const listAssignedTasks = paginate(
  (from: From, p: SeesProjects & TaskChoice & { ofId: number }) =>
    wanted(visibleTasks(from, p).select(taskColumns).where('tasks.assigneeId', '=', p.ofId), p),
  'tasks.id',
  'newest',
  { sorts: { ...byDueDate, ...byChange }, costly: ['pattern'], long },
)

/** What can be restored in a project. */
export const listBin = paginate(
  (from, p: SeesProjects & TaskChoice & { projectId: number }) =>
    wanted(tasksIn(from, p), p)
      .select(columnsOf('tasks', ['deletedAt', 'deletedById']))
      .where('tasks.isOpen', 'is', null)
      .where('tasks.deletedAt', '>', KEPT_SINCE)
      .$narrowType<{ deletedAt: string; deletedById: number }>(),
  'tasks.id',
  'newest',
  { sorts: undivided, costly: ['pattern'], long },
)
