import { port, type Tx } from '#atrium'
import { shareLockUser } from '#atrium/people'
import { admitMember, insertMember, lockMember, removeMember, saveRole } from '../members.store.ts'
import { assertActive, projectFaults } from '../projects.rules.ts'
import { projectsViewedBy, shareLockProject } from '../projects.store.ts'
import { assertMayChange, assertMayLeave, type Role, roleToGive, type Standing } from './members.rules.ts'

/** The open work of members. Projects do not know tasks. */
export interface MemberWork {
  /** ids of a member's open work; the first hundred */
  listOpen(tx: Tx, projectId: number, userId: number): Promise<number[]>
}
export const memberWork = port<MemberWork>('what a member of a project still has to do')

/**
 * Gives a user of the tenant a role in a project; a new one is active. Without a role, a new person becomes a member, and a
 * present one stays what they are. Repeating it changes nothing.
 * @throws NOT_FOUND, PROJECT_READ_ONLY, PROJECT_ARCHIVED, OWNER_STAYS_MEMBER, MEMBER_HAS_OPEN_TASKS
 */
export async function putMember(tx: Tx, projectId: number, userId: number, wanted?: Role): Promise<void> {
  const { project, user, is, member, openTaskIds } = await lockPlace(tx, projectId, userId)
  if (!user || (user.status !== 'active' && !member)) throw projectFaults.userNotFound()
  assertActive(project)
  const role = roleToGive(is, wanted, openTaskIds)
  if (!role) return
  const place = { projectId, userId, version: project.version }
  if (member) return changeRole(tx, place, member.role, role)
  const { affected } = await admitMember(tx, { projectId, userId, role, createdAt: tx.now })
  // Somebody else has added the same person at the same time: they are present now.
  if (affected === 0) return putMember(tx, projectId, userId, wanted)
  recordMember(tx, 'ADDED', place)
  if (role === 'viewer') recordRole(tx, place, 'member', role)
  tx.notify({
    type: 'PROJECT_MEMBER_ADDED',
    facts: { name: project.name },
    resourceType: 'project',
    resourceId: projectId,
    receivers: [userId],
  })
}

/**
 * Removes a member or a viewer; does nothing for anybody else.
 * @throws NOT_FOUND, PROJECT_READ_ONLY, PROJECT_ARCHIVED, OWNER_CANNOT_LEAVE, MEMBER_HAS_OPEN_TASKS
 */
export async function dropMember(tx: Tx, projectId: number, userId: number): Promise<void> {
  const { project, user, is, member, openTaskIds } = await lockPlace(tx, projectId, userId)
  if (!user) throw projectFaults.userNotFound()
  assertActive(project)
  if (!member) return
  assertMayLeave(is, openTaskIds)
  removeMember(tx, { projectId, userId })
  recordMember(tx, 'REMOVED', { projectId, userId, version: project.version })
}

/** Waits for those who rely on a membership, then sees what it is and what it holds. @throws NOT_FOUND, PROJECT_READ_ONLY */
async function lockPlace(tx: Tx, projectId: number, userId: number) {
  const [project, user, member, openTaskIds] = await tx.inOrder([
    shareLockProject(tx, { id: projectId, ...projectsViewedBy(tx.actor) }),
    shareLockUser(tx, { id: userId }),
    lockMember(tx, { projectId, userId }),
    memberWork.get().listOpen(tx, projectId, userId),
  ])
  assertMayChange(project.myRole, tx.actor)
  const is: Standing = project.ownerId === userId ? 'owner' : (member?.role ?? 'nobody')
  return { project, user, is, member, openTaskIds }
}

interface Place {
  projectId: number
  userId: number
  version: number
}

/** Makes a person a member who gets tasks or the project itself. The caller holds a lock on the project. */
export function ensureMember(tx: Tx, place: Place, is: Role | undefined): void {
  const { projectId, userId } = place
  if (roleToGive(is ?? 'nobody', 'member', []) === null) return
  if (is) changeRole(tx, place, is, 'member')
  else {
    insertMember(tx, { projectId, userId, role: 'member', createdAt: tx.now })
    recordMember(tx, 'ADDED', place)
  }
}

function changeRole(tx: Tx, place: Place, from: Role, to: Role): void {
  saveRole(tx, { ...place, role: to })
  recordRole(tx, place, from, to)
}

function recordRole(tx: Tx, { projectId, userId, version }: Place, from: Role, to: Role): void {
  tx.record({
    event: 'project.member_role_changed',
    subject: projectId,
    data: { userId, from, to },
    history: { projectId, action: HISTORY_OF[to], newValue: String(userId), version },
  })
}

const HISTORY_OF = { member: 'PROJECT_VIEWER_MADE_MEMBER', viewer: 'PROJECT_MEMBER_MADE_VIEWER' } as const

/** Records that somebody has joined a project, or has left it. */
export function recordMember(tx: Tx, what: 'ADDED' | 'REMOVED', { projectId, userId, version }: Place): void {
  tx.record({
    event: what === 'ADDED' ? 'project.member_added' : 'project.member_removed',
    subject: projectId,
    data: { userId },
    history: { projectId, action: `PROJECT_MEMBER_${what}`, newValue: String(userId), version },
  })
}
