import type { User } from '#atrium'
import type { ApprovalView, StepView, WaitingFor } from './approvals.schemas.ts'

/** Who stands in for the approver of a first step today, can sign in, and is permitted to decide. */
export interface StandIn {
  id: number
  name: string
  /** has been notified of what waits */
  begun: boolean
}

/** The facts about a request that each read computes, because people, roles, departments and days change them. */
export interface DecidingFacts {
  /** whether the approver of the first step can decide it */
  leaderActs: boolean
  /** the approver's substitute, if they can act */
  standIn: StandIn | null
}

/** Everything that says who decides a request. */
export type Waiting = Pick<ApprovalView, 'applicantId' | 'steps' | 'currentStep'> & DecidingFacts

/** Whether the person may decide the open step. */
export function isCurrentApprover(approval: Waiting, user: Pick<User, 'id' | 'isAdministrator'>): boolean {
  const waiting = waitingFor(approval)
  if (!waiting) return false
  if (waiting.approverType === 'ADMIN') return user.isAdministrator
  return waiting.approverId === user.id || substituteFor(approval)?.id === user.id
}

/** Whom a request waits for: the approver of its first step; the administrators, if the approver cannot act. */
export function waitingFor(approval: Waiting): WaitingFor | null {
  const step = openStep(approval)
  if (!step) return null
  const isApprovers = step.approverType === 'DEPARTMENT_MANAGER' && approval.leaderActs
  return isApprovers
    ? { approverType: 'DEPARTMENT_MANAGER', approverId: step.approverId, approverName: step.approverName }
    : { approverType: 'ADMIN', approverId: null, approverName: null }
}

/**
 * The person who may decide the open step beside its approver. Nobody decides in place of an approver who cannot act, and a
 * substitute does not decide requests of their own.
 */
export function substituteFor(approval: Waiting): StandIn | null {
  const { standIn, applicantId } = approval
  return waitingFor(approval)?.approverId && standIn && standIn.id !== applicantId ? standIn : null
}

/** The person for whom somebody decides the open step as a substitute; null if they decide it themselves. */
export function decidedFor(approval: Waiting, userId: number): { id: number; name: string | null } | null {
  const { approverId, approverName } = waitingFor(approval) ?? {}
  if (!approverId || approverId === userId || substituteFor(approval)?.id !== userId) return null
  return { id: approverId, name: approverName! }
}

/** An open first step with the facts that say who decides it. */
export interface FirstStep extends DecidingFacts {
  approverId: number | null
  applicantId: number
}

/** One who decides: a person, or any administrator. */
export type Decider = number | 'administrators'

/**
 * Those to notify of a first step that waits: the people who may decide it. A substitute whose first day has not been
 * announced yet is notified then.
 */
export function decidersOf({ approverId, leaderActs, standIn, applicantId }: FirstStep): Decider[] {
  if (!leaderActs) return ['administrators']
  const standsIn = standIn?.begun && standIn.id !== applicantId
  return standsIn ? [approverId!, standIn.id] : [approverId!]
}

/**
 * Those to notify when others decide a first step than before: who could not; all of them, if it lost one of those for whom
 * it waited.
 */
export function heirsOf(before: readonly Decider[], after: readonly Decider[]): Decider[] {
  const hasLost = before.some((one) => !after.includes(one))
  return after.filter((one) => hasLost || !before.includes(one))
}

/** Those to notify of the open step of a request. */
export function decidersOfOpen(approval: Waiting): Decider[] {
  const step = openStep(approval)
  if (!step) return []
  return step.approverType === 'ADMIN' ? ['administrators'] : decidersOf({ ...approval, approverId: step.approverId })
}

/** The people among deciders. */
export function peopleAmong(deciders: readonly Decider[], administrators: readonly number[]): number[] {
  return deciders.flatMap((one) => (one === 'administrators' ? administrators : one))
}

/** The step that waits for a decision. */
export function openStep({ steps, currentStep }: Pick<Waiting, 'steps' | 'currentStep'>): StepView | undefined {
  return steps.find((step) => step.stepOrder === currentStep && step.status === 'PENDING')
}
