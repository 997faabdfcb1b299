import { sql } from 'kysely'
import { find, list } from '../src/data/sql/verbs.ts'
import type { Scope } from '../src/data/tx/scope.ts'
import { getPolicy } from '../src/domains/tenants/tenants.ts'

export type Found = Awaited<ReturnType<typeof findInCore>>

/** Everything of the core in a tenant that a step of the demo may have made, by the names that the story uses. */
export async function findInCore(scope: Scope) {
  const [
    users,
    departments,
    memberships,
    approvals,
    files,
    sections,
    categories,
    articles,
    comments,
    messages,
    orders,
    policy,
  ] = await Promise.all([
    listUsers(scope, {}),
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
    getPolicy(scope, { id: scope.tenantId }),
  ])
  const people = by(users, ({ id }) => id)
  const codes = by(departments, ({ id }) => id)
  const nameOf = (userId: number) => people.get(userId)!.username
  return {
    policy,
    users: by(users, ({ username }) => username),
    departments: by(departments, ({ code }) => code),
    memberships: new Set(memberships.map((one) => `${codes.get(one.departmentId)!.code} ${nameOf(one.userId)}`)),
    approvals: by(approvals, ({ businessKey }) => businessKey),
    files: new Set(files.map(({ originalName }) => originalName)),
    sections: by(sections, ({ section }) => section),
    categories: by(categories, ({ slug }) => slug),
    articles: by(articles, ({ title }) => title),
    comments: by(comments, ({ userId, createdAt }) => `${nameOf(userId)} ${createdAt}`),
    messages: new Set(messages.map(({ email }) => email)),
    // An open order is identified by what was ordered, one of the story by its time.
    orders: new Set(
      orders.flatMap(({ userId, planId, channel, createdAt }) => [
        `${nameOf(userId)} ${planId} ${channel}`,
        `${nameOf(userId)} ${createdAt}`,
      ]),
    ),
  }
}

function by<Row, Name>(rows: Row[], nameOf: (row: Row) => Name): Map<Name, Row> {
  return new Map(rows.map((row) => [nameOf(row), row]))
}

export const listUsers = list((from, _: object) =>
  from('users').select(['users.id', 'users.username', 'users.secondFactorAt']),
)
const listDepartments = list((from, _: object) => from('departments').select(['departments.id', 'departments.code']))
const listMemberships = list((from, _: object) =>
  from('departmentMembers').select(['departmentMembers.departmentId', 'departmentMembers.userId']),
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
  from('comments').select([
    'comments.id',
    'comments.userId',
    'comments.content',
    'comments.status',
    'comments.createdAt',
  ]),
)
const listMessages = list((from, _: object) => from('contactMessages').select('contactMessages.email'))
const listOrders = list((from, _: object) =>
  from('paymentOrders')
    .select(['paymentOrders.userId', 'paymentOrders.planId', 'paymentOrders.channel'])
    .select(sql<string>`payment_orders.created_at`.as('createdAt')),
)

/** The latest comment of somebody on a task with this text. */
export const findTaskComment = find((from, p: { taskId: number; authorId: number; content: string }) =>
  from('taskComments')
    .select('taskComments.id')
    .where('taskComments.taskId', '=', p.taskId)
    .where('taskComments.authorId', '=', p.authorId)
    .where('taskComments.content', '=', p.content)
    .orderBy('taskComments.id', 'desc')
    .limit(1),
)
