import fc from 'fast-check'
import { expect } from 'vitest'
import type { Answer, Client } from './client.ts'

/**
 * The rules of projects, tasks, members and approvals once more, in the simplest way that comes to mind: everything in
 * memory, one thing after the other. Whatever the service answers is held against what this model says it must.
 */
export const WHO = ['boss', 'anna', 'ben', 'cleo', 'stranger'] as const
/** Boss is the administrator; ben and cleo take turns in leading the department; the stranger runs another tenant. */
export type Who = (typeof WHO)[number]

interface Project {
  id: number
  name: string
  owner: Who
  members: Who[]
  archived: boolean
  version: number
  /** actions, oldest first */
  history: string[]
}
interface Task {
  id: number
  project: Project
  title: string
  status: Status
  assignee: Who | null
  reporter: Who
  version: number
  history: string[]
}
interface Approval {
  id: number
  applicant: Who
  status: 'DRAFT' | 'PENDING' | 'APPROVED' | 'REJECTED' | 'CANCELLED'
  step: 0 | 1 | 2
  version: number
  /** who decides the first step, or has */
  leader: Who | undefined
  /** `who action`, of each decision that was made */
  made: string[]
}
export interface Model {
  projects: Project[]
  tasks: Task[]
  approvals: Approval[]
  leader: Who
  /** notifications that each must have got */
  told: Record<Who, number>
  /** how often what was answered */
  answers: Record<string, number>
}

/** The service, and the people who call it. */
export interface Real {
  as: Record<Who, Client>
  id: Record<Who, number>
  department: { id: number; name: string; code: string }
}

const STATUSES = ['TODO', 'IN_PROGRESS', 'BLOCKED', 'DONE', 'CANCELLED'] as const
type Status = (typeof STATUSES)[number]
const MOVES =
  'TODO>IN_PROGRESS IN_PROGRESS>BLOCKED BLOCKED>IN_PROGRESS IN_PROGRESS>DONE TODO>CANCELLED IN_PROGRESS>CANCELLED BLOCKED>CANCELLED'

let counter = 0
const fresh = (word: string) => `${word}-${++counter}`

const pick = <T>(things: readonly T[], at: number): T => things[at % things.length]!

/** Somebody, something, at times with a version that is not the current one. */
const who = fc.constantFrom<Who>('boss', 'anna', 'anna', 'ben', 'ben', 'cleo', 'cleo', 'stranger')
const colleague = fc.constantFrom<Who>('boss', 'anna', 'ben', 'cleo')
const at = fc.nat(2)
const slip = fc.constantFrom(0, 0, 0, 0, 1)
const sometimes = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 2 })

/** Every command, with the arguments it may be given, and how often it comes up. */
export const COMMANDS: fc.Arbitrary<fc.AsyncCommand<Model, Real>>[] = [
  ...command(1, createProject, { who: colleague }),
  ...command(1, renameProject, { who, at, slip, same: fc.boolean() }),
  ...command(1, archiveProject, { who, at, slip }),
  ...command(3, addMember, { who, at, other: who }),
  ...command(3, removeMember, { who, at, other: who }),
  ...command(3, createTask, { who, at, assignee: fc.option(who) }),
  ...command(8, updateTask, {
    ...{ who, at, slip, title: fc.boolean() },
    ...{ status: sometimes(fc.constantFrom(...STATUSES)), assignee: sometimes(fc.option(who)) },
  }),
  ...command(1, comment, { who, at }),
  ...command(1, draftApproval, { who: colleague }),
  ...command(3, submit, { who, at }),
  ...command(4, decide, { who, at, action: fc.constantFrom('approve', 'reject') }),
  ...command(1, cancel, { who, at }),
  ...command(1, changeLeader, { to: fc.constantFrom('ben', 'cleo') }),
]

/** What each sequence begins with: nothing unread, anna's project with two tasks, on which ben and cleo work, and two requests of hers. */
export async function begin(real: Real, leader: Who): Promise<Model> {
  const told = Object.fromEntries(WHO.map((who) => [who, 0])) as Record<Who, number>
  const model: Model = { projects: [], tasks: [], approvals: [], leader, told, answers: {} }
  for (const who of WHO) (await real.as[who].put('/notifications/read-all')).expect(200)
  const [who, at] = ['anna', 0] as const
  await createProject(model, real, { who })
  for (const other of ['ben', 'cleo'] as const) await addMember(model, real, { who, at, other })
  for (const assignee of ['ben', 'cleo'] as const) await createTask(model, real, { who, at, assignee })
  for (let request = 0; request < 2; request++) await draftApproval(model, real, { who })
  await submit(model, real, { who, at })
  return model
}

