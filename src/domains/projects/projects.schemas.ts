import {
  allActivitiesOf,
  arrayQuery,
  Count,
  Day,
  declaredWords,
  type Expected,
  IdInPath,
  idOf,
  Keyword,
  keptText,
  ReadVersion,
  sortedBy,
  text,
  view,
  z,
} from '#atrium'
import { AnyStatus, AvatarUrl } from '#atrium/people'

export const ProjectStatus = z.enum(['ACTIVE', 'ARCHIVED']).meta({ id: 'ProjectStatus' })

export const MemberRole = z.enum(['member', 'viewer']).meta({ id: 'ProjectRole' })

export const ProjectDraft = z
  .object({
    name: text(160),
    code: text(64),
    description: keptText(4000),
    startDate: Day.nullish(),
    endDate: Day.nullish(),
  })
  .meta({ id: 'ProjectDraft' })
export type ProjectDraft = z.output<typeof ProjectDraft>

export const ProjectPatch = ProjectDraft.omit({ code: true })
  .partial()
  .extend({
    ownerId: idOf('users').optional().describe('The new owner: an active user, who becomes a member'),
    version: ReadVersion,
  })
  .meta({ id: 'ProjectPatch' })
export type ProjectPatch = z.output<typeof ProjectPatch> & Expected

export const ProjectQuery = arrayQuery({ status: ProjectStatus.optional(), keyword: Keyword, ...sortedBy(['code']) })
export const VersionQuery = z.object({ version: Count.optional().describe(ReadVersion.description!) })
export const MemberParams = z.object({ id: IdInPath, userId: IdInPath })
export const MemberChange = z
  .object({
    role: MemberRole.optional().describe('Omitted: a new person becomes a member, a present one stays what they are'),
  })
  .meta({ id: 'ProjectMemberChange', examples: [{ role: 'member' }] })
  .nullish()

export const ProjectView = z
  .object({
    id: view.id,
    name: view.text,
    code: view.text,
    description: view.maybeText,
    ownerId: view.id,
    ownerName: view.text,
    status: ProjectStatus,
    startDate: view.maybeDay,
    endDate: view.maybeDay,
    version: view.version,
    memberIds: z.array(view.id).describe('Members and viewers'),
    myRole: z
      .enum(['owner', 'member', 'viewer'])
      .nullable()
      .describe('What the caller is in the project; null for administrators who are not in it'),
    createdAt: view.instant,
    updatedAt: view.instant,
    archivedAt: view.maybeInstant,
  })
  .meta({
    id: 'Project',
    examples: [
      {
        name: 'Website relaunch',
        code: 'RELAUNCH',
        description: 'The new landing page',
        memberIds: [7, 9],
        myRole: 'member',
        archivedAt: null,
        ownerId: 7,
        ownerName: 'Ada Lovelace',
        startDate: '2026-11-23',
        endDate: '2027-03-31',
      },
    ],
  })
export type ProjectView = z.output<typeof ProjectView>

export const MemberView = z
  .object({
    userId: view.id,
    username: view.person,
    nickname: view.maybeText,
    avatarUrl: AvatarUrl,
    status: AnyStatus,
    role: MemberRole,
    since: view.instant,
  })
  .meta({
    id: 'ProjectMember',
    examples: [
      { userId: 7, username: 'ada', nickname: 'Ada Lovelace', role: 'member', since: '2026-11-23T08:00:00.000Z' },
    ],
  })

const ProjectAction = z.string().meta(declaredWords(() => allActivitiesOf('project'), 'ProjectAction'))

export const ProjectActivityView = z
  .object({
    id: view.id,
    projectId: view.id,
    actorId: view.id,
    actorName: view.person,
    action: ProjectAction,
    detail: view.maybeText,
    createdAt: view.instant,
  })
  .meta({
    id: 'ProjectActivity',
    examples: [{ id: 501, projectId: 42, actorName: 'Ada Lovelace', action: 'PROJECT_MEMBER_ADDED', detail: '9' }],
  })
