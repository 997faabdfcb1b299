import { type Column, type From, find, isThere, matches, port, type Scope, sql, type UserId } from '#atrium'
import { activeDepartments } from '#atrium/organization'
import { active, livingPeople, nameOf, personOf } from '#atrium/people'
import { holdersOf } from '#atrium/roles'
import type { StandIn } from './deciders.rules.ts'

/**
 * Who can decide a first step: its approver, if they are active, hold the permission, and the department is in use or an
 * administrator passed the step to them; and their substitute. Otherwise administrators decide. It is computed on each
 * read, so that a change of a person, a role, a department or the day moves no requests, and an approver who comes back
 * finds theirs.
 */
export const leaderActs = (from: From) =>
  sql<boolean>`(${isThere(
    from('approvalSteps')
      .innerJoin('users', personOf('approvalSteps.approverId'))
      .where(matches('approvalSteps.approvalId', 'approvals.id'))
      .where('approvalSteps.stepOrder', '=', 1)
      .where('users.status', '=', 'active')
      .where('users.id', 'in', holdersOf(from, 'approval:action')),
  )} and ${isStanding(from)})`

/** The department of the request is in use, or its first step does not depend on it. */
const isStanding = (from: From) =>
  sql<boolean>`(${isThere(activeDepartments(from).where(matches('departments.id', 'approvals.departmentId')))}
    or ${isReassigned(from)})`

const isReassigned = (from: From) =>
  isThere(
    from('approvalSteps')
      .where(matches('approvalSteps.approvalId', 'approvals.id'))
      .where('approvalSteps.stepOrder', '=', 1)
      .where('approvalSteps.reassigned', '=', true),
  )

/** Those who can decide at all. */
export const able = (from: From) => active(from).where('users.id', 'in', holdersOf(from, 'approval:action'))

/** The same for many requests: finds the approvers who can decide once, not for each request. */
export const anyLeaderActs = (from: From) =>
  sql<boolean>`coalesce((${from('approvalSteps')
    .select('approvalSteps.approverId')
    .where(matches('approvalSteps.approvalId', 'approvals.id'))
    .where('approvalSteps.stepOrder', '=', 1)}) in (${able(from).select('users.id')})
    and (approvals.department_id in (${activeDepartments(from).select('departments.id')}) or ${isReassigned(from)}), false)`

/** The same for one approver's requests: checks the approver once, not for each request. */
export const thisLeaderActs = (from: From, approverId: number) =>
  sql<boolean>`(${isThere(able(from).where('users.id', '=', approverId))} and ${isStanding(from)})`

/** Who decides for approvers who are away. */
interface StandIns {
  /** part of a statement: who stands in today for the person whom a column names, if they can act */
  of(from: From, person: Column): ReturnType<typeof sql<StandIn | null>>
  /** part of a statement: the ids of the people for whom a person stands in today, as an array */
  representedBy(from: From, substituteId: number): ReturnType<typeof sql<number[]>>
  /** the same without those for whom they cannot decide, because one of the two cannot act */
  decidedForBy(from: From, substituteId: number): ReturnType<typeof sql<number[]>>
  /** The people for whom a person decides today; none if one of the two cannot act. */
  listRepresented(scope: Scope, p: { substituteId: UserId }): Promise<{ userId: UserId }[]>
}
export const standIns = port<StandIns>('who decides for approvers who are away', {
  of: () => sql`null::json`,
  representedBy: () => sql`array[]::bigint[]`,
  decidedForBy: () => sql`array[]::bigint[]`,
  listRepresented: async () => [],
})

/** The substitute of the approver of the first step, in a query over requests. */
export const standInOfFirst = (from: From) =>
  sql<StandIn | null>`(${from('approvalSteps')
    .where(matches('approvalSteps.approvalId', 'approvals.id'))
    .where('approvalSteps.stepOrder', '=', 1)
    .where('approvalSteps.status', '=', 'PENDING')
    .select(standIns.get().of(from, 'approvalSteps.approverId').as('standIn'))})`

/** The leader of a department that is in use, if they can decide, with their substitute. */
export const findActingLeader = find((from, p: { departmentId: number }) =>
  activeDepartments(from)
    .select('departments.leaderId')
    .select(standIns.get().of(from, 'departments.leaderId').as('standIn'))
    .where('departments.id', '=', p.departmentId)
    .where('departments.leaderId', 'in', able(from).select('users.id')),
)

/** A person who is not deleted, and whether they can decide requests. */
export const findCandidate = find((from, p: { id: number }) =>
  livingPeople(from)
    .select(['users.id', 'users.status', nameOf.as('name')])
    .select(sql<boolean>`users.id in (${holdersOf(from, 'approval:action')})`.as('mayDecide'))
    .where('users.id', '=', p.id),
)
