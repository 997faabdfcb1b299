import {
  anyLike,
  columnsOf,
  except,
  type From,
  find,
  idsOfAny,
  isThere,
  lend,
  list,
  lock,
  matches,
  onKey,
  only,
  type PartOf,
  paginateOrSearch,
  type Reading,
  type RowOf,
  type SearchedRange,
  type Seen,
  searchedIn,
  seen,
  sql,
  type User,
  write,
} from '#atrium'
import { nameAs, nameOfWho, personAs } from '#atrium/people'
import { approvalFaults } from './approvals.rules.ts'
import { type ApprovalStatus, ApprovalView } from './approvals.schemas.ts'
import { anyLeaderActs, leaderActs, standInOfFirst, standIns, thisLeaderActs } from './deciders.store.ts'
import { stepsFor, stepsOf, stepsRepresented, stepsWaitingFor } from './steps.store.ts'

const columns = columnsOf(
  'approvals',
  except(ApprovalView.keyof().options, ['applicantName', 'steps', 'waitingFor', 'substituteId', 'substituteName']),
)
/** The columns of a request that a decision may set. */
const decided = [
  'status',
  'currentStep',
  'departmentName',
  'version',
  'updatedAt',
  'submittedAt',
  'completedAt',
] as const
/** The columns of a draft that its applicant may change. */
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
/** All requests for an administrator; for others their own and those that they were asked to decide. */
export type SeesApprovals = Seen<'approvals', { viewerId?: number }>

/** The requests that a person may see. */
export function approvalsSeenBy(user: Pick<User, 'id' | 'isAdministrator'>): SeesApprovals {
  return seen(user.isAdministrator ? {} : { viewerId: user.id })
}

export const visibleApprovals = lend(['approvals', 'approvalSteps'], (from: From, p: SeesApprovals) =>
  from('approvals').$if(p.viewerId !== undefined, (query) =>
    query.where((eb) =>
      eb.or([
        eb('approvals.applicantId', '=', p.viewerId!),
        eb('approvals.id', 'in', stepsFor(from, p.viewerId!)),
        isThere(
          stepsRepresented(from, standIns.get().decidedForBy(from, p.viewerId!)).where(
            matches('approvalSteps.approvalId', 'approvals.id'),
          ),
        ),
        eb(
          'approvals.id',
          'in',
          from('approvalSteps').select('approvalSteps.approvalId').where('approvalSteps.actedBy', '=', p.viewerId!),
        ),
      ]),
    ),
  ),
)

const withSteps = (from: From, p: SeesApprovals) =>
  visibleApprovals(from, p)
    .leftJoin('users as applicant', personAs('applicant', 'approvals.applicantId'))
    .select(columns)
    .select(nameAs('applicant').$notNull().as('applicantName'))
    .select([stepsOf(from).as('steps'), leaderActs(from).as('leaderActs'), standInOfFirst(from).as('standIn')])

export const getApproval = find((from, p: SeesApprovals & { id: number }) =>
  withSteps(from, p).where('approvals.id', '=', p.id),
).or(approvalFaults.notFound)

/** The current step of a request, read without waiting for a lock. */
export const findStand = find(
  (from, p: { id: number }) => from('approvals').select('approvals.currentStep').where('approvals.id', '=', p.id),
  { beforeLock: true },
)

/** Locks a request. `getApproval` reads its steps afterwards, because this statement may have waited. */
export const lockApproval = lock((from, p: SeesApprovals & { id: number }) =>
  visibleApprovals(from, p)
    .select(['approvals.id', 'approvals.status', 'approvals.version'])
    .where('approvals.id', '=', p.id)
    .forUpdate('approvals'),
).or(approvalFaults.notFound)

export interface ApprovalFilter {
  status?: ApprovalStatus
  pattern?: string
  departmentId?: number
  /** an instant, as `to` */
  from?: string
  to?: string
  /** only of this applicant */
  applicantId?: number
  /** scope=mine */
  ownerId?: number
  /** scope=todo: waits for this approver, */
  approverId?: number
  /** for the people for whom they stand in, */
  represented?: readonly number[]
  /** or, for an administrator, for any of them */
  orAdministrators?: true
}

