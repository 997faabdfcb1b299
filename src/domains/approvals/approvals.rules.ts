import { assertMatch, fault, notFound, type User } from '#atrium'
import type { ApprovalPatch, ApprovalStatus, ApprovalView, StepView, WaitingFor } from './approvals.schemas.ts'

export const approvalFaults = {
  notFound: notFound('Approval'),
  departmentNotFound: notFound('Department'),
  notApplicant: fault('NOT_APPLICANT', 403, 'Only the applicant may do this'),
  notCurrentApprover: fault('NOT_CURRENT_APPROVER', 403, 'This request is not waiting for you'),
  alreadyDecided: fault('ALREADY_DECIDED', 409, 'You have made this decision already'),
  illegalMove: fault('ILLEGAL_TRANSITION', 409, 'The request is not in a state for this'),
  departmentDisabled: fault('DEPARTMENT_DISABLED', 409, 'The department is disabled'),
  changed: fault('VERSION_CONFLICT', 409, 'The request was changed by someone else'),
  departmentRequired: fault('DEPARTMENT_REQUIRED', 400, 'The request names no department'),
  departmentHasNoLeader: fault('DEPARTMENT_HAS_NO_LEADER', 400, 'The department has no leader to decide'),
}

/** A request, with the fact that `waitingFor` is computed from. */
export type Approval = Omit<ApprovalView, 'waitingFor'> & {
  /** whether the first step's leader can decide it */
  leaderActs: boolean
}

export type ApprovalAction = 'edit' | 'submit' | 'approve' | 'reject' | 'cancel'

/**
 * The life cycle of a request: status and step → action → new status and step. Step 1 is the department's leader,
 * step 2 any administrator. APPROVED, REJECTED and CANCELLED are final.
 */
export const APPROVAL_MOVES = {
  'DRAFT 0': { edit: 'DRAFT 0', submit: 'PENDING 1', cancel: 'CANCELLED 0' },
  'PENDING 1': { approve: 'PENDING 2', reject: 'REJECTED 1', cancel: 'CANCELLED 1' },
  'PENDING 2': { approve: 'APPROVED 2', reject: 'REJECTED 2', cancel: 'CANCELLED 2' },
} as const satisfies Record<string, Partial<Record<ApprovalAction, `${ApprovalStatus} ${0 | 1 | 2}`>>>

export interface Stand {
  status: ApprovalStatus
  currentStep: number
}

/** The state after an action. @throws ILLEGAL_TRANSITION */
export function move(stand: Stand, action: ApprovalAction): Stand {
  const moves: Partial<Record<ApprovalAction, string>> =
    APPROVAL_MOVES[`${stand.status} ${stand.currentStep}` as keyof typeof APPROVAL_MOVES] ?? {}
  const next = moves[action]
  if (!next) {
    const allowed = Object.keys(moves)
    throw approvalFaults.illegalMove([
      {
        path: 'status',
        from: stand.status,
        action,
        allowed,
        message: 'a request that is {from} does not allow this',
      },
    ])
  }
  const [status, step] = next.split(' ')
  return { status: status as ApprovalStatus, currentStep: Number(step) }
}

/** A decided or cancelled request stays as it is. @throws ILLEGAL_TRANSITION */
export function assertUndecided({ status }: Pick<Stand, 'status'>): void {
  if (status === 'DRAFT' || status === 'PENDING') return
  throw approvalFaults.illegalMove([{ path: 'status', status, message: 'a request that is {status} keeps its files' }])
}

/** A decision applies to the step that was open when it arrived, not to the next. @throws ILLEGAL_TRANSITION */
export function assertNotOvertaken(seen: Stand, now: Stand): void {
  if (seen.currentStep === now.currentStep) return
  throw approvalFaults.illegalMove([
    { path: 'currentStep', from: seen.currentStep, to: now.currentStep, message: 'this step was decided meanwhile' },
  ])
}

