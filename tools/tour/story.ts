import {
  type Atrium,
  addressOf,
  createClient,
  type Department,
  inMemory,
  type Me,
  type Options,
  type PortalSection,
  type TaskActivity,
} from '../../client/index.ts'
import { expect, type openGuide } from './guide.ts'
import type { Wire } from './wire.ts'

/** The story of the tour: a bench by a river, call by call. A call states its answer, or how it is refused. */
export async function tellStory(baseUrl: string, wire: Wire, guide: ReturnType<typeof openGuide>): Promise<void> {
  const { chapter, tell, refused, listen } = guide
  /** Makes names differ from those of other runs. */
  const run = Date.now().toString(36)
  const password = 'a bench by the river'
  const clientOf = (options: Partial<Options> = {}) =>
    createClient({ baseUrl, ...options, fetch: wire.fetchFor(options.tenant) })
  const visitor = (tenant?: string) => clientOf({ tenant })
  async function signIn(sentence: string, username: string, secret = password, options: Partial<Options> = {}) {
    const person = clientOf(options)
    await tell(sentence, () => person.signIn({ username, password: secret }), 200, whoIs)
    return person
  }

  chapter('Who is there?')
  const session = inMemory()
  const secret = process.env.ADMIN_PASSWORD || 'admin123'
  const who = 'The administrator signs in. The token says who; what they may do is looked up for each request.'
  const admin = await signIn(who, 'admin', secret, { session })
  session.save({ ...session.load()!, accessToken: 'run out' })
  const exchanged = 'A token that has run out is exchanged, and nobody notices.'
  await tell(exchanged, () => admin.getMe(), 200, { username: 'admin', tenantId: 1 })

  chapter('A project, made once')
  const idempotencyKey = `tour-${run}`
  const draft = { name: 'A bench by the river', code: `TOUR-${run.toUpperCase()}` }
  const create = () => admin.createProject({ body: draft }, { idempotencyKey })
  const once = 'A project is made. The Idempotency-Key says: once, whatever happens to the line.'
  const project = await tell(once, create, 201, { status: 'ACTIVE', version: 0 })
  const { id: projectId } = project
  await refused('The click was doubled.', create, [409, 'IDEMPOTENCY_KEY_REUSED'])
  const keyless = () => admin.createProject({ body: draft }, { idempotencyKey: '' })
  await refused('The key was forgotten.', keyless, [400, 'IDEMPOTENCY_KEY_REQUIRED'])

  chapter('The life of a task')
  const find = { title: 'Find out who owns the river bank', priority: 'HIGH' } as const
  const made = () => admin.createTask({ id: projectId, body: find })
  const task = await tell('A task is made.', made, 201, { status: 'TODO', version: 0 })
  const change = (body: Parameters<Atrium['updateTask']>[0]['body']) => () => admin.updateTask({ id: task.id, body })
  const hurry = 'Somebody is in a hurry. The refusal names the moves that are legal.'
  await refused(
    hurry,
    change({ version: 0, status: 'DONE' }),
    [409, 'ILLEGAL_TRANSITION'],
    ([{ from, to, allowed }]) => {
      expect(String(allowed) === 'IN_PROGRESS,CANCELLED', 'two legal moves')
      return `${from} → ${to} is no move; allowed: ${allowed.join(', ')}`
    },
  )
  const begun = { status: 'IN_PROGRESS', version: 1 } as const
  await tell('Step by step, then.', change({ version: 0, status: 'IN_PROGRESS' }), 200, begun)
  const late = 'A colleague still looks at version 0, and overwrites nothing.'
  await refused(
    late,
    change({ version: 0, title: 'Ask the mayor' }),
    [409, 'VERSION_CONFLICT'],
    ([{ expected, actual }]) => {
      expect(expected === 0 && actual === 1, 'version 0 against 1')
      return `sent version ${expected}, stored version ${actual}`
    },
  )
  await tell('The task is done.', change({ version: 1, status: 'DONE' }), 200, { status: 'DONE', version: 2 })
  await refused('Done is done.', change({ version: 2, status: 'TODO' }), [409, 'TASK_FINISHED'])

  chapter('Two people')
  const username = `tour.${run}`
  const register = () => visitor().register({ body: { username, email: `${username}@example.com`, password } })
  const { id: guestId } = await tell('Somebody registers.', register, 201, { roles: ['user'] })
  const guest = await signIn('They sign in.', username)
  const peek = () => guest.getProject({ id: projectId })
  await refused('A project that one is no member of does not exist.', peek, [404, 'NOT_FOUND'])
  await tell('The administrator adds them.', () => admin.addProjectMember({ id: projectId, userId: guestId }), 200, {})
  const wood = () => admin.createTask({ id: projectId, body: { title: 'Choose the wood', dueDate: '2027-03-01' } })
  const errand = await tell('A second task,', wood, 201, { status: 'TODO', version: 0 })
  const given = () => admin.updateTask({ id: errand.id, body: { version: 0, assigneeId: guestId } })
  await tell('… is given to them.', given, 200, { assigneeId: guestId, version: 1 })
  await tell('They have been told of both.', () => guest.countUnreadNotifications(), 200, { count: 2 })
  const [newest] = await tell(
    'What is new?',
    () => guest.listNotifications(),
    200,
    (inbox) => lines(inbox, ({ type, title }) => `${type.padEnd(22)}${title}`),
  )
  await tell('One is read.', () => guest.markNotificationRead({ id: newest!.id }), 200, { read: true })
  const oak = () => guest.addTaskComment({ id: errand.id, body: { content: 'Oak. It will outlive the river.' } })
  await tell('They answer,', oak, 201, { taskId: errand.id })
  const heard = '… and whoever made the task hears of it.'
  await tell(
    heard,
    () => admin.listNotifications({ pageSize: 1 }),
    200,
    ([latest]) => {
      expect(latest?.resourceId === errand.id, 'a notification about the task')
      return `${latest.type}: “${latest.content}”`
    },
  )
  const history = () => Array.fromAsync(admin.each.listTaskActivities({ id: errand.id }))
  await tell('Everything that happened, newest first:', history, 200, (activities) => {
    expect(activities.length === 3, `3 activities, not ${activities.length}`)
    return lines(activities, lineOfHistory)
  })

  chapter('My work')
  const mine = () => guest.listAllTasks({ assigneeId: 'me', status: 'TODO,IN_PROGRESS,BLOCKED', sort: 'dueDate' })
  await tell('What they have to do, over all projects, by due date:', mine, 200, (tasks) => {
    expect(tasks.length === 1 && tasks[0]!.id === errand.id, 'the task that they were given')
    return lines(tasks, ({ title, dueDate }) => `${dueDate}  ${title}`)
  })
  await tell('Who works beside them?', () => guest.listProjectMembers({ id: projectId }), 200, { length: 2 })
  const subscribe = 'An address for their calendar program, which is shown once.'
  await tell(
    subscribe,
    () => guest.createCalendarKey(),
    201,
    ({ url }) => {
      expect(url.endsWith('.ics'), 'an address of a calendar')
      return `${url.slice(0, -20)}…`
    },
  )
  await tell('It is revoked again.', () => guest.removeCalendarKey(), 200, {})

  chapter('An invitation')
  const invited = { email: `painter.${run}@example.com`, note: 'Bring a brush.' }
  const sent = await tell(
    'A person is invited.',
    () => admin.createInvitation({ body: invited }),
    201,
    (invitation) => {
      expect(invitation.status === 'pending', 'an invitation that waits')
      return `the link is also in the mail: ${invitation.acceptUrl.slice(0, -36)}…`
    },
  )
  const again = () => admin.createInvitation({ body: invited })
  await refused('One is enough.', again, [409, 'INVITATION_PENDING'])
  const token = sent.acceptUrl.split('#token=')[1]!
  const preview = () => visitor().previewInvitation({ body: { token } })
  await tell('The page of the link asks what it is about,', preview, 200, { email: invited.email })
  const acceptance = { token, username: `painter.${run}`, nickname: 'Painter', password }
  const accept = () => visitor().acceptInvitation({ body: acceptance })
  await tell('… and makes the account.', accept, 201, { tokenType: 'Bearer' })
  await refused('A link works once.', accept, [404, 'INVITATION_NOT_FOUND'])

  chapter('A request and its two signatures')
  const third = { username: `clerk.${run}`, nickname: 'Clerk', password }
  const account = 'The administrator makes an account for a third person,'
  const { id: userId } = await tell(account, () => admin.createUser({ body: third }), 201, { roles: ['user'] })
  const clerk = await signIn('… who signs in.', third.username)
  const code = run.toUpperCase()
  const bank = { name: `River bank ${run}`, code: `RIVER-${code}`, leaderId: guestId }
  const led = 'A department is made, and the second person leads it.'
  const { id: departmentId } = await tell(led, () => admin.createDepartment({ body: bank }), 201, { memberCount: 1 })
  const part = { name: 'Paint', code: `PAINT-${code}`, parentId: departmentId }
  await tell('A part of it is made below,', () => admin.createDepartment({ body: part }), 201, {
    parentId: departmentId,
  })
  const place = () => admin.assignDepartmentMember({ id: departmentId, userId })
  await tell('… and the third person gets a place.', place, 200, {})
  await tell(
    'The tree, from there on:',
    () => admin.listDepartments(),
    200,
    (tree) => {
      const here = tree.find((node) => node.id === departmentId)
      expect(here?.memberCount === 2 && here.children.length === 1, 'two members and one department below')
      return treeOf(here).join('\n')
    },
  )
  const paint = { type: 'purchase', title: 'Green paint, two tins', departmentId, payload: '{"amount":38}' }
  const drafted = { status: 'DRAFT', currentStep: 0 } as const
  const request = await tell(
    'The third person drafts a request,',
    () => clerk.createApproval({ body: paint }),
    201,
    drafted,
  )
  const { id } = request
  const stream = await listen('The leader keeps a stream open: events arrive on it as they happen.', guest)
  const { count: before } = await stream.until('The first one says where they stand.', 'unread-count', unread)
  const submit = () => clerk.submitApproval({ id }, { idempotencyKey: `paint-${run}` })
  const first = { status: 'PENDING', currentStep: 1 } as const
  await tell('… and hands it in. First the leader decides, then an administrator.', submit, 200, first)
  await stream.until('The leader hears of it on the open stream,', 'notification', ({ notification }) => {
    const { type, resourceId, title } = notification
    expect(type === 'APPROVAL_PENDING' && resourceId === id, 'the request that waits')
    return title
  })
  await stream.until('… with the new count behind it.', 'unread-count', (event) => {
    expect(event.count === before + 1, `${before + 1} unread, not ${event.count}`)
    return unread(event)
  })
  const outOfTurn = [403, 'NOT_CURRENT_APPROVER'] as const
  await refused('Nobody decides for themselves,', () => clerk.approveApproval({ id }), outOfTurn)
  await refused('… nor an administrator before it is their turn.', () => admin.approveApproval({ id }), outOfTurn)
  const green = () => guest.approveApproval({ id, body: { comment: 'Green it is.' } })
  await tell('The leader agrees,', green, 200, { status: 'PENDING', currentStep: 2 })
  const receipt = () => admin.approveApproval({ id, body: { comment: 'Keep the receipt.' } })
  await tell('… and so does the administrator.', receipt, 200, { status: 'APPROVED', currentStep: 2 })
  await refused(
    'What is decided is decided.',
    () => admin.rejectApproval({ id }),
    [409, 'ILLEGAL_TRANSITION'],
    ([move]) => {
      expect(move.allowed.length === 0, 'no move left')
      return `${move.from} → ${move.action} is no move`
    },
  )
  await tell(
    'The applicant reads both signatures,',
    () => clerk.getApproval({ id }),
    200,
    ({ steps }) => {
      expect(steps.length === 2 && steps.every(({ status }) => status === 'APPROVED'), 'two approvals')
      return lines(
        steps,
        (step) => `${step.stepOrder}. ${step.approverType.padEnd(20)}${step.status}  “${step.comment}”`,
      )
    },
  )
  await tell(
    '… and was told.',
    () => clerk.listNotifications({ pageSize: 1 }),
    200,
    ([latest]) => {
      expect(latest?.type === 'APPROVAL_APPROVED', 'a notification of the approval')
      return `${latest.type}: ${latest.title}`
    },
  )
  await tell(
    'All are read in another tab,',
    () => guest.markAllNotificationsRead(),
    200,
    () => 'done',
  )
  await stream.until('… and the open stream says so too.', 'unread-count', (event) => {
    expect(event.count === 0, `none unread, not ${event.count}`)
    return unread(event)
  })
  stream.close()

  chapter('A file')
  const text = 'Bench, green.\nTwo tins of paint, one brush.\nLet it dry for a day.\n'
  const upload = (content: string, name: string) => () =>
    clerk.uploadFile({ body: { file: new File([content], name) } })
  const file = await tell('A list is uploaded.', upload(text, 'To do at the river.txt'), 201, { size: text.length })
  const address = addressOf(file)
  const download = (headers?: Record<string, string>) => () => admin.downloadFile(address, { headers })
  await tell('It comes back as it was sent,', download(), 200, async (answer) => {
    expect((await answer.text()) === text, 'the very text')
    return `${answer.headers.get('content-type')}; ${answer.headers.get('content-disposition')}`
  })
  await tell('… in part,', download({ Range: 'bytes=0-12' }), 206, async (answer) => {
    const part = await answer.text()
    expect(part === 'Bench, green.', 'the first thirteen bytes')
    return `${answer.headers.get('content-range')}: “${part}”`
  })
  const known = download({ 'If-None-Match': `"${file.sha256}"` })
  await tell(
    '… or not at all, where it is known already.',
    known,
    304,
    ({ headers }) => `ETag ${headers.get('etag')!.slice(0, 13)}…"`,
  )
  const script = upload('<script>alert(1)</script>', 'holiday.png')
  await refused('A page with a script is no picture, whatever its name says.', script, [415, 'UNSUPPORTED_MEDIA_TYPE'])
  const guess = () => guest.downloadFile(address)
  await refused('Strangers who registered themselves see no files,', guess, [404, 'NOT_FOUND'])
  const joins = () => admin.addProjectMember({ id: projectId, userId })
  await tell('… but once the clerk has joined the project', joins, 200, {})
  const onTask = { resourceType: 'task', resourceId: errand.id } as const
  await tell('… and attached it to the task,', () => clerk.attachFile({ ...address, body: onTask }), 200, onTask)
  await tell('… those who see the task see its files.', () => guest.listFiles(onTask), 200, { length: 1 })
  const use = () => clerk.deleteFile(address)
  await refused('What is in use is not deleted.', use, [409, 'FILE_IN_USE'])

  chapter('Two tenants')
  const tenant = `tour-${run}`
  const across = {
    name: 'Across the river',
    code: tenant,
    plan: 'tour',
    adminUsername: 'admin',
    adminPassword: password,
  }
  const found = 'The system administrator makes a tenant: organization, roles and administrator in one transaction.'
  await tell(found, () => admin.createTenant({ body: { ...across, adminEmail: 'admin@example.com' } }), 201, {
    status: 'active',
  })
  const neighbour = await signIn('Its administrator signs in.', 'admin', password, { tenant })
  const knock = (sentence: string, call: () => Promise<unknown>) => refused(sentence, call, [404, 'NOT_FOUND'])
  await knock('… and knocks at the project next door,', () => neighbour.getProject({ id: projectId }))
  const foreign = await knock('at its task,', () => neighbour.getTask({ id: task.id }))
  await knock('at its request,', () => neighbour.getApproval({ id: request.id }))
  await knock('at its file,', () => neighbour.downloadFile(address))
  await knock('with a change,', () => neighbour.updateTask({ id: errand.id, body: { version: 1, title: 'Ours' } }))
  const named = { headers: { 'X-Tenant-Code': 'default' } }
  await knock('with the name of the other tenant,', () => neighbour.getTask({ id: task.id }, named))
  const never = await knock('… and at a task that never was.', () => neighbour.getTask({ id: 999_999_999_999 }))
  const words = ({ status, type, message, details }: typeof never) => JSON.stringify({ status, type, message, details })
  expect(words(never) === words(foreign), 'the same answer, word for word')

  chapter('Two portals')
  const bench = { title: 'Another bench', description: 'With a view of the first one.' }
  const body = { highlights: [bench], stats: [{ label: 'Benches', value: '1' }], testimonials: [] }
  const write = () => neighbour.replacePortalSection({ section: 'home', body })
  await tell('The neighbour writes a page of their own.', write, 200, firstHighlight)
  const page = (mine: boolean) => (home: PortalSection) => {
    expect((firstHighlight(home) === `“${bench.title}”`) === mine, mine ? 'the page just written' : 'another page')
    return firstHighlight(home)
  }
  await tell('Anybody reads it, who names the tenant,', () => visitor(tenant).getPublicHome(), 200, page(true))
  await tell('… and at the same address, unnamed, the other one.', () => visitor().getPublicHome(), 200, page(false))
  await refused('A tenant that never was.', () => visitor('nowhere-at-all').getPublicHome(), [404, 'TENANT_NOT_FOUND'])

  chapter('A blog')
  const sitting = { title: 'How to sit', content: ['Down, and slowly.'], tags: ['benches'] }
  const post = await tell('An article is drafted,', () => neighbour.createArticle({ body: sitting }), 201, {
    status: 'draft',
  })
  const reader = visitor(tenant)
  const read = () => reader.getBlogPost({ id: post.id })
  await refused('… which nobody sees yet,', read, [404, 'NOT_FOUND'])
  const publish = () => neighbour.updateArticle({ id: post.id, body: { status: 'published' } })
  await tell('… until it is published.', publish, 200, { status: 'published' })
  await tell('Now anybody reads it,', read, 200, { title: 'How to sit' })
  const elsewhere = () => visitor().getBlogPost({ id: post.id })
  await refused('… but on the pages of the other tenant it is not.', elsewhere, [404, 'NOT_FOUND'])
  const comment = () => neighbour.addBlogComment({ id: post.id, body: { content: 'Mind the paint.' } })
  const { id: commentId } = await tell('Who is signed in has something to say.', comment, 201, {
    content: 'Mind the paint.',
  })
  const comments = () => reader.listBlogComments({ id: post.id })
  await tell('Everybody reads it,', comments, 200, { length: 1 })
  const hide = () => neighbour.moderateBlogComment({ id: commentId, body: { status: 'hidden' } })
  await tell('… until it is hidden.', hide, 200, { status: 'hidden' })
  await tell('Gone.', comments, 200, { length: 0 })

  chapter('An order')
  const examples = await neighbour.listPublicPlans()
  const price = () => neighbour.replacePortalSection({ section: 'pricing', body: examples })
  await tell('The neighbour takes the example prices over as their own.', price, 200, { length: examples.length })
  const plans = await tell(
    'What does it cost?',
    () => reader.listPublicPlans(),
    200,
    (plans) =>
      lines(plans, (plan) => `${String(plan.id).padEnd(4)}${plan.name.padEnd(12)}${plan.price} ${plan.period}`),
  )
  const plan = plans.find(({ amountCents }) => amountCents !== null && amountCents > 0)!
  const buy = (planId: number) => () =>
    neighbour.checkout(
      // @ts-expect-error what it costs is not for the buyer to say
      { body: { amountCents: 1, planId, channel: 'card' } },
      { idempotencyKey: `order-${run}-${planId}` },
    )
  const priced = { amountCents: plan.amountCents!, status: 'pending' } as const
  const order = await tell('The neighbour orders, at the price of the plan.', buy(plan.id), 201, priced)
  const { orderNo } = order
  await tell('The order can be looked up by its number,', () => neighbour.getOrder({ orderNo }), 200, { id: order.id })
  await refused('… by its buyer alone.', () => guest.getOrder({ orderNo }), [404, 'NOT_FOUND'])
  const free = plans.find(({ amountCents }) => amountCents === 0)
  if (free) await refused('What is free cannot be bought.', buy(free.id), [400, 'PLAN_NOT_PAYABLE'])

  chapter('Refusals that help')
  await refused('Nobody in particular asks.', () => visitor().listProjects(), [401, 'UNAUTHENTICATED'])
  const mistakes = { title: ' ', priority: 'SOON', dueDate: '2027-02-30', assigneeId: -1 }
  const mistaken = () => admin.createTask({ id: projectId, body: mistakes as object as { title: string } })
  const four = 'A form with four mistakes gets four answers, not the first one.'
  await refused(four, mistaken, [400, 'VALIDATION_FAILED'], (details) => {
    expect(details.length === 4, `4 violations, not ${details.length}`)
    return lines(details, ({ path, message }) => `${path.padEnd(16)}${message}`)
  })
  await refused('A right that one does not have.', () => guest.listTenants(), [403, 'PERMISSION_DENIED'])
  await tell(
    'Other systems read what has happened from the event log, oldest first.',
    () => admin.listEvents({ types: 'task.created', limit: 3 }),
    200,
    (events) => {
      expect(events.length > 0, 'an event of a new task')
      return lines(events, ({ id, type, subject }) => `${id}  ${type}  ${subject.type} ${subject.id}`)
    },
  )
  const trail = 'The audit trail knows what the second person did, refusals included.'
  await tell(
    trail,
    () => admin.listAuditOperations({ userId: guestId }),
    200,
    (operations) => {
      expect(
        operations.some(({ status }) => status === 403),
        'the refusal in the trail',
      )
      return lines(operations, ({ status, method, path }) => `${status}  ${method.padEnd(5)} ${path}`)
    },
  )

  chapter('The end')
  const archive = () => admin.archiveProject({ id: projectId, version: project.version })
  await tell('The bench stands. The project is archived,', archive, 200, { status: 'ARCHIVED', version: 1 })
  const more = () => admin.createTask({ id: projectId, body: { title: 'Paint it' } })
  await refused('… and takes no more work.', more, [409, 'PROJECT_ARCHIVED'])
  const { accessToken, refreshToken } = session.load()!
  await tell(
    'Signing out',
    () => admin.signOut(),
    200,
    () => 'the session has ended',
  )
  const stolen = { headers: { authorization: `Bearer ${accessToken}` } }
  const copied = '… is at once: a copy of the token opens nothing any more,'
  await refused(copied, () => visitor().getMe({}, stolen), [401, 'UNAUTHENTICATED'])
  const renew = () => visitor().refreshSession({ body: { refreshToken } })
  await refused('… and cannot be renewed.', renew, [401, 'INVALID_REFRESH_TOKEN'])
}

function whoIs({ username, tenantId, roles, permissions }: Me): string {
  return `${username} of tenant ${tenantId}, role ${roles}, ${permissions.length} permissions`
}

function lines<Item>(items: readonly Item[], line: (item: Item) => string): string {
  return items.map(line).join('\n') || 'none'
}

function lineOfHistory({ action, fieldName, oldValue, newValue, createdAt }: TaskActivity): string {
  const change = fieldName ? `${fieldName}: ${oldValue ?? '–'} → ${newValue ?? '–'}` : newValue
  return `${createdAt.slice(11, 19)}  ${action.padEnd(16)}${change}`
}

/** One department a line, indented below the one it belongs to. */
function treeOf({ name, memberCount, children }: Department, indent = ''): string[] {
  const below = children.flatMap((child) => treeOf(child, `${indent}  `))
  return [`${indent}${name}, ${memberCount} ${memberCount === 1 ? 'member' : 'members'}`, ...below]
}

function unread({ count }: { count: number }): string {
  return `${count} unread`
}

function firstHighlight(page: PortalSection): string {
  const [first] = 'highlights' in page ? page.highlights : []
  return first ? `“${first.title}”` : 'an empty page'
}
