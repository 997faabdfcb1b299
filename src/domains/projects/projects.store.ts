import {
  activities,
  anyLike,
  type Column,
  columnsOf,
  except,
  type From,
  faults,
  find,
  lend,
  lock,
  matches,
  onKey,
  only,
  type PartOf,
  paginate,
  paginateOrSearch,
  type RowOf,
  requireAtCommit,
  type Seen,
  seen,
  sql,
  type User,
  write,
} from '#atrium'
import { nameAs, nameOfWho, personAs } from '#atrium/people'
import type { Role } from './members/members.rules.ts'
import { projectFaults } from './projects.rules.ts'
import { ProjectView } from './projects.schemas.ts'

const names = except(ProjectView.keyof().options, ['ownerName', 'memberIds', 'myRole'])
const columns = columnsOf('projects', names)
const changeable = except(names, ['id', 'code', 'status', 'createdAt', 'archivedAt'])

/** The projects of one member, or all of the tenant's for an administrator. */
export type SeesProjects = Seen<'projects', { memberId?: number }>

/** The projects that a person may see, and what is in them. */
export function projectsSeenBy(user: Pick<User, 'id' | 'isAdministrator'>): SeesProjects {
  return seen(user.isAdministrator ? {} : { memberId: user.id })
}

/** The same with its reader, for views that say what they are in each project. */
export type ViewsProjects = SeesProjects & { readerId: number }

export function projectsViewedBy(user: Pick<User, 'id' | 'isAdministrator'>): ViewsProjects {
  return { ...projectsSeenBy(user), readerId: user.id }
}

export const visibleProjects = (from: From, p: SeesProjects & { role?: Role }) =>
  from('projects').$if(p.memberId !== undefined, (query) =>
    query.where(
      'projects.id',
      'in',
      from('projectMembers')
        .select('projectMembers.projectId')
        .where('projectMembers.userId', '=', p.memberId!)
        .$if(p.role !== undefined, (mine) => mine.where('projectMembers.role', '=', p.role!)),
    ),
  )

const roleIn = (from: From, project: Column, userId: number) =>
  from('projectMembers')
    .select('projectMembers.role')
    .where(matches('projectMembers.projectId', project))
    .where('projectMembers.userId', '=', userId)

/** The role in which a person sees the project that a column names; null if they see it without one. */
export const roleSeen = lend(['projectMembers'], (from: From, p: SeesProjects, project: Column) =>
  p.memberId === undefined ? sql<Role | null>`null::text` : sql<Role | null>`(${roleIn(from, project, p.memberId)})`,
)

const myRoleOf = (from: From, { readerId }: ViewsProjects) =>
  sql<'owner' | Role | null>`case when ${sql.ref('projects.ownerId')} = ${readerId} then 'owner'
    else (${roleIn(from, 'projects.id', readerId)}) end`.as('myRole')

/** All members of a single project; in a list, only the first ones of each. */
const memberIdsOf = (from: From, most?: number) =>
  sql<number[]>`array(${from('projectMembers')
    .where(matches('projectMembers.projectId', 'projects.id'))
    .select('projectMembers.userId')
    .orderBy('projectMembers.userId')
    .$if(most !== undefined, (query) => query.limit(sql.lit(most!)))})`.as('memberIds')

const withMembers = (from: From, p: ViewsProjects) =>
  visibleProjects(from, p)
    .leftJoin('users as owner', personAs('owner', 'projects.ownerId'))
    .select(columns)
    .select(nameAs('owner').$notNull().as('ownerName'))
    .select([memberIdsOf(from), myRoleOf(from, p)])

export const getProject = find((from, p: ViewsProjects & { id: number }) =>
  withMembers(from, p).where('projects.id', '=', p.id),
).or(projectFaults.notFound)

export const getVisibleProject = find((from, p: SeesProjects & { id: number }) =>
  visibleProjects(from, p)
    .select(['projects.id', 'projects.status', 'projects.version', roleSeen(from, p, 'projects.id').as('role')])
    .where('projects.id', '=', p.id),
).or(projectFaults.notFound)

/** How many members of a project a list names. One more is read, to show that there are more. */
export const MOST_MEMBERS_LISTED = 100

