import { formOf } from './form.ts'
import type { Route } from './routes.ts'
import type { Person, Tenant, World } from './world.ts'

/**
 * What the tests that are generated from the table of routes cannot find out by themselves: where ids of each kind come
 * from, and what a good request looks like. A new route adds its line here, and is attacked from then on.
 */
export interface Furniture {
  tenant: Tenant
  /** a member of the project, with role user */
  member: Person
  /** a user who is no member of it */
  outsider: Person
  ids: Ids
}
type Kind =
  | 'tenants'
  | 'tenantId'
  | 'organizations'
  | 'departments'
  | 'users'
  | 'userId'
  | 'roles'
  | 'projects'
  | 'tasks'
  | 'approvals'
  | 'notifications'
  | 'filename'
  | 'articles'
  | 'blog'
  | 'categories'
  | 'comments'
  | 'orderNo'
export type Ids = Record<Kind, number | string>

/** Parameters that name what all tenants share, or no thing at all. */
export const SHARED_KINDS = ['permissions', 'menus', 'section']

/** Fills a tenant with one of each kind; every text in it holds the canary. */
export async function seedTenant(world: World, tenant: Tenant, canary: string): Promise<Furniture> {
  const [member, outsider] = [await world.givenUser(tenant), await world.givenUser(tenant)]
  const boss = world.as(tenant.administrator)
  const project = await world.givenProject(member, { name: `Project ${canary}`, description: canary })
  const task = await world.givenTask(member, project, { title: `Task ${canary}`, description: canary })
  ;(await boss.post(`/tasks/${task.id}/comments`, { content: `Comment ${canary}` })).expect(201)
  const department = (await boss.post('/departments', { name: canary, code: canary, leaderId: outsider.id })).expect(
    201,
  )
  const request = { type: 'leave', title: canary, payload: canary, departmentId: department.id }
  const approval = (await world.as(member).post('/approvals', request)).expect(201)
  const [notification] = (await world.as(member).get('/notifications')).expect(200)
  const organization = (await boss.get('/organizations/current')).expect(200)
  const role = (await boss.post('/roles', { code: `role-of-${canary}`, name: canary })).expect(201)
  const category = (await boss.post('/content/categories', { name: canary, slug: canary.toLowerCase() })).expect(201)
  const article = (
    await boss.post('/content/articles', {
      title: canary,
      content: [canary],
      categoryId: category.id,
      status: 'published',
    })
  ).expect(201)
  const comment = (await world.as(member).post(`/blog/${article.id}/comments`, { content: canary })).expect(201)
  const order = (await world.as(member).post('/payments/checkout', { planId: 2, channel: 'card' })).expect(201)
  const upload = formOf([{ filename: `${canary}.txt`, content: canary }])
  const file = (await world.as(member).send({ method: 'POST', url: '/api/v1/files', ...upload })).expect(201)
  return {
    tenant,
    member,
    outsider,
    ids: {
      tenants: tenant.id,
      tenantId: tenant.id,
      organizations: organization.id,
      departments: department.id,
      users: outsider.id,
      userId: outsider.id,
      roles: role.id,
      projects: project.id,
      tasks: task.id,
      approvals: approval.id,
      notifications: notification.id,
      filename: file.key.split('/')[1],
      articles: article.id,
      blog: article.id,
      categories: category.id,
      comments: comment.id,
      orderNo: order.orderNo,
    },
  }
}

/** What is well formed, and the id of nothing. */
export function missingOf(kind: string): number | string {
  if (kind === 'filename') return `${'0'.repeat(32)}.txt`
  if (kind === 'orderNo') return `FV${'0'.repeat(24)}`
  return kind === 'section' ? 'home' : 987_654_321
}

export interface Sample {
  body?: Record<string, unknown>
  query?: string
  /** fields of the body that hold the id of another thing */
  bodyIds?: Record<string, Kind>
  /** parameters of the query that hold one */
  queryIds?: Record<string, Kind>
  /** as a user with all permissions, this takes a while: a password is hashed */
  isSlow?: true
}

let counter = 0
const unique = () => `s-${++counter}`

/** A good request to a route, but for its ids. */
export function sampleOf({ method, path }: Pick<Route, 'method' | 'path'>): Sample {
  const make = SAMPLES[`${method} ${path}`]
  return make ? make() : {}
}

