/**
 * The first wall: what forgets the tenant does not compile. `tsc` checks this file; nothing runs it. Each line that is
 * marked must fail, and would fail the check if it ever compiled.
 */
import type { FastifyRequest } from 'fastify'
import { seesEverything } from '../../src/atrium/visibility.ts'
import { paginate, paginateShared } from '../../src/data/lists/paginate.ts'
import { directory, type From, find, list, lock, write, writeReturning } from '../../src/data/sql/verbs.ts'
import type { Scope, Tx } from '../../src/data/tx/scope.ts'
import { approvalsSeenBy, getApproval } from '../../src/domains/approvals/approvals.store.ts'
import { changePassword, endSession, openSession } from '../../src/domains/auth/auth.actions.ts'
import { getArticle } from '../../src/domains/content/content.store.ts'
import { getFile } from '../../src/domains/files/files.store.ts'
import { insertMember } from '../../src/domains/projects/members.store.ts'
import { createProject } from '../../src/domains/projects/projects.actions.ts'
import type { ProjectDraft } from '../../src/domains/projects/projects.schemas.ts'
import { getProject, lockProject, projectsSeenBy, projectsViewedBy } from '../../src/domains/projects/projects.store.ts'
import { listTasks } from '../../src/domains/tasks/lists.store.ts'
import { updateTask } from '../../src/domains/tasks/tasks.actions.ts'
import { getTask as getAnyTask } from '../../src/domains/tasks/tasks.store.ts'
import type { Access } from '../../src/kernel/access.ts'
import { type Actor, type System, type User, type Visitor, visitor } from '../../src/kernel/actor.ts'
import { notFound } from '../../src/kernel/fault.ts'
import { pageRequestOf } from '../../src/kernel/page.ts'

declare const scope: Scope
declare const tx: Tx
declare const anonymous: Tx<Visitor>
declare const service: Tx<System>
declare const either: Tx<Actor>
declare const req: FastifyRequest
declare const user: User
declare const draft: ProjectDraft

export function aStoreSeesOnlyTheTenantsTables() {
  list((from, _: object) => from('tasks').select('tasks.id'))
  // @ts-expect-error tenants belong to no tenant: they are read through the directory
  list((from, _: object) => from('tenants').select('tenants.id'))
  // @ts-expect-error the catalogue of permissions is shared
  find((from, _: object) => from('permissions').select('permissions.id'))
  // @ts-expect-error there is no such table
  lock((from, _: object) => from('secrets').selectAll())
  // @ts-expect-error there is no such column
  list((from, _: object) => from('tasks').select('tasks.secret'))
  // @ts-expect-error a shared table takes no windows of a tenant
  paginate((from, _: object) => from('tenants').select('tenants.id'), 'tenants.id')
}

export function theDirectoryShowsOnlySharedTables() {
  directory.list((from, _: object) => from('tenants').select('tenants.id'))
  // @ts-expect-error a protected table is not in the directory
  directory.list((from, _: object) => from('users').select('users.id'))
  // @ts-expect-error nor in its windows
  paginateShared((from, _: object) => from('projects').select('projects.id'), 'projects.id')
  // @ts-expect-error nor may it be written there
  directory.write((db, p: { id: number }) => db.insertInto('users').values(p))
  // @ts-expect-error the directory of tenants is never deleted from
  directory.write((db, p: { id: number }) => db.deleteFrom('tenants').where('tenants.id', '=', p.id))
}

export function theTenantIsStampedAndNeverWritten() {
  type Membership = { projectId: number; userId: number; createdAt: string }
  write(({ insert }, p: Membership) => insert('projectMembers', p))
  write(({ insert }, { projectId, userId, createdAt }: Membership) =>
    // @ts-expect-error the scope stamps the tenant, nobody writes it
    insert('projectMembers', { tenantId: 1, projectId, userId, createdAt }),
  )
  // @ts-expect-error a row must be whole
  write(({ insert }, { projectId, userId }: Membership) => insert('projectMembers', { projectId, userId }))
  // @ts-expect-error shared tables are not inserted into by a store's verbs
  write(({ insert }, p: { name: string; code: string; plan: string }) => insert('tenants', p))
  // @ts-expect-error nor updated
  writeReturning(({ update }, _: object) => update('tenants').set({ plan: 'free' }))
  // @ts-expect-error nor removed from
  write(({ remove }, _: object) => remove('permissions'))
  // @ts-expect-error a status is one of its values
  write(({ update }, _: object) => update('tasks').set({ status: 'LOST' }))
}

export async function aReadHandleDoesNotWrite() {
  await getProject(scope, { id: 1, ...projectsViewedBy(user) })
  await getProject(tx, { id: 1, ...projectsViewedBy(user) })
  // @ts-expect-error what is locked is locked for a change
  await lockProject(scope, { id: 1, ...projectsViewedBy(user) })
  // @ts-expect-error a write wants a transaction
  insertMember(scope, { projectId: 1, userId: 2, createdAt: '' })
  // @ts-expect-error a command wants a transaction
  await updateTask(scope, 1, { version: 0 })
  // @ts-expect-error nothing is recorded outside of a transaction
  scope.record({ projectId: 1, action: 'X', version: 0 })
  // @ts-expect-error nothing is announced outside of a transaction
  scope.tell({ type: 'X', title: '', resourceType: 'task', resourceId: 1, receivers: [] })
  // @ts-expect-error a scope's tenant is fixed
  scope.tenantId = 2
  // @ts-expect-error so is a transaction's
  tx.tenantId = 2
  // @ts-expect-error a handle is not made by hand
  await getProject({ tenantId: 1 }, { id: 1, ...projectsViewedBy(user) })
}

