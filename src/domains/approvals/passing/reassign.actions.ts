import { assertMatch, type Expected, type Tx } from '#atrium'
import { shareLockStaff } from '#atrium/organization'
import { loadLocked } from '../approvals.actions.ts'
import { asView, reassign } from '../approvals.rules.ts'
import type { ApprovalView } from '../approvals.schemas.ts'
import { approvalsSeenBy, getApproval, saveApproval } from '../approvals.store.ts'
import { decidersOfOpen, openStep } from '../deciders.rules.ts'
import { findCandidate } from '../deciders.store.ts'
import { passStep } from '../steps.store.ts'
import { tellDeciders } from './news.ts'

/**
 * Passes the open first step to another person, with whom it stays. They are notified. For administrators.
 * @throws NOT_FOUND (approval, user), ILLEGAL_TRANSITION, APPROVER_CANNOT_DECIDE, PRECONDITION_FAILED
 */
export async function reassignApproval(
  tx: Tx,
  id: number,
  userId: number,
  { ifMatch }: Expected = {},
): Promise<ApprovalView> {
  const [, approval, to] = await tx.inOrder([
    shareLockStaff(tx, {}),
    loadLocked(tx, id),
    findCandidate(tx, { id: userId }),
  ])
  const { stand, approverId } = reassign(approval, to)
  assertMatch(approval.version, ifMatch)
  const { id: stepId, approverId: formerId } = openStep(approval)!
  const version = approval.version + 1
  passStep(tx, { id: stepId, approverId, reassigned: true })
  saveApproval(tx, { ...approval, ...stand, version, updatedAt: tx.now })
  tx.record({
    event: 'approval.reassigned',
    subject: id,
    data: { version, from: formerId, to: approverId },
    history: {
      subject: { type: 'approval', id },
      action: 'APPROVAL_REASSIGNED',
      fieldName: 'approverId',
      oldValue: formerId === null ? null : String(formerId),
      newValue: String(approverId),
      version,
    },
  })
  const after = await getApproval(tx, { id, ...approvalsSeenBy(tx.actor) })
  const before = decidersOfOpen(approval)
  await tellDeciders(tx, [{ approval: after, deciders: decidersOfOpen(after).filter((one) => !before.includes(one)) }])
  return asView(after)
}
