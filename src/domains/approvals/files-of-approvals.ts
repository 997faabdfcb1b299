import type { FileResource } from '#atrium/files'
import { approvalFaults, assertUndecided } from './approvals.rules.ts'
import { approvalsSeenBy, lockApproval, raiseVersion, type SeesApprovals, visibleApprovals } from './approvals.store.ts'

/**
 * Files of requests. They are part of what is decided: each change of them raises the version, so nobody decides on
 * others than they have read, and a decided request keeps those that it has.
 */
export const filesOfApprovals: FileResource<SeesApprovals> = {
  type: 'approval',
  id: 'approvals.id',
  notFound: approvalFaults.notFound,
  refuses: [approvalFaults.illegalMove],
  seenBy: approvalsSeenBy,
  visible: visibleApprovals,
  async change(tx, id, sees, change) {
    const approval = await lockApproval(tx, { id, ...sees })
    assertUndecided(approval)
    const version = approval.version + 1
    raiseVersion(tx, { id, version, updatedAt: tx.now })
    return { history: { subject: { type: 'approval', id }, ...change, version } }
  },
}
