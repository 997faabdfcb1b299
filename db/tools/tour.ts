import { parseArgs, styleText } from 'node:util'
import { type Call, hold, NobodyThere, openGuide, Surprise } from './tour-guide.ts'

/**
 * `npm run tour [-- --url http://localhost:8080]`: walks through a running service as a client would, and prints what is
 * sent and what comes back. It can be run again and again; each run leaves a project, a person and a tenant of its own.
 */
const { values } = parseArgs({
  options: { url: { type: 'string', default: `http://localhost:${process.env.PORT || 8080}` } },
})
const base = values.url.replace(/\/+$/, '')
const run = Date.now().toString(36)
const guide = openGuide(base)
const { chapter, tell } = guide

async function tour() {
  chapter('Who is there?')
  const admin = await signIn('The administrator signs in.', {
    username: 'admin',
    password: process.env.ADMIN_PASSWORD || 'admin123',
  })
  await tell(
    'The token says who; what they may do is looked up for each request.',
    admin.get('/auth/me'),
    200,
    (me) => {
      hold(me.username === 'admin' && me.tenantId === 1, 'admin of tenant 1')
      return `${me.username} of tenant ${me.tenantId}, role ${me.roles}, ${me.permissions.length} permissions`
    },
  )

  chapter('A project, made once')
  const key = { 'Idempotency-Key': `tour-${run}` }
  const draft = { name: 'A bench by the river', code: `TOUR-${run.toUpperCase()}` }
  const project = await tell(
    'A project is made. The Idempotency-Key says: once, whatever happens to the line.',
    admin.post('/projects', draft, key),
    201,
    (made, { headers }) => `${made.status}, version ${made.version}, at ${headers.get('location')}`,
  )
  await tell('The click was doubled.', admin.post('/projects', draft, key), [409, 'IDEMPOTENCY_KEY_REUSED'], refusal)
  await tell('The key was forgotten.', admin.post('/projects', draft), [400, 'IDEMPOTENCY_KEY_REQUIRED'], refusal)

  chapter('The life of a task')
  const task = await tell(
    'A task is made.',
    admin.post(`/projects/${project.id}/tasks`, { title: 'Find out who owns the river bank', priority: 'HIGH' }),
    201,
    stands('TODO', 0),
  )
  const change = (to: object) => admin.put(`/tasks/${task.id}`, to)
  await tell(
    'Somebody is in a hurry. The refusal names the moves that are legal.',
    change({ version: 0, status: 'DONE' }),
    [409, 'ILLEGAL_TRANSITION'],
    ({ details: [move] }) => {
      hold(String(move.allowed) === 'IN_PROGRESS,CANCELLED', 'two legal moves')
      return `${move.from} → ${move.to} is no move; allowed: ${move.allowed.join(', ')}`
    },
  )
  await tell('Step by step, then.', change({ version: 0, status: 'IN_PROGRESS' }), 200, stands('IN_PROGRESS', 1))
  await tell(
    'A colleague still looks at version 0, and overwrites nothing.',
    change({ version: 0, title: 'Ask the mayor' }),
    [409, 'VERSION_CONFLICT'],
    ({ details: [conflict] }) => {
      hold(conflict.expected === 0 && conflict.actual === 1, 'version 0 against 1')
      return `sent version ${conflict.expected}, stored version ${conflict.actual}`
    },
  )
  await tell('The task is done.', change({ version: 1, status: 'DONE' }), 200, stands('DONE', 2))
  await tell('Done is done.', change({ version: 2, status: 'TODO' }), [409, 'TASK_FINISHED'], refusal)

  chapter('Two people')
  const username = `tour.${run}`
  const password = 'a bench by the river'
  const { id: guestId } = await tell(
    'Somebody registers.',
    post('/auth/register', { username, email: `${username}@example.com`, password }),
    201,
    (user) => `user ${user.id}, role ${user.roles}`,
  )
  const guest = await signIn('They sign in.', { username, password })
  await tell(
    'A project that one is no member of does not exist.',
    guest.get(`/projects/${project.id}`),
    [404, 'NOT_FOUND'],
    refusal,
  )
  await tell(
    'The administrator adds them.',
    admin.put(`/projects/${project.id}/members/${guestId}`),
    200,
    () => 'a member',
  )
  const errand = await tell(
    'A second task,',
    admin.post(`/projects/${project.id}/tasks`, { title: 'Choose the wood', dueDate: '2027-03-01' }),
    201,
    stands('TODO', 0),
  )
  await tell(
    '… is given to them.',
    admin.put(`/tasks/${errand.id}`, { version: 0, assigneeId: guestId }),
    200,
    (given) => {
      hold(given.assigneeId === guestId && given.version === 1, `assignee ${guestId} and version 1`)
      return `assignee ${given.assigneeId}, version ${given.version}`
    },
  )
  await tell('They have been told of both.', guest.get('/notifications/unread-count'), 200, ({ count }) => {
    hold(count === 2, `2 unread notifications, not ${count}`)
    return `${count} unread`
  })
  const [news] = await tell('What is new?', guest.get('/notifications'), 200, (inbox) =>
    inbox.map((one: any) => `${one.type.padEnd(22)}${one.title}`).join('\n'),
  )
  await tell('One is read.', guest.put(`/notifications/${news.id}/read`), 200, (read) => `read at ${read.readAt}`)
  await tell(
    'They answer,',
    guest.post(`/tasks/${errand.id}/comments`, { content: 'Oak. It will outlive the river.' }),
    201,
    (comment) => `comment ${comment.id} by ${comment.authorName}`,
  )
  await tell('… and whoever made the task hears of it.', admin.get('/notifications?pageSize=1'), 200, ([latest]) => {
    hold(latest?.resourceId === errand.id, 'a notification about the task')
    return `${latest.type}: “${latest.content}”`
  })
  await tell('Everything that happened, newest first:', admin.get(`/tasks/${errand.id}/activities`), 200, (history) => {
    hold(history.length === 3, `3 activities, not ${history.length}`)
    return history.map(lineOfHistory).join('\n')
  })

  chapter('Two tenants')
  const code = `tour-${run}`
  await tell(
    'The system administrator makes a tenant: organization, roles and administrator in one transaction.',
    admin.post('/tenants', {
      name: 'Across the river',
      code,
      plan: 'tour',
      adminUsername: 'admin',
      adminPassword: password,
      adminEmail: 'admin@example.com',
    }),
    201,
    (tenant) => `tenant ${tenant.id}, ${tenant.status}`,
  )
  const neighbour = await signIn('Its administrator signs in.', { tenantCode: code, username: 'admin', password })
  const doors = [
    ['… and knocks at the project next door,', neighbour.get(`/projects/${project.id}`)],
    ['at its task,', neighbour.get(`/tasks/${task.id}`)],
    ['with a change,', neighbour.put(`/tasks/${errand.id}`, { version: 1, title: 'Ours' })],
    ['with a header that names the other tenant,', neighbour.get(`/tasks/${task.id}`, { 'X-Tenant-Code': 'default' })],
  ] as const
  let foreign = ''
  for (const [sentence, call] of doors)
    await tell(sentence, call, [404, 'NOT_FOUND'], (error, { body }) => {
      foreign = JSON.stringify({ ...body, requestId: '' })
      return refusal(error, { body })
    })
  await tell(
    '… and at a task that never was. The answers are the same, word for word.',
    neighbour.get('/tasks/999999999999'),
    [404, 'NOT_FOUND'],
    (error, { body }) => {
      hold(JSON.stringify({ ...body, requestId: '' }) === foreign, 'the very answer that the foreign task got')
      return refusal(error, { body })
    },
  )

  chapter('Refusals that help')
  await tell('Nobody in particular asks.', get('/projects'), [401, 'UNAUTHENTICATED'], refusal)
  await tell(
    'A form with four mistakes gets four answers, not the first one.',
    admin.post(`/projects/${project.id}/tasks`, {
      title: ' ',
      priority: 'SOON',
      dueDate: '2027-02-30',
      assigneeId: -1,
    }),
    [400, 'VALIDATION_FAILED'],
    ({ details }) => {
      hold(details.length === 4, `4 violations, not ${details.length}`)
      return details.map((detail: any) => `${detail.path.padEnd(16)}${detail.message}`).join('\n')
    },
  )
  await tell('A right that one does not have.', guest.get('/tenants'), [403, 'PERMISSION_DENIED'], refusal)
  await tell(
    'The audit trail knows what the second person did, refusals included.',
    admin.get(`/audit/operations?userId=${guestId}`),
    200,
    (operations) => {
      hold(
        operations.some((one: any) => one.status === 403),
        'the refusal in the trail',
      )
      return operations.map((one: any) => `${one.status}  ${one.method.padEnd(5)} ${one.path}`).join('\n')
    },
  )

  chapter('The end')
  await tell(
    'The bench stands. The project is archived,',
    admin.put(`/projects/${project.id}/archive?version=${project.version}`),
    200,
    (archived) => {
      hold(archived.status === 'ARCHIVED' && archived.version === 1, 'ARCHIVED at version 1')
      return `${archived.status}, version ${archived.version}`
    },
  )
  await tell(
    '… and takes no more work.',
    admin.post(`/projects/${project.id}/tasks`, { title: 'Paint it' }),
    [409, 'PROJECT_ARCHIVED'],
    refusal,
  )
  await tell('Signing out', admin.post('/auth/logout'), 200, () => 'the session has ended')
  await tell('… is at once.', admin.get('/auth/me'), [401, 'UNAUTHENTICATED'], refusal)
}

