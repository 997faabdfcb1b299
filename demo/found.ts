import { sql } from 'kysely'
import { list } from '../src/data/sql/verbs.ts'
import type { Scope } from '../src/data/tx/scope.ts'
import { getPolicy } from '../src/domains/tenants/tenants.ts'
import { addressOf } from '../src/plugins/webhooks/webhooks.actions.ts'
import type { Sealer } from '../src/util/seal.ts'

export type Found = Awaited<ReturnType<typeof findMade>>

/** Everything in a tenant that a step of the demo may have made, by the names that the story uses. */
export async function findMade(scope: Scope, sealer: Sealer) {
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
    invitations,
    substitutes,
    calendars,
    keys,
    webhooks,
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
    listInvitations(scope, {}),
    listSubstitutes(scope, {}),
    listCalendars(scope, {}),
    listKeys(scope, {}),
    listWebhooks(scope, {}),
  ])
  const people = by(users, ({ id }) => id)
  const codes = by(departments, ({ id }) => id)
  const nameOf = (userId: number) => people.get(userId)!.username
  return {
    policy,
    users: by(users, ({ username }) => username),
    invitations: new Set(invitations.map(({ email }) => email)),
    substituted: new Set(substitutes.map(({ userId }) => nameOf(userId))),
    calendars: new Set(calendars.map(({ userId }) => nameOf(userId))),
    keys: new Set(keys.map(({ name }) => name)),
    webhooks: new Set(webhooks.map((webhook) => addressOf({ sealer, tenantId: scope.tenantId }, webhook))),
    departments: by(departments, ({ code }) => code),
    memberships: new Set(memberships.map((one) => `${codes.get(one.departmentId)!.code} ${nameOf(one.userId)}`)),
    approvals: by(approvals, ({ businessKey }) => businessKey),
    files: new Set(files.map(({ originalName }) => originalName)),
    sections: by(sections, ({ section }) => section),
    categories: by(categories, ({ slug }) => slug),
    articles: by(articles, ({ title }) => title),
    comments: by(comments, ({ content }) => content),
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
const listInvitations = list((from, _: object) => from('invitations').select('invitations.email'))
const listSubstitutes = list((from, _: object) => from('substitutes').select('substitutes.userId'))
const listCalendars = list((from, _: object) => from('calendarKeys').select('calendarKeys.userId'))
const listKeys = list((from, _: object) => from('apiKeys').select('apiKeys.name'))
const listWebhooks = list((from, _: object) =>
  from('webhooks').select(['webhooks.id', 'webhooks.url', 'webhooks.sealed as sealedSecrets']),
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
  from('comments').select(['comments.id', 'comments.content', 'comments.status']),
)
const listMessages = list((from, _: object) => from('contactMessages').select('contactMessages.email'))
const listOrders = list((from, _: object) =>
  from('paymentOrders')
    .select(['paymentOrders.userId', 'paymentOrders.planId', 'paymentOrders.channel'])
    .select(sql<string>`payment_orders.created_at`.as('createdAt')),
)