/** Everything there is, as the service tells it, must be what the model has. */
export async function expectSame(model: Model, real: Real): Promise<void> {
  const { boss } = real.as
  const nameOf = (id: number | null) => WHO.find((who) => real.id[who] === id) ?? null
  for (const project of model.projects) {
    const found = await boss.read(`/projects/${project.id}`)
    expect({ ...found, members: found.memberIds.map(nameOf).sort() }).toMatchObject({
      ...{ name: project.name, ownerId: real.id[project.owner], version: project.version },
      ...{ status: project.archived ? 'ARCHIVED' : 'ACTIVE', members: [...project.members].sort() },
    })
    expect(await actions(boss, `/projects/${project.id}`)).toEqual(project.history)
    const tasks = await boss.read(`/projects/${project.id}/tasks`)
    const wanted = model.tasks.filter((task) => task.project === project)
    expect(
      tasks.reverse().map(({ id, title, status, version, assigneeId, reporterId }: any) => {
        return { id, title, status, version, assignee: nameOf(assigneeId), reporter: nameOf(reporterId) }
      }),
    ).toEqual(wanted.map(({ project, history, ...task }) => task))
  }
  for (const task of model.tasks) expect(await actions(boss, `/tasks/${task.id}`)).toEqual(task.history)
  for (const approval of model.approvals)
    expect(await boss.read(`/approvals/${approval.id}`)).toMatchObject({
      ...{ status: approval.status, currentStep: approval.step, version: approval.version },
      applicantId: real.id[approval.applicant],
    })
  for (const who of WHO) {
    const { count } = await real.as[who].read('/notifications/unread-count')
    expect([who, count]).toEqual([who, model.told[who]])
  }
}

interface At {
  who: Who
  at: number
}
interface TaskChange extends At {
  slip: number
  title: boolean
  status: Status | undefined
  assignee: Who | null | undefined
}

async function createProject(model: Model, real: Real, { who }: { who: Who }) {
  const name = fresh('project')
  const answer = await real.as[who].post('/projects', { name, code: fresh('P') }, { 'idempotency-key': fresh('key') })
  const { id } = accept(model, answer, '201')
  model.projects.push({
    id,
    name,
    owner: who,
    members: [who],
    archived: false,
    version: 0,
    history: ['PROJECT_CREATED'],
  })
}

async function renameProject(model: Model, real: Real, args: At & { slip: number; same: boolean }) {
  const project = pick(model.projects, args.at)
  const name = args.same ? project.name : fresh('renamed')
  const body = { version: project.version + args.slip, name }
  const answer = await real.as[args.who].put(`/projects/${project.id}`, body)
  const mayRename = args.same ? undefined : owns(project, args.who)
  const wanted = seesProject(project, args.who) ?? mayRename ?? isActive(project) ?? isCurrent(args.slip) ?? '200'
  const saved = accept(model, answer, wanted)
  if (!saved) return
  if (name !== project.name) project.history.push('PROJECT_UPDATED')
  Object.assign(project, { name, version: project.version + 1 })
  expect(saved.version).toBe(project.version)
}

async function archiveProject(model: Model, real: Real, args: At & { slip: number }) {
  const project = pick(model.projects, args.at)
  const answer = await real.as[args.who].put(`/projects/${project.id}/archive?version=${project.version + args.slip}`)
  const owned = owns(project, args.who)
  const wanted = seesProject(project, args.who) ?? owned ?? isActive(project) ?? isCurrent(args.slip) ?? '200'
  if (!accept(model, answer, wanted)) return
  project.history.push('PROJECT_ARCHIVED')
  Object.assign(project, { archived: true, version: project.version + 1 })
}

async function addMember(model: Model, real: Real, args: At & { other: Who }) {
  const project = pick(model.projects, args.at)
  const answer = await real.as[args.who].put(`/projects/${project.id}/members/${real.id[args.other]}`)
  const known = args.other === 'stranger' ? '404 NOT_FOUND' : undefined
  const wanted = seesProject(project, args.who) ?? known ?? isActive(project) ?? '200'
  if (accept(model, answer, wanted) === undefined || project.members.includes(args.other)) return
  project.members.push(args.other)
  project.history.push('PROJECT_MEMBER_ADDED')
  tell(model, [args.other], args.who)
}