export async function whatAPersonSeesIsNeverForgotten() {
  await getAnyTask(scope, { id: 1, ...projectsSeenBy(user) })
  await getAnyTask(scope, { id: 1, ...seesEverything('whoever asks here may see all') })
  // @ts-expect-error it is not said who looks
  await getAnyTask(scope, { id: 1 })
  // @ts-expect-error a person is not yet what they see
  await getAnyTask(scope, { ...user, id: 1 })
  // @ts-expect-error nor is it made by hand
  await getAnyTask(scope, { id: 1, memberId: user.id })
  // @ts-expect-error what somebody sees of one kind says nothing of another
  await getAnyTask(scope, { id: 1, ...approvalsSeenBy(user) })
  // @ts-expect-error the same for projects
  await getProject(scope, { id: 1 })
  // @ts-expect-error for requests
  await getApproval(scope, { id: 1 })
  // @ts-expect-error for articles
  await getArticle(scope, { id: 1 })
  // @ts-expect-error for files
  await getFile(scope, { filename: 'x' })
  // @ts-expect-error and for lists
  await listTasks(scope, { projectId: 1 }, pageRequestOf({ page: 1, pageSize: 10 }))
}

export async function whatNeedsAPersonIsNotDoneByAnybodyElse() {
  await createProject(tx, draft)
  // @ts-expect-error a visitor makes no project
  await createProject(anonymous, draft)
  // @ts-expect-error neither does the service
  await createProject(service, draft)
  // @ts-expect-error nor somebody unknown
  await createProject(either, draft)
  // @ts-expect-error a visitor has no session to end
  await endSession(anonymous)
  // @ts-expect-error nor a password to change
  await changePassword(anonymous, '')
  await openSession(either, { id: 1, username: '' }, 60)
  await openSession(anonymous, { id: 1, username: '' }, 60)
}

export async function aRequestLendsWhatItIs() {
  await req.transact((own) => updateTask(own, 1, { version: 0 }))
  await req.transactAs(visitor, 1, (own) => openSession(own, { id: 1, username: '' }, 60))
  // @ts-expect-error as a visitor nobody changes a task
  await req.transactAs(visitor, 1, (own) => updateTask(own, 1, { version: 0 }))
  // @ts-expect-error the request's own handle only reads
  await updateTask(req.scope, 1, { version: 0 })
}

export function parametersAreThoseOfTheStatement() {
  const findTask = find((from, p: { id: number }) => from('tasks').select('tasks.id').where('tasks.id', '=', p.id))
  void findTask(scope, { id: 1 })
  // @ts-expect-error an id is a number
  void findTask(scope, { id: '1' })
  // @ts-expect-error and it is not left out
  void findTask(scope, {})
}

export function accessIsAClosedUnion(): Access[] {
  return [
    'task:update',
    'system:tenant:list',
    'signed-in',
    'anyone',
    // @ts-expect-error nobody can hold this
    'task:destroy',
    // @ts-expect-error there is no such door
    'everyone',
  ]
}

export async function aRowThatHasToBeThereIsThere() {
  const gone = notFound('Task')
  const findTask = find((from, p: { id: number }) => from('tasks').select('tasks.id').where('tasks.id', '=', p.id))
  const getTask = findTask.or(gone)
  const lockTask = lock((from, p: { id: number }) => from('tasks').select('tasks.id').where('tasks.id', '=', p.id))
  const there: { id: number } = await getTask(scope, { id: 1 })
  const locked: { id: number } = await lockTask.or(gone)(tx, { id: 1 })
  // @ts-expect-error without its fault it may be missing
  const perhaps: { id: number } = await findTask(scope, { id: 1 })
  // @ts-expect-error with its fault it is still locked for a change
  await lockTask.or(gone)(scope, { id: 1 })
  // @ts-expect-error the fault is made when it is needed
  findTask.or(gone())
  return [there, locked, perhaps]
}

export function aCostlyStatementNamesItsOwnParameters() {
  const byTitle = (from: From, p: { pattern?: string }) =>
    from('tasks').select('tasks.id').where('tasks.title', 'ilike', p.pattern!)
  list(byTitle, { costly: ['pattern'] })
  paginate(byTitle, 'tasks.id', 'newest', { costly: ['pattern'] })
  // @ts-expect-error it has no such parameter
  list(byTitle, { costly: ['keyword'] })
  // @ts-expect-error neither has the list
  paginate(byTitle, 'tasks.id', 'newest', { costly: ['keyword'] })
}

export function whatADomainReliesOnIsNotAskedOfItsTransaction() {
  // @ts-expect-error a domain cannot read whether something is assumed
  tx.mayExpect()
}
