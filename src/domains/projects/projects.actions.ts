import {
  changesBetween,
  codeKeyOf,
  type Expected,
  type Fault,
  nameOf,
  nextId,
  only,
  port,
  type Tx,
  takeRoom,
} from '#atrium'
import { shareLockUser } from '#atrium/people'
import { PROJECT_FIELDS } from './projects.events.ts'
import {
  assertActive,
  assertArchived,
  assertDateOrder,
  assertMayLeave,
  assertOwns,
  assertVersion,
  projectFaults,
  reviseProject,
} from './projects.rules.ts'
import type { ProjectDraft, ProjectPatch, ProjectView } from './projects.schemas.ts'
import {
  admitMember,
  findActiveMember,
  getVisibleProject,
  insertMember,
  insertProject,
  lockMember,
  lockProject,
  projectsSeenBy,
  removeMember,
  saveArchived,
  saveProject,
  saveUnarchived,
  shareLockProject,
  stillActive,
  stillActiveMember,
} from './projects.store.ts'

/** The open work of members. Projects do not know tasks. */
export interface MemberWork {
  /** ids of a member's open work; the first hundred */
  listOpen(tx: Tx, projectId: number, userId: number): Promise<number[]>
}
export const memberWork = port<MemberWork>('what a member of a project still has to do')

/** Creates a project; its creator becomes its owner and first member. @throws DATE_ORDER, PROJECT_CODE_TAKEN, QUOTA_EXCEEDED */
export async function createProject(tx: Tx, draft: ProjectDraft): Promise<ProjectView> {
  const id = await nextId(tx, 'projects')
  assertDateOrder(draft)
  await takeRoom(tx, 'projects')
  const ownerId = tx.actor.id
  const project = {
    id,
    name: draft.name,
    code: draft.code,
    description: draft.description ?? null,
    ownerId,
    startDate: draft.startDate ?? null,
    endDate: draft.endDate ?? null,
    createdAt: tx.now,
    updatedAt: tx.now,
  }
  insertProject(tx, { ...project, codeSkeleton: codeKeyOf(project.code) })
  insertMember(tx, { projectId: id, userId: ownerId, createdAt: tx.now })
  tx.record({
    event: 'project.created',
    subject: id,
    data: { ...only(project, ['name', 'code', 'ownerId', 'startDate', 'endDate']), version: 0 },
    history: { projectId: id, action: 'PROJECT_CREATED', newValue: draft.name, version: 0 },
  })
  const ownerName = nameOf(tx.actor)
  return { ...project, ownerName, status: 'ACTIVE', version: 0, memberIds: [ownerId], archivedAt: null }
}

/**
 * Changes a project's own fields. A new owner becomes a member and is notified; the previous one stays a member.
 * @throws NOT_FOUND (project, user), NOT_OWNER, PROJECT_ARCHIVED, DATE_ORDER, PRECONDITION_FAILED, VERSION_CONFLICT
 */
export async function updateProject(tx: Tx, id: number, patch: ProjectPatch): Promise<ProjectView> {
  const { ownerId } = patch
  // Locks the person before the project, as deleting a person does.
  const [user, project] = await tx.inOrder([
    ownerId === undefined ? undefined : shareLockUser(tx, { id: ownerId }),
    lockProject(tx, { id, ...projectsSeenBy(tx.actor) }),
  ])
  const newOwner = user?.status === 'active' ? user : undefined
  const { changed, isHandedOver, fields } = reviseProject(project, patch, tx.actor, newOwner)
  saveProject(tx, { id, ...fields, updatedAt: tx.now })
  const { version } = fields
  if (changed)
    tx.record({
      event: 'project.updated',
      subject: id,
      data: { version, changes: changesBetween(project, fields, PROJECT_FIELDS) },
      history: { projectId: id, action: 'PROJECT_UPDATED', newValue: fields.name, version },
    })
  const memberIds = isHandedOver ? handOver(tx, project, fields) : project.memberIds
  const ownerName = isHandedOver && newOwner ? nameOf(newOwner) : project.ownerName
  return { ...project, ...fields, ownerName, memberIds, updatedAt: tx.now }
}

/** @returns the members after the change */
function handOver(
  tx: Tx,
  before: ProjectView,
  { ownerId, name, version }: Pick<ProjectView, 'ownerId' | 'name' | 'version'>,
) {
  const { id: projectId, memberIds } = before
  const isMember = memberIds.includes(ownerId)
  if (!isMember) {
    insertMember(tx, { projectId, userId: ownerId, createdAt: tx.now })
    recordMember(tx, 'ADDED', { projectId, userId: ownerId, version })
  }
  recordOwner(tx, { projectId, from: before.ownerId, to: ownerId, version })
  tx.notify({
    type: 'PROJECT_HANDED_OVER',
    facts: { name },
    resourceType: 'project',
    resourceId: projectId,
    receivers: [ownerId],
  })
  return isMember ? memberIds : [...memberIds, ownerId].sort((a, b) => a - b)
}

