import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import { list } from '../src/data/sql/verbs.ts'
import type { Scope } from '../src/data/tx/scope.ts'
import { instantOf } from './calendar.ts'
import type { OfficeDeed, PressDeed, Step } from './story.ts'

/** What came of a step: ids and versions, which the steps behind it need. */
export interface Subject {
  id: number
  version: number
}

/** Projects and tasks by their codes, everything else by `nameIn`. */
export interface Memory {
  projects: Map<string, Subject>
  tasks: Map<string, Subject>
  departments: Map<string, Subject>
  approvals: Map<string, Subject>
  categories: Map<string, Subject>
  articles: Map<string, Subject>
  comments: Map<string, Subject>
}

/** What a company calls something; another may call something else the same. */
export function nameIn({ company }: Step, name: string): string {
  return `${company} ${name}`
}

export function keep(
  memory: Map<string, Subject>,
  name: string,
  { id, version = 0 }: { id: number; version?: number },
) {
  memory.set(name, { id, version })
}

/**
 * Reads which steps have been done already, so that an interrupted seed goes on where it stopped. Work on projects tells
 * it by the request ids of its activities, which it commits; everything else by what it has made, each of which has a
 * name or a moment of its own.
 * @param scopes of the companies that are there, by their codes
 * @param edition names the version of the story
 * @returns what the steps ahead need to know, and the numbers of the steps that were done; a story of another edition counts as told to the end
 */
export async function recall(scopes: Map<string, Scope>, steps: Step[], edition: string) {
  const memory: Memory = {
    projects: new Map(),
    tasks: new Map(),
    departments: new Map(),
    approvals: new Map(),
    categories: new Map(),
    articles: new Map(),
    comments: new Map(),
  }
  const done = new Set<number>()
  const found = await findTraces([...scopes.values()])
  const another = [...found.keys()].some((requestId) => !requestId.startsWith(`demo-${edition}-`))
  if (another) return { memory, done: new Set(steps.keys()) }
  const made = new Map<string, Found>()
  for (const [company, scope] of scopes) made.set(company, await findMade(scope))
  for (const [number, step] of steps.entries()) {
    if (!('project' in step)) {
      if (step.does !== 'read the inbox' && wasMade(step, made.get(step.company), memory)) done.add(number)
      continue
    }
    const trace = found.get(requestIdOf(edition, number))
    if (!trace) continue
    done.add(number)
    if (step.does === 'create project') memory.projects.set(step.project, { id: trace.projectId!, version: 0 })
    if (step.does === 'create task') memory.tasks.set(step.task, { id: trace.taskId!, version: 0 })
    if (step.does === 'extend project' || step.does === 'archive project') memory.projects.get(step.project)!.version++
    if (step.does === 'update task') memory.tasks.get(step.task)!.version++
  }
  return { memory, done }
}

/** Whether the step has left behind what it makes; what the next ones need of it is remembered. */
function wasMade(step: Step & (OfficeDeed | PressDeed), found: Found | undefined, memory: Memory): boolean {
  if (!found) return false
  const recalled = (kept: Map<string, Subject>, name: string, trace: { id: number } | undefined): boolean => {
    if (trace) keep(kept, nameIn(step, name), trace)
    return trace !== undefined
  }
  switch (step.does) {
    case 'create department':
      return recalled(memory.departments, step.department, found.departments.get(step.department))
    case 'join department':
      return found.memberships.has(`${step.department} ${step.member}`)
    case 'draft approval':
      return recalled(memory.approvals, step.approval, found.approvals.get(step.approval))
    case 'move approval':
    case 'decide approval':
      return (found.approvals.get(step.approval)?.version ?? -1) >= step.version
    case 'upload file':
      return found.files.has(step.file)
    case 'write section':
      return isDeepStrictEqual(found.sections.get(step.section)?.content, step.content)
    case 'create category':
      return recalled(memory.categories, step.slug, found.categories.get(step.slug))
    case 'write article':
      return recalled(memory.articles, step.article, found.articles.get(step.article))
    case 'comment article':
      return recalled(memory.comments, step.content, found.comments.get(step.content))
    case 'hide comment':
      return found.comments.get(step.content)?.status === 'hidden'
    case 'leave message':
      return found.messages.has(step.email)
    case 'check out':
      return step.isOpen
        ? found.orders.has(`${step.by} ${step.planId} ${step.channel}`)
        : found.ordersAt.has(`${step.by} ${instantOf(step.at)}`)
    default:
      return step satisfies never
  }
}

