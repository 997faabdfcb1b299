import { type Approval, type Atrium, addressOf, type Department } from '../../client/index.ts'
import { hold } from './guide.ts'
import type { Trip } from './trip.ts'

/** A department, a request, its two signatures, and the line on which they are heard of. */
export async function twoSignatures(trip: Trip, admin: Atrium, guest: Atrium, guestId: number) {
  const { chapter, tell, listen, run } = trip
  chapter('A request and its two signatures')
  const { clerk, departmentId } = await aDepartment(trip, admin, guestId)
  const paint = { type: 'purchase', title: 'Green paint, two tins', departmentId, payload: '{"amount":38}' }
  const request = await tell(
    'The third person drafts a request,',
    () => clerk.createApproval({ body: paint }),
    201,
    standsAt('DRAFT 0'),
  )
  const line = await listen('The leader leaves a line open: events arrive on it as they happen.', guest)
  const { count: before } = await line.hear('The first one says where they stand.', 'unread-count', unread)
  await tell(
    '… and hands it in. First the leader decides, then an administrator.',
    () => clerk.submitApproval({ id: request.id }, { idempotencyKey: `paint-${run}` }),
    200,
    standsAt('PENDING 1'),
  )
  await line.hear('The leader hears of it on the open line,', 'notification', ({ notification }) => {
    const { type, resourceId, title } = notification
    hold(type === 'APPROVAL_PENDING' && resourceId === request.id, 'the request that waits')
    return title
  })
  await line.hear('… with the new count behind it.', 'unread-count', (told) => {
    hold(told.count === before + 1, `${before + 1} unread, not ${told.count}`)
    return unread(told)
  })
  await decisions(trip, { admin, leader: guest, clerk }, request)
  await whatBecameOfIt(trip, clerk, request)
  await tell(
    'One is read in another tab,',
    () => guest.markAllNotificationsRead(),
    200,
    () => 'all of them, in fact',
  )
  await line.hear('… and the open line hears that too.', 'unread-count', (told) => {
    hold(told.count === 0, `none unread, not ${told.count}`)
    return unread(told)
  })
  line.hangUp()
  return { clerk, request }
}

/** Its leader, a third person in it, and a part of it. */
async function aDepartment({ tell, signIn, run, password }: Trip, admin: Atrium, leaderId: number) {
  const username = `clerk.${run}`
  const { id: userId } = await tell(
    'The administrator makes an account for a third person,',
    () => admin.createUser({ body: { username, nickname: 'Clerk', password } }),
    201,
    (user) => `user ${user.id}, role ${user.roles}`,
  )
  const clerk = await signIn('… who signs in.', { username, password })
  const code = run.toUpperCase()
  const { id } = await tell(
    'A department is made, and the second person leads it.',
    () => admin.createDepartment({ body: { name: `River bank ${run}`, code: `RIVER-${code}`, leaderId } }),
    201,
    (made) => `department ${made.id}, ${made.memberCount} member`,
  )
  await tell(
    'A part of it is made below,',
    () => admin.createDepartment({ body: { name: 'Paint', code: `PAINT-${code}`, parentId: id } }),
    201,
    (made) => `department ${made.id} below ${made.parentId}`,
  )
  await tell(
    '… and the third person gets a place.',
    () => admin.assignDepartmentMember({ id, userId }),
    200,
    () => 'a member',
  )
  await tell(
    'The tree, from there on:',
    () => admin.listDepartments(),
    200,
    (tree) => {
      const here = tree.find((node) => node.id === id)
      hold(here?.memberCount === 2 && here.children.length === 1, 'two members and one department below')
      return treeOf(here).join('\n')
    },
  )
  return { clerk, departmentId: id }
}

