import { type Caller, refusal, type Trip } from './tour-callers.ts'
import { hold } from './tour-guide.ts'

/** A department, a request, its two signatures, and the line on which they are heard of. */
export async function twoSignatures(trip: Trip, admin: Caller, guest: Caller, guestId: number) {
  const { chapter, tell, listen, run, password } = trip
  chapter('A request and its two signatures')
  const clerkName = `clerk.${run}`
  const { id: clerkId } = await tell(
    'The administrator makes an account for a third person,',
    admin.post('/users', { username: clerkName, nickname: 'Clerk', password }),
    201,
    (user) => `user ${user.id}, role ${user.roles}`,
  )
  const clerk = await trip.signIn('… who signs in.', { username: clerkName, password })
  const department = await tell(
    'A department is made, and the second person leads it.',
    admin.post('/departments', { name: `River bank ${run}`, code: `RIVER-${run.toUpperCase()}`, leaderId: guestId }),
    201,
    (made) => `department ${made.id}, ${made.memberCount} member`,
  )
  await tell(
    'A part of it is made below,',
    admin.post('/departments', { name: 'Paint', code: `PAINT-${run.toUpperCase()}`, parentId: department.id }),
    201,
    (made) => `department ${made.id} below ${made.parentId}`,
  )
  await tell(
    '… and the third person gets a place.',
    admin.put(`/departments/${department.id}/members/${clerkId}`),
    200,
    () => 'a member',
  )
  await tell('The tree, from there on:', admin.get('/departments'), 200, (tree) => {
    const here = tree.find((node: any) => node.id === department.id)
    hold(here?.memberCount === 2 && here.children.length === 1, 'two members and one department below')
    return treeOf(here).join('\n')
  })
  const paint = {
    type: 'purchase',
    title: 'Green paint, two tins',
    departmentId: department.id,
    payload: '{"amount":38}',
  }
  const request = await tell(
    'The third person drafts a request,',
    clerk.post('/approvals', paint),
    201,
    standsAt('DRAFT 0'),
  )
  const line = await listen(
    'The leader leaves a line open: events arrive on it as they happen.',
    guest.get('/notifications/stream'),
  )
  const { count: before } = await line.hear('The first one says where they stand.', 'unread-count', unread)
  await tell(
    '… and hands it in. First the leader decides, then an administrator.',
    clerk.post(`/approvals/${request.id}/submit`, undefined, { 'Idempotency-Key': `paint-${run}` }),
    200,
    standsAt('PENDING 1'),
  )
  await line.hear('The leader hears of it on the open line,', 'notification', ({ type, title, resourceId }) => {
    hold(type === 'APPROVAL_PENDING' && resourceId === request.id, 'the request that waits')
    return title
  })
  await line.hear('… with the new count behind it.', 'unread-count', (told) => {
    hold(told.count === before + 1, `${before + 1} unread, not ${told.count}`)
    return unread(told)
  })
  const decide = (by: Caller, verdict: 'approve' | 'reject', comment?: string) =>
    by.post(`/approvals/${request.id}/${verdict}`, comment && { comment })
  await tell('Nobody decides for themselves,', decide(clerk, 'approve'), [403, 'NOT_CURRENT_APPROVER'], refusal)
  await tell(
    '… nor an administrator before it is their turn.',
    decide(admin, 'approve'),
    [403, 'NOT_CURRENT_APPROVER'],
    refusal,
  )
  await tell('The leader agrees,', decide(guest, 'approve', 'Green it is.'), 200, standsAt('PENDING 2'))
  await tell(
    '… and so does the administrator.',
    decide(admin, 'approve', 'Keep the receipt.'),
    200,
    standsAt('APPROVED 2'),
  )
  await tell(
    'What is decided is decided.',
    decide(admin, 'reject'),
    [409, 'ILLEGAL_TRANSITION'],
    ({ details: [move] }) => {
      hold(move.allowed.length === 0, 'no move left')
      return `${move.from} → ${move.action} is no move`
    },
  )
  await tell('The applicant reads both signatures,', clerk.get(`/approvals/${request.id}`), 200, ({ steps }) => {
    hold(steps.length === 2 && steps.every(({ status }: any) => status === 'APPROVED'), 'two approvals')
    return steps
      .map((step: any) => `${step.stepOrder}. ${step.approverType.padEnd(20)}${step.status}  “${step.comment}”`)
      .join('\n')
  })
  await tell('… and was told.', clerk.get('/notifications?pageSize=1'), 200, ([latest]) => {
    hold(latest?.type === 'APPROVAL_APPROVED', 'the news of the approval')
    return `${latest.type}: ${latest.title}`
  })
  await tell('One is read in another tab,', guest.put('/notifications/read-all'), 200, () => 'all of them, in fact')
  await line.hear('… and the open line hears that too.', 'unread-count', (told) => {
    hold(told.count === 0, `none unread, not ${told.count}`)
    return unread(told)
  })
  line.hangUp()
  return { clerk, request }
}

/** A file: as a whole, in part, and not again. */
export async function aFile(trip: Trip, clerk: Caller, guest: Caller) {
  const { chapter, tell } = trip
  chapter('A file')
  const text = 'Bench, green.\nTwo tins of paint, one brush.\nLet it dry for a day.\n'
  const file = await tell(
    'A list is uploaded.',
    clerk.upload('/files', new File([text], 'To do at the river.txt')),
    201,
    (made) => {
      hold(made.size === text.length && made.contentType.startsWith('text/plain'), 'a text of that length')
      return `${made.originalName}, ${made.size} bytes, sha256 ${made.sha256.slice(0, 12)}…`
    },
  )
  const address = file.url.replace('/api/v1', '')
  await tell('It comes back as it was sent,', guest.get(address), 200, (told, { headers }) => {
    hold(told === text, 'the very text')
    return `${headers.get('content-type')}; ${headers.get('content-disposition')}`
  })
  await tell('… in part,', guest.get(address, { Range: 'bytes=0-12' }), 206, (told, { headers }) => {
    hold(told === 'Bench, green.', 'the first thirteen bytes')
    return `${headers.get('content-range')}: “${told}”`
  })
  await tell(
    '… or not at all, where it is known already.',
    guest.get(address, { 'If-None-Match': `"${file.sha256}"` }),
    304,
    (_, { headers }) => `ETag ${headers.get('etag')!.slice(0, 13)}…"`,
  )
  await tell(
    'A page with a script is no picture, whatever its name says.',
    clerk.upload('/files', new File(['<script>alert(1)</script>'], 'holiday.png')),
    [415, 'UNSUPPORTED_MEDIA_TYPE'],
    refusal,
  )
  return { address: address as string }
}

function standsAt(stand: string) {
  return (request: { id: number; status: string; currentStep: number }): string => {
    hold(`${request.status} ${request.currentStep}` === stand, `a request that is ${stand}`)
    return `request ${request.id}: ${request.status}, step ${request.currentStep}`
  }
}

/** One department a line, indented below the one it belongs to. */
function treeOf({ name, memberCount, children }: any, indent = ''): string[] {
  const below = children.flatMap((child: any) => treeOf(child, `${indent}  `))
  return [`${indent}${name}, ${memberCount} ${memberCount === 1 ? 'member' : 'members'}`, ...below]
}

function unread({ count }: { count: number }): string {
  return `${count} unread`
}
