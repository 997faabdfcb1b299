import { columnsOf, type From, find, list, lockAll, type PartOf, sql, write, writeReturning } from '#atrium'
import { stepsWaitingFor } from './steps.store.ts'

/** Requests that wait for a person's decision at their first step, or that the person made and that wait. */
const heldBy = (from: From, userId: number) =>
  from('approvals')
    .where('approvals.status', '=', 'PENDING')
    .where((eb) =>
      eb.or([eb('approvals.applicantId', '=', userId), eb('approvals.id', 'in', stepsWaitingFor(from, userId))]),
    )
    .orderBy('approvals.id')

/** The requests that somebody else has to take over, in the order of their ids. */
export const listApprovalsHeldBy = list((from, p: { userId: number; most: number }) =>
  heldBy(from, p.userId)
    .select(['approvals.id', 'approvals.title as name', 'approvals.applicantId', 'approvals.version'])
    .limit(p.most),
)

/** The same: nobody decides or cancels them until this transaction ends. What is decided meanwhile is read afterwards. */
export const lockApprovalsHeldBy = lockAll((from, p: { userId: number }) =>
  heldBy(from, p.userId).select('approvals.id').forUpdate('approvals'),
)

/** Gives all open steps of a person to another one. */
export const passSteps = write(({ update }, p: { from: number; to: number }) =>
  update('approvalSteps')
    .set({ approverId: p.to })
    .where('approvalSteps.approverId', '=', p.from)
    .where('approvalSteps.status', '=', 'PENDING'),
)

/** Requests change hands: each rises by a version, and those of the former applicant have the new one. */
export const passApprovals = write(
  ({ update }, p: { ids: readonly number[]; from: number; to: number } & PartOf<'approvals', 'updatedAt'>) =>
    update('approvals')
      .set({
        applicantId: sql<number>`case when approvals.applicant_id = ${p.from} then ${p.to}::bigint else approvals.applicant_id end`,
        version: sql<number>`approvals.version + 1`,
        updatedAt: p.updatedAt,
      })
      .where('approvals.id', '=', sql<number>`any(${p.ids}::bigint[])`),
)

/** Cancels all drafts of a person. */
export const cancelDrafts = writeReturning(
  ({ update }, p: PartOf<'approvals', 'applicantId'> & { completedAt: string }) =>
    update('approvals')
      .set({
        status: 'CANCELLED',
        version: sql<number>`approvals.version + 1`,
        updatedAt: p.completedAt,
        completedAt: p.completedAt,
      })
      .where('approvals.applicantId', '=', p.applicantId)
      .where('approvals.status', '=', 'DRAFT')
      .returning(
        columnsOf('approvals', ['id', 'type', 'title', 'businessKey', 'applicantId', 'departmentId', 'version']),
      ),
)

/** Counts the waiting requests of a department. */
export const countPending = find((from, p: { departmentId: number }) =>
  from('approvals')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('approvals.departmentId', '=', p.departmentId)
    .where('approvals.status', '=', 'PENDING'),
)
