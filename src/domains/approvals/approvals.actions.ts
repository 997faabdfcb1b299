import { assertAtHome, assertMatch, changesBetween, type Expected, fail, nameOf, nextId, only, type Tx } from '#atrium'
import { findDepartment, getDepartmentWithLeader, shareLockStaff } from '#atrium/organization'
import { findLiving, peopleFaults, stillLiving } from '#atrium/people'
import { APPROVAL_FIELDS } from './approvals.events.ts'
import {
  type Approval,
  approvalFaults,
  assertNotOvertaken,
  assertNotRepeated,
  asView,
  decideSteps,
  move,
  reviseDraft,
  stepsOfDecision,
  unsubmitted,
  type Verdict,
} from './approvals.rules.ts'
import type { ApprovalDraft, ApprovalPatch, ApprovalView } from './approvals.schemas.ts'
import {
  approvalsSeenBy,
  findStand,
  getApproval,
  insertApproval,
  lockApproval,
  saveApproval,
  saveDraft,
} from './approvals.store.ts'
import { decidedFor, decidersOfOpen, isCurrentApprover, peopleAmong } from './deciders.rules.ts'
import { findActingLeader } from './deciders.store.ts'
import { cancelDrafts } from './hand-over.store.ts'
import { administratorIds, tell, tellDeciders } from './passing/news.ts'
import { insertStep, saveStep } from './steps.store.ts'

/** Creates a draft. @throws NOT_IN_TENANT, NOT_FOUND (department, applicant) */
export async function createApproval(tx: Tx, draft: ApprovalDraft): Promise<ApprovalView> {
  assertAtHome(tx)
  const departmentId = draft.departmentId ?? null
  const [id, applicant, department] = await Promise.all([
    nextId(tx, 'approvals'),
    findLiving(tx, { id: tx.actor.id }),
    departmentId ? findDepartment(tx, { id: departmentId }) : undefined,
  ])
  if (!applicant) throw peopleFaults.notFound()
  if (departmentId && !department) throw approvalFaults.departmentNotFound()
  const approval = {
    id,
    type: draft.type,
    title: draft.title,
    businessKey: draft.businessKey ?? null,
    applicantId: tx.actor.id,
    departmentId,
    departmentName: department?.name ?? null,
    payload: draft.payload ?? null,
    createdAt: tx.now,
    updatedAt: tx.now,
  }
  // A deletion ends the drafts of the person: none comes after it.
  stillLiving(tx, applicant)
  insertApproval(tx, approval)
  recordApproval(tx, 'created', { ...approval, version: 0 })
  const state = { status: 'DRAFT', currentStep: 0, version: 0, ...unsubmitted() } as const
  return { ...approval, applicantName: nameOf(tx.actor), ...state }
}

/**
 * Changes a draft; omitted fields stay.
 * @throws NOT_FOUND (approval, department), NOT_APPLICANT, ILLEGAL_TRANSITION, PRECONDITION_FAILED, VERSION_CONFLICT
 */
export async function updateApproval(tx: Tx, id: number, patch: ApprovalPatch): Promise<ApprovalView> {
  const { departmentId } = patch
  const [approval, department] = await tx.inOrder([
    loadLocked(tx, id),
    departmentId ? findDepartment(tx, { id: departmentId }) : undefined,
  ])
  if (departmentId && !department) throw approvalFaults.departmentNotFound()
  if (approval.applicantId !== tx.actor.id) throw approvalFaults.notApplicant()
  const revised = reviseDraft(approval, patch)
  const departmentName = departmentId === undefined ? approval.departmentName : (department?.name ?? null)
  const saved = { ...revised, departmentName, updatedAt: tx.now }
  saveDraft(tx, saved)
  const changes = changesBetween(approval, saved, APPROVAL_FIELDS, ['payload'])
  tx.record({ event: 'approval.updated', subject: id, data: { ...factsOf(saved), changes } })
  return asView(saved)
}

/**
 * Submits a draft. First its department's leader decides, then any administrator. If the leader cannot act, an
 * administrator decides for them.
 * @throws NOT_FOUND (approval, department), NOT_APPLICANT, ILLEGAL_TRANSITION, DEPARTMENT_DISABLED, DEPARTMENT_REQUIRED,
 * DEPARTMENT_HAS_NO_LEADER, PRECONDITION_FAILED
 */
export async function submitApproval(tx: Tx, id: number, { ifMatch }: Expected = {}): Promise<ApprovalView> {
  // The staff first, as a deletion takes them, which ends the drafts of who goes.
  const [, approval, applicant] = await tx.inOrder([
    shareLockStaff(tx, {}),
    loadLocked(tx, id),
    findLiving(tx, { id: tx.actor.id }),
  ])
  if (approval.applicantId !== tx.actor.id) throw approvalFaults.notApplicant()
  // A deletion that came first is seen here.
  if (!applicant) throw peopleFaults.notFound()
  const stand = move(approval, 'submit')
  if (approval.departmentId === null) throw approvalFaults.departmentRequired()
  const [department, acting, administrators, firstId, secondId] = await tx.inOrder([
    getDepartmentWithLeader(tx, { id: approval.departmentId }),
    findActingLeader(tx, { departmentId: approval.departmentId }),
    administratorIds(tx),
    nextId(tx, 'approvalSteps'),
    nextId(tx, 'approvalSteps'),
  ])
  if (department.status === 'disabled') throw approvalFaults.departmentDisabled()
  const leaderId = department.leaderId ?? fail(approvalFaults.departmentHasNoLeader())
  assertMatch(approval.version, ifMatch)
  const steps = stepsOfDecision([firstId, secondId], { id: leaderId, name: department.leaderName })
  const submitted: Approval = {
    ...approval,
    ...stand,
    departmentName: department.name,
    steps,
    leaderActs: acting !== undefined,
    standIn: acting?.standIn ?? null,
    version: approval.version + 1,
    updatedAt: tx.now,
    submittedAt: tx.now,
  }
  saveApproval(tx, submitted)
  for (const step of steps) insertStep(tx, { ...step, approvalId: id })
  recordApproval(tx, 'submitted', submitted)
  tell(tx, 'APPROVAL_PENDING', submitted, peopleAmong(decidersOfOpen(submitted), administrators))
  return asView(submitted)
}

