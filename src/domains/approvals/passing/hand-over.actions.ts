import type { Tx } from '#atrium'
import { MOST_HANDED_OVER, MOST_TOLD_SINGLY, type Work } from '#atrium/people'
import { decidersOf } from '../deciders.rules.ts'
import { listApprovalsHeldBy, lockApprovalsHeldBy, passApprovals, passSteps } from '../hand-over.store.ts'
import { listFirstSteps } from '../steps.store.ts'
import { tellDeciders } from './news.ts'

/** Requests as what their approvers, and their applicants while they wait, are responsible for. */
export const waitingApprovals: Work = {
  kind: 'approvals',
  example: 2,
  needs: 'approval:action',
  keeps: (id) => ({ path: 'approvals', id, message: 'request {id} is not decided' }),
  list: listApprovalsHeldBy,
  async handOver(tx, from, to) {
    const [, approvals] = await tx.inOrder([
      lockApprovalsHeldBy(tx, { userId: from }),
      listApprovalsHeldBy(tx, { userId: from, most: MOST_HANDED_OVER + 1 }),
    ])
    if (approvals.length === 0) return 0
    passSteps(tx, { from, to })
    passApprovals(tx, { ids: approvals.map(({ id }) => id), from, to, updatedAt: tx.now })
    for (const { id, version } of approvals)
      tx.record({
        event: 'approval.handed_over',
        subject: id,
        data: { version: version + 1, from, to },
        history: {
          ...{ subject: { type: 'approval', id }, action: 'APPROVAL_HANDED_OVER' },
          ...{ oldValue: String(from), newValue: String(to), version: version + 1 },
        },
      })
    await tell(tx, approvals, from, to)
    return approvals.length
  },
}

interface Passed {
  id: number
  name: string
  applicantId: number
}

async function tell(tx: Tx, approvals: readonly Passed[], from: number, to: number): Promise<void> {
  if (approvals.length > MOST_TOLD_SINGLY)
    return tx.notify({
      type: 'APPROVALS_HANDED_OVER',
      facts: { count: String(approvals.length) },
      resourceType: 'approval',
      resourceId: approvals[0]!.id,
      receivers: [to],
    })
  const steps = await listFirstSteps(tx, { approverId: to, ids: approvals.map(({ id }) => id) })
  await tellDeciders(
    tx,
    steps.map((step) => ({ pending: { id: step.approvalId, title: step.title }, deciders: decidersOf(step) })),
  )
  for (const { id, name: title, applicantId } of approvals)
    if (applicantId === from)
      tx.notify({
        type: 'APPROVAL_HANDED_OVER',
        facts: { title },
        resourceType: 'approval',
        resourceId: id,
        receivers: [to],
      })
}
