import { newcomer } from '../../../../tools/tour/cast.ts'
import { expect } from '../../../../tools/tour/guide.ts'
import type { Part } from '../../../../tools/tour/parts.ts'

/** A leader who is away, and a person who decides for them. */
const part: Part = {
  shows: 'the substitute decides',
  async tell(tour, { admin }) {
    const { chapter, tell, run } = tour
    chapter('A substitute')
    const { client: leader, id: leaderId } = await newcomer(tour, admin, 'leader')
    const { client: substitute, id: userId } = await newcomer(tour, admin, 'substitute')
    const { client: clerk } = await newcomer(tour, admin, 'applicant')
    const led = { name: `Brushes ${run}`, code: `BRUSH-${run.toUpperCase()}`, leaderId }
    const found = () => admin.createDepartment({ body: led })
    const { id: departmentId } = await tell('A department has a leader.', found, 201, {})
    const day = (away: number) => new Date(Date.now() + away * 86_400_000).toISOString().slice(0, 10)
    const away = { userId, from: day(-1), until: day(1) }
    const stands = () => leader.setMySubstitute({ body: away })
    await tell('The leader is away for some days, and names a substitute.', stands, 200, away)
    const brushes = { type: 'purchase', title: 'Two brushes', departmentId, payload: '{"amount":9}' }
    const ask = () => clerk.createApproval({ body: brushes })
    const waiting = await tell('Another request', ask, 201, { status: 'DRAFT' })
    const handIn = () => clerk.submitApproval({ id: waiting.id })
    await tell('… is handed in,', handIn, 200, { status: 'PENDING', currentStep: 1 })
    const decide = () => substitute.approveApproval({ id: waiting.id, body: { comment: 'She would say yes.' } })
    await tell('… and the substitute decides. The request says for whom.', decide, 200, ({ steps: [step] }) => {
      expect(step!.actedBy === userId && step!.decidedForId === leaderId, 'a decision for the leader')
      return `${step!.status} by ${step!.actedByName} for ${step!.decidedForName}`
    })
    await tell('The leader is back.', () => leader.removeMySubstitute(), 200, {})
  },
}
export default part
