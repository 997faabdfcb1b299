import {
  type Atrium,
  inMemory,
  type Project,
  type SessionStore,
  type Task,
  type TaskActivity,
  type TaskPatch,
} from '../../client/index.ts'
import { hold } from './guide.ts'
import { stands, type Trip, whoIs } from './trip.ts'

/** The administrator. */
export async function whoIsThere({ chapter, tell, signIn }: Trip) {
  chapter('Who is there?')
  const session = inMemory()
  const admin = await signIn(
    'The administrator signs in. The token says who; what they may do is looked up for each request.',
    { username: 'admin', password: process.env.ADMIN_PASSWORD || 'admin123' },
    { session },
  )
  session.save({ ...session.load()!, accessToken: 'run out' })
  await tell(
    'A token that has run out is exchanged, and nobody notices.',
    () => admin.getMe(),
    200,
    (me) => {
      hold(me.username === 'admin' && me.tenantId === 1, 'admin of tenant 1')
      return whoIs(me)
    },
  )
  return { admin, session }
}

/** A project, and what keeps a command from being done twice. */
export async function aProject({ chapter, tell, refused, run }: Trip, admin: Atrium) {
  chapter('A project, made once')
  const idempotencyKey = `tour-${run}`
  const body = { name: 'A bench by the river', code: `TOUR-${run.toUpperCase()}` }
  const create = () => admin.createProject({ body }, { idempotencyKey })
  const project = await tell(
    'A project is made. The Idempotency-Key says: once, whatever happens to the line.',
    create,
    201,
    (made, { headers }) => `${made.status}, version ${made.version}, at ${headers.get('location')}`,
  )
  await refused('The click was doubled.', create, [409, 'IDEMPOTENCY_KEY_REUSED'])
  await refused('The key was forgotten.', () => admin.createProject({ body }, { idempotencyKey: '' }), [
    400,
    'IDEMPOTENCY_KEY_REQUIRED',
  ])
  return project
}

/** A task from its beginning to its end. */
export async function aTask({ chapter, tell, refused }: Trip, admin: Atrium, project: Project) {
  chapter('The life of a task')
  const task = await tell(
    'A task is made.',
    () => admin.createTask({ id: project.id, body: { title: 'Find out who owns the river bank', priority: 'HIGH' } }),
    201,
    stands('TODO', 0),
  )
  const change = (body: TaskPatch) => () => admin.updateTask({ id: task.id, body })
  await refused(
    'Somebody is in a hurry. The refusal names the moves that are legal.',
    change({ version: 0, status: 'DONE' }),
    [409, 'ILLEGAL_TRANSITION'],
    ({ details: [move] }) => {
      hold(move?.path === 'body.status', 'a move of a task')
      hold(String(move.allowed) === 'IN_PROGRESS,CANCELLED', 'two legal moves')
      return `${move.from} → ${move.to} is no move; allowed: ${move.allowed.join(', ')}`
    },
  )
  await tell('Step by step, then.', change({ version: 0, status: 'IN_PROGRESS' }), 200, stands('IN_PROGRESS', 1))
  await refused(
    'A colleague still looks at version 0, and overwrites nothing.',
    change({ version: 0, title: 'Ask the mayor' }),
    [409, 'VERSION_CONFLICT'],
    ({ details: [conflict] }) => {
      hold(conflict?.expected === 0 && conflict.actual === 1, 'version 0 against 1')
      return `sent version ${conflict.expected}, stored version ${conflict.actual}`
    },
  )
  await tell('The task is done.', change({ version: 1, status: 'DONE' }), 200, stands('DONE', 2))
  await refused('Done is done.', change({ version: 2, status: 'TODO' }), [409, 'TASK_FINISHED'])
  return task
}

