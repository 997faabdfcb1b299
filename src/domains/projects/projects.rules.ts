import { assertMatch, type Expected } from '../../kernel/expected.ts'
import { fault, notFound } from '../../kernel/fault.ts'
import type { ProjectPatch } from './projects.schemas.ts'

export const projectFaults = {
  notFound: notFound('Project'),
  userNotFound: notFound('User'),
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

/** What a patch makes of a project: the fields to save, with the next version. State before values before version. */
export function reviseProject(project: Project, patch: ProjectPatch) {
  assertActive(project)
  const { version, ifMatch, ...changes } = patch
  const revised = {
    name: changes.name ?? project.name,
    description: changes.description === undefined ? project.description : changes.description,
    startDate: changes.startDate === undefined ? project.startDate : changes.startDate,
    endDate: changes.endDate === undefined ? project.endDate : changes.endDate,
  }
  assertDateOrder(revised)
  assertVersion(project, { version, ifMatch })
  return { changed: differs(project, revised), fields: { ...revised, version: project.version + 1 } }
}

/** Archived projects take no new tasks, no edits and no change of members. */
export function assertActive(project: { status: 'ACTIVE' | 'ARCHIVED' }): void {
  if (project.status === 'ARCHIVED') throw projectFaults.archived()
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
