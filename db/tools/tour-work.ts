import { type Caller, post, refusal, stands, type Trip } from './tour-callers.ts'
import { hold } from './tour-guide.ts'

/** The administrator. */
export async function whoIsThere(trip: Trip) {
  const { chapter, tell } = trip
  chapter('Who is there?')
  const admin = await trip.signIn('The administrator signs in.', {
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
  return admin
}

/** A project, and what keeps a command from being done twice. */
export async function aProject(trip: Trip, admin: Caller) {
  const { chapter, tell } = trip
  chapter('A project, made once')
  const key = { 'Idempotency-Key': `tour-${trip.run}` }
  const draft = { name: 'A bench by the river', code: `TOUR-${trip.run.toUpperCase()}` }
  const project = await tell(
    'A project is made. The Idempotency-Key says: once, whatever happens to the line.',
    admin.post('/projects', draft, key),
    201,
    (made, { headers }) => `${made.status}, version ${made.version}, at ${headers.get('location')}`,
  )
  await tell('The click was doubled.', admin.post('/projects', draft, key), [409, 'IDEMPOTENCY_KEY_REUSED'], refusal)
  await tell('The key was forgotten.', admin.post('/projects', draft), [400, 'IDEMPOTENCY_KEY_REQUIRED'], refusal)
  return project
}

/** A task from its beginning to its end. */
export async function aTask(trip: Trip, admin: Caller, project: { id: number }) {
  const { chapter, tell } = trip
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
  return task
}

/** A second person, whose errand it becomes. */
export async function twoPeople(trip: Trip, admin: Caller, project: { id: number }) {
  const { chapter, tell, password } = trip
  chapter('Two people')
  const username = `tour.${trip.run}`
  const { id: guestId } = await tell(
    'Somebody registers.',
    post('/auth/register', { username, email: `${username}@example.com`, password }),
    201,
    (user) => `user ${user.id}, role ${user.roles}`,
  )
  const guest = await trip.signIn('They sign in.', { username, password })
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
  return { guest, guestId: guestId as number, errand }
}

/** The project is closed, and so is the session. */
export async function theEnd(trip: Trip, admin: Caller, project: { id: number; version: number }) {
  const { chapter, tell } = trip
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

function lineOfHistory({ action, fieldName, oldValue, newValue, createdAt }: any): string {
  const change = fieldName ? `${fieldName}: ${oldValue ?? '–'} → ${newValue ?? '–'}` : newValue
  return `${createdAt.slice(11, 19)}  ${action.padEnd(16)}${change}`
}
