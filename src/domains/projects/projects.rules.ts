import { assertVersion, changesBetween, type Expected, fault, givenOf, notFound, type User } from '#atrium'
import { PROJECT_FIELDS } from './projects.events.ts'
import type { ProjectPatch, ProjectView } from './projects.schemas.ts'

export const projectFaults = {
  notFound: notFound('Project'),
  userNotFound: notFound('User'),
  notOwner: fault(
    'NOT_OWNER',
    403,
    'Only the owner of the project may do this, or a member who may manage all projects',
  ),
  readOnly: fault('PROJECT_READ_ONLY', 403, 'Viewers of a project read it and comment, and change nothing'),
  notArchived: fault('PROJECT_NOT_ARCHIVED', 409, 'The project is not archived'),
  archived: fault('PROJECT_ARCHIVED', 409, 'The project is archived'),
  changed: fault('VERSION_CONFLICT', 409, 'The project was changed by someone else'),
  codeTaken: fault('PROJECT_CODE_TAKEN', 409, 'This project code is taken'),
  dateOrder: fault('DATE_ORDER', 400, 'The end date lies before the start date'),
  ownerCannotLeave: fault('OWNER_CANNOT_LEAVE', 409, 'The owner cannot leave the project'),
  ownerStaysMember: fault('OWNER_STAYS_MEMBER', 409, 'The owner of a project cannot be a viewer of it'),
  memberHasOpenTasks: fault('MEMBER_HAS_OPEN_TASKS', 409, 'The member still has open tasks in this project'),
}

type Project = Pick<ProjectView, 'name' | 'description' | 'status' | 'startDate' | 'endDate' | 'ownerId' | 'version'>

/**
 * Applies a patch to a project. Checks the rights, then the state, then the values, then the version.
 * Members may edit a project; only its owner may rename it or hand it over.
 * @param newOwner the patch's owner, if they are an active person
 * @returns the fields to save, with the next version
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
  const { version, ifMatch, ownerId = project.ownerId, ...fields } = patch
  const { name, description, startDate, endDate } = project
  const revised = { name, description, startDate, endDate, ...givenOf(fields) }
  const changes = changesBetween(project, revised, PROJECT_FIELDS)
  // An archived project can be handed over: otherwise its owner could never leave the tenant.
  if (changes.length > 0 || !isHandedOver) assertActive(project)
  assertDateOrder(revised)
  assertCurrent(project, { version, ifMatch })
  return { changes, isHandedOver, fields: { ...revised, ownerId, version: project.version + 1 } }
}

type Manager = Pick<User, 'id' | 'permissions'>

/** Its owner, or a person who manages all, may rename, archive and hand over a project. @throws NOT_OWNER */
export function assertOwns(project: { ownerId: number }, { id, permissions }: Manager): void {
  if (project.ownerId !== id && !permissions.has('project:manage')) throw projectFaults.notOwner()
}

/** Archived projects take no new tasks, edits or changes of members. */
export function assertActive(project: Pick<Project, 'status'>): void {
  if (project.status === 'ARCHIVED') throw projectFaults.archived()
}

export function assertArchived(project: Pick<Project, 'status'>): void {
  if (project.status === 'ACTIVE') throw projectFaults.notArchived()
}

export function assertDateOrder({ startDate, endDate }: Pick<ProjectPatch, 'startDate' | 'endDate'>): void {
  if (startDate && endDate && endDate < startDate)
    throw projectFaults.dateOrder([{ path: 'body.endDate', message: 'must not lie before startDate' }])
}

/** @throws PRECONDITION_FAILED, VERSION_CONFLICT */
export function assertCurrent(project: { version: number }, expected: Expected): void {
  assertVersion(project.version, expected, projectFaults.changed, 'read the project and try again')
}
