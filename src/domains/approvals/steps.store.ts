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

/** Also where the applicant has taken the request back: who is told of that must be able to read it. */
export const stepsFor = (from: From, approverId: number) =>
  from('approvalSteps').select('approvalSteps.approvalId').where('approvalSteps.approverId', '=', approverId)

export const stepsWaitingFor = (from: From, approverId: number) =>
  stepsFor(from, approverId).where('approvalSteps.status', '=', 'PENDING')

/**
 * Whether the leader whom a first step names can decide it: an active person who holds the permission, of a department
 * that is in use. Where not, the step is the administrators'. It is asked anew each time, so that nothing has to be
 * passed on when a person, a role or a department changes, and a leader who comes back finds what waited.
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

/** The same where many requests are looked at: who can decide is found once, and not for each request. */
export const anyLeaderActs = (from: From) =>
  sql<boolean>`coalesce((${from('approvalSteps')
    .select('approvalSteps.approverId')
    .where(matches('approvalSteps.approvalId', 'approvals.id'))
    .where('approvalSteps.stepOrder', '=', 1)}) in (${active(from)
    .select('users.id')
    .where('users.id', 'in', holdersOf(from, 'approval:action'))})
    and approvals.department_id in (${activeDepartments(from).select('departments.id')}), false)`

/** The same of what waits for one leader, who is looked at once and not for each request. */
export const thisLeaderActs = (from: From, approverId: number) =>
  sql<boolean>`(${isThere(
    active(from).where('users.id', '=', approverId).where('users.id', 'in', holdersOf(from, 'approval:action')),
  )} and ${departmentIsInUse(from)})`

/** Whether a person, as the leader of a department that is in use, can decide. */
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

/** Open first steps of a department's requests, which wait for its leader. */
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

/** Open first steps, of one leader, of one department, or of the tenant, and whether their leader can decide them. */
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
