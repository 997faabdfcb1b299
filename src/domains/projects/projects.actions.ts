import { codeKeyOf, type Expected, type Fault, nameOf, nextId, only, type Tx, takeRoom } from '#atrium'
import { MOST_TOLD_SINGLY, shareLockUser, type Work } from '#atrium/people'
import { listMembershipsIn, listProjectsOwnedBy, lockProjects, passProjects } from './hand-over.store.ts'
import { ensureMember } from './members/members.actions.ts'
import { assertMayChange, type Role } from './members/members.rules.ts'
import { findActiveMember, findMember, insertMember, stillActiveMember } from './members.store.ts'
import {
  assertActive,
  assertArchived,
  assertCurrent,
  assertDateOrder,
  assertOwns,
  reviseProject,
} from './projects.rules.ts'
import type { ProjectDraft, ProjectPatch, ProjectView } from './projects.schemas.ts'
import {
  getVisibleProject,
  insertProject,
  lockProject,
  projectsSeenBy,
  projectsViewedBy,
  saveProject,
  saveStatus,
  stillActive,
} from './projects.store.ts'

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
  return {
    ...project,
    ownerName,
    status: 'ACTIVE',
    version: 0,
    memberIds: [ownerId],
    myRole: 'owner',
    archivedAt: null,
  }
}

/**
 * Changes a project's own fields. A new owner becomes a member and is notified; the previous one stays a member.
 * @throws NOT_FOUND (project, user), PROJECT_READ_ONLY, NOT_OWNER, PROJECT_ARCHIVED, DATE_ORDER, PRECONDITION_FAILED,
 * VERSION_CONFLICT
 */
export async function updateProject(tx: Tx, id: number, patch: ProjectPatch): Promise<ProjectView> {
  const { ownerId } = patch
  // Locks the person before the project, as deleting a person does.
  const [user, project, place] = await tx.inOrder([
    ownerId === undefined ? undefined : shareLockUser(tx, { id: ownerId }),
    lockProject(tx, { id, ...projectsViewedBy(tx.actor) }),
    ownerId === undefined ? undefined : findMember(tx, { projectId: id, userId: ownerId }),
  ])
  assertMayChange(project.myRole, tx.actor)
  const newOwner = user?.status === 'active' ? user : undefined
  const { changes, isHandedOver, fields } = reviseProject(project, patch, tx.actor, newOwner)
  saveProject(tx, { id, ...fields, updatedAt: tx.now })
  const { version } = fields
  if (changes.length > 0)
    tx.record({
      event: 'project.updated',
      subject: id,
      data: { version, changes },
      history: { projectId: id, action: 'PROJECT_UPDATED', newValue: fields.name, version },
    })
  const memberIds = isHandedOver ? handOver(tx, project, fields, place?.role) : project.memberIds
  const ownerName = isHandedOver && newOwner ? nameOf(newOwner) : project.ownerName
  const myRole = isHandedOver ? roleAfter(project.myRole, fields.ownerId === tx.actor.id) : project.myRole
  return { ...project, ...fields, ownerName, memberIds, myRole, updatedAt: tx.now }
}

/** What somebody is in a project that has got another owner, who may be they. The previous owner stays a member. */
function roleAfter(before: ProjectView['myRole'], isOwner: boolean): ProjectView['myRole'] {
  if (isOwner) return 'owner'
  return before === 'owner' ? 'member' : before
}

/** @returns the members after the change */
function handOver(
  tx: Tx,
  before: ProjectView,
  { ownerId, name, version }: Pick<ProjectView, 'ownerId' | 'name' | 'version'>,
  is: Role | undefined,
) {
  const { id: projectId, memberIds } = before
  ensureMember(tx, { projectId, userId: ownerId, version }, is)
  recordOwner(tx, projectId, { from: before.ownerId, to: ownerId, version })
  tellOwner(tx, [{ id: projectId, name }], ownerId)
  return is ? memberIds : [...memberIds, ownerId].sort((a, b) => a - b)
}

/** Archives a project: it then takes no tasks, edits or members. @throws NOT_FOUND, PROJECT_READ_ONLY, NOT_OWNER, PROJECT_ARCHIVED, PRECONDITION_FAILED, VERSION_CONFLICT */
export async function archiveProject(tx: Tx, id: number, expected: Expected): Promise<ProjectView> {
  const project = await lockProject(tx, { id, ...projectsViewedBy(tx.actor) })
  assertMayChange(project.myRole, tx.actor)
  assertOwns(project, tx.actor)
  assertActive(project)
  assertCurrent(project, expected)
  const version = project.version + 1
  const archived = { status: 'ARCHIVED', version, archivedAt: tx.now, updatedAt: tx.now } as const
  saveStatus(tx, { id, ...archived })
  tx.record({
    event: 'project.archived',
    subject: id,
    data: { version },
    history: { projectId: id, action: 'PROJECT_ARCHIVED', newValue: project.name, version },
  })
  return { ...project, ...archived }
}