/**
 * Decides the step that was open when the decision arrived. If two arrive together, one wins, even if the same person
 * may decide the next step too.
 * @throws NOT_FOUND, ALREADY_DECIDED, ILLEGAL_TRANSITION, NOT_CURRENT_APPROVER, PRECONDITION_FAILED
 */
export async function decideApproval(
  tx: Tx,
  id: number,
  action: 'approve' | 'reject',
  comment: string | null,
  { ifMatch }: Expected = {},
): Promise<ApprovalView> {
  const [seen, approval] = await tx.inOrder([findStand(tx, { id }), loadLocked(tx, id)])
  assertNotRepeated(approval, tx.actor, action)
  const stand = move(approval, action)
  assertNotOvertaken(seen!, approval)
  if (!isCurrentApprover(approval, tx.actor)) throw approvalFaults.notCurrentApprover()
  assertMatch(approval.version, ifMatch)
  const { id: decidedForId = null, name: decidedForName = null } = decidedFor(approval, tx.actor.id) ?? {}
  const who = { actedBy: tx.actor.id, actedByName: nameOf(tx.actor), decidedForId, decidedForName }
  const decided = conclude(tx, approval, stand, { action, made: { ...who, actedAt: tx.now, comment } })
  const { status } = decided
  recordApproval(tx, OUTCOMES[status]!, decided)
  if (status === 'PENDING') tell(tx, 'APPROVAL_PENDING', decided, await administratorIds(tx))
  else tell(tx, status === 'APPROVED' ? 'APPROVAL_APPROVED' : 'APPROVAL_REJECTED', decided, [decided.applicantId])
  return asView(decided)
}

/** Cancels a draft or an open request. @throws NOT_FOUND, NOT_APPLICANT, ILLEGAL_TRANSITION, PRECONDITION_FAILED */
export async function cancelApproval(tx: Tx, id: number, { ifMatch }: Expected = {}): Promise<ApprovalView> {
  const approval = await loadLocked(tx, id)
  if (approval.applicantId !== tx.actor.id) throw approvalFaults.notApplicant()
  const stand = move(approval, 'cancel')
  assertMatch(approval.version, ifMatch)
  const cancelled = conclude(tx, approval, stand, { action: 'cancel' })
  recordApproval(tx, 'cancelled', cancelled)
  await tellDeciders(tx, [{ approval: cancelled, deciders: decidersOfOpen(approval) }], 'APPROVAL_CANCELLED')
  return asView(cancelled)
}

/** Nobody else can submit the drafts of a person who goes: they are cancelled. */
export async function endDrafts(tx: Tx<any>, { userId }: { userId: number }): Promise<void> {
  const { rows } = await cancelDrafts(tx, { applicantId: userId, completedAt: tx.now })
  for (const draft of rows) recordApproval(tx, 'cancelled', draft)
}

/** Saves the request's new state, with the steps that changed. */
function conclude(
  tx: Tx,
  approval: Approval,
  stand: Pick<Approval, 'status' | 'currentStep'>,
  verdict: Verdict,
): Approval {
  const steps = decideSteps(approval.steps, approval.currentStep, verdict)
  const concluded: Approval = {
    ...approval,
    ...stand,
    steps,
    version: approval.version + 1,
    updatedAt: tx.now,
    completedAt: stand.status === 'PENDING' ? null : tx.now,
  }
  saveApproval(tx, concluded)
  for (const [at, step] of steps.entries()) if (step !== approval.steps[at]) saveStep(tx, step)
  return concluded
}

type Outcome = 'created' | 'submitted' | 'step_approved' | 'approved' | 'rejected' | 'cancelled'
type Facts = Pick<Approval, 'id' | 'type' | 'title' | 'businessKey' | 'applicantId' | 'departmentId' | 'version'>

/** What a decision has made of a request, by its status afterwards. */
const OUTCOMES: Partial<Record<Approval['status'], Outcome>> = {
  PENDING: 'step_approved',
  APPROVED: 'approved',
  REJECTED: 'rejected',
}

function recordApproval(tx: Tx<any>, what: Outcome, approval: Facts): void {
  tx.record({ event: `approval.${what}`, subject: approval.id, data: factsOf(approval) })
}

const factsOf = (approval: Facts) =>
  only(approval, ['type', 'title', 'businessKey', 'applicantId', 'departmentId', 'version'])

/** Locks, then reads: of two concurrent decisions, the second sees the result of the first. */
export async function loadLocked(tx: Tx, id: number): Promise<Approval> {
  const seen = { id, ...approvalsSeenBy(tx.actor) }
  const [, approval] = await tx.inOrder([lockApproval(tx, seen), getApproval(tx, seen)])
  return approval
}
