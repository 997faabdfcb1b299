import { beforeAll, expect, test } from 'vitest'
import { type Answer, withoutChance } from '../support/client.ts'
import { resetsAnswered } from '../support/links.ts'
import { listWalked, named, type Route } from '../support/routes.ts'
import { addressOf, pathIdsOf, sampleOf, seedTenant } from '../support/samples.ts'
import { settleAudit } from '../support/settled.ts'
import { openWorld } from '../support/world.ts'

/**
 * Totals, orders, searches, tags and sizes tell nobody what another tenant holds: every read, with every filter, answers
 * the same bytes before and after another tenant has filled itself with the very words and ids that are asked for.
 */
const CANARY = 'canary-of-others-7c2d'

const before = new Map<string, string>()
/** An export names its moment and has the audit of these very reads; `export.test.ts` looks for rows of others in it. */
const routes = (await listWalked()).filter(
  ({ method, access, path }) => method === 'GET' && !access.startsWith('system:') && path !== '/tenant/export',
)

const world = await openWorld()
const ours = await seedTenant(world, await world.givenTenant(), 'our-own')
const theirs = await seedTenant(world, await world.givenTenant(), CANARY)
const readers = [ours.tenant.administrator, ours.member, ours.outsider]
beforeAll(async () => {
  // What our people were notified of, our mails and the links of our audit are as they stay before anything is read.
  await resetsAnswered(world)
  while ((await world.look.count('select count(*) from outbox')) > 0) await world.as(ours.member).get('/notifications')
  await settleAudit(world.database, ours.tenant.id)
  for (const route of routes) for (const [name, answer] of await readAll(route)) before.set(name, answer)

  const boss = world.as(theirs.tenant.administrator)
  for (let n = 0; n < 5; n++) {
    const person = await world.givenUser(theirs.tenant)
    const project = await world.givenProject(person, { name: `our-own ${n}`, description: CANARY })
    for (let m = 0; m < 5; m++) await world.givenTask(person, project, { title: `our-own ${m}`, description: CANARY })
    const article = { title: `our-own ${n}`, content: [CANARY], status: 'published', categoryId: theirs.ids.categories }
    await boss.create('/content/articles', article)
    await boss.create('/departments', { name: 'our-own', code: `D${n}`, parentId: theirs.ids.departments })
  }
})

/** Queries of a route: none, its good one, and each of its parameters with what is theirs. */
function queriesOf(route: Route): string[] {
  const names = Object.keys(route.schema.querystring?.shape ?? {})
  const values: Record<string, (string | number)[]> = {
    keyword: [CANARY, 'our-own'],
    category: [CANARY, 'our-own'],
    path: ['/api/v1/projects'],
    page: [2],
    pageSize: [3],
    before: [theirs.ids.tasks, 999_999_999],
    categoryId: [theirs.ids.categories],
    assigneeId: [theirs.member.id],
    userId: [theirs.member.id],
  }
  const filters = names.flatMap((name) => (values[name] ?? []).map((value) => `${name}=${value}`))
  const counted = names.includes('pageSize')
    ? filters.filter((filter) => !filter.startsWith('page')).map((filter) => `${filter}&page=1&pageSize=2`)
    : []
  const unknown = `tenantId=${theirs.tenant.id}&sort=tenantId&order=desc&q=${CANARY}`
  // The first answer of a public page is made, the others are kept; so the plain query comes twice.
  const queries = ['', sampleOf(route).query ?? '', ...filters, ...counted, unknown]
  if (route.path !== '/audit/operations') return queries
  // The audit notes the refusals of these very reads; what was written stays as it is.
  return queries.filter((query) => !query.includes('method')).map((query) => `method=POST&${query}`)
}

async function readAll(route: Route): Promise<[string, string][]> {
  const ids = pathIdsOf(route, ours.ids)
  const found: [string, string][] = []
  const different = route.access === 'anyone' ? readers.slice(0, 1) : readers
  for (const query of queriesOf(route))
    for (const [at, person] of different.entries()) {
      const address = addressOf(route, ids, query, ours.ids)
      const answer = await world.as(person).get(address)
      found.push([`${at} ${address}`, essenceOf(answer)])
    }
  return found
}

/** Everything but what differs from request to request. */
function essenceOf({ status, headers, body }: Answer): string {
  const { 'x-request-id': _, date: __, ...rest } = headers
  return JSON.stringify([status, rest, withoutChance(body)])
}

test.each(named(routes))('%s answers the same, to the byte, whatever others hold', async (_, route) => {
  for (const [name, answer] of await readAll(route)) expect(answer, name).toBe(before.get(name))
})

test('a name that others use is free', async () => {
  const boss = world.as(ours.tenant.administrator)
  const drafts: [string, object][] = [
    ['/departments', { name: CANARY, code: CANARY }],
    ['/content/categories', { name: CANARY, slug: CANARY }],
    ['/roles', { name: CANARY, code: `role-of-${CANARY}` }],
    ['/users', { username: theirs.member.username, password: 'a password' }],
  ]
  for (const [path, draft] of drafts) await boss.create(path, draft)
})
