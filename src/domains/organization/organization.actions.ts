import {
  type Actor,
  assertMatch,
  assertUnchanged,
  assertVersion,
  changesBetween,
  codeKeyOf,
  type Expected,
  fail,
  nameOf,
  nextId,
  only,
  port,
  type Tx,
} from '#atrium'
import { findPerson, watchDependents } from '#atrium/people'
import { DEPARTMENT_FIELDS, ORGANIZATION_FIELDS } from './organization.events.ts'
import {
  assertDeletable,
  assertMayHang,
  assertMayMove,
  departmentIn,
  organizationFaults,
  organizationState,
} from './organization.rules.ts'
import type { DepartmentDraft, DepartmentPatch, DepartmentView, OrganizationPatch } from './organization.schemas.ts'
import {
  countUses,
  getDepartmentView,
  insertDepartment,
  listDepartments,
  lockOrganization,
  placeMember,
  removeDepartment,
  removeDepartmentMember,
  saveDepartment,
  saveOrganization,
} from './organization.store.ts'

/** The open work of a department's leader. Departments do not know its kind; another domain provides it. */
export interface LeaderWork {
  countPending(tx: Tx, departmentId: number): Promise<number>
  /** Keeps the pending work unchanged until this transaction ends. */
  lockPending(tx: Tx, departmentId: number): Promise<PendingWork>
}
export const leaderWork = port<LeaderWork>('what waits for the leader of a department')

export interface PendingWork {
  readonly count: number
  passTo(leaderId: number): void
}

/** Changes the tenant's organization. @throws NOT_FOUND, PRECONDITION_FAILED */
export async function updateOrganization(tx: Tx, id: number, patch: OrganizationPatch, { ifMatch }: Expected = {}) {
  const organization = await lockOrganization(tx, {})
  if (organization?.id !== id) throw organizationFaults.notFound()
  assertUnchanged(organizationState(organization), ifMatch)
  const changed = { ...organization, ...patch }
  saveOrganization(tx, { id, name: changed.name, status: changed.status })
  const changes = changesBetween(organization, changed, ORGANIZATION_FIELDS)
  if (changes.length > 0) tx.record({ event: 'organization.updated', subject: id, data: { changes } })
  return changed
}

/** Creates a department; its leader becomes a member. @throws NOT_FOUND, MEMBER_IS_LEADER, DEPARTMENT_CODE_TAKEN */
export async function createDepartment(tx: Tx, draft: DepartmentDraft): Promise<DepartmentView> {
  const [, leader, rows, id] = await tx.inOrder([
    lockOrganization(tx, {}),
    findIfAny(tx, draft.leaderId),
    listDepartments(tx, {}),
    nextId(tx, 'departments'),
  ])
  assertMayHang(rows, undefined, draft.parentId)
  if (draft.leaderId !== null) {
    assertMayLead(leader)
    assertMayMove(rows, draft.leaderId, id)
  }
  const codeSkeleton = codeKeyOf(draft.code)
  insertDepartment(tx, { id, ...draft, codeSkeleton, createdAt: tx.now, updatedAt: tx.now })
  tx.record({ event: 'department.created', subject: id, data: only(draft, ['name', 'code', 'parentId', 'leaderId']) })
  if (draft.leaderId !== null) await joinDepartment(tx, id, draft.leaderId)
  return {
    id,
    ...draft,
    leaderName: leader ? nameOf(leader) : null,
    memberCount: leader ? 1 : 0,
    version: 0,
    children: [],
  }
}

/**
 * Replaces a department. A new leader becomes a member and inherits the old one's pending work.
 * @throws NOT_FOUND, DEPARTMENT_CYCLE, DEPARTMENTS_TOO_DEEP, PRECONDITION_FAILED, VERSION_CONFLICT, MEMBER_IS_LEADER,
 * APPROVALS_WAITING, DEPARTMENT_CODE_TAKEN
 */