/** Reopens an archived project. @throws NOT_FOUND, PROJECT_READ_ONLY, NOT_OWNER, PROJECT_NOT_ARCHIVED, PRECONDITION_FAILED, VERSION_CONFLICT, QUOTA_EXCEEDED */
export async function unarchiveProject(tx: Tx, id: number, expected: Expected): Promise<ProjectView> {
  const project = await lockProject(tx, { id, ...projectsViewedBy(tx.actor) })
  assertMayChange(project.myRole, tx.actor)
  assertOwns(project, tx.actor)
  assertArchived(project)
  assertCurrent(project, expected)
  await takeRoom(tx, 'projects')
  const version = project.version + 1
  const open = { status: 'ACTIVE', version, archivedAt: null, updatedAt: tx.now } as const
  saveStatus(tx, { id, ...open })
  tx.record({
    event: 'project.unarchived',
    subject: id,
    data: { version },
    history: { projectId: id, action: 'PROJECT_UNARCHIVED', newValue: project.name, version },
  })
  return { ...project, ...open }
}

function recordOwner(tx: Tx, projectId: number, { from, to, version }: { from: number; to: number; version: number }) {
  const change = { oldValue: String(from), newValue: String(to) }
  tx.record({
    event: 'project.owner_changed',
    subject: projectId,
    data: { version, from, to },
    history: { projectId, action: 'PROJECT_OWNER_CHANGED', ...change, version },
  })
}

/** Projects as what their owners are responsible for, archived ones too. */
export const ownedProjects: Work = {
  kind: 'projects',
  example: 3,
  needs: 'project:list',
  keeps: (id) => ({ path: 'projects', id, message: 'owns project {id}' }),
  list: listProjectsOwnedBy,
  async handOver(tx, from, to) {
    const { rows: projects } = await passProjects(tx, { from, to, updatedAt: tx.now })
    await joinProjects(tx, { userId: to, ids: projects.map(({ id }) => id) })
    for (const { id, version } of projects) recordOwner(tx, id, { from, to, version })
    tellOwner(tx, projects, to)
    return projects.length
  },
}

/** Makes a person a member of projects, archived ones too, also of those that they only view. Records each that changes. */
export async function joinProjects(tx: Tx, p: { userId: number; ids: readonly number[] }): Promise<void> {
  if (p.ids.length === 0) return
  const [projects, memberships] = await tx.inOrder([lockProjects(tx, p), listMembershipsIn(tx, p)])
  const roles = new Map(memberships.map(({ projectId, role }) => [projectId, role]))
  for (const { id: projectId, version } of projects)
    ensureMember(tx, { projectId, userId: p.userId, version }, roles.get(projectId))
}

function tellOwner(tx: Tx, projects: readonly { id: number; name: string }[], ownerId: number): void {
  const receivers = [ownerId]
  if (projects.length > MOST_TOLD_SINGLY)
    tx.notify({
      type: 'PROJECTS_HANDED_OVER',
      facts: { count: String(projects.length) },
      resourceType: 'project',
      resourceId: projects[0]!.id,
      receivers,
    })
  else
    for (const { id, name } of projects)
      tx.notify({ type: 'PROJECT_HANDED_OVER', facts: { name }, resourceType: 'project', resourceId: id, receivers })
}

/**
 * Requires that the actor may change the tasks of the project and that it is active, now and at the commit. If a worker is
 * given, they must be a member who can sign in. @throws NOT_FOUND, PROJECT_READ_ONLY, PROJECT_ARCHIVED, the worker's fault
 */
export async function relyOnProject(
  tx: Tx,
  projectId: number,
  worker?: { userId: number; orElse(): Fault },
): Promise<void> {
  const project = { id: projectId, ...projectsSeenBy(tx.actor) }
  const member = worker && { projectId, userId: worker.userId }
  const [{ status, version, role }, found] = await Promise.all([
    getVisibleProject(tx, project),
    member && findActiveMember(tx, member),
  ])
  assertMayChange(role, tx.actor)
  assertActive({ status })
  if (worker && !found) throw worker.orElse()
  // Not in a time between two states: its history has the order of its instants.
  stillActive(tx, { ...project, version, ...(role && { role }) })
  if (member) stillActiveMember(tx, member)
}
