import { isDeepStrictEqual } from 'node:util'
import { expect, test } from 'vitest'
import { until } from '#test/patience.ts'
import { listWalked, type Route } from '#test/routes.ts'
import { addressOf, type Furniture, kindsIn, missingOf, sampleOf, seedTenant } from '#test/samples.ts'
import { randomFrom } from '#test/workload.ts'
import { openWorld, type Person } from '#test/world.ts'

/**
 * A key is answered as a person with the same roles: generated requests to every route, good ones and others, each sent
 * once by a person and once with a key, in two tenants that are furnished alike. What differs is only what each tenant's
 * own things are called. KEY_REQUESTS draws more, KEY_SEED others.
 */
const SEED = Number(process.env.KEY_SEED ?? 20_261_123)
const REQUESTS = Number(process.env.KEY_REQUESTS ?? 300)
const ROLES = ['user', 'tenant-admin', 'reader']
/** Who is in a list of people differs by who there is. */
const OF_PEOPLE = ['/users', '/users/directory']
/** What jobs have done by now. */
const isOfJobs = (path: string) => path === '/search' || path.startsWith('/webhooks/:id/deliveries')
/** A key has no session, a stream does not end, and only people change their account. */
const OF_A_PERSON = ['/notifications/stream', '/users/me/calendar-key', '/users/me/substitute', '/users/:id/substitute']
const isOfAPerson = ({ method, path }: Route) => OF_A_PERSON.includes(path) || `${method} ${path}` === 'PUT /users/me'
const routes = (await listWalked()).filter((route) => !route.path.startsWith('/auth/') && !isOfAPerson(route))

interface Side {
  home: Furniture
  callers: Record<string, Person>
}
const world = await openWorld({ env: { CONTACT_LIMIT: '0' } })
const people = await furnish('people', (home, role) => world.givenUser(home.tenant, role))
const systems = await furnish('people', givenSystem)
// Only people sign in.
await world.look.rows('delete from last_sign_ins')

async function furnish(canary: string, make: (home: Furniture, role: string) => Promise<Person>): Promise<Side> {
  const home = await seedTenant(world, await world.givenTenant(), canary)
  const reads = ['project:list', 'user:list', 'role:list', 'audit:view', 'key:manage'] as const
  const reader = await world.givenRole(home.tenant, reads)
  // Neither kind is missing in either tenant.
  await givenSystem(home, 'user')
  await world.givenUser(home.tenant)
  const callers: Record<string, Person> = {}
  for (const role of ROLES) {
    callers[role] = await make(home, role === 'reader' ? reader : role)
    await world.givenMember(home.member, { id: Number(home.ids.projects) }, callers[role]!)
  }
  return { home, callers }
}

async function givenSystem({ tenant }: Furniture, role: string): Promise<Person> {
  const boss = world.as(tenant.administrator)
  const draft = { name: `System ${role}`, roleIds: [await world.roleId(tenant, role)] }
  const { id, name } = (await boss.post('/service-accounts', draft)).expect(201)
  const { key } = (await boss.post(`/service-accounts/${id}/keys`, { name: 'K' })).expect(201)
  return { id, tenantId: tenant.id, username: name, token: key }
}

test('generated requests with a key are answered as those of a person', async () => {
  const draw = randomFrom(SEED)
  const seen = new Map<number, number>()
  for (let sent = 0; sent < REQUESTS; sent++) {
    const request = drawRequest(draw)
    const [person, system] = await Promise.all([send(people, request), send(systems, request)])
    const isAlike =
      system.status === person.status &&
      (isOfJobs(request.route.path) ||
        OF_PEOPLE.includes(request.route.path) ||
        isDeepStrictEqual(system.shape, person.shape))
    if (!isAlike) {
      const route = `${request.route.method} ${request.route.path}`
      expect.fail(
        `KEY_SEED=${SEED}, request ${sent}: ${JSON.stringify({ ...request, route })}\n${person.status} ${person.text}\n${system.status} ${system.text}`,
      )
    }
    seen.set(person.status, (seen.get(person.status) ?? 0) + 1)
  }
  for (const status of [200, 201, 400, 403, 404, 409])
    expect(seen.get(status) ?? 0, `answers of ${status} among ${JSON.stringify([...seen])}`).toBeGreaterThan(0)
})

interface Drawn {
  route: Route
  role: string
  /** which ids of the path name nothing */
  missing: boolean[]
  body: Record<string, unknown> | undefined
  query: string
}

/** Samples are drawn once and sent by both, with the ids of each one's own things. */
function drawRequest(draw: () => number): Drawn {
  const pick = <T>(of: readonly T[]) => of[Math.floor(draw() * of.length)]!
  const route = pick(routes)
  const { body, query = '' } = sampleOf(route)
  const fields = typeof body === 'object' ? Object.keys(body) : []
  if (body && fields.length && draw() < 0.2) delete body[pick(fields)]
  if (body && fields.length && draw() < 0.2) body[pick(fields)] = pick([null, '', 'x'.repeat(300), -1, [], {}, true])
  return { route, role: pick(ROLES), missing: kindsIn(route).map(() => draw() < 0.15), body, query }
}

async function send({ home, callers }: Side, { route, role, missing, body, query }: Drawn) {
  const all = home.ids as Record<string, number | string>
  const idOf = (kind: string, at: number) =>
    missing[at] ? missingOf(kind) : (all[kind] ?? all[`${kind.replace(/Id$/, '')}s`] ?? 1)
  const { bodyIds = {}, queryIds = {} } = sampleOf(route)
  const named = Object.entries(bodyIds).flatMap(([field, kind]) =>
    body && typeof body[field] === 'number' && all[kind] ? [[field, all[kind]]] : [],
  )
  const ids = Object.entries(queryIds).flatMap(([field, kind]) => (all[kind] ? [`${field}=${all[kind]}`] : []))
  const search = [query, ...ids].filter(Boolean).join('&')
  // What a slow machine puts off is asked again.
  const { statusCode, body: text } = await until(async () => {
    const answer = await world.app.inject({
      method: route.method as 'GET',
      url: `/api/v1${addressOf(route, kindsIn(route).map(idOf), search, all)}`,
      headers: {
        authorization: `Bearer ${callers[role]!.token}`,
        'idempotency-key': crypto.randomUUID(),
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { payload: JSON.stringify({ ...body, ...Object.fromEntries(named) }) }),
    })
    return answer.statusCode !== 503 && answer
  })
  return { status: statusCode, text: text.slice(0, 600), shape: shapeOf(text) }
}

/** An answer without what is each one's own: ids, names, instants. Of a refusal all that is said, of lists whether anything is in them. */
function shapeOf(text: string): unknown {
  try {
    const { data, error, message } = JSON.parse(text)
    return error
      ? { type: error.type, message: message.replace(/\d+/g, '#'), paths: error.details.map(({ path }: any) => path) }
      : kindOf(data)
  } catch {
    return text.length > 0
  }
}

function kindOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.length ? [kindOf(value[0])] : []
  if (value === null || typeof value !== 'object') return value === null ? null : typeof value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, kindOf(inner)]))
}
