import { changesOf, event, view, z } from '#atrium'

export const DEPARTMENT_FIELDS = ['name', 'code', 'parentId', 'leaderId', 'sort', 'status'] as const
export const ORGANIZATION_FIELDS = ['name', 'status'] as const

const Named = z.object({ name: view.text, code: view.text })
const named = { name: 'Research', code: 'research' }
const Member = z.object({ userId: view.id })

export const organizationEvents = {
  'organization.updated': event(
    'The organization was renamed, disabled or enabled.',
    z.object({ changes: changesOf(ORGANIZATION_FIELDS) }),
    { changes: [{ field: 'name', from: 'Velora', to: 'Velora Ltd' }] },
  ),
  'department.created': event(
    'A department was created.',
    Named.extend({ parentId: view.maybeId, leaderId: view.maybeId }),
    { ...named, parentId: null, leaderId: 7 },
  ),
  'department.updated': event(
    'Fields of a department changed, such as its leader.',
    z.object({ changes: changesOf(DEPARTMENT_FIELDS) }),
    { changes: [{ field: 'leaderId', from: 7, to: 9 }] },
  ),
  'department.deleted': event('A department was deleted.', Named, named),
  'department.member_added': event('A person joined a department, and left the one before.', Member, { userId: 9 }),
  'department.member_removed': event('A person left a department.', Member, { userId: 9 }),
} as const