export async function updateDepartment(
  tx: Tx,
  id: number,
  { version, ...draft }: DepartmentPatch,
  { ifMatch }: Expected = {},
): Promise<DepartmentView> {
  const [, waiting, leader, notifyHeirs, rows] = await tx.inOrder([
    lockOrganization(tx, {}),
    leaderWork.get().lockPending(tx, id),
    findIfAny(tx, draft.leaderId),
    watchDependents(tx, { departmentId: id }),
    listDepartments(tx, {}),
  ])
  const department = departmentIn(rows, id)
  assertMayHang(rows, id, draft.parentId)
  const newLeaderId = draft.leaderId === department.leaderId ? null : draft.leaderId
  if (newLeaderId !== null) {
    assertMayLead(leader)
    assertMayMove(rows, newLeaderId, id)
  } else if (draft.leaderId === null && department.leaderId !== null && waiting.count)
    throw organizationFaults.approvalsWaiting()
  assertVersion(department.version, { version, ifMatch }, organizationFaults.departmentChanged)
  saveDepartment(tx, { id, ...draft, codeSkeleton: codeKeyOf(draft.code), updatedAt: tx.now })
  if (newLeaderId !== null) {
    await joinDepartment(tx, id, newLeaderId)
    waiting.passTo(newLeaderId)
  }
  const changes = changesBetween(department, draft, DEPARTMENT_FIELDS)
  if (changes.length > 0) tx.record({ event: 'department.updated', subject: id, data: { changes } })
  const [after] = await Promise.all([getDepartmentView(tx, { id }), notifyHeirs()])
  return { ...after, children: [] }
}

/** Deletes an unused department. @throws NOT_FOUND, PRECONDITION_FAILED, DEPARTMENT_NOT_EMPTY listing its uses */
export async function deleteDepartment(tx: Tx, id: number, { ifMatch }: Expected = {}): Promise<void> {
  const [, rows, uses, approvals] = await tx.inOrder([
    lockOrganization(tx, {}),
    listDepartments(tx, {}),
    countUses(tx, { id }),
    leaderWork.get().countPending(tx, id),
  ])
  const department = departmentIn(rows, id)
  assertDeletable({ ...uses, approvals })
  assertMatch(department.version, ifMatch)
  removeDepartment(tx, { id })
  tx.record({ event: 'department.deleted', subject: id, data: only(department, ['name', 'code']) })
}

/** Moves a person into a department. @throws NOT_FOUND, MEMBER_IS_LEADER */
export async function assignToDepartment(tx: Tx, id: number, userId: number): Promise<void> {
  const rows = await lockStructure(tx, userId)
  departmentIn(rows, id)
  assertMayMove(rows, userId, id)
  await joinDepartment(tx, id, userId)
}

/** Makes somebody a member, and records it unless they are one. */
export async function joinDepartment(tx: Tx<Actor>, departmentId: number, userId: number): Promise<void> {
  const { affected } = await placeMember(tx, { userId, departmentId, createdAt: tx.now })
  if (affected === 0) return
  // An invited person joins as themselves.
  const itself = tx.actor.kind === 'visitor' ? { actorId: userId } : {}
  tx.record({ event: 'department.member_added', subject: departmentId, data: { userId }, ...itself })
}

/** Removes a person from a department; does nothing for a non-member. @throws NOT_FOUND, MEMBER_IS_LEADER */
export async function removeFromDepartment(tx: Tx, id: number, userId: number): Promise<void> {
  const rows = await lockStructure(tx, userId)
  const department = departmentIn(rows, id)
  if (department.leaderId === userId) assertMayMove(rows, userId, undefined)
  const { affected } = await removeDepartmentMember(tx, { userId, departmentId: id })
  if (affected > 0) tx.record({ event: 'department.member_removed', subject: id, data: { userId } })
}

/** All departments, locked for a person who joins or leaves one. */
async function lockStructure(tx: Tx, userId: number) {
  const [, , rows] = await tx.inOrder([lockOrganization(tx, {}), getMember(tx, userId), listDepartments(tx, {})])
  return rows
}

async function getMember(tx: Tx, userId: number) {
  return (await findPerson(tx, { id: userId })) ?? fail(organizationFaults.userNotFound())
}

async function findIfAny(tx: Tx, userId: number | null) {
  return userId === null ? undefined : findPerson(tx, { id: userId })
}

/** A leader must be able to sign in. One who is leader already may have been disabled since. */
function assertMayLead(leader: { status: string } | undefined): void {
  if (leader?.status !== 'active') throw organizationFaults.userNotFound()
}
