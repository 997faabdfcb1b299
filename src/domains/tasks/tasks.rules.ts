import {
  assertVersion,
  type Expected,
  Fault,
  fault,
  givenOf,
  isTerminal,
  mayMove,
  notFound,
  type Transitions,
} from '#atrium'
import type { Role } from '#atrium/projects'
import { TASK_FIELDS } from './tasks.events.ts'
import type { Task, TaskPatch, TaskStatus } from './tasks.schemas.ts'

/** The life cycle of a task. Keeping a status is not a move; DONE and CANCELLED are final. */
export const TASK_MOVES: Transitions<TaskStatus> = {
  TODO: ['IN_PROGRESS', 'CANCELLED'],
  IN_PROGRESS: ['BLOCKED', 'DONE', 'CANCELLED'],
  BLOCKED: ['IN_PROGRESS', 'CANCELLED'],
  DONE: [],
  CANCELLED: [],
}

export const taskFaults = {
  notFound: notFound('Task'),
  finished: fault('TASK_FINISHED', 409, 'The task is finished and cannot be changed'),
  illegalMove: fault('ILLEGAL_TRANSITION', 409, 'The task cannot move to this status'),
  assigneeNotMember: fault('ASSIGNEE_NOT_MEMBER', 400, 'The assignee is not a member of the project'),
  changed: fault('VERSION_CONFLICT', 409, 'The task was changed by someone else'),
}

/** Whether work is left. It is also a column, so that most changes of a task leave its index untouched. */
export function isOpen({ status }: Pick<Task, 'status'>): boolean {
  return !isTerminal(TASK_MOVES, status)
}

/** The refusal of an assignee, with the field that names them. */
export const assigneeNotMember = () =>
  taskFaults.assigneeNotMember([
    { path: 'body.assigneeId', message: 'must be a member of the project who can read its tasks' },
  ])

/** One line of a task's history. */
interface TaskChange {
  action: 'FIELD_CHANGED' | 'TASK_ASSIGNED' | 'STATUS_CHANGED'
  fieldName: (typeof TASK_FIELDS)[number]
  oldValue: string | null
  newValue: string | null
}

export interface Revision {
  task: Task
  changes: TaskChange[]
  /** the new assignee, if it changed */
  newAssignee: number | undefined
}

/**
 * Applies a patch to a task. Checks the state, then the values, then the version.
 * @param assignee the patch's assignee, if they belong to the project now. Someone who is disabled, may not read tasks or
 * only views the project keeps their tasks and gets no new ones
 * @throws TASK_FINISHED, ILLEGAL_TRANSITION, ASSIGNEE_NOT_MEMBER, PRECONDITION_FAILED, VERSION_CONFLICT
 */
export function reviseTask(task: Task, patch: TaskPatch, assignee: Assignee | undefined, now: string): Revision {
  const { version, ifMatch, ...given } = patch
  assertMove(task.status, given.status)
  const mayHave = assignee && (canWork(assignee) || given.assigneeId === task.assigneeId)
  if (given.assigneeId && !mayHave) throw assigneeNotMember()
  assertCurrent(task, { version, ifMatch })
  const revised: Task = { ...task, ...givenOf(given), version: task.version + 1, updatedAt: now }
  const newAssignee = revised.assigneeId === task.assigneeId ? undefined : (revised.assigneeId ?? undefined)
  return { task: revised, changes: changesBetween(task, revised), newAssignee }
}

interface Assignee {
  status: 'active' | 'disabled'
  mayRead: boolean
  role: Role
}

function canWork({ status, mayRead, role }: Assignee): boolean {
  return status === 'active' && mayRead && role === 'member'
}

/** Decides one of several changes. A refusal names its place among them: `tasks[3].version`. */
export function decideAt<Decision>(place: number, decide: () => Decision): Decision {
  try {
    return decide()
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    const { type, status, message, details, headers, label } = error
    const named = details.length > 0 ? details : [{ path: 'id', message }]
    const pathOf = (path = 'id') => `tasks[${place}].${path.replace(/^body\./, '')}`
    const placed = named.map((detail) => ({ ...detail, path: pathOf(detail.path) }))
    throw new Fault(type, status, message, placed, headers, label)
  }
}

function assertMove(from: TaskStatus, to: TaskStatus | undefined): void {
  if (isTerminal(TASK_MOVES, from)) throw taskFaults.finished()
  if (to === undefined || to === from || mayMove(TASK_MOVES, from, to)) return
  throw taskFaults.illegalMove([
    { path: 'body.status', from, to, allowed: TASK_MOVES[from], message: '{from} can move to {allowed}' },
  ])
}

/** @throws PRECONDITION_FAILED, VERSION_CONFLICT */
export function assertCurrent(task: Pick<Task, 'version'>, expected: Expected): void {
  assertVersion(task.version, expected, taskFaults.changed, 'read the task and try again')
}

/** The fields whose changes have an action of their own. */
const ACTIONS: { [Field in TaskChange['fieldName']]?: TaskChange['action'] } = {
  assigneeId: 'TASK_ASSIGNED',
  status: 'STATUS_CHANGED',
}

/** One row for each field that differs. Null and an empty text count as equal. */
function changesBetween(before: Task, after: Task): TaskChange[] {
  return TASK_FIELDS.filter((field) => (before[field] ?? '') !== (after[field] ?? '')).map((fieldName) => ({
    action: ACTIONS[fieldName] ?? 'FIELD_CHANGED',
    fieldName,
    oldValue: asText(before[fieldName]),
    newValue: asText(after[fieldName]),
  }))
}

function asText(value: string | number | null): string | null {
  return value === null ? null : String(value)
}
