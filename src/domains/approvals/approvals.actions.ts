import { assertMatch, type Expected, fail, nameOf, nextId, type Tx } from '#atrium'
import { findDepartment, type LeaderWork, shareLockDepartment, shareLockStaff } from '#atrium/organization'
import { findLiving, peopleFaults } from '#atrium/people'
import { listAdministratorIds } from '#atrium/roles'
import {
  type Approval,
  approvalFaults,
  assertNotOvertaken,
  assertNotRepeated,
  asView,
  decideSteps,
  isCurrentApprover,
  move,
  reviseDraft,
  stepsOfDecision,
  type Verdict,
  waitingFor,
} from './approvals.rules.ts'
import type { ApprovalDraft, ApprovalPatch, ApprovalView, WaitingFor } from './approvals.schemas.ts'
import {
  approvalsSeenBy,
  countPending,
  findStand,
  getApproval,
  insertApproval,
  lockApproval,
  saveApproval,
  saveDraft,
} from './approvals.store.ts'
import { findActingLeader, insertStep, listFirstSteps, lockLeaderSteps, passStep, saveStep } from './steps.store.ts'

/** Creates a draft. @throws NOT_FOUND (department) */
export async function createApproval(tx: Tx, draft: ApprovalDraft): Promise<ApprovalView> {
  const departmentId = draft.departmentId ?? null
  const [id, department] = await Promise.all([
    nextId(tx, 'approvals'),
    departmentId ? findDepartment(tx, { id: departmentId }) : undefined,
  ])
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
  insertApproval(tx, approval)
  const unsubmitted = { steps: [], waitingFor: null, submittedAt: null, completedAt: null }
  return { ...approval, applicantName: nameOf(tx.actor), status: 'DRAFT', currentStep: 0, version: 0, ...unsubmitted }
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
  return asView(saved)
}

/**
 * Submits a draft. First its department's leader decides, then any administrator. If the leader cannot act, an
 * administrator decides for them.
 * @throws NOT_FOUND (approval, department), NOT_APPLICANT, ILLEGAL_TRANSITION, DEPARTMENT_DISABLED, DEPARTMENT_REQUIRED,
 * DEPARTMENT_HAS_NO_LEADER, PRECONDITION_FAILED
 */
export async function submitApproval(tx: Tx, id: number, { ifMatch }: Expected = {}): Promise<ApprovalView> {
  const approval = await loadLocked(tx, id)
  if (approval.applicantId !== tx.actor.id) throw approvalFaults.notApplicant()
  const stand = move(approval, 'submit')
  if (approval.departmentId === null) throw approvalFaults.departmentRequired()
  const [, department, applicant, acting, administrators, firstId, secondId] = await tx.inOrder([
    shareLockStaff(tx, {}),
    shareLockDepartment(tx, { id: approval.departmentId }),
    findLiving(tx, { id: tx.actor.id }),
    findActingLeader(tx, { departmentId: approval.departmentId }),
    administratorIds(tx),
    nextId(tx, 'approvalSteps'),
    nextId(tx, 'approvalSteps'),
  ])
  // A deletion holds the staff, so it is seen here if it came first.
  if (!applicant) throw peopleFaults.notFound()
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
    version: approval.version + 1,
    updatedAt: tx.now,
    submittedAt: tx.now,
  }
  saveApproval(tx, submitted)
  for (const step of steps) insertStep(tx, { ...step, approvalId: id })
  tellPending(tx, submitted, receiversOf(waitingFor(submitted), administrators))
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
  const decided = conclude(tx, approval, stand, { action, ...actedBy(tx), comment })
  if (decided.status === 'PENDING') tellPending(tx, decided, await administratorIds(tx))
  else tellApplicant(tx, decided)
  return asView(decided)
}

/** Cancels a draft or an open request. @throws NOT_FOUND, NOT_APPLICANT, ILLEGAL_TRANSITION, PRECONDITION_FAILED */
export async function cancelApproval(tx: Tx, id: number, { ifMatch }: Expected = {}): Promise<ApprovalView> {
  const approval = await loadLocked(tx, id)
  if (approval.applicantId !== tx.actor.id) throw approvalFaults.notApplicant()
  const stand = move(approval, 'cancel')
  assertMatch(approval.version, ifMatch)
  const waited = waitingFor(approval)
  const cancelled = conclude(tx, approval, stand, { action: 'cancel', ...actedBy(tx), comment: null })
  if (waited)
    tx.notify({
      ...newsOf(cancelled),
      type: 'APPROVAL_CANCELLED',
      facts: { title: cancelled.title },
      receivers: receiversOf(waited, waited.approverId ? [] : await administratorIds(tx)),
    })
  return asView(cancelled)
}

/** Requests as the open work of a department's leader: the next leader inherits them. */
export const stepsOfLeader: LeaderWork = {
  async countPending(tx, departmentId) {
    return (await countPending(tx, { departmentId }))!.count
  },
  async lockPending(tx, departmentId) {
    const steps = await lockLeaderSteps(tx, { departmentId })
    return {
      count: steps.length,
      passTo(leaderId) {
        for (const { id } of steps) passStep(tx, { id, approverId: leaderId })
      },
    }
  },
  async watchHeirs(tx, of) {
    const before = new Map((await listFirstSteps(tx, of)).map((step) => [step.id, approverOf(step)]))
    return async () => {
      const passed = (await listFirstSteps(tx, of)).filter((step) => before.get(step.id) !== approverOf(step))
      const administrators = passed.some((step) => !step.leaderActs) ? await administratorIds(tx) : []
      for (const { approverId, leaderActs, approvalId, title } of passed)
        tellPending(tx, { id: approvalId, title }, leaderActs ? [approverId!] : administrators)
    }
  },
}

/** The leader who can decide a first step, or undefined for any administrator. */
function approverOf(step: { approverId: number | null; leaderActs: boolean }): number | undefined {
  return step.leaderActs ? step.approverId! : undefined
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

function actedBy(tx: Tx) {
  return { actedBy: tx.actor.id, actedByName: nameOf(tx.actor), actedAt: tx.now }
}

/** Locks, then reads: of two concurrent decisions, the second sees the result of the first. */
async function loadLocked(tx: Tx, id: number): Promise<Approval> {
  const seen = { id, ...approvalsSeenBy(tx.actor) }
  const [, approval] = await tx.inOrder([lockApproval(tx, seen), getApproval(tx, seen)])
  return approval
}

async function administratorIds(tx: Tx): Promise<number[]> {
  return (await listAdministratorIds(tx, {})).map(({ id }) => id)
}

/** The approver, or the administrators if the request waits for any of them. */
function receiversOf(waiting: WaitingFor | null, administrators: number[]): number[] {
  return waiting?.approverId ? [waiting.approverId] : administrators
}

function newsOf(approval: Pick<Approval, 'id'>) {
  return { resourceType: 'approval' as const, resourceId: approval.id }
}

/** Notifies the next approvers, even the actor. */
function tellPending(tx: Tx, approval: Pick<Approval, 'id' | 'title'>, receivers: number[]) {
  tx.notify({
    ...newsOf(approval),
    type: 'APPROVAL_PENDING',
    facts: { title: approval.title },
    receivers,
    actorToo: true,
  })
}

function tellApplicant(tx: Tx, approval: Approval) {
  tx.notify({
    ...newsOf(approval),
    type: approval.status === 'APPROVED' ? 'APPROVAL_APPROVED' : 'APPROVAL_REJECTED',
    facts: { title: approval.title },
    receivers: [approval.applicantId],
  })
}
