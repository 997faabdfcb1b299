import { changesBetween, fail, nextId, only, type Tx } from '#atrium'
import {
  assertMayChange,
  type MemberWork,
  projectsSeenBy,
  type Role,
  relyOnProject,
  stillMember,
} from '#atrium/projects'
import { listAdministratorIds } from '#atrium/roles'
import { readFollowers, type TaskNews } from './ports/followers.ts'
import { TASK_FIELDS } from './tasks.events.ts'
import { assigneeNotMember, decideAt, isOpen, type Revision, reviseTask, taskFaults } from './tasks.rules.ts'
import type { Task, TaskDraft, TaskPatch, TasksPatch } from './tasks.schemas.ts'
import {
  findAssignee,
  getTaskToChange,
  insertTask,
  listAssignees,
  listInvolvedMembers,
  listOpenTasks,
  listTasksToChange,
  saveTask,
} from './tasks.store.ts'

/** Creates a task in a project that is not archived. @throws NOT_FOUND, PROJECT_READ_ONLY, PROJECT_ARCHIVED, ASSIGNEE_NOT_MEMBER */
export async function createTask(tx: Tx, projectId: number, draft: TaskDraft): Promise<Task> {
  const assigneeId = draft.assigneeId ?? null
  const [id] = await Promise.all([
    nextId(tx, 'tasks'),
    relyOnProject(tx, projectId, assigneeId ? { userId: assigneeId, orElse: assigneeNotMember } : undefined),
  ])
  const task = newTask(tx, id, projectId, draft)
  insertTask(tx, task)
  recordNewTask(tx, task)
  if (assigneeId) tell(tx, 'TASK_ASSIGNED', task, [assigneeId])
  return task
}

/** A task as a draft makes it. */
export function newTask(tx: Tx, id: number, projectId: number, draft: TaskDraft): Task {
  return {
    id,
    projectId,
    title: draft.title,
    description: draft.description ?? null,
    assigneeId: draft.assigneeId ?? null,
    reporterId: tx.actor.id,
    priority: draft.priority,
    status: 'TODO',
    dueDate: draft.dueDate ?? null,
    version: 0,
    createdAt: tx.now,
    updatedAt: tx.now,
  }
}

export function recordNewTask(tx: Tx, task: Task): void {
  const { id, projectId } = task
  tx.record({
    event: 'task.created',
    subject: id,
    data: only(task, ['projectId', 'title', 'assigneeId', 'priority', 'status', 'dueDate', 'version']),
    history: { projectId, taskId: id, action: 'TASK_CREATED', newValue: task.title, version: 0 },
  })
}

/** The fields whose changes followers of a task hear of. */
const FOLLOWED = ['status', 'assigneeId', 'dueDate'] as const

/** Changes a task. @throws NOT_FOUND, PROJECT_READ_ONLY, TASK_FINISHED, ILLEGAL_TRANSITION, ASSIGNEE_NOT_MEMBER, VERSION_CONFLICT */
export async function updateTask(tx: Tx, id: number, patch: TaskPatch): Promise<Task> {
  const [task, assignee, tellFollowers] = await Promise.all([
    getTaskToChange(tx, { id, ...projectsSeenBy(tx.actor) }),
    patch.assigneeId ? findAssignee(tx, { taskId: id, userId: patch.assigneeId }) : undefined,
    followersOf(tx, [id], [patch]),
  ])
  const decided = decideTask(tx, task, patch, assignee)
  saveDecided(tx, [decided], tellFollowers)
  return decided.revision.task
}

/**
 * Changes several tasks, all or none. The first that is refused is the answer, and its details name its place.
 * @returns the tasks in the order of the patches
 * @throws what a change of one task throws
 */
export async function updateTasks(tx: Tx, patches: TasksPatch['tasks']): Promise<Task[]> {
  const ids = patches.map(({ id }) => id)
  const userIds = patches.flatMap(({ assigneeId }) => assigneeId ?? [])
  const [tasks, assignees, tellFollowers] = await Promise.all([
    listTasksToChange(tx, { ids, ...projectsSeenBy(tx.actor) }),
    userIds.length > 0 ? listAssignees(tx, { taskIds: ids, userIds }) : [],
    followersOf(tx, ids, patches),
  ])
  const taskOf = new Map(tasks.map((task) => [task.id, task]))
  const assigneeOf = new Map(assignees.map((one) => [`${one.projectId} ${one.userId}`, one]))
  const decided = patches.map(({ id, ...patch }, place) =>
    decideAt(place, () => {
      const task = taskOf.get(id) ?? fail(taskFaults.notFound())
      return decideTask(tx, task, patch, assigneeOf.get(`${task.projectId} ${patch.assigneeId}`))
    }),
  )
  saveDecided(tx, decided, tellFollowers)
  return decided.map(({ revision }) => revision.task)
}

