import {
  type From,
  find,
  lock,
  lockAll,
  onKey,
  type PartOf,
  paginate,
  requireAtCommit,
  sql,
  type Verbs,
  write,
  writeReturning,
} from '#atrium'
import { active, avatarUrlAs, personOf, statusOf } from '#atrium/people'
import { holdersOf } from '#atrium/roles'
import type { Role } from './members/members.rules.ts'

const membership = (from: From, p: { projectId: number; userId: number }) =>
  from('projectMembers')
    .select(['projectMembers.userId', 'projectMembers.role'])
    .where('projectMembers.projectId', '=', p.projectId)
    .where('projectMembers.userId', '=', p.userId)

const activeMembership = (from: From, p: { projectId: number; userId: number }) =>
  membership(from, p)
    .where('projectMembers.role', '=', 'member')
    .where('projectMembers.userId', 'in', active(from).select('users.id'))
    .where('projectMembers.userId', 'in', holdersOf(from, 'project:list'))

/** A member who can be given work: one who can sign in and read it. */
export const findActiveMember = find(activeMembership)

/** The person keeps the role that they were found in until this transaction ends. */
export const stillMember = requireAtCommit((from, p: { projectId: number; userId: number; role: Role }) =>
  membership(from, p).where('projectMembers.role', '=', p.role).forShare(),
)

/** The person stays a member until this transaction ends, and can sign in and read the project. */
export const stillActiveMember = requireAtCommit((from, p: { projectId: number; userId: number }) =>
  activeMembership(from, p).forShare(),
)

/** Whether somebody belongs to a project, and as what. */
export const findMember = find(membership)

/** For removing or changing a membership: waits for transactions that rely on it. */
export const lockMember = lock((from, p: { projectId: number; userId: number }) => membership(from, p).forUpdate())

const newMember = (
  { insert }: Verbs,
  p: PartOf<'projectMembers', 'projectId' | 'userId' | 'createdAt'> & { role?: Role },
) => insert('projectMembers', p).onConflict((conflict) => conflict.doNothing())

export const insertMember = write(newMember)

/** Waits for others who add the same person; `affected` shows who was first. */
export const admitMember = writeReturning(newMember)

export const saveRole = write(({ update }, p: { projectId: number; userId: number; role: Role }) =>
  update('projectMembers')
    .set({ role: p.role })
    .where('projectMembers.projectId', '=', p.projectId)
    .where('projectMembers.userId', '=', p.userId),
)

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

export const listMembers = paginate(
  (from, p: { projectId: number }) =>
    from('projectMembers')
      // A left join, so that a count can skip the people; every member is one.
      .leftJoin('users', personOf('projectMembers.userId'))
      .select(['projectMembers.userId as id', 'projectMembers.role', 'projectMembers.createdAt as since'])
      .$narrowType<{ role: Role }>()
      .select(['users.nickname', sql<string>`users.username`.as('username'), statusOf.as('status')])
      .select(avatarUrlAs('users').as('avatarUrl'))
      .where('projectMembers.projectId', '=', p.projectId),
  'projectMembers.userId',
  'oldest',
)
