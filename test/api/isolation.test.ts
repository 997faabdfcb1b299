import type { FastifySchema } from 'fastify'
import { expect, test } from 'vitest'
import { type Answer, withoutChance } from '../support/client.ts'
import { expectNone } from '../support/expect-none.ts'
import { fingerprintOf } from '../support/fingerprint.ts'
import { resetsAnswered } from '../support/links.ts'
import { naming, sentAs } from '../support/requests.ts'
import { listWalked, named, nameOf, type Route, walksOutside } from '../support/routes.ts'
import {
  addressOf,
  type Furniture,
  gapsIn,
  kindsIn,
  missingOf,
  pathIdsOf,
  SHARED_KINDS,
  sampleOf,
  seedTenant,
} from '../support/samples.ts'
import { openWorld, type Person } from '../support/world.ts'

/** For every place in which a request can name something: another tenant's is answered exactly like one that does not exist. */
const CANARY = 'CANARY-of-the-other-5e1f'

const world = await openWorld()
const ours = await seedTenant(world, await world.givenTenant(), 'ours')
const theirs = await seedTenant(world, await world.givenTenant(), CANARY)
const powerless = await world.givenUser(ours.tenant, [])
const attackers: [who: string, person: Person][] = [
  ['an administrator', ours.tenant.administrator],
  ['a member of the project', ours.member],
  ['a user outside of the project', ours.outsider],
  ['a user without permissions', powerless],
  ['the system administrator', world.admin],
]
const routes = await listWalked()
// The mail of an invitation is marked after it has left.
await resetsAnswered(world)
const before = await fingerprintOf(world.look, theirs.tenant.id)

/** Who can come as far as the id: `refusals.test.ts` shows that a permission is looked at before it. */
const attackersOf = ({ access }: Route) =>
  attackers.filter(([, person]) => person !== powerless || access === 'signed-in' || access === 'anyone')
const idIn = (furniture: Furniture, kind: string) =>
  SHARED_KINDS.includes(kind) ? missingOf(kind) : furniture.ids[kind as keyof typeof furniture.ids]
/** The tenants, and files under the number of a tenant: the paths that the system administrator has into all of them. */
const isAllowed = (person: Person, kind: string) => person === world.admin && kind.startsWith('tenant')
let requests = 0

async function call(
  person: Person,
  route: Route,
  ids: (number | string)[],
  { body, query }: { body?: object | undefined; query?: string | undefined } = sampleOf(route),
  headers: Record<string, string> = {},
) {
  const sent = sentAs(route, body)
  const answer = await world.as(person).send({
    ...sent,
    method: route.method,
    url: `/api/v1${addressOf(route, ids, query, ours.ids)}`,
    headers: {
      'idempotency-key': `attack-${++requests}`,
      ...sent.headers,
      ...headers,
    },
  })
  expect(JSON.stringify([answer.body, answer.headers])).not.toContain(CANARY)
  return answer
}
/** An answer without what differs from request to request. */
const essence = ({ status, body, headers }: Answer) => {
  const { 'x-request-id': _, date: __, 'content-length': ___, ...rest } = headers
  return { status, headers: rest, body: withoutChance(body) }
}

/** Of the audit, which grows while it is read, and of an archive, which holds it: only the owners of the rows. */
const shown = (answer: Answer) => {
  const [first] = [answer.data].flat()
  const growing = first?.requestId ? [...new Set(answer.data.map((row: any) => row.tenantId))] : undefined
  const owners = answer.headers['content-type'] === 'application/x-tar' ? ownersIn(answer.body) : growing
  return { status: answer.status, body: owners ?? withoutChance(answer.body) }
}

const ownersIn = (archive: string) => [...new Set(archive.match(/(?<="tenant_id":)\d+/g))]

test('this test knows a good request to every route, and where its ids come from', () => {
  expectNone(gapsIn(routes))
})

const attacked = routes.filter((route) => kindsIn(route).some((kind) => !SHARED_KINDS.includes(kind)))

