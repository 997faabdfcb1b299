import type { Atrium, Department } from '../../../client/index.ts'
import { lines, type Person, type Tour } from '../cast.ts'
import { expect } from '../guide.ts'

/** A request for approval: from its draft over two decisions to the news of them. */
export async function tellApprovals(tour: Tour, admin: Atrium, leader: Person, applicant: Person) {
  const { chapter, tell, refused, run } = tour
  const { client: guest, id: guestId } = leader
  const { client: clerk, id: userId } = applicant

  chapter('A request and its two signatures')
  const code = run.toUpperCase()
  const bank = { name: `River bank ${run}`, code: `RIVER-${code}`, leaderId: guestId }
  const led = 'A department is made, and the second person leads it.'
  const { id: departmentId } = await tell(led, () => admin.createDepartment({ body: bank }), 201, { memberCount: 1 })
  const below = { parentId: departmentId }
  const part = () => admin.createDepartment({ body: { name: 'Paint', code: `PAINT-${code}`, ...below } })
  await tell('A part of it is made below,', part, 201, below)
  const place = () => admin.assignDepartmentMember({ id: departmentId, userId })
  await tell('… and the third person gets a place.', place, 200, {})
  const look = () => admin.listDepartments()
  await tell('The tree, from there on:', look, 200, (tree) => {
    const here = tree.find((node) => node.id === departmentId)
    expect(here?.memberCount === 2 && here.children.length === 1, 'two members and one department below')
    return treeOf(here).join('\n')
  })
  const paint = { type: 'purchase', title: 'Green paint, two tins', departmentId, payload: '{"amount":38}' }
  const draft = () => clerk.createApproval({ body: paint })
  const drafted = { status: 'DRAFT', currentStep: 0 } as const
  const request = await tell('The third person drafts a request,', draft, 201, drafted)
  const { id } = request
  const submit = () => clerk.submitApproval({ id }, { idempotencyKey: `paint-${run}` })
  const first = { status: 'PENDING', currentStep: 1 } as const
  await tell('… and hands it in. First the leader decides, then an administrator.', submit, 200, first)
  const outOfTurn = [403, 'NOT_CURRENT_APPROVER'] as const
  await refused('Nobody decides for themselves,', () => clerk.approveApproval({ id }), outOfTurn)
  await refused('… nor an administrator before it is their turn.', () => admin.approveApproval({ id }), outOfTurn)
  const green = () => guest.approveApproval({ id, body: { comment: 'Green it is.' } })
  await tell('The leader agrees,', green, 200, { status: 'PENDING', currentStep: 2 })
  const receipt = () => admin.approveApproval({ id, body: { comment: 'Keep the receipt.' } })
  await tell('… and so does the administrator.', receipt, 200, { status: 'APPROVED', currentStep: 2 })
  const reject = () => admin.rejectApproval({ id })
  await refused('What is decided is decided.', reject, [409, 'ILLEGAL_TRANSITION'], ([move]) => {
    expect(move.allowed.length === 0, 'no move left')
    return `${move.from} → ${move.action} is no move`
  })
  const read = () => clerk.getApproval({ id })
  await tell('The applicant reads both signatures,', read, 200, ({ steps }) => {
    expect(steps.length === 2 && steps.every(({ status }) => status === 'APPROVED'), 'two approvals')
    return lines(steps, (step) => `${step.stepOrder}. ${step.approverType.padEnd(20)}${step.status}  “${step.comment}”`)
  })
  const newest = () => clerk.listNotifications({ pageSize: 1 })
  await tell('… and was told.', newest, 200, ([latest]) => {
    expect(latest?.type === 'APPROVAL_APPROVED', 'a notification of the approval')
    return `${latest.type}: ${latest.title}`
  })
  await tell('The leader has read all of theirs.', () => guest.markAllNotificationsRead(), 200, {})
  return request
}

/** One department a line, indented below the one it belongs to. */
function treeOf({ name, memberCount, children }: Department, indent = ''): string[] {
  const below = children.flatMap((child) => treeOf(child, `${indent}  `))
  return [`${indent}${name}, ${memberCount} ${memberCount === 1 ? 'member' : 'members'}`, ...below]
}
