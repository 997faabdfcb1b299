import type { Atrium, SessionStore } from '../../../client/index.ts'
import { bearing, lines, type Person, type Tour } from '../cast.ts'
import { expect } from '../guide.ts'

/** Refusals, and what the audit says of them. */
export async function tellRefusals(
  tour: Tour,
  admin: Atrium,
  { client: guest, id: guestId }: Person,
  projectId: number,
): Promise<void> {
  const { chapter, tell, refused, visitor } = tour

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
  const trail = () => admin.listAuditOperations({ userId: guestId })
  const known = 'The audit trail knows what the second person did, refusals included.'
  await tell(known, trail, 200, (operations) => {
    const isThere = operations.some(({ status }) => status === 403)
    expect(isThere, 'the refusal in the trail')
    return lines(operations, ({ status, method, path }) => `${status}  ${method.padEnd(5)} ${path}`)
  })
}

/** Somebody leaves, and somebody else takes over what they were responsible for. */
export async function tellLeaving(
  tour: Tour,
  admin: Atrium,
  leaver: Person,
  successor: Person,
  taskId: number,
): Promise<void> {
  const { chapter, tell, refused } = tour

  chapter('Somebody leaves')
  const remove = () => admin.deleteUser({ id: leaver.id })
  await refused('The second person leaves, but work depends on them.', remove, [409, 'USER_IN_USE'], (details) =>
    lines(details, (detail) => detail.message),
  )
  const load = () => admin.listResponsibilities({ id: leaver.id })
  await tell('What they are responsible for:', load, 200, (work) => {
    expect(work.departments.length === 1 && work.tasks.length === 1, 'a department and a task')
    return lines(
      Object.entries(work),
      ([kind, things]) => `${kind.padEnd(14)}${things.map(({ name }: { name: string }) => name).join(', ') || '–'}`,
    )
  })
  const hand = () => admin.handOver({ id: leaver.id, body: { toUserId: successor.id } })
  await tell('All of it passes to another person, in one transaction.', hand, 200, { departments: 1, tasks: 1 })
  await tell('Now nothing keeps the deletion.', remove, 200, {})
  const inherited = () => admin.getTask({ id: taskId })
  await tell('The task has somebody who does it,', inherited, 200, { assigneeId: successor.id })
  const said = () => admin.listTaskComments({ id: taskId })
  await tell('… and what was said stays, without a name.', said, 200, ([comment]) => {
    expect(comment?.authorName === 'former member', 'a former member')
    return `${comment.authorName}: “${comment.content}”`
  })
}

/** The project is archived, and the administrator signs out. */
export async function tellEnd(
  tour: Tour,
  admin: Atrium,
  session: SessionStore,
  project: { id: number; version: number },
): Promise<void> {
  const { chapter, tell, refused, visitor } = tour

  chapter('The end')
  const archive = () => admin.archiveProject({ id: project.id, version: project.version })
  await tell('The bench stands. The project is archived,', archive, 200, { status: 'ARCHIVED', version: 1 })
  const more = () => admin.createTask({ id: project.id, body: { title: 'Paint it' } })
  await refused('… and takes no more work.', more, [409, 'PROJECT_ARCHIVED'])
  const { accessToken, refreshToken } = session.load()!
  const leave = () => admin.signOut()
  await tell('Signing out', leave, 200, () => 'the session has ended')
  const steal = () => visitor().getMe({}, bearing(accessToken))
  await refused('… is at once: a copy of the token opens nothing any more,', steal, [401, 'UNAUTHENTICATED'])
  const renew = () => visitor().refreshSession({ body: { refreshToken } })
  await refused('… and cannot be renewed.', renew, [401, 'INVALID_REFRESH_TOKEN'])
}
