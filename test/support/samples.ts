import type { Client } from './client.ts'
import { expectNone } from './expect-none.ts'
import { formOf } from './form.ts'
import { obedient } from './obedient.ts'
import { until } from './patience.ts'
import {
  fillPath,
  gapsIn,
  kindsIn,
  kindsNamedBy,
  makerOf,
  type Named,
  naming,
  pluralOf,
  requiredKinds,
  SHARED_KINDS,
  sampleOf,
} from './requests.ts'
import { listRoutes, type Route } from './routes.ts'
import type { Tenant, World } from './world.ts'

export * from './requests.ts'

const routes = await listRoutes()
let counter = 0

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
  return await client.create(fillPath(route.path, ids), body, key)
}

/** The body of a good request, with the ids that it has to name. */
export async function withIds(route: Named, idOfKind: (kind: string) => Promise<number | string>) {
  const { body, bodyIds = {} } = sampleOf(route)
  let named = body
  for (const [field, kind] of Object.entries(bodyIds))
    if (typeof body === 'object' && field.split('[]')[0]! in body) named = naming(named, field, await idOfKind(kind))
  return named
}

/** The ids that the query of a good request has to name, by their kinds. */
export async function idsOfQuery(route: Named, idOfKind: (kind: string) => Promise<number | string>) {
  const ids = requiredKinds(route).map(async (kind) => [kind, await idOfKind(kind)] as const)
  return Object.fromEntries(await Promise.all(ids))
}

/**
 * A tenant with one of each kind: a member of the project with role user, a user who is no member of it, and the ids by
 * what a path names before them (`/tasks/:id`) or by the name of the parameter.
 */
export type Furniture = Awaited<ReturnType<typeof seedTenant>>

/** Fills a tenant with one of each kind; every text in it holds the canary. */
export async function seedTenant(world: World, tenant: Tenant, canary: string) {
  expectNone(gapsIn(routes))
  const [member, outsider] = [await world.givenUser(tenant), await world.givenUser(tenant)]
  const boss = obedient(world.as(tenant.administrator))
  const me = obedient(world.as(member))
  const project = await world.givenProject(member, { name: `Project ${canary}`, description: canary })
  const task = await world.givenTask(member, project, { title: `Task ${canary}`, description: canary })
  await boss.create(`/tasks/${task.id}/comments`, { content: `Comment ${canary}` })
  const department = await boss.create('/departments', { name: canary, code: canary, leaderId: outsider.id })
  const request = { type: 'leave', title: canary, payload: canary, departmentId: department.id }
  const approval = await me.create('/approvals', request)
  const notification = await until(async () => (await me.read('/notifications'))[0] ?? false)
  const organization = await boss.read('/organizations/current')
  const role = await boss.create('/roles', { code: `role-of-${canary}`, name: canary })
  const category = await boss.create('/content/categories', { name: canary, slug: canary.toLowerCase() })
  const article = (
    await boss.post('/content/articles', {
      title: canary,
      content: [canary],
      categoryId: category.id as number | string,
      status: 'published',
    })
  ).expect(201)
  const comment = await me.create(`/blog/${article.id}/comments`, { content: canary })
  await world.givenPrices(tenant)
  const order = await me.create('/payments/checkout', { planId: 2, channel: 'card' })
  const visit = { 'x-tenant-code': tenant.code }
  await obedient(world.anyone).create('/public/contact', { email: 'ada@example.org', message: canary }, visit)
  const [message] = await boss.read('/content/contact-messages')
  const upload = formOf([{ filename: `${canary}.txt`, content: canary }])
  const file = (await me.send({ method: 'POST', url: '/api/v1/files', ...upload })).expect(201)
  const [session] = await obedient(world.as(await world.givenUser(tenant))).read('/auth/sessions')
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
  }
  const all = ids as Record<string, number | string>
  const named = new Set(routes.flatMap(kindsNamedBy))
  if (named.has('mails')) all.mails = await world.givenDeadMail(tenant, `${canary}@example.org`)
  if (named.has('webhooks')) {
    all.webhooks = await make(boss, 'webhooks', async (one) => all[one]!, canary)
    all.deliveryId = all.deliveries = await world.givenDeadDelivery(tenant, { id: all.webhooks as number })
  }
  const idOf = async (kind: string): Promise<number | string> => {
    all[kind] ??= all[pluralOf(kind)] ?? (await make(boss, kind, idOf, canary))
    return all[kind]
  }
  for (const kind of named) if (!SHARED_KINDS.includes(kind)) await idOf(kind)
  return { tenant, member, outsider, ids }
}

/** The ids in the path of a route, of what a tenant was filled with. */
export function pathIdsOf(route: Parameters<typeof kindsIn>[0], ids: Furniture['ids']): (number | string)[] {
  return kindsIn(route).map((kind) => (SHARED_KINDS.includes(kind) ? missingOf(kind) : ids[kind as 'users']))
}

/** What is well formed, and the id of nothing. */
export function missingOf(kind: string): number | string {
  if (kind === 'filename') return `${'0'.repeat(32)}.txt`
  if (kind === 'key') return `1.${'0'.repeat(43)}`
  if (kind === 'orderNo') return `FV${'0'.repeat(24)}`
  return kind === 'section' ? 'home' : 987_654_321
}