type TellFollowers = Awaited<ReturnType<typeof readFollowers>>

/** Who follows tasks, if they hear of what is asked for. */
async function followersOf(
  tx: Tx,
  ids: readonly number[],
  patches: readonly TaskPatch[],
): Promise<TellFollowers | undefined> {
  const isFollowed = patches.some((patch) => FOLLOWED.some((field) => patch[field] !== undefined))
  return isFollowed ? readFollowers(tx, ids) : undefined
}

type Decided = ReturnType<typeof decideTask>

function decideTask(
  tx: Tx,
  { role, ...task }: Task & { role: Role | null },
  patch: TaskPatch,
  assignee: Awaited<ReturnType<typeof findAssignee>>,
) {
  assertMayChange(role, tx.actor)
  return { task, assignee, revision: reviseTask(task, patch, assignee, tx.now) }
}

/** Saves and records changes in the order in which all commands lock: memberships, then tasks, each in ascending order. */
function saveDecided(tx: Tx, decided: readonly Decided[], tellFollowers: TellFollowers | undefined): void {
  const relied = new Map(decided.flatMap(({ assignee: a }) => (a ? [[`${a.projectId} ${a.userId}`, a] as const] : [])))
  for (const member of [...relied.values()].sort((a, b) => a.projectId - b.projectId || a.userId - b.userId))
    stillMember(tx, only(member, ['projectId', 'userId', 'role']))
  for (const { task, revision } of decided.toSorted((a, b) => a.task.id - b.task.id)) saveRevision(tx, task, revision)
  const news = decided.map(({ revision }) => newsOf(revision)).filter(({ what }) => what.length > 0)
  if (news.length > 0) tellFollowers?.(news)
}

function newsOf({ task, changes, newAssignee }: Revision): TaskNews {
  const what = FOLLOWED.filter((field) => changes.some(({ fieldName }) => fieldName === field))
  return { task, what, told: newAssignee ? [newAssignee] : [] }
}

function saveRevision(tx: Tx, task: Task, revision: Revision): void {
  saveTask(tx, { ...revision.task, isOpen: isOpen(revision.task), was: task.version })
  const { id, projectId } = task
  const { version } = revision.task
  if (revision.changes.length > 0)
    tx.record({
      event: 'task.updated',
      subject: id,
      data: { projectId, version, changes: changesBetween(task, revision.task, TASK_FIELDS) },
      history: revision.changes.map((change) => ({ projectId, taskId: id, version, ...change })),
    })
  if (revision.newAssignee) tell(tx, 'TASK_ASSIGNED', revision.task, [revision.newAssignee])
}

/**
 * Finds who gets a task's notifications: its assignee and its reporter, unless they have left the project.
 * @returns a function from the task to their ids
 */
export async function loadInvolved(tx: Tx, taskId: number) {
  const [members, administrators] = await Promise.all([
    listInvolvedMembers(tx, { taskId }),
    listAdministratorIds(tx, {}),
  ])
  const mayRead = new Set([...members.map(({ userId }) => userId), ...administrators.map(({ id }) => id)])
  return ({ assigneeId, reporterId }: Pick<Task, 'assigneeId' | 'reporterId'>): number[] =>
    [assigneeId, reporterId].filter((id): id is number => id !== null && mayRead.has(id))
}

const MOST_NAMED = 100

/** Open tasks as the open work of project members. */
export const openTasksOfMember: MemberWork = {
  async listOpen(tx, projectId, assigneeId) {
    return (await listOpenTasks(tx, { projectId, assigneeId, most: MOST_NAMED })).map(({ id }) => id)
  },
}

/** Notifies people of what has happened to a task, and quotes what was said. */
export function tell(
  tx: Tx,
  type: 'TASK_ASSIGNED' | 'TASK_DELETED' | 'TASK_COMMENTED',
  { id, title }: Pick<Task, 'id' | 'title'>,
  receivers: readonly number[],
  content: string | null = null,
): void {
  tx.notify({ type, facts: { title }, content, resourceType: 'task', resourceId: id, receivers })
}
