import { sql } from 'kysely'
import { paginate } from '../../data/sql/paginate.ts'
import { type From, find, list, lock, lockAll, write } from '../../data/sql/verbs.ts'
import { userFaults } from './users.rules.ts'

const columns = [
  'users.id',
  'users.username',
  'users.nickname',
  'users.email',
  'users.phone',
  'users.realName',
  'users.status',
  'users.createdAt',
  'users.updatedAt',
] as const

const withRoles = (from: From) =>
  from('users')
    .where('users.deletedAt', 'is', null)
    .select(columns)
    .select(
      sql<string[]>`array(${from('userRoles')
        .innerJoin('roles', (join) =>
          join.onRef('roles.tenantId', '=', 'userRoles.tenantId').onRef('roles.id', '=', 'userRoles.roleId'),
        )
        .whereRef('userRoles.userId', '=', 'users.id' as never)
        .select('roles.code')
        .orderBy('roles.id')})`.as('roles'),
    )

export const findUser = find((from, p: { id: number }) => withRoles(from).where('users.id', '=', p.id))

export const listUsers = paginate(
  (from, p: { pattern?: string; status?: 'active' | 'disabled' }) =>
    withRoles(from)
      .$if(p.status !== undefined, (query) => query.where('users.status', '=', p.status!))
      .$if(p.pattern !== undefined, (query) =>
        query.where((eb) =>
          eb.or([
            eb('users.username', 'ilike', p.pattern!),
            eb('users.nickname', 'ilike', p.pattern!),
            eb('users.email', 'ilike', p.pattern!),
            eb('users.realName', 'ilike', p.pattern!),
          ]),
        ),
      ),
  'users.id',
)

export const saveUser = write(
  (
    { update },
    p: {
      id: number
      nickname: string | null
      email: string | null
      phone: string | null
      realName: string | null
      status: 'active' | 'disabled'
      passwordHash?: string
      updatedAt: string
    },
  ) =>
    update('users')
      .set({
        nickname: p.nickname,
        email: p.email,
        phone: p.phone,
        realName: p.realName,
        status: p.status,
        updatedAt: p.updatedAt,
        ...(p.passwordHash !== undefined && { passwordHash: p.passwordHash }),
      })
      .where('users.id', '=', p.id),
)

/** Ends the sessions of a person, all of them or all but one. */
export const endSessions = write(({ remove }, p: { userId: number; kept?: number }) =>
  remove('sessions')
    .where('sessions.userId', '=', p.userId)
    .$if(p.kept !== undefined, (query) => query.where('sessions.id', '!=', p.kept!)),
)

const MOST_NAMED = 100

export const listProjectsOwned = list((from, p: { userId: number }) =>
  from('projects')
    .select('projects.id')
    .where('projects.ownerId', '=', p.userId)
    .orderBy('projects.id')
    .limit(MOST_NAMED),
)

export const listDepartmentsLed = list((from, p: { userId: number }) =>
  from('departments').select('departments.id').where('departments.leaderId', '=', p.userId),
)

export const listTasksOpen = list((from, p: { userId: number }) =>
  from('tasks')
    .select('tasks.id')
    .where('tasks.assigneeId', '=', p.userId)
    .where(sql<boolean>`tasks.status in ('TODO', 'IN_PROGRESS', 'BLOCKED')`)
    .orderBy('tasks.id')
    .limit(MOST_NAMED),
)

/**
 * For a deletion: memberships first, then the person, as whoever gives them a task holds the membership when it comes
 * to the person.
 */
export const lockMemberships = lockAll((from, p: { userId: number }) =>
  from('projectMembers')
    .select('projectMembers.projectId')
    .where('projectMembers.userId', '=', p.userId)
    .orderBy('projectMembers.projectId')
    .forUpdate(),
)

/** Waits for everything that is being given to the person, and keeps away what would be. */
export const lockUser = lock((from, p: { id: number }) =>
  from('users').select('users.id').where('users.id', '=', p.id).forUpdate(),
)

/** The projects that the person is a member of, kept as they are until this transaction has ended. */
export const shareLockProjectsJoined = lockAll((from, p: { userId: number }) =>
  from('projectMembers')
    .innerJoin('projects', (join) =>
      join
        .onRef('projects.tenantId', '=', 'projectMembers.tenantId')
        .onRef('projects.id', '=', 'projectMembers.projectId'),
    )
    .select(['projects.id', 'projects.status', 'projects.version'])
    .where('projectMembers.userId', '=', p.userId)
    .orderBy('projects.id')
    .forShare('projects'),
)

export const removeMemberships = write(({ remove }, p: { userId: number }) =>
  remove('projectMembers').where('projectMembers.userId', '=', p.userId),
)

export const removeFromDepartments = write(({ remove }, p: { userId: number }) =>
  remove('departmentMembers').where('departmentMembers.userId', '=', p.userId),
)

/** The person goes; their name stays with what they have written. */
export const retireUser = write(
  ({ update }, p: { id: number; deletedAt: string }) =>
    update('users')
      .set({
        status: 'disabled',
        passwordHash: '-',
        email: null,
        phone: null,
        realName: null,
        updatedAt: p.deletedAt,
        deletedAt: p.deletedAt,
      })
      .where('users.id', '=', p.id),
  {
    conflicts: {
      projects_owner_lives: userFaults.inUse,
      project_members_user_lives: userFaults.inUse,
      departments_leader_lives: userFaults.inUse,
    },
  },
)
