import type { LeaderWork } from '#atrium/organization'
import type { SubstituteWork } from '#atrium/substitutes'
import { countPending } from '../approvals.store.ts'
import { decidersOf } from '../deciders.rules.ts'
import { listFirstSteps, lockLeaderSteps, passStep } from '../steps.store.ts'
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
  async watchHeirs(tx, of) {
    const before = new Map((await listFirstSteps(tx, of)).map((step) => [step.id, decidersOf(step)]))
    return async () => {
      const after = await listFirstSteps(tx, of)
      const news = after.map((step) => ({
        pending: { id: step.approvalId, title: step.title },
        deciders: decidersOf(step).filter((one) => !before.get(step.id)?.includes(one)),
      }))
      await tellDeciders(tx, news)
    }
  },
}

/** Requests as what substitutes decide. */
export const stepsOfSubstitute: SubstituteWork = {
  async tellWaiting(tx, { userId, substituteId }) {
    const steps = await listFirstSteps(tx, { approverId: userId })
    for (const { leaderActs, approvalId, title, applicantId } of steps)
      if (leaderActs && applicantId !== substituteId) tellPending(tx, { id: approvalId, title }, [substituteId])
  },
}
