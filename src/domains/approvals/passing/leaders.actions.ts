import type { Tx, UserId } from '#atrium'
import type { LeaderWork } from '#atrium/organization'
import type { Dependent } from '#atrium/people'
import { endDrafts } from '../approvals.actions.ts'
import { decidersOf, heirsOf } from '../deciders.rules.ts'
import { countPending } from '../hand-over.store.ts'
import { listFirstSteps, lockLeaderSteps, passStep } from '../steps.store.ts'
import { waitingApprovals } from './hand-over.actions.ts'
import { tellDeciders, tellPending } from './news.ts'

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
      const news = after.map((step) => ({
        pending: { id: step.approvalId, title: step.title },
        deciders: heirsOf(before.get(step.id)!, decidersOf(step)),
      }))
      await tellDeciders(tx, news)
    }
  },
}

/** Notifies a substitute of every request that waits for the person. */
export async function tellSubstitute(
  tx: Tx<any>,
  { userId, substituteId }: { userId: UserId; substituteId: UserId },
): Promise<void> {
  const steps = await listFirstSteps(tx, { approverId: userId })
  for (const { leaderActs, approvalId, title, applicantId } of steps)
    if (leaderActs && applicantId !== substituteId) tellPending(tx, { id: approvalId, title }, [substituteId])
}
