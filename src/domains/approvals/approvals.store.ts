import { sql } from 'kysely'
import { idsOfAny } from '../../data/sql/ids-of-any.ts'
import type { Reading } from '../../data/sql/paginate.ts'
import { matches, onKey } from '../../data/sql/relations.ts'
import { columnsOf, only, type PartOf, type RowOf } from '../../data/sql/rows.ts'
import { paginateOrSearch } from '../../data/sql/search.ts'
import { type From, find, lock, lockAll, peek, write } from '../../data/sql/verbs.ts'
import type { User } from '../../kernel/actor.ts'
import { activeDepartments } from '../organization/organization.store.ts'
import { active, nameAs, personAs, personOf } from '../people/people.store.ts'
import { holdersOf } from '../roles/roles.store.ts'
import type { ApprovalStatus, StepView } from './approvals.schemas.ts'

const columns = columnsOf('approvals', [
  'id',
  'type',
  'title',
  'businessKey',
  'applicantId',
  'departmentId',
  'departmentName',
  'status',
  'currentStep',
  'payload',
  'version',
  'createdAt',
  'updatedAt',
  'submittedAt',
  'completedAt',
])
/** What a decision touches, of a request and of its steps. */
const decided = [
  'status',
  'currentStep',
  'departmentName',
  'version',
  'updatedAt',
  'submittedAt',
  'completedAt',
] as const
/** What its applicant may change of a draft. */
const changeable = [
  'type',
  'title',
  'businessKey',
  'departmentId',
  'departmentName',
  'payload',
  'version',
  'updatedAt',
] as const
const stepDecided = ['status', 'actedBy', 'comment', 'actedAt'] as const

const stepsOf = (from: From) =>
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

/** Whose requests: everybody's for an administrator, else one's own and those that came to one for a decision. */
export interface Visibility {
  viewerId?: number
}

/** The requests a person may see, as a parameter of the statements below. */
export function visibleTo(user: User): Visibility {
  return user.isAdministrator ? {} : { viewerId: user.id }
}

/** Also where the applicant has taken the request back: who is told of that must be able to read it. */
const stepsFor = (from: From, approverId: number) =>
  from('approvalSteps').select('approvalSteps.approvalId').where('approvalSteps.approverId', '=', approverId)

const stepsWaitingFor = (from: From, approverId: number) =>
  stepsFor(from, approverId).where('approvalSteps.status', '=', 'PENDING')

/**
 * Whether the leader whom a first step names can decide it: an active person who holds the permission, of a department
 * that is in use. Where not, the step is the administrators'. It is asked anew each time, so that nothing has to be
 * passed on when a person, a role or a department changes, and a leader who comes back finds what waited.
 */
const leaderActs = (from: From) =>
  sql<boolean>`(exists (${from('approvalSteps')
    .innerJoin('users', personOf('approvalSteps.approverId'))
    .select(sql`1`.as('one'))
    .where(matches('approvalSteps.approvalId', 'approvals.id'))
    .where('approvalSteps.stepOrder', '=', 1)
    .where('users.status', '=', 'active')
    .where('users.id', 'in', holdersOf(from, 'approval:action'))}) and exists (${activeDepartments(from)
    .select(sql`1`.as('one'))
    .where(matches('departments.id', 'approvals.departmentId'))}))`

const visibleApprovals = (from: From, p: Visibility) =>
  from('approvals').$if(p.viewerId !== undefined, (query) =>
    query.where((eb) =>
      eb.or([
        eb('approvals.applicantId', '=', p.viewerId!),
        eb('approvals.id', 'in', stepsFor(from, p.viewerId!)),
        eb(
          'approvals.id',
          'in',
          from('approvalSteps').select('approvalSteps.approvalId').where('approvalSteps.actedBy', '=', p.viewerId!),
        ),
      ]),
    ),
  )

const withSteps = (from: From, p: Visibility) =>
  visibleApprovals(from, p)
    .leftJoin('users as applicant', personAs('applicant', 'approvals.applicantId'))
    .select(columns)
    .select(nameAs('applicant').$notNull().as('applicantName'))
    .select([stepsOf(from).as('steps'), leaderActs(from).as('leaderActs')])

/** Whether a person, as the leader of a department that is in use, can decide. */
export const findActingLeader = find((from, p: { departmentId: number }) =>
  activeDepartments(from)
    .select('departments.leaderId')
    .where('departments.id', '=', p.departmentId)
    .where('departments.leaderId', 'in', active(from).select('users.id'))
    .where('departments.leaderId', 'in', holdersOf(from, 'approval:action')),
)

