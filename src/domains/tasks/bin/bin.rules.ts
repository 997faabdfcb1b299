import { fault, type User } from '#atrium'
import { assertActive, assertMayChange } from '#atrium/projects'

/** How long a deleted task can be restored. */
export const KEPT_DAYS = 30

export const binFaults = {
  notOwner: fault(
    'NOT_OWNER',
    403,
    'Only the reporter of the task or the owner of its project may do this, or a member who may manage all projects',
  ),
  notDeleted: fault('TASK_NOT_DELETED', 409, 'The task is not deleted'),
}

/** Where a deleted task meets everything else. A test has a story for each. */
export const DELETED = {
  'lists, counts and whatever reads open or finished tasks': 'leave it out',
  'a deed on it': 'is a 404; only restoring is possible',
  'a second deletion or restoration': 'finds nothing to do: 404, or 409 `TASK_NOT_DELETED`',
  'its assignee': 'gets a notification, and has no open work by it when they leave the project or the tenant',
  'a hand-over of open work': 'leaves it where it is',
  'an assignee who left, was disabled or may not read tasks': 'is taken off when it is restored',
  'a reporter who left': 'restores nothing; the owner of the project and holders of `project:manage` do',
  'a reporter who became a viewer': 'neither deletes nor restores',
  'a project with another owner': 'is restored into by the new owner and not by the previous one',
  'an archived project': 'lets no task be deleted or restored',
  'comments and history': 'come back with it',
  'an attached file': 'is seen by its uploader alone, who may delete it; otherwise it comes back with the task',
  'a quota of files': 'counts its files until they are removed',
  'an export': 'has it as deleted, and so has the tenant that is made of it',
  'the end of its 30 days':
    'removes it with its comments and its files, unless something else shows a file; history stays',
} as const

/** A task with what decides who may delete it. */
interface Owned {
  reporterId: number
  ownerId: number
  projectStatus: 'ACTIVE' | 'ARCHIVED'
  /** of the person in the project */
  role: 'member' | 'viewer' | null
}

/** Whether a person may delete a task and restore it. @throws PROJECT_READ_ONLY, NOT_OWNER, PROJECT_ARCHIVED */
export function assertMayDelete(
  { reporterId, ownerId, projectStatus, role }: Owned,
  actor: Pick<User, 'id' | 'permissions' | 'isAdministrator'>,
): void {
  const { id, permissions } = actor
  assertMayChange(role, actor)
  if (reporterId !== id && ownerId !== id && !permissions.has('project:manage')) throw binFaults.notOwner()
  assertActive({ status: projectStatus })
}
