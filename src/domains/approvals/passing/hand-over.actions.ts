import type { Tx, UserId } from '#atrium'
import type { LeaderWork } from '#atrium/organization'
import { type Dependent, MOST_HANDED_OVER, MOST_TOLD_SINGLY, type Work } from '#atrium/people'
import { endDrafts } from '../approvals.actions.ts'
import { decidersOf, heirsOf } from '../deciders.rules.ts'
import { countPending, listApprovalsHeldBy, lockApprovalsHeldBy, passApprovals, passSteps } from '../hand-over.store.ts'
import { listFirstSteps, lockLeaderSteps, passStep } from '../steps.store.ts'
import { tell, tellDeciders } from './news.ts'

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
        for (const { id } of steps) passStep(tx, { id, approverId: leaderId, reassigned: false })
      },
    }
  },
}

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
    await tellHeir(tx, approvals, from, to)
    return approvals.length
  },
}

type Passed = Awaited<ReturnType<typeof listApprovalsHeldBy>>

async function tellHeir(tx: Tx, approvals: Passed, from: number, to: number): Promise<void> {
  const ids = approvals.map(({ id }) => id)
  if (approvals.length > MOST_TOLD_SINGLY)
    return tx.notify({
      type: 'APPROVALS_HANDED_OVER',
      facts: { count: String(approvals.length) },
      resourceType: 'approval',
      resourceId: ids[0]!,
      receivers: [to],
    })
  const steps = await listFirstSteps(tx, { approverId: to, ids })
  await tellDeciders(
    tx,
    steps.map((step) => ({ approval: requestOf(step), deciders: decidersOf(step) })),
  )
  for (const { id, name: title, applicantId } of approvals)
    if (applicantId === from) tell(tx, 'APPROVAL_HANDED_OVER', { id, title }, [to])
}

const requestOf = ({ approvalId: id, title }: { approvalId: number; title: string }) => ({ id, title })

/** Requests as what depends on those who decide them, and on those who make them. */
export const requestsOfPerson: Dependent = {
  columns: ['approvalSteps.approverId', 'approvals.applicantId'],
  work: waitingApprovals,
  end: endDrafts,
  async watch(tx, of) {
    const steps = await listFirstSteps(tx, of)
    const before = new Map(steps.map((step) => [step.id, decidersOf(step)]))
    return async () => {
      if (steps.length === 0) return
      const after = await listFirstSteps(tx, { ids: steps.map(({ approvalId }) => approvalId) })
      const heirs = (step: (typeof after)[number]) => heirsOf(before.get(step.id)!, decidersOf(step))
      await tellDeciders(
        tx,
        after.map((step) => ({ approval: requestOf(step), deciders: heirs(step) })),
      )
    }
  },
}

/** Notifies a substitute of every request that waits for the person. */
export async function tellSubstitute(
  tx: Tx<any>,
  { userId, substituteId }: { userId: UserId; substituteId: UserId },
): Promise<void> {
  const steps = await listFirstSteps(tx, { approverId: userId })
  for (const step of steps)
    if (step.leaderActs && step.applicantId !== substituteId)
      tell(tx, 'APPROVAL_PENDING', requestOf(step), [substituteId])
}
