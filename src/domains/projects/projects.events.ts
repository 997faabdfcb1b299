import { changesOf, event, view, z } from '#atrium'
import { MemberRole, ProjectView } from './projects.schemas.ts'

export const PROJECT_FIELDS = ['name', 'description', 'startDate', 'endDate'] as const

const Version = z.object({ version: view.version })
const Member = z.object({ userId: view.id })

export const projectEvents = {
  'project.created': event(
    'A project was created; its creator is its owner and first member.',
    ProjectView.pick({ name: true, code: true, ownerId: true, startDate: true, endDate: true, version: true }),
    { name: 'Website relaunch', code: 'RELAUNCH', ownerId: 7, startDate: '2026-11-23', endDate: null, version: 0 },
  ),
  'project.updated': event('Fields of a project changed.', Version.extend({ changes: changesOf(PROJECT_FIELDS) }), {
    version: 4,
    changes: [{ field: 'endDate', from: null, to: '2027-03-31' }],
  }),
  'project.owner_changed': event('A project got another owner.', Version.extend({ from: view.id, to: view.id }), {
    version: 4,
    from: 7,
    to: 9,
  }),
  'project.archived': event('A project was archived.', Version, { version: 5 }),
  'project.unarchived': event('An archived project was opened again.', Version, { version: 6 }),
  'project.member_added': event('A person became a member of a project.', Member, { userId: 9 }),
  'project.member_role_changed': event(
    'A member of a project became a viewer, or a viewer a member. A person who joins as a viewer is added before.',
    Member.extend({ from: MemberRole, to: MemberRole }),
    { userId: 9, from: 'member', to: 'viewer' },
  ),
  'project.member_removed': event('A person is no longer a member of a project.', Member, { userId: 9 }),
} as const
