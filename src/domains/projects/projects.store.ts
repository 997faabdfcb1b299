import {
  activities,
  type Column,
  columnsOf,
  except,
  type From,
  faults,
  find,
  lend,
  lock,
  lockAll,
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
  type Verbs,
  write,
  writeReturning,
} from '#atrium'
import { active, avatarUrlAs, nameAs, nameOfWho, personAs, personOf, statusOf } from '#atrium/people'
import { holdersOf } from '#atrium/roles'
import { projectFaults } from './projects.rules.ts'

const names = [
  'id',
  'name',
  'code',
  'description',
  'ownerId',
  'status',
  'startDate',
  'endDate',
  'version',
  'createdAt',
  'updatedAt',
  'archivedAt',
] as const
const columns = columnsOf('projects', names)
/** The columns that a change of a project may set. */
const changeable = except(names, ['id', 'code', 'status', 'createdAt', 'archivedAt'])

/** The projects of one member, or all of the tenant's for an administrator. */
export type SeesProjects = Seen<'projects', { memberId?: number }>

/** The projects that a person may see, and what is in them. */
export function projectsSeenBy(user: Pick<User, 'id' | 'isAdministrator'>): SeesProjects {
  return seen(user.isAdministrator ? {} : { memberId: user.id })
}

const visibleProjects = (from: From, p: SeesProjects) =>
  from('projects').$if(p.memberId !== undefined, (query) =>
    query.where(
      'projects.id',
      'in',
      from('projectMembers').select('projectMembers.projectId').where('projectMembers.userId', '=', p.memberId!),
    ),
  )

/** All members of a single project; in a list, only the first ones of each. */
const memberIdsOf = (from: From, most?: number) =>
  sql<number[]>`array(${from('projectMembers')
    .where(matches('projectMembers.projectId', 'projects.id'))
    .select('projectMembers.userId')
    .orderBy('projectMembers.userId')
    .$if(most !== undefined, (query) => query.limit(sql.lit(most!)))})`.as('memberIds')

const withOwner = (from: From, p: SeesProjects) =>
  visibleProjects(from, p)
    .leftJoin('users as owner', personAs('owner', 'projects.ownerId'))
    .select(columns)
    .select(nameAs('owner').$notNull().as('ownerName'))

const withMembers = (from: From, p: SeesProjects) => withOwner(from, p).select(memberIdsOf(from))

export const getProject = find((from, p: SeesProjects & { id: number }) =>
  withMembers(from, p).where('projects.id', '=', p.id),
).or(projectFaults.notFound)

export const getVisibleProject = find((from, p: SeesProjects & { id: number }) =>
  visibleProjects(from, p)
    .select(['projects.id', 'projects.status', 'projects.version'])
    .where('projects.id', '=', p.id),
).or(projectFaults.notFound)

/** How many members of a project a list names. One more is read, to show that there are more. */
export const MOST_MEMBERS_LISTED = 100

export const listProjects = paginateOrSearch(
  (from, p: SeesProjects) => visibleProjects(from, p).select(columns),
  (found, p: SeesProjects & { status?: 'ACTIVE' | 'ARCHIVED'; pattern?: string }, from) =>
    found
      .select([nameOfWho(from, 'projects.ownerId').as('ownerName'), memberIdsOf(from, MOST_MEMBERS_LISTED + 1)])
      .$if(p.status !== undefined, (query) => query.where('projects.status', '=', p.status!))
      .$if(p.pattern !== undefined, (query) =>
        query.where((eb) =>
          eb.or([eb('projects.name', 'ilike', p.pattern!), eb('projects.code', 'ilike', p.pattern!)]),
        ),
      ),
  'projects',
  {
    filters: ['status', 'pattern'],
    costly: ['pattern'],
    sorts: { code: 'projects.code' },
    long: { text: ['description'] },
  },
)

/** For a change of the project itself: waits for transactions that rely on its state. */
export const lockProject = lock((from, p: SeesProjects & { id: number }) =>
  withMembers(from, p).where('projects.id', '=', p.id).forUpdate('projects'),
).or(projectFaults.notFound)