/** First the leader, then the administrator, and nobody out of turn. */
async function decisions(
  { tell, refused }: Trip,
  { admin, leader, clerk }: Record<'admin' | 'leader' | 'clerk', Atrium>,
  { id }: Approval,
) {
  await refused('Nobody decides for themselves,', () => clerk.approveApproval({ id }), [403, 'NOT_CURRENT_APPROVER'])
  await refused('… nor an administrator before it is their turn.', () => admin.approveApproval({ id }), [
    403,
    'NOT_CURRENT_APPROVER',
  ])
  await tell(
    'The leader agrees,',
    () => leader.approveApproval({ id, body: { comment: 'Green it is.' } }),
    200,
    standsAt('PENDING 2'),
  )
  await tell(
    '… and so does the administrator.',
    () => admin.approveApproval({ id, body: { comment: 'Keep the receipt.' } }),
    200,
    standsAt('APPROVED 2'),
  )
  await refused(
    'What is decided is decided.',
    () => admin.rejectApproval({ id }),
    [409, 'ILLEGAL_TRANSITION'],
    ({ details: [move] }) => {
      hold(move?.path === 'status' && move.allowed.length === 0, 'no move left')
      return `${move.from} → ${move.action} is no move`
    },
  )
}

async function whatBecameOfIt({ tell }: Trip, clerk: Atrium, { id }: Approval) {
  await tell(
    'The applicant reads both signatures,',
    () => clerk.getApproval({ id }),
    200,
    ({ steps }) => {
      hold(steps.length === 2 && steps.every(({ status }) => status === 'APPROVED'), 'two approvals')
      return steps
        .map((step) => `${step.stepOrder}. ${step.approverType.padEnd(20)}${step.status}  “${step.comment}”`)
        .join('\n')
    },
  )
  await tell(
    '… and was told.',
    () => clerk.listNotifications({ pageSize: 1 }),
    200,
    ([latest]) => {
      hold(latest?.type === 'APPROVAL_APPROVED', 'the news of the approval')
      return `${latest.type}: ${latest.title}`
    },
  )
}

/** A file: as a whole, in part, and not again. */
export async function aFile({ chapter, tell, refused }: Trip, clerk: Atrium, guest: Atrium) {
  chapter('A file')
  const text = 'Bench, green.\nTwo tins of paint, one brush.\nLet it dry for a day.\n'
  const file = await tell(
    'A list is uploaded.',
    () => clerk.uploadFile({ body: { file: new File([text], 'To do at the river.txt') } }),
    201,
    (made) => {
      hold(made.size === text.length && made.contentType.startsWith('text/plain'), 'a text of that length')
      return `${made.originalName}, ${made.size} bytes, sha256 ${made.sha256.slice(0, 12)}…`
    },
  )
  const address = addressOf(file)
  const download = (headers?: Record<string, string>) => () => guest.downloadFile(address, { headers })
  await tell('It comes back as it was sent,', download(), 200, async (answer) => {
    hold((await answer.text()) === text, 'the very text')
    return `${answer.headers.get('content-type')}; ${answer.headers.get('content-disposition')}`
  })
  await tell('… in part,', download({ Range: 'bytes=0-12' }), 206, async (answer) => {
    const part = await answer.text()
    hold(part === 'Bench, green.', 'the first thirteen bytes')
    return `${answer.headers.get('content-range')}: “${part}”`
  })
  await tell(
    '… or not at all, where it is known already.',
    download({ 'If-None-Match': `"${file.sha256}"` }),
    304,
    ({ headers }) => `ETag ${headers.get('etag')!.slice(0, 13)}…"`,
  )
  await refused(
    'A page with a script is no picture, whatever its name says.',
    () => clerk.uploadFile({ body: { file: new File(['<script>alert(1)</script>'], 'holiday.png') } }),
    [415, 'UNSUPPORTED_MEDIA_TYPE'],
  )
  return { address }
}

function standsAt(stand: string) {
  return (request: Approval): string => {
    hold(`${request.status} ${request.currentStep}` === stand, `a request that is ${stand}`)
    return `request ${request.id}: ${request.status}, step ${request.currentStep}`
  }
}

/** One department a line, indented below the one it belongs to. */
function treeOf({ name, memberCount, children }: Department, indent = ''): string[] {
  const below = children.flatMap((child) => treeOf(child, `${indent}  `))
  return [`${indent}${name}, ${memberCount} ${memberCount === 1 ? 'member' : 'members'}`, ...below]
}

function unread({ count }: { count: number }): string {
  return `${count} unread`
}