/** The ids of the requests that a person may see, as far as a page needs them; either step may be theirs. */
const idsSeenBy = (from: From, viewerId: number, represented: readonly number[] | undefined, reading: Reading) =>
  idsOfAny(
    [
      ...(represented
        ? [{ ids: stepsRepresented(from, arrayOf(represented)), column: 'approvalSteps.approvalId' as const }]
        : []),
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

/** What an index serves. */
type Within = Pick<ApprovalFilter, 'applicantId' | 'ownerId' | 'approverId' | 'represented' | 'orAdministrators'>

/** The person, or anyone for whom they stand in: an index leads to their steps. */
const approverOf = (approverId: number, represented: readonly number[] | undefined) =>
  represented ? sql<number>`any(array[${approverId}]::bigint[] || ${arrayOf(represented)})` : approverId

const arrayOf = (ids: readonly number[]) => sql<number[]>`${ids}::bigint[]`

/**
 * People always see their own requests and those that wait for them, so these scopes need no check of visibility.
 * Requests that wait for a leader are found by their steps; for administrators, all that wait are searched.
 */
export const listApprovals = paginateOrSearch(
  (from, p: SeesApprovals & Within & Reading) =>
    from('approvals')
      .select(columns)
      .$if(p.viewerId !== undefined, (query) =>
        query.where('approvals.id', 'in', idsSeenBy(from, p.viewerId!, p.represented, p)),
      )
      .$if(p.ownerId !== undefined, (query) => query.where('approvals.applicantId', '=', p.ownerId!))
      .$if(p.applicantId !== undefined, (query) => query.where('approvals.applicantId', '=', p.applicantId!))
      .$if(p.orAdministrators !== undefined, (query) => query.where('approvals.status', '=', 'PENDING'))
      // A step waits only while its request waits.
      .$if(p.approverId !== undefined && p.orAdministrators === undefined, (query) =>
        query
          .innerJoin('approvalSteps', onKey('approvalSteps.approvalId', 'approvals.id'))
          .where('approvalSteps.approverId', '=', approverOf(p.approverId!, p.represented))
          .where('approvalSteps.status', '=', 'PENDING'),
      ),
  (found, p: SeesApprovals & ApprovalFilter, from) =>
    found
      .select([
        nameOfWho(from, 'approvals.applicantId').as('applicantName'),
        stepsOf(from).as('steps'),
        leaderActs(from).as('leaderActs'),
        standInOfFirst(from).as('standIn'),
      ])
      .$if(p.approverId !== undefined && p.orAdministrators === undefined, (query) =>
        query.where(thisLeaderActs(from, p.approverId!)),
      )
      .$if(p.represented !== undefined && p.viewerId === undefined && p.orAdministrators === undefined, (query) =>
        query.where((eb) =>
          eb.or([
            eb('approvals.applicantId', '!=', p.approverId!),
            eb('approvals.id', 'in', stepsWaitingFor(from, p.approverId!)),
          ]),
        ),
      )
      .$if(p.orAdministrators !== undefined, (query) =>
        query.where((eb) =>
          eb.or([
            eb('approvals.currentStep', '=', 2),
            eb.and([eb('approvals.currentStep', '=', 1), eb.not(anyLeaderActs(from))]),
            eb.and([eb('approvals.id', 'in', stepsWaitingFor(from, p.approverId!)), anyLeaderActs(from)]),
            ...(p.represented
              ? [
                  eb.and([
                    eb(
                      'approvals.id',
                      'in',
                      stepsRepresented(from, arrayOf(p.represented)).select('approvalSteps.approvalId'),
                    ),
                    eb('approvals.applicantId', '!=', p.approverId!),
                    anyLeaderActs(from),
                  ]),
                ]
              : []),
          ]),
        ),
      )
      .$if(p.status !== undefined, (query) => query.where('approvals.status', '=', p.status!))
      .$if(p.departmentId !== undefined, (query) => query.where('approvals.departmentId', '=', p.departmentId!))
      .$if(p.from !== undefined, (query) => query.where('approvals.createdAt', '>=', p.from!))
      .$if(p.to !== undefined, (query) => query.where('approvals.createdAt', '<=', p.to!))
      .$if(p.pattern !== undefined, (query) =>
        query.where(anyLike(p.pattern!, ['approvals.title', 'approvals.type', 'approvals.businessKey'])),
      ),
  'approvals',
  {
    // The ids that a person may see are read only as far as the list goes, so another applicant's may be beyond.
    filters: ['status', ['viewerId', 'applicantId'], 'orAdministrators', 'departmentId', 'from', 'to', 'pattern'],
    costly: ['pattern'],
    long: { text: ['payload'] },
  },
)

type Undecided = RowOf<
  'approvals',
  'pendingDepartmentId' | 'status' | 'currentStep' | 'version' | 'submittedAt' | 'completedAt'
>
export const insertApproval = write(({ insert }, p: Undecided) => insert('approvals', p))

export const saveApproval = write(({ update }, p: PartOf<'approvals', 'id' | (typeof decided)[number]>) =>
  update('approvals').set(only(p, decided)).where('approvals.id', '=', p.id),
)

/** For a change of what belongs to the request. */
export const raiseVersion = write(({ update }, p: PartOf<'approvals', 'id' | 'version' | 'updatedAt'>) =>
  update('approvals')
    .set(only(p, ['version', 'updatedAt']))
    .where('approvals.id', '=', p.id),
)

export const saveDraft = write(({ update }, p: PartOf<'approvals', 'id' | (typeof changeable)[number]>) =>
  update('approvals').set(only(p, changeable)).where('approvals.id', '=', p.id),
)

/** The requests that a person finds. */
export const listSearchedApprovals = list((from, p: SeesApprovals & SearchedRange) => {
  const text = sql<string>`concat_ws(' ', approvals.type, approvals.business_key, approvals.payload)`
  return searchedIn(visibleApprovals(from, p), 'approvals', { title: sql`approvals.title`, text }, p)
})