async function removeMember(model: Model, real: Real, args: At & { other: Who }) {
  const project = pick(model.projects, args.at)
  const answer = await real.as[args.who].delete(`/projects/${project.id}/members/${real.id[args.other]}`)
  const known = args.other === 'stranger' ? '404 NOT_FOUND' : undefined
  const isOwner = project.owner === args.other ? '409 OWNER_CANNOT_LEAVE' : undefined
  const isBusy = model.tasks.some((task) => task.project === project && task.assignee === args.other && isOpen(task))
  const wanted = seesProject(project, args.who) ?? known ?? isActive(project) ?? isOwner
  const isMember = project.members.includes(args.other)
  const saved = accept(model, answer, wanted ?? (isMember && isBusy ? '409 MEMBER_HAS_OPEN_TASKS' : '200'))
  if (saved === undefined || !isMember) return
  project.members = project.members.filter((member) => member !== args.other)
  project.history.push('PROJECT_MEMBER_REMOVED')
}

async function createTask(model: Model, real: Real, args: At & { assignee: Who | null }) {
  const project = pick(model.projects, args.at)
  const title = fresh('task')
  const assigneeId = args.assignee && real.id[args.assignee]
  const answer = await real.as[args.who].post(`/projects/${project.id}/tasks`, { title, assigneeId })
  const wanted = seesProject(project, args.who) ?? isActive(project) ?? isMember(project, args.assignee) ?? '201'
  const made = accept(model, answer, wanted)
  if (!made) return
  const facts = { title, status: 'TODO', assignee: args.assignee, reporter: args.who, version: 0 } as const
  model.tasks.push({ id: made.id, project, ...facts, history: ['TASK_CREATED'] })
  tell(model, [args.assignee], args.who)
}

async function updateTask(model: Model, real: Real, args: TaskChange) {
  const task = pick(model.tasks, args.at)
  const title = args.title ? fresh('retitled') : undefined
  const { status, assignee } = args
  const assigneeId = assignee && real.id[assignee]
  const body = { version: task.version + args.slip, title, status, assigneeId }
  const answer = await real.as[args.who].put(`/tasks/${task.id}`, body)
  const wanted = seesProject(task.project, args.who) ?? mayMove(task, status) ?? isMember(task.project, assignee)
  const saved = accept(model, answer, wanted ?? isCurrent(args.slip) ?? '200')
  if (!saved) return
  if (title !== undefined) task.history.push('FIELD_CHANGED')
  if (assignee !== undefined && assignee !== task.assignee) {
    task.history.push('TASK_ASSIGNED')
    tell(model, [assignee], args.who)
    task.assignee = assignee
  }
  if (status !== undefined && status !== task.status) {
    task.history.push('STATUS_CHANGED')
    task.status = status
  }
  Object.assign(task, { version: task.version + 1, title: title ?? task.title })
  expect(saved.version).toBe(task.version)
}

async function comment(model: Model, real: Real, args: At) {
  const task = pick(model.tasks, args.at)
  const answer = await real.as[args.who].post(`/tasks/${task.id}/comments`, { content: fresh('comment') })
  if (!accept(model, answer, seesProject(task.project, args.who) ?? '201')) return
  task.history.push('COMMENT_ADDED')
  // A person who has left the project may not read the comment, and so is not notified of it.
  const concerned = [task.assignee, task.reporter].filter((one) => one && seesProject(task.project, one) === undefined)
  tell(model, concerned, args.who)
}

async function draftApproval(model: Model, real: Real, args: { who: Who }) {
  const draft = { type: 'LEAVE', title: fresh('request'), departmentId: real.department.id }
  const { id } = accept(model, await real.as[args.who].post('/approvals', draft), '201')
  model.approvals.push({ id, applicant: args.who, status: 'DRAFT', step: 0, version: 0, leader: undefined, made: [] })
}

async function submit(model: Model, real: Real, args: At) {
  const approval = pick(model.approvals, args.at)
  const answer = await real.as[args.who].post(`/approvals/${approval.id}/submit`, undefined, {
    'idempotency-key': fresh('key'),
  })
  const isDraft = approval.status === 'DRAFT' ? undefined : '409 ILLEGAL_TRANSITION'
  if (!accept(model, answer, seesApproval(approval, args.who) ?? isApplicant(approval, args.who) ?? isDraft ?? '200'))
    return
  step(approval, { status: 'PENDING', step: 1, leader: model.leader })
  tell(model, [model.leader])
}