const SAMPLES: Record<string, () => Sample> = {
  'POST /auth/login': () => ({ body: { username: 'nobody', password: 'wrong' }, isSlow: true }),
  'POST /auth/register': () => ({
    body: { username: unique(), email: 'a@example.com', password: 'secret' },
    isSlow: true,
  }),
  'POST /auth/refresh': () => ({ body: { refreshToken: 'x' } }),
  'POST /auth/logout': () => ({ body: {} }),
  'PUT /auth/password': () => ({ body: { currentPassword: 'wrong', newPassword: 'secret' }, isSlow: true }),
  'POST /tenants': () => ({
    body: {
      name: 'T',
      code: `t-${unique()}`,
      plan: 'team',
      adminUsername: 'a',
      adminPassword: 'correct horse',
      adminEmail: 'a@example.com',
    },
    isSlow: true,
  }),
  'PUT /tenants/:id': () => ({ body: { name: 'Renamed' } }),
  'PUT /organizations/:id': () => ({ body: { name: 'Renamed' } }),
  'POST /departments': () => ({
    body: { name: 'D', code: unique(), sort: 1 },
    bodyIds: { parentId: 'departments', leaderId: 'userId' },
  }),
  'PUT /departments/:id': () => ({
    body: { name: 'D', code: unique() },
    bodyIds: { parentId: 'departments', leaderId: 'userId' },
  }),
  'POST /projects': () => ({ body: { name: 'P', code: unique(), description: 'x', startDate: '2026-01-01' } }),
  'PUT /projects/:id': () => ({ body: { version: 0, name: 'P' } }),
  'PUT /projects/:id/archive': () => ({ query: 'version=0' }),
  'GET /projects/:id/tasks': () => ({ query: 'status=TODO&keyword=t', queryIds: { assigneeId: 'userId' } }),
  'POST /projects/:id/tasks': () => ({ body: { title: 'T', priority: 'LOW' }, bodyIds: { assigneeId: 'userId' } }),
  'PUT /tasks/:id': () => ({ body: { version: 0, title: 'T' }, bodyIds: { assigneeId: 'userId' } }),
  'POST /tasks/:id/comments': () => ({ body: { content: 'C' } }),
  'GET /tasks/:id/comments': () => ({ query: 'before=999999999' }),
  'POST /approvals': () => ({ body: { type: 'leave', title: 'A' }, bodyIds: { departmentId: 'departments' } }),
  'POST /approvals/:id/approve': () => ({ body: { comment: 'ok' } }),
  'POST /approvals/:id/reject': () => ({ body: { comment: 'no' } }),
  'GET /notifications': () => ({ query: 'read=false', queryIds: { before: 'notifications' } }),
  'GET /notifications/stream': () => ({ query: 'lastEventId=0', queryIds: { lastEventId: 'notifications' } }),
  'GET /audit/operations': () => ({ query: 'method=POST', queryIds: { userId: 'userId' } }),
  'GET /users/directory': () => ({ query: 'keyword=person' }),
  'GET /users': () => ({ query: 'status=active&pageSize=5' }),
  'POST /users': () => ({
    body: { username: unique(), password: 'secret' },
    bodyIds: { roleIds: 'roles' },
    isSlow: true,
  }),
  'PUT /users/:id': () => ({ body: { nickname: 'N' }, bodyIds: { roleIds: 'roles' } }),
  'GET /roles': () => ({ query: 'keyword=role' }),
  'POST /roles': () => ({ body: { code: `r-${unique()}`, name: 'R' } }),
  'PUT /roles/:id': () => ({ body: { name: 'R' } }),
  'POST /permissions': () => ({ body: { code: `thing:${unique()}`, name: 'P' } }),
  'PUT /permissions/:id': () => ({ body: { description: 'P' } }),
  'POST /menus': () => ({ body: { name: 'M' } }),
  'PUT /menus/:id': () => ({ body: { name: 'M' } }),
  'GET /content/articles': () => ({ query: 'status=published&pageSize=5', queryIds: { categoryId: 'categories' } }),
  'POST /content/articles': () => ({
    body: { title: 'A', content: ['p'], tags: ['t'] },
    bodyIds: { categoryId: 'categories' },
  }),
  'PUT /content/articles/:id': () => ({ body: { title: 'A' }, bodyIds: { categoryId: 'categories' } }),
  'POST /content/categories': () => ({ body: { name: unique(), slug: unique() } }),
  'PUT /content/categories/:id': () => ({ body: { description: 'C' } }),
  'PUT /content/comments/:id': () => ({ body: { status: 'published' } }),
  'PUT /content/portal/:section': () => ({ body: { highlights: [], stats: [], testimonials: [] } }),
  'GET /public/blog': () => ({ query: 'category=All&keyword=a' }),
  'POST /public/contact': () => ({ body: { email: 'a@example.com', message: 'M' } }),
  'POST /blog/:id/comments': () => ({ body: { content: 'C' } }),
  'POST /payments/checkout': () => ({ body: { planId: 2, channel: 'card' } }),
}

/** What an id at a place in a path is the id of: `/departments/:id/members/:userId` → departments, userId. */
export function kindsIn(route: Pick<Route, 'path'>): string[] {
  const pieces = route.path.split('/')
  return pieces.flatMap((piece, at) =>
    piece.startsWith(':') ? [piece === ':id' ? pieces[at - 1]! : piece.slice(1)] : [],
  )
}

/** The path with ids in the places of its parameters, one after the other. */
export function fillPath(path: string, ids: readonly (number | string)[]): string {
  let at = 0
  return path.replace(/:\w+/g, () => String(ids[at++]))
}
