import { z } from 'zod'
import { exampleOf } from '../../tools/openapi/examples.ts'
import { KIND, openSchemas } from '../../tools/openapi/schemas.ts'
import type { Client } from './client.ts'
import { formOf } from './form.ts'
import { listRoutes, type Route } from './routes.ts'
import type { Tenant, World } from './world.ts'

/**
 * What a good request to each route looks like, found in its schemas: the example of its body, what its query may say,
 * and which of its fields are the id of something. A new route needs nothing here, and is attacked from its first day.
 */
export interface Sample {
  body?: Record<string, unknown>
  query?: string
  /** fields of the body that hold the id of another thing */
  bodyIds?: Record<string, string>
  /** parameters of the query that hold one */
  queryIds?: Record<string, string>
  /** as a user with all permissions, this takes a while: a password is hashed */
  isSlow?: true
}

/** Kinds of things that all tenants share, or that are no thing at all. */
export const SHARED_KINDS = ['permissions', 'menus', 'section', 'provider', 'tenantCode']

const routes = await listRoutes()
const schemas = openSchemas(routes)

let counter = 0

/** A good request to a route, but for its ids: what has to be unique is. */
export function sampleOf({ method, path }: Pick<Route, 'method' | 'path'>): Sample {
  const route = routes.find((one) => one.method === method && one.path === path)
  if (!route) return {}
  const { body: shape, querystring } = route.schema
  const isForm = shape && schemas.of(shape, 'input').properties?.file
  const body = shape && !isForm ? goodBody(shape, method === 'PUT') : undefined
  const bodyIds = shape && idsIn(shape)
  const query = querystring && goodQuery(querystring)
  const queryIds = querystring && idsIn(querystring)
  return {
    ...(body && { body }),
    ...(bodyIds && { bodyIds }),
    ...(query && { query }),
    ...(queryIds && { queryIds }),
    ...(Object.keys(body ?? {}).some((name) => /password$/i.test(name)) && { isSlow: true }),
  }
}

/** A filled-in body: an id or a secret only if required, and the version of what was just made. */
function goodBody(body: z.ZodType, isChange: boolean): Record<string, unknown> {
  const example = exampleOf(schemas.of(body, 'input'), schemas.components) as Record<string, unknown>
  const entries = Object.entries(fieldsOf(body)).flatMap(([name, field]) => {
    const mayBeLeftOut = field.safeParse(undefined).success
    const isNothingToSend = /(password|token)$/i.test(name) || kindOf(field)
    if (mayBeLeftOut && (isNothingToSend || (isChange && UNIQUE.includes(name)))) return []
    if (name === 'version') return [[name, 0]]
    if (name === 'email') return [[name, `${++counter}-${example[name]}`]]
    return [[name, UNIQUE.includes(name) ? `${example[name]}-${++counter}` : example[name]]]
  })
  return entries.length ? Object.fromEntries(entries) : example
}

const UNIQUE = ['code', 'name', 'slug', 'username']

/** Its filters: of an enumeration the first, no to a question, a letter to look for. */
function goodQuery(querystring: z.ZodObject): string {
  const pairs = Object.entries(fieldsOf(querystring)).flatMap(([name, field]) => {
    const { enum: options, type } = schemas.of(field, 'input')
    if (options) return `${name}=${options[0]}`
    if (type === 'boolean') return `${name}=false`
    if (name === 'version') return 'version=0'
    return name === 'keyword' ? 'keyword=a' : []
  })
  return pairs.join('&')
}

/** Fields that name another thing, with the kind of thing. */
function idsIn(schema: z.ZodType): Record<string, string> | undefined {
  const ids = Object.entries(fieldsOf(schema)).flatMap(([name, field]) => {
    const kind = kindOf(field)
    return kind && !SHARED_KINDS.includes(kind) ? [[name, kind]] : []
  })
  return ids.length ? Object.fromEntries(ids) : undefined
}

function kindOf(field: z.ZodType): string | undefined {
  const schema = schemas.of(field, 'input')
  return schema[KIND] ?? schema.items?.[KIND]
}

function fieldsOf(schema: z.ZodType): Record<string, z.ZodType> {
  if (schema instanceof z.ZodObject) return schema.shape as never
  return schema instanceof z.ZodOptional || schema instanceof z.ZodNullable
    ? fieldsOf(schema.unwrap() as z.ZodType)
    : {}
}

/** Makes a thing of a kind by the route that makes such things, with all that it needs. @returns its id */
export async function make(
  client: Client,
  kind: string,
  idOfKind: (kind: string) => Promise<number | string>,
  canary?: string,
): Promise<number | string> {
  const route = makerOf(kind)
  if (!route) throw new Error(`No route makes what ${kind} is the id of: add POST …/${pluralOf(kind)}`)
  return (await makeBy(client, route, idOfKind, canary)).id
}

/** The same by a route that makes something. @returns the answer's view of it */
export async function makeBy(
  client: Client,
  route: Route,
  idOfKind: (kind: string) => Promise<number | string>,
  canary?: string,
) {
  const ids: (number | string)[] = []
  for (const one of kindsIn(route)) ids.push(await idOfKind(one))
  const body = await withIds(route, idOfKind)
  const marked = Object.entries(body ?? {}).filter(([, value]) => typeof value === 'string')
  for (const [name] of canary ? marked : [])
    if (route.schema.body!.safeParse({ ...body, [name]: canary }).success) body![name] = canary
  const key = { 'idempotency-key': `made-${++counter}` }
  return (await client.post(fillPath(route.path, ids), body, key)).expect(201)
}