test.each(named(attacked))('%s with the ids of another tenant, each alone and all at once', async (_, route) => {
  const kinds = kindsIn(route)
  for (const [who, person] of attackersOf(route)) {
    for (const [at, kind] of kinds.entries()) {
      if (isAllowed(person, kind)) continue
      const ids = kinds.map((one) => idIn(ours, one))
      const foreign = await call(person, route, ids.with(at, idIn(theirs, kind)))
      const missing = await call(person, route, ids.with(at, missingOf(kind)))
      expect(essence(foreign), `${who}, ${kind}`).toEqual(essence(missing))
      expect([403, 404], `${who}, ${kind}`).toContain(foreign.status)
      if (who === 'an administrator' && kind !== 'tenants') foreign.expect(404, 'NOT_FOUND')
    }
    if (kinds.length === 1 || isAllowed(person, kinds[0]!)) continue
    const foreign = await call(person, route, pathIdsOf(route, theirs.ids))
    expect(essence(foreign), who).toEqual(essence(await call(person, route, kinds.map(missingOf))))
  }
})

/** Each place of one kind in the requests of all routes, with the name of its route. */
const placesIn = (list: readonly Route[], of: 'bodyIds' | 'queryIds') =>
  list.flatMap((route) =>
    Object.entries(sampleOf(route)[of] ?? {}).map(([field, kind]) => [nameOf(route), field, kind, route] as const),
  )

test.each(placesIn(routes, 'bodyIds'))('%s with the id of another tenant in its %s', async (_, field, kind, route) => {
  const notMember = (route.schema as FastifySchema).refuses
    ?.map((refusal) => refusal().type)
    .find((type) => type.endsWith('_NOT_MEMBER'))
  const fault: [number, string] = notMember && kind === 'users' ? [400, notMember] : [404, 'NOT_FOUND']
  const withId = (person: Person, id: number | string) => {
    const ids = pathIdsOf(route, ours.ids)
    const body = naming(sampleOf(route).body, field, id)
    return call(person, route, ids, { body })
  }
  for (const [who, person] of attackersOf(route)) {
    if (person === world.admin) continue
    const foreign = await withId(person, idIn(theirs, kind))
    expect(essence(foreign), who).toEqual(essence(await withId(person, missingOf(kind))))
    expect([400, 403, 404], who).toContain(foreign.status)
    if (who === 'an administrator') foreign.expect(...fault)
  }
})

/** A stream does not end; its own tests hold it to the tenant. */
const ends = ({ path }: { path: string }) => !path.endsWith('/stream')

test.each(placesIn(routes.filter(ends), 'queryIds'))(
  '%s with the id of another tenant in ?%s',
  async (_, parameter, kind, route) => {
    for (const [who, person] of attackersOf(route)) {
      const ids = pathIdsOf(route, ours.ids)
      const ask = (id: number | string) => call(person, route, ids, { query: `${parameter}=${id}` })
      const foreign = await ask(idIn(theirs, kind))
      if (parameter !== 'before') expect(essence(foreign), who).toEqual(essence(await ask(missingOf(kind))))
    }
  },
)

const readsOfMembers = routes.filter(
  ({ method, access }) => method === 'GET' && access !== 'anyone' && !access.startsWith('system:'),
)

test.each(named(readsOfMembers))(
  '%s shows the same whatever tenant the headers and the query name',
  async (_, route) => {
    const ids = pathIdsOf(route, ours.ids)
    const person = /^\/(notifications|payments)/.test(route.path) ? ours.member : ours.tenant.administrator
    const { code, id } = theirs.tenant
    const headers = {
      ...{ 'x-tenant-code': code, 'x-tenant-id': String(id), 'x-user-id': '1', 'x-forwarded-user': 'admin' },
      ...{ 'x-original-url': '/api/v1/tenants', 'x-http-method-override': 'DELETE', 'x-forwarded-for': '127.0.0.1' },
      ...{ 'x-forwarded-host': 'evil.example', forwarded: 'for=127.0.0.1' },
    }
    const query = `tenantId=${id}&tenant_id=${id}&tenantCode=${code}`
    const plain = await call(person, route, ids, {})
    expect(shown(await call(person, route, ids, { query }, headers))).toEqual(shown(plain))
  },
)

test('after all of this nothing of the other tenant has changed by a single byte', async () => {
  if (!walksOutside) expect(requests).toBeGreaterThan(300)
  expect(await fingerprintOf(world.look, theirs.tenant.id)).toBe(before)
})