async function decide(model: Model, real: Real, args: At & { action: 'approve' | 'reject' }) {
  const approval = pick(model.approvals, args.at)
  const answer = await real.as[args.who].post(`/approvals/${approval.id}/${args.action}`)
  const isPending = approval.status === 'PENDING' ? undefined : '409 ILLEGAL_TRANSITION'
  const approver = approval.step === 1 ? approval.leader : 'boss'
  const isApprover = args.who === approver ? undefined : '403 NOT_CURRENT_APPROVER'
  const refused = isPending ?? isApprover
  const decision = `${args.who} ${args.action}`
  const isMade = refused && approval.made.includes(decision) ? '409 ALREADY_DECIDED' : undefined
  if (!accept(model, answer, seesApproval(approval, args.who) ?? isMade ?? refused ?? '200')) return
  approval.made.push(decision)
  if (args.action === 'approve' && approval.step === 1) {
    step(approval, { step: 2 })
    return tell(model, ['boss'])
  }
  step(approval, { status: args.action === 'approve' ? 'APPROVED' : 'REJECTED' })
  tell(model, [approval.applicant], args.who)
}

async function cancel(model: Model, real: Real, args: At) {
  const approval = pick(model.approvals, args.at)
  const answer = await real.as[args.who].post(`/approvals/${approval.id}/cancel`)
  const isOver = ['DRAFT', 'PENDING'].includes(approval.status) ? undefined : '409 ILLEGAL_TRANSITION'
  if (!accept(model, answer, seesApproval(approval, args.who) ?? isApplicant(approval, args.who) ?? isOver ?? '200'))
    return
  if (approval.status === 'PENDING') tell(model, [approval.step === 1 ? approval.leader : 'boss'], args.who)
  step(approval, { status: 'CANCELLED' })
}

async function changeLeader(model: Model, real: Real, { to }: { to: Who }) {
  const { id, name, code } = real.department
  accept(model, await real.as.boss.put(`/departments/${id}`, { name, code, leaderId: real.id[to] }), '200')
  if (to === model.leader) return
  model.leader = to
  for (const approval of model.approvals)
    if (approval.status === 'PENDING' && approval.step === 1) {
      approval.leader = to
      tell(model, [to])
    }
}

async function actions(client: Client, path: string): Promise<string[]> {
  const all = await client.read(`${path}/activities`)
  return all.map(({ action }: any) => action).reverse()
}

function command<Args extends object>(
  weight: number,
  run: (model: Model, real: Real, args: Args) => Promise<void>,
  args: { [Name in keyof Args]: fc.Arbitrary<Args[Name]> },
): fc.Arbitrary<fc.AsyncCommand<Model, Real>>[] {
  const made = (fc.record(args) as unknown as fc.Arbitrary<Args>).map((given) => ({
    check: () => true,
    run: (model: Model, real: Real) => run(model, real, given),
    toString: () => `${run.name} ${JSON.stringify(given)}`,
  }))
  return Array.from({ length: weight }, () => made)
}

/** Holds the answer against what the model wants. @returns what was answered, undefined for a refusal */
function accept(model: Model, answer: Answer, wanted: string) {
  expect(`${answer.status} ${answer.error?.type ?? ''}`.trim(), JSON.stringify(answer.body)).toBe(wanted)
  model.answers[wanted] = (model.answers[wanted] ?? 0) + 1
  if (answer.status >= 300) return undefined
  return answer.data
}

function tell(model: Model, receivers: (Who | null | undefined)[], actor?: Who) {
  for (const receiver of new Set(receivers)) if (receiver && receiver !== actor) model.told[receiver]++
}

function step(approval: Approval, change: Partial<Approval>) {
  Object.assign(approval, change, { version: approval.version + 1 })
}

function seesProject({ members }: Project, who: Who) {
  return who === 'boss' || members.includes(who) ? undefined : '404 NOT_FOUND'
}

function owns({ owner }: Project, who: Who) {
  return who === 'boss' || who === owner ? undefined : '403 NOT_OWNER'
}

function isActive({ archived }: Project) {
  return archived ? '409 PROJECT_ARCHIVED' : undefined
}

function isCurrent(slip: number) {
  return slip === 0 ? undefined : '409 VERSION_CONFLICT'
}

function isMember({ members }: Project, assignee: Who | null | undefined) {
  return !assignee || members.includes(assignee) ? undefined : '400 ASSIGNEE_NOT_MEMBER'
}

function isOpen({ status }: Task) {
  return status !== 'DONE' && status !== 'CANCELLED'
}

function mayMove(task: Task, to: Status | undefined) {
  if (!isOpen(task)) return '409 TASK_FINISHED'
  if (to === undefined || to === task.status || MOVES.split(' ').includes(`${task.status}>${to}`)) return undefined
  return '409 ILLEGAL_TRANSITION'
}

function seesApproval({ applicant, leader }: Approval, who: Who) {
  return who === 'boss' || who === applicant || who === leader ? undefined : '404 NOT_FOUND'
}

function isApplicant({ applicant }: Approval, who: Who) {
  return who === applicant ? undefined : '403 NOT_APPLICANT'
}