async function signIn(sentence: string, credentials: object) {
  const { accessToken } = await tell(
    sentence,
    post('/auth/login', credentials),
    200,
    (pair) => `a ${pair.tokenType} token for ${pair.expiresIn / 3600} hours`,
  )
  const authorization = `Bearer ${accessToken}`
  return {
    get: (path: string, headers = {}): Call => get(path, { ...headers, authorization }),
    post: (path: string, body?: unknown, headers = {}): Call => post(path, body, { ...headers, authorization }),
    put: (path: string, body?: unknown): Call => ({ method: 'PUT', path, body, headers: { authorization } }),
  }
}

function get(path: string, headers: Record<string, string> = {}): Call {
  return { method: 'GET', path, headers }
}

function post(path: string, body?: unknown, headers: Record<string, string> = {}): Call {
  return { method: 'POST', path, body, headers }
}

function stands(status: string, version: number) {
  return (task: { id: number; status: string; version: number }): string => {
    hold(task.status === status && task.version === version, `${status} at version ${version}`)
    return `task ${task.id}: ${task.status}, version ${task.version}`
  }
}

function refusal(error: { type: string }, { body }: { body: { message: string } }): string {
  return `${error.type}: ${body.message}`
}

function lineOfHistory({ action, fieldName, oldValue, newValue, createdAt }: any): string {
  const change = fieldName ? `${fieldName}: ${oldValue ?? '–'} → ${newValue ?? '–'}` : newValue
  return `${createdAt.slice(11, 19)}  ${action.padEnd(16)}${change}`
}

/** What a person can do about it. */
function explain(error: Error): string {
  if (error instanceof NobodyThere)
    return `Nobody answers at ${error.message}: start it with  npm start  (or say where it is:  npm run tour -- --url …)`
  if (error.message.includes('INVALID_CREDENTIALS'))
    return 'The administrator has another password: give the one of the first start as ADMIN_PASSWORD.'
  if (error instanceof Surprise) return `That was not the plan: ${error.message}`
  return String(error.stack)
}

console.log(`\nA walk through ${base}`)
try {
  await tour()
  console.log(`\n\n${styleText('green', guide.summary())}\n`)
} catch (error) {
  console.error(`\n${styleText('red', explain(error as Error), { stream: process.stderr })}\n`)
  process.exit(1)
}