/** For a change inside the project: it stays unchanged until this transaction ends. */
export const shareLockProject = lock((from, p: SeesProjects & { id: number }) =>
  visibleProjects(from, p).select(columns).where('projects.id', '=', p.id).forShare('projects'),
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

export const saveArchived = write(({ update }, p: { id: number; version: number; archivedAt: string }) =>
  update('projects')
    .set({ status: 'ARCHIVED', version: p.version, archivedAt: p.archivedAt, updatedAt: p.archivedAt })
    .where('projects.id', '=', p.id),
)

export const saveUnarchived = write(({ update }, p: PartOf<'projects', 'id' | 'version' | 'updatedAt'>) =>
  update('projects')
    .set({ status: 'ACTIVE', version: p.version, archivedAt: null, updatedAt: p.updatedAt })
    .where('projects.id', '=', p.id),
)

/** The person sees the project, and it is active, until this transaction ends; with `version`, as it was read. */
export const stillActive = requireAtCommit((from, p: SeesProjects & { id: number; version?: number }) =>
  visibleProjects(from, p)
    .select('projects.id')
    .where('projects.id', '=', p.id)
    .where('projects.status', '=', 'ACTIVE')
    .$if(p.version !== undefined, (query) => query.where('projects.version', '=', p.version!))
    .forShare(),
)

/** The members of projects, with the projects' ids. */
export const members = lend(['projectMembers'], (from: From) => from('projectMembers'))

export const listMembers = paginate(
  (from, p: { projectId: number }) =>
    from('projectMembers')
      // A left join, so that a count can skip the people; every member is one.
      .leftJoin('users', personOf('projectMembers.userId'))
      .select(['projectMembers.userId as id', 'projectMembers.createdAt as since'])
      .select(['users.nickname', sql<string>`users.username`.as('username'), statusOf.as('status')])
      .select(avatarUrlAs('users').as('avatarUrl'))
      .where('projectMembers.projectId', '=', p.projectId),
  'projectMembers.userId',
  'oldest',
)

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

const membership = (from: From, p: { projectId: number; userId: number }) =>
  from('projectMembers')
    .select('projectMembers.userId')
    .where('projectMembers.projectId', '=', p.projectId)
    .where('projectMembers.userId', '=', p.userId)

const activeMembership = (from: From, p: { projectId: number; userId: number }) =>
  membership(from, p)
    .where('projectMembers.userId', 'in', active(from).select('users.id'))
    .where('projectMembers.userId', 'in', holdersOf(from, 'project:list'))

/** A member who can be given work: one who can sign in and read it. */
export const findActiveMember = find(activeMembership)

/** The person stays a member until this transaction ends. */
export const stillMember = requireAtCommit((from, p: { projectId: number; userId: number }) =>
  membership(from, p).forShare(),
)

/** The person stays a member until this transaction ends, and can sign in and read the project. */
export const stillActiveMember = requireAtCommit((from, p: { projectId: number; userId: number }) =>
  activeMembership(from, p).forShare(),
)

/** For removing a membership: waits for transactions that rely on it. */
export const lockMember = lock((from, p: { projectId: number; userId: number }) => membership(from, p).forUpdate())

const newMember = ({ insert }: Verbs, p: { projectId: number; userId: number; createdAt: string }) =>
  insert('projectMembers', p).onConflict((conflict) => conflict.doNothing())

export const insertMember = write(newMember)

/** Waits for others who add the same person; `affected` shows who was first. */
export const admitMember = writeReturning(newMember)

export const removeMember = write(({ remove }, p: { projectId: number; userId: number }) =>
  remove('projectMembers')
    .where('projectMembers.projectId', '=', p.projectId)
    .where('projectMembers.userId', '=', p.userId),
)

/**
 * For deleting a person: memberships first, then the person. Assigning a task locks in the same order.
 */
export const lockMemberships = lockAll((from, p: { userId: number }) =>
  from('projectMembers')
    .select('projectMembers.projectId')
    .where('projectMembers.userId', '=', p.userId)
    .orderBy('projectMembers.projectId')
    .forUpdate(),
)

/** The person's projects, unchanged until this transaction ends. */
export const shareLockProjectsOf = lockAll((from, p: { userId: number }) =>
  from('projectMembers')
    .innerJoin('projects', onKey('projects.id', 'projectMembers.projectId'))
    .select(['projects.id', 'projects.status', 'projects.version'])
    .where('projectMembers.userId', '=', p.userId)
    .orderBy('projects.id')
    .forShare('projects'),
)

export const removeMemberships = write(({ remove }, p: { userId: number }) =>
  remove('projectMembers').where('projectMembers.userId', '=', p.userId),
)

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
