import { assertMatch, type Expected, fail, fault, notFound } from '#atrium'
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

/** The department of this id, of all that there are. @throws NOT_FOUND */
export function departmentIn<Row extends { id: number }>(rows: readonly Row[], id: number): Row {
  return rows.find((row) => row.id === id) ?? fail(organizationFaults.departmentNotFound())
}

/** What the form of the organization shows. */
export function organizationState({ name, status }: Pick<OrganizationView, 'name' | 'status'>): object {
  return { name, status }
}

/** A form is of the version that it was read with. @throws PRECONDITION_FAILED, VERSION_CONFLICT */
export function assertCurrent(
  { version: actual }: Pick<DepartmentRow, 'version'>,
  { version, ifMatch }: Expected,
): void {
  assertMatch(actual, ifMatch)
  if (version !== undefined && version !== actual)
    throw organizationFaults.departmentChanged([
      { path: 'version', expected: version, actual, message: 'read it and try again' },
    ])
}

/** The rows of a tenant's departments as a forest, each level in the order of the rows. */
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
 * A department may hang below any other but itself and those below it, as deep as a tree is told.
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
  for (let above: number | null = parentId; above !== null; above = parentOf.get(above) ?? null) {
    if (above === id) throw organizationFaults.cycle([{ path: 'body.parentId', message: 'lies below this department' }])
    depth++
  }
  if (depth > DEEPEST) throw organizationFaults.tooDeep()
}

/** How many levels a department is high, with itself and what lies below it. */
function heightBelow(parentOf: ReadonlyMap<number, number | null>, id: number | undefined): number {
  const childrenOf = Map.groupBy([...parentOf.keys()], (child) => parentOf.get(child) ?? null)
  let levels = 0
  for (let level = id === undefined ? [] : [id]; level.length > 0; levels++)
    level = level.flatMap((one) => childrenOf.get(one) ?? [])
  return Math.max(levels, 1)
}

/** Whoever leads a department stays its member. */
export function assertMayMove(
  rows: readonly { id: number; leaderId: number | null }[],
  userId: number,
  to: number | undefined,
): void {
  const led = rows.find((row) => row.leaderId === userId)
  if (led && led.id !== to)
    throw organizationFaults.memberIsLeader([{ path: 'userId', id: led.id, message: 'leads department {id}' }])
}

/** A department goes only when nothing hangs on it; the answer says what does. */
export function assertDeletable(uses: { children: number; members: number; approvals: number }): void {
  const details = (['children', 'members', 'approvals'] as const)
    .filter((use) => uses[use] > 0)
    .map((use) => ({ path: use, count: uses[use], message: `{count} ${use} left` as const }))
  if (details.length) throw organizationFaults.notEmpty(details)
}
