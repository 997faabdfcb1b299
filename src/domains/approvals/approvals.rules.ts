import { assertVersion, fault, faults, givenOf, notFound, type User } from '#atrium'
import type { ApprovalPatch, ApprovalStatus, ApprovalView, StepView } from './approvals.schemas.ts'
import { type DecidingFacts, isCurrentApprover, substituteFor, type Waiting, waitingFor } from './deciders.rules.ts'

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
  userNotFound: notFound('User'),
  cannotDecide: fault('APPROVER_CANNOT_DECIDE', 400, 'This person cannot be given the request'),
  departmentHasNoLeader: fault('DEPARTMENT_HAS_NO_LEADER', 400, 'The department has no leader to decide'),
}

/** A request, with the facts that `waitingFor` is computed from. */
export type Approval = Omit<ApprovalView, 'waitingFor' | 'substituteId' | 'substituteName'> & DecidingFacts

export type ApprovalAction = 'edit' | 'submit' | 'reassign' | 'approve' | 'reject' | 'cancel'

/**
 * The life cycle of a request: status and step → action → new status and step. Step 1 is the department's leader,
 * step 2 any administrator. APPROVED, REJECTED and CANCELLED are final.
 */
export const APPROVAL_MOVES = {
  'DRAFT 0': { edit: 'DRAFT 0', submit: 'PENDING 1', cancel: 'CANCELLED 0' },
  'PENDING 1': { reassign: 'PENDING 1', approve: 'PENDING 2', reject: 'REJECTED 1', cancel: 'CANCELLED 1' },
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
    const message = 'a request that is {from} does not allow this'
    throw approvalFaults.illegalMove([{ path: 'status', from: stand.status, action, allowed, message }])
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
export function assertNotOvertaken(seen: Pick<Stand, 'currentStep'>, now: Stand): void {
  if (seen.currentStep === now.currentStep) return
  throw approvalFaults.illegalMove([
    { path: 'currentStep', from: seen.currentStep, to: now.currentStep, message: 'this step was decided meanwhile' },
  ])
}

/** Refuses a decision that the same person has already made; the fault names the result. @throws ALREADY_DECIDED */
export function assertNotRepeated(
  approval: Waiting & Pick<Approval, 'status'>,
  user: Pick<User, 'id' | 'isAdministrator'>,
  action: 'approve' | 'reject',
): void {
  if (isCurrentApprover(approval, user)) return
  const decision = DECISIONS[action]
  const made = approval.steps.findLast((step) => step.actedBy === user.id && step.status === decision)
  if (!made) return
  const { status, currentStep } = approval
  const { stepOrder } = made
  throw approvalFaults.alreadyDecided([
    { path: 'status', status, currentStep, stepOrder, decision, message: 'the request is now {status}' },
  ])
}

const DECISIONS = { approve: 'APPROVED', reject: 'REJECTED' } as const

/** A person to whom a step is to be passed. */
export interface Candidate {
  id: number
  status: 'active' | 'disabled'
  /** holds `approval:action` */
  mayDecide: boolean
}

/**
 * Passes the open first step to another person, with whom it stays when somebody else leads the department.
 * @throws NOT_FOUND (user), ILLEGAL_TRANSITION, APPROVER_CANNOT_DECIDE
 */
export function reassign(approval: Approval, to: Candidate | undefined): { stand: Stand; approverId: number } {
  if (to?.status !== 'active') throw approvalFaults.userNotFound()
  const stand = move(approval, 'reassign')
  if (to.id === approval.applicantId)
    throw approvalFaults.cannotDecide([{ path: 'body.userId', message: 'is the applicant' }])
  if (!to.mayDecide)
    throw approvalFaults.cannotDecide([
      { path: 'body.userId', permission: 'approval:action', message: 'lacks {permission}' },
    ])
  return { stand, approverId: to.id }
}

/** Only administrators pass on what waits for somebody else. @throws PERMISSION_DENIED */
export function assertAdministrator({ isAdministrator }: Pick<User, 'isAdministrator'>): void {
  if (!isAdministrator) throw faults.permissionDenied([{ message: 'only administrators pass on what waits' }])
}

/** What a draft has in place of that which comes with its submission. */
export const unsubmitted = () => ({
  steps: [],
  waitingFor: null,
  substituteId: null,
  substituteName: null,
  submittedAt: null,
  completedAt: null,
})

export function asView(approval: Approval): ApprovalView {
  const substitute = substituteFor(approval)
  return {
    ...approval,
    waitingFor: waitingFor(approval),
    substituteId: substitute?.id ?? null,
    substituteName: substitute?.name ?? null,
  }
}

/** Applies a patch to a draft. @throws ILLEGAL_TRANSITION, PRECONDITION_FAILED, VERSION_CONFLICT */
export function reviseDraft(approval: Approval, { version, ifMatch, ...patch }: ApprovalPatch): Approval {
  move(approval, 'edit')
  assertVersion(approval.version, { version, ifMatch }, approvalFaults.changed)
  return { ...approval, ...givenOf(patch), version: approval.version + 1 }
}

/** The steps of a submitted request: the leader's, which is open, then the administrators'. */
export function stepsOfDecision(
  [firstId, secondId]: readonly [number, number],
  leader: { id: number; name: string | null },
): StepView[] {
  const untouched = {
    ...{ actedBy: null, actedByName: null, comment: null, actedAt: null },
    ...{ decidedForId: null, decidedForName: null, reassigned: false },
  }
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

/**
 * Applies a decision to the steps. The open one stores who, when and why. An approval opens the next one; a rejection
 * or a cancellation closes the rest.
 */
export function decideSteps(steps: readonly StepView[], currentStep: number, verdict: Verdict): StepView[] {
  return steps.map((step) => {
    if (step.status !== 'PENDING' && step.status !== 'WAITING') return step
    if (verdict.action !== 'cancel' && step.stepOrder === currentStep)
      return { ...step, ...verdict.made, status: DECISIONS[verdict.action] }
    if (verdict.action !== 'approve') return { ...step, status: 'CANCELLED' }
    return step.stepOrder === currentStep + 1 ? { ...step, status: 'PENDING' } : step
  })
}

type Made = Pick<StepView, 'actedBy' | 'actedByName' | 'actedAt' | 'comment' | 'decidedForId' | 'decidedForName'>
export type Verdict = { action: 'approve' | 'reject'; made: Made } | { action: 'cancel' }