/** Archives a project: it then takes no tasks, edits or members. @throws NOT_FOUND, NOT_OWNER, PROJECT_ARCHIVED, PRECONDITION_FAILED, VERSION_CONFLICT */
export async function archiveProject(tx: Tx, id: number, expected: Expected): Promise<ProjectView> {
  const project = await lockProject(tx, { id, ...projectsSeenBy(tx.actor) })
  assertOwns(project, tx.actor)
  assertActive(project)
  assertVersion(project, expected)
  const archived = { version: project.version + 1, archivedAt: tx.now }
  saveArchived(tx, { id, ...archived })
  const { version } = archived
  tx.record({
    event: 'project.archived',
    subject: id,
    data: { version },
    history: { projectId: id, action: 'PROJECT_ARCHIVED', newValue: project.name, version },
  })
  return { ...project, ...archived, status: 'ARCHIVED', updatedAt: tx.now }
}

/** Reopens an archived project. @throws NOT_FOUND, NOT_OWNER, PROJECT_NOT_ARCHIVED, PRECONDITION_FAILED, VERSION_CONFLICT, QUOTA_EXCEEDED */
export async function unarchiveProject(tx: Tx, id: number, expected: Expected): Promise<ProjectView> {
  const project = await lockProject(tx, { id, ...projectsSeenBy(tx.actor) })
  assertOwns(project, tx.actor)
  assertArchived(project)
  assertVersion(project, expected)
  await takeRoom(tx, 'projects')
  const open = { version: project.version + 1, updatedAt: tx.now }
  saveUnarchived(tx, { id, ...open })
  const { version } = open
  tx.record({
    event: 'project.unarchived',
    subject: id,
    data: { version },
    history: { projectId: id, action: 'PROJECT_UNARCHIVED', newValue: project.name, version },
  })
  return { ...project, ...open, status: 'ACTIVE', archivedAt: null }
}

/** Makes an active user of the tenant a member. Repeating it changes nothing. @throws NOT_FOUND, PROJECT_ARCHIVED */
export async function addMember(tx: Tx, projectId: number, userId: number): Promise<void> {
  const [project, user, member] = await tx.inOrder([
    shareLockProject(tx, { id: projectId, ...projectsSeenBy(tx.actor) }),
    shareLockUser(tx, { id: userId }),
    lockMember(tx, { projectId, userId }),
  ])
  if (user?.status !== 'active') throw projectFaults.userNotFound()
  assertActive(project)
  if (member) return
  // If two callers add the same person at the same time, the second records and sends nothing.
  const { affected } = await admitMember(tx, { projectId, userId, createdAt: tx.now })
  if (affected === 0) return
  recordMember(tx, 'ADDED', { projectId, userId, version: project.version })
  tx.notify({
    type: 'PROJECT_MEMBER_ADDED',
    facts: { name: project.name },
    resourceType: 'project',
    resourceId: projectId,
    receivers: [userId],
  })
}

/** Removes a member; does nothing for a non-member. @throws NOT_FOUND, PROJECT_ARCHIVED, OWNER_CANNOT_LEAVE, MEMBER_HAS_OPEN_TASKS */
export async function dropMember(tx: Tx, projectId: number, userId: number): Promise<void> {
  const [project, user, member, openTasks] = await tx.inOrder([
    shareLockProject(tx, { id: projectId, ...projectsSeenBy(tx.actor) }),
    shareLockUser(tx, { id: userId }),
    lockMember(tx, { projectId, userId }),
    memberWork.get().listOpen(tx, projectId, userId),
  ])
  if (!user) throw projectFaults.userNotFound()
  assertActive(project)
  if (!member) return
  assertMayLeave(project, userId, openTasks)
  removeMember(tx, { projectId, userId })
  recordMember(tx, 'REMOVED', { projectId, userId, version: project.version })
}

/** Records that a project has another owner. @param change with the project's version */
export function recordOwner(
  tx: Tx,
  { projectId, from, to, version }: { projectId: number; from: number; to: number; version: number },
): void {
  const change = { oldValue: String(from), newValue: String(to) }
  tx.record({
    event: 'project.owner_changed',
    subject: projectId,
    data: { version, from, to },
    history: { projectId, action: 'PROJECT_OWNER_CHANGED', ...change, version },
  })
}

/** Records that somebody has become a member of a project, or has left it. @param membership with the project's version */
export function recordMember(
  tx: Tx,
  what: 'ADDED' | 'REMOVED',
  { projectId, userId, version }: { projectId: number; userId: number; version: number },
): void {
  tx.record({
    event: what === 'ADDED' ? 'project.member_added' : 'project.member_removed',
    subject: projectId,
    data: { userId },
    history: { projectId, action: `PROJECT_MEMBER_${what}`, newValue: String(userId), version },
  })
}

/** The person to get work in a project, and the fault if they cannot. */
export interface Worker {
  userId: number
  orElse(): Fault
}

/**
 * Requires that the actor sees the project and that it is active, now and at the commit. If a worker is given, they must be
 * a member who can sign in. @throws NOT_FOUND, PROJECT_ARCHIVED, the worker's fault
 */
export async function relyOnProject(tx: Tx, projectId: number, worker?: Worker): Promise<void> {
  const project = { id: projectId, ...projectsSeenBy(tx.actor) }
  const member = worker && { projectId, userId: worker.userId }
  const [{ status, version }, found] = await Promise.all([
    getVisibleProject(tx, project),
    member && findActiveMember(tx, member),
  ])
  assertActive({ status })
  if (worker && !found) throw worker.orElse()
  // Not in a time between two states: its history has the order of its instants.
  stillActive(tx, { ...project, version })
  if (member) stillActiveMember(tx, member)
}
