import type { Atrium, TaskActivity } from '../../../client/index.ts'
import { lines, type Tour } from '../cast.ts'
import { expect } from '../guide.ts'

/** A project, its tasks, and a second person who works on one of them. */
export async function tellWork(tour: Tour, admin: Atrium) {
  const { chapter, tell, refused, visitor, signIn, run, password } = tour

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
  const hurry = change({ version: 0, status: 'DONE' })
  const moves = 'Somebody is in a hurry. The refusal names the moves that are legal.'
  await refused(moves, hurry, [409, 'ILLEGAL_TRANSITION'], ([{ from, to, allowed }]) => {
    expect(String(allowed) === 'IN_PROGRESS,CANCELLED', 'two legal moves')
    return `${from} → ${to} is no move; allowed: ${allowed.join(', ')}`
  })
  const begun = { status: 'IN_PROGRESS', version: 1 } as const
  await tell('Step by step, then.', change({ version: 0, status: 'IN_PROGRESS' }), 200, begun)
  const late = change({ version: 0, title: 'Ask the mayor' })
  const stale = 'A colleague still looks at version 0, and overwrites nothing.'
  await refused(stale, late, [409, 'VERSION_CONFLICT'], ([{ expected, actual }]) => {
    expect(expected === 0 && actual === 1, 'version 0 against 1')
    return `sent version ${expected}, stored version ${actual}`
  })
  await tell('The task is done.', change({ version: 1, status: 'DONE' }), 200, { status: 'DONE', version: 2 })
  await refused('Done is done.', change({ version: 2, status: 'TODO' }), [409, 'TASK_FINISHED'])
  await tell('It is deleted,', () => admin.deleteTask({ id: task.id, version: 2 }), 200, {})
  const bin = () => admin.listTasks({ id: projectId, deleted: 'true' })
  await tell('… and lies in the bin of the project,', bin, 200, { length: 1 })
  await tell('… from which it is restored.', () => admin.restoreTask({ id: task.id }), 200, { version: 3 })

  chapter('Two people')
  const username = `tour.${run}`
  const register = () => visitor().register({ body: { username, email: `${username}@example.com`, password } })
  const { id: guestId } = await tell('Somebody registers.', register, 201, { roles: ['user'] })
  const guest = await signIn('They sign in.', username)
  const peek = () => guest.getProject({ id: projectId })
  await refused('A project that one is no member of does not exist.', peek, [404, 'NOT_FOUND'])
  await tell('The administrator adds them.', () => admin.addProjectMember({ id: projectId, userId: guestId }), 200, {})
  const wooden = { title: 'Choose the wood', dueDate: '2027-03-01' }
  const wood = () => admin.createTask({ id: projectId, body: wooden })
  const errand = await tell('A second task,', wood, 201, { status: 'TODO', version: 0 })
  const given = () => admin.updateTask({ id: errand.id, body: { version: 0, assigneeId: guestId } })
  await tell('… is given to them.', given, 200, { assigneeId: guestId, version: 1 })
  await tell('They have been told of both.', () => guest.countUnreadNotifications(), 200, { count: 2 })
  const inbox = () => guest.listNotifications()
  const [newest] = await tell('What is new?', inbox, 200, (all) =>
    lines(all, ({ type, title }) => `${type.padEnd(22)}${title}`),
  )
  await tell('One is read.', () => guest.markNotificationRead({ id: newest!.id }), 200, { read: true })
  const oak = () => guest.addTaskComment({ id: errand.id, body: { content: 'Oak. It will outlive the river.' } })
  const { id: commentId } = await tell('They answer,', oak, 201, { taskId: errand.id })
  const news = () => admin.listNotifications({ pageSize: 1 })
  await tell('… and whoever made the task hears of it.', news, 200, ([latest]) => {
    expect(latest?.resourceId === errand.id, 'a notification about the task')
    return `${latest.type}: “${latest.content}”`
  })
  const mended = { content: 'Oak. It will outlive the bridge.' }
  const mend = (who: Atrium) => () => who.editTaskComment({ id: errand.id, commentId, body: mended })
  await refused('Nobody else changes what they said,', mend(admin), [403, 'NOT_AUTHOR'])
  await tell('… but they do.', mend(guest), 200, mended)
  const blurt = () => admin.addTaskComment({ id: errand.id, body: { content: 'Never.' } })
  const { id: blurted } = await tell('Something slips out,', blurt, 201, {})
  const takeBack = () => admin.deleteTaskComment({ id: errand.id, commentId: blurted })
  await tell('… and is deleted: that it was there stays, its text does not.', takeBack, 200, {})
  const history = () => Array.fromAsync(admin.each.listTaskActivities({ id: errand.id }))
  await tell('Everything that happened, newest first:', history, 200, (activities) => {
    expect(activities.length === 6, `6 activities, not ${activities.length}`)
    return lines(activities, lineOfHistory)
  })

  chapter('My work')
  const mine = () => guest.listAllTasks({ assigneeId: 'me', status: 'TODO,IN_PROGRESS,BLOCKED', sort: 'dueDate' })
  await tell('What they have to do, over all projects, by due date:', mine, 200, (tasks) => {
    expect(tasks.length === 1 && tasks[0]!.id === errand.id, 'the task that they were given')
    return lines(tasks, ({ title, dueDate }) => `${dueDate}  ${title}`)
  })
  await tell('Who works beside them?', () => guest.listProjectMembers({ id: projectId }), 200, { length: 2 })
  return { project, task, errand, guest, guestId }
}

function lineOfHistory({ action, fieldName, oldValue, newValue, createdAt }: TaskActivity): string {
  const change = fieldName ? `${fieldName}: ${oldValue ?? '–'} → ${newValue ?? '–'}` : newValue
  return `${createdAt.slice(11, 19)}  ${action.padEnd(16)}${change}`
}
