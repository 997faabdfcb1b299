import {
  type From,
  find,
  isThere,
  list,
  lockAll,
  matches,
  onKey,
  only,
  type PartOf,
  type RowOf,
  sql,
  write,
} from '#atrium'
import { activeDepartments } from '#atrium/organization'
import { active, nameAs, personAs, personOf } from '#atrium/people'
import { holdersOf } from '#atrium/roles'
import type { StepView } from './approvals.schemas.ts'

const stepDecided = ['status', 'actedBy', 'comment', 'actedAt'] as const

/** The steps of a request, in a query over requests. */
export const stepsOf = (from: From) =>
  sql<StepView[]>`coalesce((${from('approvalSteps')
    .leftJoin('users as approver', personAs('approver', 'approvalSteps.approverId'))
    .leftJoin('users as decider', personAs('decider', 'approvalSteps.actedBy'))
    .where(matches('approvalSteps.approvalId', 'approvals.id'))
    .select(
      sql`json_agg(json_build_object('id', approval_steps.id, 'stepOrder', approval_steps.step_order, 'approverType', approval_steps.approver_type,
        'approverId', approval_steps.approver_id, 'approverName', ${nameAs('approver')}, 'status', approval_steps.status,
        'actedBy', approval_steps.acted_by, 'actedByName', ${nameAs('decider')}, 'comment', approval_steps.comment,
        'actedAt', to_char(approval_steps.acted_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) order by approval_steps.step_order)`.as(
        'steps',
      ),
    )}), '[]')`

/** Includes cancelled requests: an approver who is notified of the cancellation must be able to read them. */
export const stepsFor = (from: From, approverId: number) =>
  from('approvalSteps').select('approvalSteps.approvalId').where('approvalSteps.approverId', '=', approverId)

export const stepsWaitingFor = (from: From, approverId: number) =>
  stepsFor(from, approverId).where('approvalSteps.status', '=', 'PENDING')

/**
 * Whether a first step's leader can decide it: they are active, hold the permission, and the department is in use.
 * Otherwise administrators decide. It is computed on each read, so that a change of a person, a role or a department
 * moves no requests, and a leader who comes back finds theirs.
 */
export const leaderActs = (from: From) =>
  sql<boolean>`(${isThere(
    from('approvalSteps')
      .innerJoin('users', personOf('approvalSteps.approverId'))
      .where(matches('approvalSteps.approvalId', 'approvals.id'))
      .where('approvalSteps.stepOrder', '=', 1)
      .where('users.status', '=', 'active')
      .where('users.id', 'in', holdersOf(from, 'approval:action')),
  )} and ${departmentIsInUse(from)})`

const departmentIsInUse = (from: From) =>
  isThere(activeDepartments(from).where(matches('departments.id', 'approvals.departmentId')))

/** The same for many requests: finds the leaders who can decide once, not for each request. */
export const anyLeaderActs = (from: From) =>
  sql<boolean>`coalesce((${from('approvalSteps')
    .select('approvalSteps.approverId')
    .where(matches('approvalSteps.approvalId', 'approvals.id'))
    .where('approvalSteps.stepOrder', '=', 1)}) in (${active(from)
    .select('users.id')
    .where('users.id', 'in', holdersOf(from, 'approval:action'))})
    and approvals.department_id in (${activeDepartments(from).select('departments.id')}), false)`

/** The same for one leader's requests: checks the leader once, not for each request. */
export const thisLeaderActs = (from: From, approverId: number) =>
  sql<boolean>`(${isThere(
    active(from).where('users.id', '=', approverId).where('users.id', 'in', holdersOf(from, 'approval:action')),
  )} and ${departmentIsInUse(from)})`

/** The leader of a department that is in use, if they can decide. */
export const findActingLeader = find((from, p: { departmentId: number }) =>
  activeDepartments(from)
    .select('departments.leaderId')
    .where('departments.id', '=', p.departmentId)
    .where('departments.leaderId', 'in', active(from).select('users.id'))
    .where('departments.leaderId', 'in', holdersOf(from, 'approval:action')),
)

export const insertStep = write(({ insert }, p: RowOf<'approvalSteps'>) =>
  insert('approvalSteps', only(p, ['id', 'approvalId', 'stepOrder', 'approverType', 'approverId', 'status'])),
)

export const saveStep = write(({ update }, p: PartOf<'approvalSteps', 'id' | (typeof stepDecided)[number]>) =>
  update('approvalSteps').set(only(p, stepDecided)).where('approvalSteps.id', '=', p.id),
)

/** The open first steps of a department's requests. */
export const lockLeaderSteps = lockAll((from, p: { departmentId: number }) =>
  from('approvalSteps')
    .innerJoin('approvals', onKey('approvals.id', 'approvalSteps.approvalId'))
    .select(['approvalSteps.id', 'approvals.id as approvalId', 'approvals.title'])
    .where('approvals.departmentId', '=', p.departmentId)
    .where('approvals.status', '=', 'PENDING')
    .where('approvalSteps.status', '=', 'PENDING')
    .where('approvalSteps.approverType', '=', 'DEPARTMENT_MANAGER')
    .orderBy('approvals.id')
    .forUpdate(['approvals', 'approvalSteps']),
)

const MOST_WATCHED = 1000

/** Open first steps of a leader, a department or the tenant, and whether their leader can decide them. */
export const listFirstSteps = list((from, p: { leaderId?: number; departmentId?: number }) =>
  from('approvalSteps')
    .innerJoin('approvals', onKey('approvals.id', 'approvalSteps.approvalId'))
    .select(['approvalSteps.id', 'approvalSteps.approverId', 'approvals.id as approvalId', 'approvals.title'])
    .select(anyLeaderActs(from).as('leaderActs'))
    .where('approvals.status', '=', 'PENDING')
    .where('approvalSteps.status', '=', 'PENDING')
    .where('approvalSteps.stepOrder', '=', 1)
    .$if(p.leaderId !== undefined, (query) => query.where('approvalSteps.approverId', '=', p.leaderId!))
    .$if(p.departmentId !== undefined, (query) => query.where('approvals.departmentId', '=', p.departmentId!))
    .orderBy('approvalSteps.id')
    .limit(MOST_WATCHED),
)

export const passStep = write(({ update }, p: { id: number; approverId: number }) =>
  update('approvalSteps').set({ approverId: p.approverId }).where('approvalSteps.id', '=', p.id),
)