/** A second person, whose errand it becomes. */
export async function twoPeople(trip: Trip, admin: Atrium, project: Project) {
  const { chapter, tell, refused, run, password } = trip
  chapter('Two people')
  const username = `tour.${run}`
  const { id: guestId } = await tell(
    'Somebody registers.',
    () => trip.visitor().register({ body: { username, email: `${username}@example.com`, password } }),
    201,
    (user) => `user ${user.id}, role ${user.roles}`,
  )
  const guest = await trip.signIn('They sign in.', { username, password })
  await refused('A project that one is no member of does not exist.', () => guest.getProject({ id: project.id }), [
    404,
    'NOT_FOUND',
  ])
  await tell(
    'The administrator adds them.',
    () => admin.addProjectMember({ id: project.id, userId: guestId }),
    200,
    () => 'a member',
  )
  const errand = await tell(
    'A second task,',
    () => admin.createTask({ id: project.id, body: { title: 'Choose the wood', dueDate: '2027-03-01' } }),
    201,
    stands('TODO', 0),
  )
  await tell(
    '… is given to them.',
    () => admin.updateTask({ id: errand.id, body: { version: 0, assigneeId: guestId } }),
    200,
    (given) => {
      hold(given.assigneeId === guestId && given.version === 1, `assignee ${guestId} and version 1`)
      return `assignee ${given.assigneeId}, version ${given.version}`
    },
  )
  await whatIsNew(trip, admin, guest, errand)
  return { guest, guestId, errand }
}

/** The errand is heard of, and answered. */
async function whatIsNew({ tell }: Trip, admin: Atrium, guest: Atrium, errand: Task) {
  await tell(
    'They have been told of both.',
    () => guest.countUnreadNotifications(),
    200,
    ({ count }) => {
      hold(count === 2, `2 unread notifications, not ${count}`)
      return `${count} unread`
    },
  )
  const [news] = await tell(
    'What is new?',
    () => guest.listNotifications(),
    200,
    (inbox) => inbox.map((one) => `${one.type.padEnd(22)}${one.title}`).join('\n'),
  )
  await tell(
    'One is read.',
    () => guest.markNotificationRead({ id: news!.id }),
    200,
    (read) => `read at ${read.readAt}`,
  )
  await tell(
    'They answer,',
    () => guest.addTaskComment({ id: errand.id, body: { content: 'Oak. It will outlive the river.' } }),
    201,
    (comment) => `comment ${comment.id} by ${comment.authorName}`,
  )
  await tell(
    '… and whoever made the task hears of it.',
    () => admin.listNotifications({ pageSize: 1 }),
    200,
    ([latest]) => {
      hold(latest?.resourceId === errand.id, 'a notification about the task')
      return `${latest.type}: “${latest.content}”`
    },
  )
  await tell(
    'Everything that happened, newest first:',
    () => Array.fromAsync(admin.each.listTaskActivities({ id: errand.id })),
    200,
    (history) => {
      hold(history.length === 3, `3 activities, not ${history.length}`)
      return history.map(lineOfHistory).join('\n')
    },
  )
}

/** The project is closed, and so is the session. */
export async function theEnd(trip: Trip, admin: Atrium, session: SessionStore, project: Project) {
  const { chapter, tell, refused } = trip
  chapter('The end')
  await tell(
    'The bench stands. The project is archived,',
    () => admin.archiveProject({ id: project.id, version: project.version }),
    200,
    (archived) => {
      hold(archived.status === 'ARCHIVED' && archived.version === 1, 'ARCHIVED at version 1')
      return `${archived.status}, version ${archived.version}`
    },
  )
  await refused('… and takes no more work.', () => admin.createTask({ id: project.id, body: { title: 'Paint it' } }), [
    409,
    'PROJECT_ARCHIVED',
  ])
  const { accessToken, refreshToken } = session.load()!
  const thief = trip.visitor()
  await tell(
    'Signing out',
    () => admin.signOut(),
    200,
    () => 'the session has ended',
  )
  await refused(
    '… is at once: a copy of the token opens nothing any more,',
    () => thief.getMe({}, { headers: { authorization: `Bearer ${accessToken}` } }),
    [401, 'UNAUTHENTICATED'],
  )
  await refused('… and cannot be renewed.', () => thief.refreshSession({ body: { refreshToken } }), [
    401,
    'INVALID_REFRESH_TOKEN',
  ])
}

function lineOfHistory({ action, fieldName, oldValue, newValue, createdAt }: TaskActivity): string {
  const change = fieldName ? `${fieldName}: ${oldValue ?? '–'} → ${newValue ?? '–'}` : newValue
  return `${createdAt.slice(11, 19)}  ${action.padEnd(16)}${change}`
}