const listTraces = list((from, p: { pattern: string }) =>
  from('activities')
    .select(['activities.requestId', 'activities.projectId', 'activities.taskId'])
    .distinct()
    .where('activities.requestId', 'like', p.pattern),
)

async function findTraces(scopes: Scope[]) {
  const traces = await Promise.all(scopes.map((scope) => listTraces(scope, { pattern: 'demo-%' })))
  return new Map(traces.flat().map((trace) => [trace.requestId, trace]))
}

const listDepartments = list((from, _: object) => from('departments').select(['departments.id', 'departments.code']))
const listMemberships = list((from, _: object) =>
  from('departmentMembers')
    .innerJoin('departments', (join) =>
      join
        .onRef('departments.tenantId', '=', 'departmentMembers.tenantId')
        .onRef('departments.id', '=', 'departmentMembers.departmentId'),
    )
    .innerJoin('users', (join) =>
      join
        .onRef('users.tenantId', '=', 'departmentMembers.tenantId')
        .onRef('users.id', '=', 'departmentMembers.userId'),
    )
    .select(['departments.code', 'users.username']),
)
const listApprovals = list((from, _: object) =>
  from('approvals').select(['approvals.id', 'approvals.version', 'approvals.businessKey']),
)
const listFiles = list((from, _: object) => from('files').select('files.originalName'))
const listSections = list((from, _: object) =>
  from('portalSections').select(['portalSections.section', 'portalSections.content']),
)
const listCategories = list((from, _: object) => from('categories').select(['categories.id', 'categories.slug']))
const listArticles = list((from, _: object) => from('articles').select(['articles.id', 'articles.title']))
const listComments = list((from, _: object) =>
  from('comments').select(['comments.id', 'comments.content', 'comments.status']),
)
const listMessages = list((from, _: object) => from('contactMessages').select('contactMessages.email'))
const listOrders = list((from, _: object) =>
  from('paymentOrders')
    .innerJoin('users', (join) =>
      join.onRef('users.tenantId', '=', 'paymentOrders.tenantId').onRef('users.id', '=', 'paymentOrders.userId'),
    )
    .select(['users.username', 'paymentOrders.planId', 'paymentOrders.channel'])
    .select(sql<string>`payment_orders.created_at`.as('createdAt')),
)

type Found = Awaited<ReturnType<typeof findMade>>

/** Everything of a tenant that a step of the demo may have made, under the names that the story gives it. */
async function findMade(scope: Scope) {
  const [departments, memberships, approvals, files, sections, categories, articles, comments, messages, orders] =
    await Promise.all([
      listDepartments(scope, {}),
      listMemberships(scope, {}),
      listApprovals(scope, {}),
      listFiles(scope, {}),
      listSections(scope, {}),
      listCategories(scope, {}),
      listArticles(scope, {}),
      listComments(scope, {}),
      listMessages(scope, {}),
      listOrders(scope, {}),
    ])
  return {
    departments: byName(departments, ({ code }) => code),
    memberships: new Set(memberships.map(({ code, username }) => `${code} ${username}`)),
    approvals: byName(approvals, ({ businessKey }) => businessKey ?? ''),
    files: new Set(files.map(({ originalName }) => originalName)),
    sections: byName(sections, ({ section }) => section),
    categories: byName(categories, ({ slug }) => slug),
    articles: byName(articles, ({ title }) => title),
    comments: byName(comments, ({ content }) => content),
    messages: new Set(messages.map(({ email }) => email)),
    orders: new Set(orders.map(({ username, planId, channel }) => `${username} ${planId} ${channel}`)),
    ordersAt: new Set(orders.map(({ username, createdAt }) => `${username} ${createdAt}`)),
  }
}

function byName<Row>(rows: Row[], nameOf: (row: Row) => string): Map<string, Row> {
  return new Map(rows.map((row) => [nameOf(row), row]))
}

export function requestIdOf(edition: string, number: number): string {
  return `demo-${edition}-${number}`
}
