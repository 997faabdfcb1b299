import {
  type From,
  list,
  lockAll,
  matches,
  onKey,
  only,
  type PartOf,
  type RowOf,
  type Scope,
  sql,
  write,
} from '#atrium'
import { nameAs, personAs } from '#atrium/people'
import type { StepView } from './approvals.schemas.ts'
import { anyLeaderActs, standIns } from './deciders.store.ts'

const stepDecided = ['status', 'actedBy', 'comment', 'actedAt', 'decidedForId'] as const

/** The steps of a request, in a query over requests. */
export const stepsOf = (from: From) =>
  sql<StepView[]>`coalesce((${from('approvalSteps')
    .leftJoin('users as approver', personAs('approver', 'approvalSteps.approverId'))
    .leftJoin('users as decider', personAs('decider', 'approvalSteps.actedBy'))
    .leftJoin('users as represented', personAs('represented', 'approvalSteps.decidedForId'))
    .where(matches('approvalSteps.approvalId', 'approvals.id'))
    .select(
      sql`json_agg(json_build_object('id', approval_steps.id, 'stepOrder', approval_steps.step_order, 'approverType', approval_steps.approver_type,
        'approverId', approval_steps.approver_id, 'approverName', ${nameAs('approver')}, 'status', approval_steps.status,
        'actedBy', approval_steps.acted_by, 'actedByName', ${nameAs('decider')}, 'comment', approval_steps.comment,
        'actedAt', to_char(approval_steps.acted_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
        'decidedForId', approval_steps.decided_for_id, 'decidedForName', ${nameAs('represented')},
        'reassigned', approval_steps.reassigned) order by approval_steps.step_order)`.as('steps'),
    )}), '[]')`

/** Includes cancelled requests: an approver who is notified of the cancellation must be able to read them. */
export const stepsFor = (from: From, approverId: number) =>
  from('approvalSteps').select('approvalSteps.approvalId').where('approvalSteps.approverId', '=', approverId)

export const stepsWaitingFor = (from: From, approverId: number) =>
  stepsFor(from, approverId).where('approvalSteps.status', '=', 'PENDING')

/** The open steps of people for whom somebody stands in today. */
export const stepsRepresented = (from: From, represented: ReturnType<typeof sql<number[]>>) =>
  from('approvalSteps')
    .where('approvalSteps.status', '=', 'PENDING')
    .where('approvalSteps.approverId', '=', sql<number>`any(${represented})`)

export const insertStep = write(({ insert }, p: RowOf<'approvalSteps', 'decidedForId' | 'reassigned'>) =>
  insert('approvalSteps', only(p, ['id', 'approvalId', 'stepOrder', 'approverType', 'approverId', 'status'])),
)

export const saveStep = write(({ update }, p: PartOf<'approvalSteps', 'id' | (typeof stepDecided)[number]>) =>
  update('approvalSteps').set(only(p, stepDecided)).where('approvalSteps.id', '=', p.id),
)

/** The open first steps that go with the leadership of a department: those that nobody was given by name. */
export const lockLeaderSteps = lockAll((from, p: { departmentId: number }) =>
  from('approvalSteps')
    .innerJoin('approvals', onKey('approvals.id', 'approvalSteps.approvalId'))
    .select(['approvalSteps.id', 'approvals.id as approvalId', 'approvals.title'])
    .where('approvals.departmentId', '=', p.departmentId)
    .where('approvals.status', '=', 'PENDING')
    .where('approvalSteps.status', '=', 'PENDING')
    .where('approvalSteps.approverType', '=', 'DEPARTMENT_MANAGER')
    .where('approvalSteps.reassigned', '=', false)
    .orderBy('approvals.id')
    .forUpdate(['approvals', 'approvalSteps']),
)

const MOST_READ = 1000

/** Some open first steps with the facts that say who can decide them. */
export interface FirstSteps {
  /** those that wait for this person, and for the people for whom they stand in */
  userId?: number
  /** those that wait for this person alone */
  approverId?: number
  departmentId?: number
  ids?: readonly number[]
}

const listSome = list((from, p: FirstSteps & { after?: number }) =>
  from('approvalSteps')
    .innerJoin('approvals', onKey('approvals.id', 'approvalSteps.approvalId'))
    .select(['approvalSteps.id', 'approvalSteps.approverId', 'approvals.id as approvalId', 'approvals.title'])
    .select(['approvals.applicantId', anyLeaderActs(from).as('leaderActs')])
    .select(standIns.get().of(from, 'approvalSteps.approverId').as('standIn'))
    .where('approvals.status', '=', 'PENDING')
    .where('approvalSteps.status', '=', 'PENDING')
    .where('approvalSteps.stepOrder', '=', 1)
    .$if(p.userId !== undefined, (query) =>
      query.where(
        'approvalSteps.approverId',
        '=',
        sql<number>`any(array[${p.userId!}]::bigint[] || ${standIns.get().representedBy(from, p.userId!)})`,
      ),
    )
    .$if(p.approverId !== undefined, (query) => query.where('approvalSteps.approverId', '=', p.approverId!))
    .$if(p.ids !== undefined, (query) => query.where('approvals.id', '=', sql<number>`any(${p.ids!}::bigint[])`))
    .$if(p.departmentId !== undefined, (query) => query.where('approvals.departmentId', '=', p.departmentId!))
    .$if(p.after !== undefined, (query) => query.where('approvalSteps.id', '>', p.after!))
    .orderBy('approvalSteps.id')
    .limit(MOST_READ),
)

/** All of them, however many: everyone who inherits one is notified. Each statement reads a thousand. */
export async function listFirstSteps(scope: Scope, of: FirstSteps, after?: number): ReturnType<typeof listSome> {
  const some = await listSome(scope, { ...of, after })
  return some.length < MOST_READ ? some : [...some, ...(await listFirstSteps(scope, of, some.at(-1)!.id))]
}

export const passStep = write(({ update }, p: { id: number; approverId: number; reassigned: boolean }) =>
  update('approvalSteps')
    .set(only(p, ['approverId', 'reassigned']))
    .where('approvalSteps.id', '=', p.id),
)
