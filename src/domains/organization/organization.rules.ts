import { fail, fault, notFound } from '#atrium'
import type { DepartmentRow, DepartmentView, OrganizationView } from './organization.schemas.ts'

export const organizationFaults = {
  notFound: notFound('Organization'),
  departmentNotFound: notFound('Department'),
  parentNotFound: notFound('Parent department'),
  userNotFound: notFound('User'),
  codeTaken: fault('DEPARTMENT_CODE_TAKEN', 409, 'This department code is taken'),
  departmentChanged: fault('VERSION_CONFLICT', 409, 'The department was changed by someone else'),
  tooDeep: fault('DEPARTMENTS_TOO_DEEP', 409, 'Departments can lie 64 levels deep at most'),
  cycle: fault('DEPARTMENT_CYCLE', 409, 'A department cannot lie below itself'),
  notEmpty: fault('DEPARTMENT_NOT_EMPTY', 409, 'The department is still in use'),
  memberIsLeader: fault('MEMBER_IS_LEADER', 409, 'This person leads a department and cannot leave it'),
  approvalsWaiting: fault('APPROVALS_WAITING', 409, 'Requests are waiting for this leader; name another one first'),
}

/** The department with this id. @throws NOT_FOUND */
export function departmentIn<Row extends { id: number }>(rows: readonly Row[], id: number): Row {
  return rows.find((row) => row.id === id) ?? fail(organizationFaults.departmentNotFound())
}

/** The fields that the organization's form shows. */
export function organizationState({ name, status }: Pick<OrganizationView, 'name' | 'status'>): object {
  return { name, status }
}

/** A tenant's departments as trees; each level keeps the order of the rows. */
export function growTree(rows: readonly DepartmentRow[]): DepartmentView[] {
  const nodes = new Map<number, DepartmentView>(rows.map((row) => [row.id, { ...row, children: [] }]))
  const roots: DepartmentView[] = []
  for (const node of nodes.values()) {
    const siblings = node.parentId === null ? roots : nodes.get(node.parentId)?.children
    siblings?.push(node)
  }
  return roots
}

const DEEPEST = 64

/**
 * A department's parent may be neither itself nor below it, and the tree has a maximum depth.
 * @throws NOT_FOUND, DEPARTMENT_CYCLE, DEPARTMENTS_TOO_DEEP
 */
export function assertMayHang(
  rows: readonly { id: number; parentId: number | null }[],
  id: number | undefined,
  parentId: number | null,
): void {
  if (parentId === null) return
  const parentOf = new Map(rows.map((row) => [row.id, row.parentId]))
  if (!parentOf.has(parentId)) throw organizationFaults.parentNotFound()
  let depth = heightBelow(parentOf, id)
  for (let above: number | null = parentId; above !== null && depth <= DEEPEST; above = parentOf.get(above) ?? null) {
    if (above === id) throw organizationFaults.cycle([{ path: 'body.parentId', message: 'lies below this department' }])
    depth++
  }
  if (depth > DEEPEST) throw organizationFaults.tooDeep()
}

/** The number of levels from a department down, itself included. */
function heightBelow(parentOf: ReadonlyMap<number, number | null>, id: number | undefined): number {
  const childrenOf = Map.groupBy([...parentOf.keys()], (child) => parentOf.get(child) ?? null)
  let levels = 0
  for (let level = id === undefined ? [] : [id]; level.length > 0 && levels <= DEEPEST; levels++)
    level = level.flatMap((one) => childrenOf.get(one) ?? [])
  return Math.max(levels, 1)
}

/** The leader of a department stays its member. */
export function assertMayMove(
  rows: readonly { id: number; leaderId: number | null }[],
  userId: number,
  to: number | undefined,
): void {
  const led = rows.find((row) => row.leaderId === userId)
  if (led && led.id !== to)
    throw organizationFaults.memberIsLeader([{ path: 'userId', id: led.id, message: 'leads department {id}' }])
}

const USES = {
  children: 'it has children ({count})',
  members: 'it has members ({count})',
  approvals: 'it has approvals ({count})',
} as const

/** Only an unused department can be deleted; the fault lists its uses. */
export function assertDeletable(uses: Record<keyof typeof USES, number>): void {
  const details = (Object.keys(USES) as (keyof typeof USES)[])
    .filter((use) => uses[use] > 0)
    .map((use) => ({ path: use, count: uses[use], message: USES[use] }))
  if (details.length) throw organizationFaults.notEmpty(details)
}
