import { assertMatch, type Expected, fault, notFound, type User } from '#atrium'
import type { ProjectPatch } from './projects.schemas.ts'

export const projectFaults = {
  notFound: notFound('Project'),
  userNotFound: notFound('User'),
  notOwner: fault('NOT_OWNER', 403, 'Only the owner of the project may do this, or who manages all projects'),
  notArchived: fault('PROJECT_NOT_ARCHIVED', 409, 'The project is not archived'),
  archived: fault('PROJECT_ARCHIVED', 409, 'The project is archived'),
  changed: fault('VERSION_CONFLICT', 409, 'The project was changed by someone else'),
  codeTaken: fault('PROJECT_CODE_TAKEN', 409, 'This project code is taken'),
  dateOrder: fault('DATE_ORDER', 400, 'The end date lies before the start date'),
  ownerCannotLeave: fault('OWNER_CANNOT_LEAVE', 409, 'The owner cannot leave the project'),
  memberHasOpenTasks: fault('MEMBER_HAS_OPEN_TASKS', 409, 'The member still has open tasks in this project'),
}

interface Project {
  name: string
  description: string | null
  status: 'ACTIVE' | 'ARCHIVED'
  startDate: string | null
  endDate: string | null
  ownerId: number
  version: number
}

/**
 * What a patch makes of a project: the fields to save, with the next version. Rights before state before values before
 * version. Members work in a project; its name and its owner are for whom it belongs to.
 * @param newOwner whom it names as owner, when there is such an active person
 */
export function reviseProject(
  project: Project,
  patch: ProjectPatch,
  actor: Manager,
  newOwner: { id: number } | undefined,
) {
  const isRenamed = patch.name !== undefined && patch.name !== project.name
  const isHandedOver = patch.ownerId !== undefined && patch.ownerId !== project.ownerId
  if (isRenamed || isHandedOver) assertOwns(project, actor)
  if (isHandedOver && !newOwner) throw projectFaults.userNotFound()
  const { version, ifMatch, ...changes } = patch
  const revised = {
    name: changes.name ?? project.name,
    description: changes.description === undefined ? project.description : changes.description,
    startDate: changes.startDate === undefined ? project.startDate : changes.startDate,
    endDate: changes.endDate === undefined ? project.endDate : changes.endDate,
  }
  const changed = differs(project, revised)
  // An archived project is still handed over: otherwise its owner could never leave the tenant.
  if (changed || !isHandedOver) assertActive(project)
  assertDateOrder(revised)
  assertVersion(project, { version, ifMatch })
  return {
    changed,
    isHandedOver,
    fields: { ...revised, ownerId: changes.ownerId ?? project.ownerId, version: project.version + 1 },
  }
}

type Manager = Pick<User, 'id' | 'permissions'>

/** A project is renamed, archived and handed over by its owner, or by somebody who manages all. @throws NOT_OWNER */
export function assertOwns(project: { ownerId: number }, { id, permissions }: Manager): void {
  if (project.ownerId !== id && !permissions.has('project:manage')) throw projectFaults.notOwner()
}

/** Archived projects take no new tasks, no edits and no change of members. */
export function assertActive(project: { status: 'ACTIVE' | 'ARCHIVED' }): void {
  if (project.status === 'ARCHIVED') throw projectFaults.archived()
}

export function assertArchived(project: { status: 'ACTIVE' | 'ARCHIVED' }): void {
  if (project.status === 'ACTIVE') throw projectFaults.notArchived()
}

export function assertDateOrder({
  startDate,
  endDate,
}: {
  startDate?: string | null | undefined
  endDate?: string | null | undefined
}): void {
  if (startDate && endDate && endDate < startDate)
    throw projectFaults.dateOrder([{ path: 'body.endDate', message: 'must not lie before startDate' }])
}

/** @throws PRECONDITION_FAILED, VERSION_CONFLICT */
export function assertVersion(project: { version: number }, { version, ifMatch }: Expected): void {
  assertMatch(project.version, ifMatch)
  if (version === undefined || version === project.version) return
  throw projectFaults.changed([
    { path: 'version', expected: version, actual: project.version, message: 'read the project and try again' },
  ])
}

/** Members with unfinished tasks stay; so does the owner. */
export function assertMayLeave(project: { ownerId: number }, userId: number, openTaskIds: readonly number[]): void {
  if (project.ownerId === userId) throw projectFaults.ownerCannotLeave()
  if (openTaskIds.length === 0) return
  throw projectFaults.memberHasOpenTasks(
    openTaskIds.map((id) => ({ path: 'userId', id, message: 'task {id} is still open' })),
  )
}

function differs<Fields extends object>(before: Fields & object, after: Partial<Fields>): boolean {
  return Object.entries(after).some(([name, value]) => (before as Record<string, unknown>)[name] !== value)
}