/** The route that makes things of a kind: `POST …/labels` for labels and labelId. */
export function makerOf(kind: string): Route | undefined {
  return routes.find(({ method, path }) => method === 'POST' && path.endsWith(`/${pluralOf(kind)}`))
}

/** `labelId` → labels */
function pluralOf(kind: string): string {
  return kind.replace(/Id$/, 's')
}

/** A DELETE of what a PUT to the same address does: a member, a label. It has to be there before. */
export function isUndone({ method, path }: Pick<Route, 'method' | 'path'>): boolean {
  return (
    method === 'DELETE' && routes.some((other) => other.method === 'PUT' && other.path === path && !other.schema.body)
  )
}

/** The body of a good request, with the ids that it has to name. */
export async function withIds(
  route: Pick<Route, 'method' | 'path'>,
  idOfKind: (kind: string) => Promise<number | string>,
) {
  const { body, bodyIds = {} } = sampleOf(route)
  for (const [field, kind] of Object.entries(bodyIds))
    if (body && field in body) body[field] = field.endsWith('Ids') ? [await idOfKind(kind)] : await idOfKind(kind)
  return body
}

/**
 * A tenant with one of each kind: a member of the project with role user, a user who is no member of it, and the ids by
 * what a path names before them (`/tasks/:id`) or by the name of the parameter.
 */
export type Furniture = Awaited<ReturnType<typeof seedTenant>>

/** Fills a tenant with one of each kind; every text in it holds the canary. */
export async function seedTenant(world: World, tenant: Tenant, canary: string) {
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
      categoryId: category.id as number | string,
      status: 'published',
    })
  ).expect(201)
  const comment = (await world.as(member).post(`/blog/${article.id}/comments`, { content: canary })).expect(201)
  await world.givenPrices(tenant)
  const order = (await world.as(member).post('/payments/checkout', { planId: 2, channel: 'card' })).expect(201)
  const visit = { 'x-tenant-code': tenant.code }
  ;(await world.anyone.post('/public/contact', { email: 'ada@example.org', message: canary }, visit)).expect(201)
  const [message] = (await boss.get('/content/contact-messages')).expect(200)
  const upload = formOf([{ filename: `${canary}.txt`, content: canary }])
  const file = (await world.as(member).send({ method: 'POST', url: '/api/v1/files', ...upload })).expect(201)
  const [session] = (await world.as(await world.givenUser(tenant)).get('/auth/sessions')).expect(200)
  const ids = {
    sessions: session.id as number | string,
    tenants: tenant.id as number | string,
    tenantId: tenant.id as number | string,
    organizations: organization.id as number | string,
    departments: department.id as number | string,
    users: outsider.id as number | string,
    userId: outsider.id as number | string,
    roles: role.id as number | string,
    projects: project.id as number | string,
    tasks: task.id as number | string,
    approvals: approval.id as number | string,
    'contact-messages': message.id as number | string,
    notifications: notification.id as number | string,
    filename: file.key.split('/')[1] as number | string,
    articles: article.id as number | string,
    blog: article.id as number | string,
    categories: category.id as number | string,
    comments: comment.id as number | string,
    orderNo: order.orderNo as number | string,
    // Anyone who has the key of a calendar may read it. This one is of the tenant, and of nobody in it.
    key: `${tenant.id}.${'x'.repeat(43)}` as number | string,
    mails: (await world.givenDeadMail(tenant, `${canary}@example.org`)) as number | string,
  }
  const all = ids as Record<string, number | string>
  all.webhooks = await make(boss, 'webhooks', async (one) => all[one]!, canary)
  all.deliveryId = all.deliveries = await world.givenDeadDelivery(tenant, { id: all.webhooks as number })
  for (const kind of routes.flatMap(kindsIn))
    if (!(kind in all || SHARED_KINDS.includes(kind)))
      all[kind] = all[pluralOf(kind)] ?? (await make(boss, kind, async (one) => all[one]!, canary))
  return { tenant, member, outsider, ids }
}

/** What is well formed, and the id of nothing. */
export function missingOf(kind: string): number | string {
  if (kind === 'filename') return `${'0'.repeat(32)}.txt`
  if (kind === 'key') return `1.${'0'.repeat(43)}`
  if (kind === 'orderNo') return `FV${'0'.repeat(24)}`
  return kind === 'section' ? 'home' : 987_654_321
}

/** What an id at a place in a path is the id of: `/departments/:id/members/:userId` → departments, userId. */
export function kindsIn(route: Pick<Route, 'path'>): string[] {
  const pieces = route.path.split('/')
  return pieces.flatMap((piece, at) =>
    piece.startsWith(':') ? [piece === ':id' ? pieces[at - 1]! : /^:(\w+)/.exec(piece)![1]!] : [],
  )
}

/** The path with ids in the places of its parameters, one after the other. */
export function fillPath(path: string, ids: readonly (number | string)[]): string {
  let at = 0
  return path.replace(/:\w+/g, () => String(ids[at++]))
}
