import { assertUnchanged, type Expected, fail, nameOf, nextId, port, type Tx } from '#atrium'
import { shareLockUser } from '#atrium/people'
import {
  assertCurrent,
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
  insertDepartment,
  listDepartments,
  lockDepartment,
  lockOrganization,
  placeMember,
  removeDepartment,
  removeDepartmentMember,
  saveDepartment,
  saveOrganization,
} from './organization.store.ts'

/** What waits for the leader of a department. Departments do not know what it is; the domain that knows both tells. */
export interface LeaderWork {
  countPending(tx: Tx, departmentId: number): Promise<number>
  /** Keeps what waits as it is until this transaction has ended. */
  lockPending(tx: Tx, departmentId: number): Promise<PendingWork>
  /**
   * Notes who can decide what waits, before a change of people, roles or departments. The result is called once the
   * change is queued, and notifies everyone who inherits something by it.
   */
  watchHeirs(tx: Tx, of: { leaderId?: number; departmentId?: number }): Promise<() => Promise<void>>
}
export const leaderWork = port<LeaderWork>('what waits for the leader of a department')

export interface PendingWork {
  readonly count: number
  /** All of it waits for the new leader instead. */
  passTo(leaderId: number): void
}

/** Changes the tenant's organization. @throws NOT_FOUND, PRECONDITION_FAILED */
export async function updateOrganization(tx: Tx, id: number, patch: OrganizationPatch, { ifMatch }: Expected = {}) {
  const organization = await lockOrganization(tx, {})
  if (organization?.id !== id) throw organizationFaults.notFound()
  assertUnchanged(organizationState(organization), ifMatch)
  const changed = { ...organization, ...patch }
  saveOrganization(tx, { id, name: changed.name, status: changed.status })
  return changed
}

/** Makes a department; its leader becomes a member. @throws NOT_FOUND, MEMBER_IS_LEADER, DEPARTMENT_CODE_TAKEN */
export async function createDepartment(tx: Tx, draft: DepartmentDraft): Promise<DepartmentView> {
  const [, leader, rows, id] = await tx.inOrder([
    lockOrganization(tx, {}),
    shareLockLeader(tx, draft.leaderId),
    listDepartments(tx, {}),
    nextId(tx, 'departments'),
  ])
  assertMayHang(rows, undefined, draft.parentId)
  if (draft.leaderId) assertMayMove(rows, draft.leaderId, id)
  insertDepartment(tx, { id, ...draft, createdAt: tx.now, updatedAt: tx.now })
  if (draft.leaderId) placeMember(tx, { userId: draft.leaderId, departmentId: id, createdAt: tx.now })
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
 * Replaces a department. A new leader becomes a member and inherits what waits for the old one.
 * @throws NOT_FOUND, DEPARTMENT_CYCLE, DEPARTMENTS_TOO_DEEP, PRECONDITION_FAILED, VERSION_CONFLICT, MEMBER_IS_LEADER,
 * APPROVALS_WAITING, DEPARTMENT_CODE_TAKEN
 */
export async function updateDepartment(
  tx: Tx,
  id: number,
  { version, ...draft }: DepartmentPatch,
  { ifMatch }: Expected = {},
): Promise<DepartmentView> {
  const [, , waiting, , notifyHeirs, rows] = await tx.inOrder([
    lockOrganization(tx, {}),
    lockDepartment(tx, { id }),
    leaderWork.get().lockPending(tx, id),
    shareLockLeader(tx, draft.leaderId),
    leaderWork.get().watchHeirs(tx, { departmentId: id }),
    listDepartments(tx, {}),
  ])
  const department = departmentIn(rows, id)
  assertMayHang(rows, id, draft.parentId)
  assertCurrent(department, { version, ifMatch })
  const { leaderId } = draft
  saveDepartment(tx, { id, ...draft, updatedAt: tx.now })
  if (leaderId !== department.leaderId) {
    if (leaderId === null && waiting.count) throw organizationFaults.approvalsWaiting()
    if (leaderId !== null) {
      assertMayMove(rows, leaderId, id)
      placeMember(tx, { userId: leaderId, departmentId: id, createdAt: tx.now })
      waiting.passTo(leaderId)
    }
  }
  const [after] = await Promise.all([loadDepartment(tx, id), notifyHeirs()])
  return { ...after, children: [] }
}

/** Deletes a department that nothing hangs on. @throws NOT_FOUND, PRECONDITION_FAILED, DEPARTMENT_NOT_EMPTY saying what does */
export async function deleteDepartment(tx: Tx, id: number, { ifMatch }: Expected = {}): Promise<void> {
  const [, , rows, uses, approvals] = await tx.inOrder([
    lockOrganization(tx, {}),
    lockDepartment(tx, { id }),
    listDepartments(tx, {}),
    countUses(tx, { id }),
    leaderWork.get().countPending(tx, id),
  ])
  const department = departmentIn(rows, id)
  assertDeletable({ ...uses, approvals })
  assertCurrent(department, { ifMatch })
  removeDepartment(tx, { id })
}

/** Puts a person into a department, out of any other. @throws NOT_FOUND, MEMBER_IS_LEADER */
export async function assignToDepartment(tx: Tx, id: number, userId: number): Promise<void> {
  const rows = await lockStructure(tx, userId)
  departmentIn(rows, id)
  assertMayMove(rows, userId, id)
  placeMember(tx, { userId, departmentId: id, createdAt: tx.now })
}

/** Takes a person out of a department; someone who is not in it stays out. @throws NOT_FOUND, MEMBER_IS_LEADER */
export async function removeFromDepartment(tx: Tx, id: number, userId: number): Promise<void> {
  const rows = await lockStructure(tx, userId)
  const department = departmentIn(rows, id)
  if (department.leaderId === userId) assertMayMove(rows, userId, undefined)
  removeDepartmentMember(tx, { userId, departmentId: id })
}

async function loadDepartment(tx: Tx, id: number) {
  return (await listDepartments(tx, {})).find((row) => row.id === id)!
}

/** All departments as they are now, for somebody who enters one or leaves one. */
async function lockStructure(tx: Tx, userId: number) {
  const [, , rows] = await tx.inOrder([lockOrganization(tx, {}), shareLockMember(tx, userId), listDepartments(tx, {})])
  return rows
}

async function shareLockMember(tx: Tx, userId: number | null) {
  if (userId === null) return undefined
  return (await shareLockUser(tx, { id: userId })) ?? fail(organizationFaults.userNotFound())
}

/** Someone who cannot sign in leads nothing. */
async function shareLockLeader(tx: Tx, userId: number | null) {
  const leader = await shareLockMember(tx, userId)
  if (leader && leader.status !== 'active') throw organizationFaults.userNotFound()
  return leader
}