export const findApproval = find((from, p: Visibility & { id: number }) =>
  withSteps(from, p).where('approvals.id', '=', p.id),
)

/** Where a request stands at this moment, whoever is about to change it. */
export const peekStand = peek((from, p: { id: number }) =>
  from('approvals').select(['approvals.status', 'approvals.currentStep']).where('approvals.id', '=', p.id),
)

/** Locks a request. Its steps are read by `findApproval` behind it: this statement may have waited, they must not be older. */
export const lockApproval = lock((from, p: Visibility & { id: number }) =>
  visibleApprovals(from, p).select('approvals.id').where('approvals.id', '=', p.id).forUpdate('approvals'),
)

export interface ApprovalFilter {
  status?: ApprovalStatus
  /** scope=mine */
  applicantId?: number
  /** scope=todo: waits for this leader … */
  approverId?: number
  /** … or, for an administrator, for any of them */
  orAdministrators?: true
}

/** The ids of the requests that somebody may see, as far as a page needs them; each of the two steps may be theirs. */
const idsSeenBy = (from: From, viewerId: number, reading: Reading) =>
  idsOfAny(
    [
      { ids: from('approvals').where('approvals.applicantId', '=', viewerId), column: 'approvals.id' },
      { ids: stepsFor(from, viewerId), column: 'approvalSteps.approvalId', times: 2 },
      {
        ids: from('approvalSteps').where('approvalSteps.actedBy', '=', viewerId),
        column: 'approvalSteps.approvalId',
        times: 2,
      },
    ],
    reading,
  )

/** One's own and those for one's decision are seen anyway: who asks for these needs no visibility. */
export const listApprovals = paginateOrSearch(
  (from, p: Visibility & Omit<ApprovalFilter, 'status'> & Reading) =>
    from('approvals')
      .leftJoin('users as applicant', personAs('applicant', 'approvals.applicantId'))
      .select(columns)
      .select(nameAs('applicant').$notNull().as('applicantName'))
      .$if(p.viewerId !== undefined, (query) => query.where('approvals.id', 'in', idsSeenBy(from, p.viewerId!, p)))
      .$if(p.applicantId !== undefined, (query) => query.where('approvals.applicantId', '=', p.applicantId!))
      .$if(p.approverId !== undefined, (query) =>
        query
          .where('approvals.status', '=', 'PENDING')
          .where((eb) =>
            eb.or([
              eb.and([eb('approvals.id', 'in', stepsWaitingFor(from, p.approverId!)), leaderActs(from)]),
              ...(p.orAdministrators
                ? [
                    eb('approvals.currentStep', '=', 2),
                    eb.and([eb('approvals.currentStep', '=', 1), eb.not(leaderActs(from))]),
                  ]
                : []),
            ]),
          ),
      ),
  (found, p: Visibility & ApprovalFilter, from) =>
    found
      .select([stepsOf(from).as('steps'), leaderActs(from).as('leaderActs')])
      .$if(p.status !== undefined, (query) => query.where('approvals.status', '=', p.status!)),
  'approvals',
  { filters: ['status'], long: { text: ['payload'] } },
)

type Undecided = RowOf<
  'approvals',
  'pendingDepartmentId' | 'status' | 'currentStep' | 'version' | 'submittedAt' | 'completedAt'
>
export const insertApproval = write(({ insert }, p: Undecided) => insert('approvals', p))

export const saveApproval = write(({ update }, p: PartOf<'approvals', 'id' | (typeof decided)[number]>) =>
  update('approvals').set(only(p, decided)).where('approvals.id', '=', p.id),
)

export const saveDraft = write(({ update }, p: PartOf<'approvals', 'id' | (typeof changeable)[number]>) =>
  update('approvals').set(only(p, changeable)).where('approvals.id', '=', p.id),
)

export const insertStep = write(({ insert }, p: RowOf<'approvalSteps'>) =>
  insert('approvalSteps', only(p, ['id', 'approvalId', 'stepOrder', 'approverType', 'approverId', 'status'])),
)

export const saveStep = write(({ update }, p: PartOf<'approvalSteps', 'id' | (typeof stepDecided)[number]>) =>
  update('approvalSteps').set(only(p, stepDecided)).where('approvalSteps.id', '=', p.id),
)

/** How many requests of a department wait. */
export const countPending = find((from, p: { departmentId: number }) =>
  from('approvals')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('approvals.departmentId', '=', p.departmentId)
    .where('approvals.status', '=', 'PENDING'),
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

export const passStep = write(({ update }, p: { id: number; approverId: number }) =>
  update('approvalSteps').set({ approverId: p.approverId }).where('approvalSteps.id', '=', p.id),
)
