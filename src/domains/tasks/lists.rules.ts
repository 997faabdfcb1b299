import { containing } from '#atrium'
import { isOpen } from './tasks.rules.ts'
import { TaskPriority, TaskStatus } from './tasks.schemas.ts'

/** What a list of tasks is filtered by, as it is requested. */
export interface TaskFilters {
  status?: readonly TaskStatus[] | undefined
  priority?: readonly TaskPriority[] | undefined
  assigneeId?: number | undefined
  dueFrom?: string | undefined
  dueTo?: string | undefined
  keyword?: string | undefined
  sort?: string | undefined
}

/** The same for the statements. All filters are bound if there is any, so that the statements are few. */
export interface TaskChoice {
  statuses?: readonly TaskStatus[]
  priorities?: readonly TaskPriority[]
  assigneeId?: number | null
  /** whether only tasks with a due date of these days are wanted */
  dated?: boolean
  dueFrom?: string
  dueTo?: string
  /** in an order whose index holds open tasks as a part of their own: which part is wanted, if only one is */
  isOpen?: boolean
  pattern?: string
}

/** The orders whose indexes begin with open tasks. */
const IN_HALVES = new Set(['dueDate', '-dueDate', 'priority', '-priority'])

export function choiceOf({ keyword, sort, ...filters }: TaskFilters): TaskChoice {
  if (keyword === undefined && Object.values(filters).every((filter) => filter === undefined)) return {}
  const { status = TaskStatus.options, priority = TaskPriority.options, assigneeId = null, dueFrom, dueTo } = filters
  const half = IN_HALVES.has(sort ?? '') ? openness(status) : undefined
  return {
    statuses: status,
    priorities: priority,
    assigneeId,
    dated: dueFrom !== undefined || dueTo !== undefined,
    dueFrom: dueFrom ?? '-infinity',
    dueTo: dueTo ?? 'infinity',
    ...(half !== undefined && { isOpen: half }),
    ...(keyword && { pattern: containing(keyword) }),
  }
}

/** Whether tasks of these statuses are all open, or all finished; undefined if some are and some are not. */
export function openness(statuses: readonly TaskStatus[]): boolean | undefined {
  const [first, ...others] = statuses.map((status) => isOpen({ status }))
  return others.every((other) => other === first) ? first : undefined
}
