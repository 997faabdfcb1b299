import type { User } from '#atrium'
import { projectFaults } from '../projects.rules.ts'

/** What is stored of a membership. The owner of a project is always a member. */
export type Role = 'member' | 'viewer'
export type Standing = 'owner' | Role | 'nobody'

/**
 * What a person becomes by what is asked for: by a PUT of the member, or by a hand-over, which asks for a member. null means
 * that nothing changes.
 */
export const BECOMES: Record<Standing, Record<Role | 'unsaid', Role | 'refused' | null>> = {
  owner: { unsaid: null, member: null, viewer: 'refused' },
  member: { unsaid: null, member: null, viewer: 'viewer' },
  viewer: { unsaid: null, member: 'member', viewer: null },
  nobody: { unsaid: 'member', member: 'member', viewer: 'viewer' },
}

/**
 * The role that a person gets, or null if nothing changes.
 * @param openTaskIds of the person in the project; only somebody without any becomes a viewer
 * @throws OWNER_STAYS_MEMBER, MEMBER_HAS_OPEN_TASKS
 */
export function roleToGive(is: Standing, wanted: Role | undefined, openTaskIds: readonly number[]): Role | null {
  const role = BECOMES[is][wanted ?? 'unsaid']
  if (role === 'refused') throw projectFaults.ownerStaysMember()
  if (role === 'viewer') assertNoOpenTasks(openTaskIds)
  return role
}

/** The owner and members with unfinished tasks may not leave. @throws OWNER_CANNOT_LEAVE, MEMBER_HAS_OPEN_TASKS */
export function assertMayLeave(is: Standing, openTaskIds: readonly number[]): void {
  if (is === 'owner') throw projectFaults.ownerCannotLeave()
  assertNoOpenTasks(openTaskIds)
}

/**
 * Viewers change neither the project nor its tasks. People who administer the tenant or manage all projects may do so
 * without being members, and lose nothing by being viewers.
 * @param role of the actor in the project; null if they see it without one
 * @throws PROJECT_READ_ONLY
 */
export function assertMayChange(role: 'owner' | Role | null, { isAdministrator, permissions }: Authority): void {
  if (role === 'viewer' && !isAdministrator && !permissions.has('project:manage')) throw projectFaults.readOnly()
}
type Authority = Pick<User, 'isAdministrator' | 'permissions'>

function assertNoOpenTasks(ids: readonly number[]): void {
  if (ids.length === 0) return
  throw projectFaults.memberHasOpenTasks(ids.map((id) => ({ path: 'userId', id, message: 'task {id} is still open' })))
}