/** Refuses a decision that the same person has already made; the fault names the result. @throws ALREADY_DECIDED */
export function assertNotRepeated(
  approval: Pick<Approval, 'status' | 'steps' | 'currentStep' | 'leaderActs'>,
  user: Pick<User, 'id' | 'isAdministrator'>,
  action: 'approve' | 'reject',
): void {
  if (isCurrentApprover(approval, user)) return
  const decision = DECISIONS[action]
  const made = approval.steps.findLast((step) => step.actedBy === user.id && step.status === decision)
  if (!made) return
  const { status, currentStep } = approval
  throw approvalFaults.alreadyDecided([
    {
      path: 'status',
      status,
      currentStep,
      stepOrder: made.stepOrder,
      decision,
      message: 'the request is now {status}',
    },
  ])
}

const DECISIONS = { approve: 'APPROVED', reject: 'REJECTED' } as const

/** Whether the person may decide the open step. */
export function isCurrentApprover(
  approval: Pick<Approval, 'steps' | 'currentStep' | 'leaderActs'>,
  user: Pick<User, 'id' | 'isAdministrator'>,
): boolean {
  const waiting = waitingFor(approval)
  if (!waiting) return false
  return waiting.approverType === 'ADMIN' ? user.isAdministrator : waiting.approverId === user.id
}

/** Whom a request waits for; the administrators, if its leader cannot act. */
export function waitingFor(approval: Pick<Approval, 'steps' | 'currentStep' | 'leaderActs'>): WaitingFor | null {
  const step = openStep(approval)
  if (!step) return null
  const isLeaders = step.approverType === 'DEPARTMENT_MANAGER' && approval.leaderActs
  return isLeaders
    ? { approverType: 'DEPARTMENT_MANAGER', approverId: step.approverId, approverName: step.approverName }
    : { approverType: 'ADMIN', approverId: null, approverName: null }
}

export function asView(approval: Approval): ApprovalView {
  return { ...approval, waitingFor: waitingFor(approval) }
}

/** Applies a patch to a draft. @throws ILLEGAL_TRANSITION, PRECONDITION_FAILED, VERSION_CONFLICT */
export function reviseDraft(approval: Approval, { version, ifMatch, ...patch }: ApprovalPatch): Approval {
  move(approval, 'edit')
  assertMatch(approval.version, ifMatch)
  if (version !== undefined && version !== approval.version)
    throw approvalFaults.changed([
      { path: 'version', expected: version, actual: approval.version, message: 'read it and try again' },
    ])
  const given = Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined))
  return { ...approval, ...given, version: approval.version + 1 }
}

/** The steps of a submitted request: the leader's, which is open, then the administrators'. */
export function stepsOfDecision(
  [firstId, secondId]: readonly [number, number],
  leader: { id: number; name: string | null },
): StepView[] {
  const untouched = { actedBy: null, actedByName: null, comment: null, actedAt: null }
  return [
    {
      ...untouched,
      ...{ id: firstId, stepOrder: 1, approverType: 'DEPARTMENT_MANAGER', status: 'PENDING' },
      ...{ approverId: leader.id, approverName: leader.name },
    },
    {
      ...untouched,
      ...{ id: secondId, stepOrder: 2, approverType: 'ADMIN', status: 'WAITING' },
      ...{ approverId: null, approverName: null },
    },
  ]
}

/** The step that waits for a decision. */
export function openStep({ steps, currentStep }: Pick<Approval, 'steps' | 'currentStep'>): StepView | undefined {
  return steps.find((step) => step.stepOrder === currentStep && step.status === 'PENDING')
}

/**
 * Applies a decision to the steps. The open one stores who, when and why. An approval opens the next one; a rejection
 * or a cancellation closes the rest.
 */
export function decideSteps(steps: readonly StepView[], currentStep: number, verdict: Verdict): StepView[] {
  return steps.map((step) => {
    if (step.status !== 'PENDING' && step.status !== 'WAITING') return step
    if (verdict.action === 'cancel') return { ...step, status: 'CANCELLED' }
    if (step.stepOrder === currentStep)
      return {
        ...step,
        status: DECISIONS[verdict.action],
        actedBy: verdict.actedBy,
        actedByName: verdict.actedByName,
        actedAt: verdict.actedAt,
        comment: verdict.comment,
      }
    if (verdict.action === 'reject') return { ...step, status: 'CANCELLED' }
    return step.stepOrder === currentStep + 1 ? { ...step, status: 'PENDING' } : step
  })
}

export interface Verdict {
  action: 'approve' | 'reject' | 'cancel'
  actedBy: number
  actedByName: string
  actedAt: string
  comment: string | null
}