export const listProjects = paginateOrSearch(
  (from, p: ViewsProjects) => visibleProjects(from, p).select(columns),
  (found, p: ViewsProjects & { status?: 'ACTIVE' | 'ARCHIVED'; pattern?: string }, from) =>
    found
      .select([nameOfWho(from, 'projects.ownerId').as('ownerName'), memberIdsOf(from, MOST_MEMBERS_LISTED + 1)])
      .select(myRoleOf(from, p))
      .$if(p.status !== undefined, (query) => query.where('projects.status', '=', p.status!))
      .$if(p.pattern !== undefined, (query) => query.where(anyLike(p.pattern!, ['projects.name', 'projects.code']))),
  'projects',
  {
    filters: ['status', 'pattern'],
    costly: ['pattern'],
    sorts: { code: 'projects.code' },
    long: { text: ['description'] },
  },
)

/** For a change of the project itself: waits for transactions that rely on its state. */
export const lockProject = lock((from, p: ViewsProjects & { id: number }) =>
  withMembers(from, p).where('projects.id', '=', p.id).forUpdate('projects'),
).or(projectFaults.notFound)

/** For a change inside the project: it stays unchanged until this transaction ends. */
export const shareLockProject = lock((from, p: ViewsProjects & { id: number }) =>
  visibleProjects(from, p)
    .select(columns)
    .select(myRoleOf(from, p))
    .where('projects.id', '=', p.id)
    .forShare('projects'),
).or(projectFaults.notFound)

export const insertProject = write(
  ({ insert }, p: RowOf<'projects', 'status' | 'version' | 'archivedAt'>) => insert('projects', p),
  {
    conflicts: {
      projects_code_taken: projectFaults.codeTaken,
      projects_code_skeleton_taken: projectFaults.codeTaken,
      projects_owner_lives: faults.notInTenant,
    },
  },
)

export const saveProject = write(({ update }, p: PartOf<'projects', 'id' | (typeof changeable)[number]>) =>
  update('projects').set(only(p, changeable)).where('projects.id', '=', p.id),
)

const ofStatus = ['status', 'version', 'archivedAt', 'updatedAt'] as const
export const saveStatus = write(({ update }, p: PartOf<'projects', 'id' | (typeof ofStatus)[number]>) =>
  update('projects').set(only(p, ofStatus)).where('projects.id', '=', p.id),
)

/**
 * The person sees the project, and it is active, until this transaction ends; with `role`, in the role they were found in,
 * and with `version`, as it was read.
 */
export const stillActive = requireAtCommit((from, p: SeesProjects & { id: number; role?: Role; version?: number }) =>
  visibleProjects(from, p)
    .select('projects.id')
    .where('projects.id', '=', p.id)
    .where('projects.status', '=', 'ACTIVE')
    .$if(p.version !== undefined, (query) => query.where('projects.version', '=', p.version!))
    .forShare(),
)

/** The members of projects, with the projects' ids. */
export const members = lend(['projectMembers'], (from: From) => from('projectMembers'))

/** A join of `projectMembers`: the members of the project that a column names. */
export const membersOf = lend(['projectMembers'], (column: Column) => onKey('projectMembers.projectId', column))

/** The ids of the projects that a person may see. */
export const projectIdsSeen = lend(['projects', 'projectMembers'], (from: From, p: SeesProjects) =>
  p.memberId === undefined
    ? from('projects').select('projects.id')
    : from('projectMembers').select('projectMembers.projectId as id').where('projectMembers.userId', '=', p.memberId),
)

/** A join of `projects`: the project that a column names. */
export const projectOf = lend(['projects'], (column: Column) => onKey('projects.id', column))

export const listProjectActivities = paginate(
  (from, p: { projectId: number }) =>
    activities(from)
      .leftJoin('users as actor', personAs('actor', 'activities.actorId'))
      .select([
        'activities.id',
        'activities.projectId',
        'activities.actorId',
        'activities.action',
        'activities.newValue as detail',
        'activities.createdAt',
      ])
      .select(nameAs('actor').$notNull().as('actorName'))
      .where('activities.projectId', '=', p.projectId)
      .where('activities.taskId', 'is', null)
      .$narrowType<{ projectId: number }>(),
  'activities.id',
  'newest',
  { long: { text: ['detail'] } },
)
