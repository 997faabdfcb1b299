import { beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { grantsOf } from '../../src/kernel/access.ts'
import { type Caller, openCallers } from '../support/callers.ts'
import { expectGolden } from '../support/domains.ts'
import { BEYOND, type Endpoint, HOLDINGS, SPECIFIED } from '../support/endpoints.ts'
import { expectNone } from '../support/expect-none.ts'
import { fingerprintOf } from '../support/fingerprint.ts'
import { resetsAnswered } from '../support/links.ts'
import { listRoutes, listWalked, named, nameOf, type Route, walksOutside } from '../support/routes.ts'
import { seedTenant } from '../support/samples.ts'
import { openWorld } from '../support/world.ts'

/**
 * What everybody sees on every route, as a table for review: `access.txt`. Each cell is the status of a good request,
 * for which everything it names was just made, so that a refusal can only be about who asks.
 */
const GOLDEN = {
  file: 'access.txt',
  means: 'What a role is answered on a route has changed',
  renew: 'npm test -- --project api access -u',
}
const routes = await listWalked()
const statuses = new Map<Route, number[]>()
/** What was made: by whom, and its announced address. */
const made: { what: string; caller: Caller; location: string }[] = []

const offer = { amountCents: 29_900, days: 365 }
const env = { CONTACT_LIMIT: '0', RENEWALS: JSON.stringify({ test: offer, enterprise: offer }) }
const world = await openWorld({ env })
const callers = await openCallers(world)
beforeAll(async () => {
  // Only a tenant that expires can be renewed, which the first one cannot be made to by the API.
  await world.look.rows(`update tenants set expired_at = '2099-01-01'`)
  for (const route of routes) {
    const answers = await Promise.all(callers.map((caller) => caller.call(route)))
    const given = answers.map(({ status }) => status)
    statuses.set(route, given)
    for (const [at, { status, headers }] of answers.entries())
      if (headers.location && status !== 302)
        made.push({ what: nameOf(route), caller: callers[at]!, location: String(headers.location) })
  }
})

const listed = [...SPECIFIED, ...BEYOND]
const all = await listRoutes()
const routeOf = (endpoint: Endpoint) => all.find((route) => nameOf(route) === nameOf(endpoint))
const demandsOf = (route: Route) =>
  listed.find((endpoint) => nameOf(endpoint) === nameOf(route))?.demands ??
  route.access.replace('system:', 'system ').replace('signed-in', 'auth').replace('anyone', '-')

/** What a role holds of the permissions that were asked for is fixed; of those that came later, what their domain says. */
const holds = (role: string, permission: string) =>
  listed.some(({ demands }) => demands === permission)
    ? HOLDINGS[role]!(permission)
    : grantsOf(role).some((granted) => granted === permission)

test('every endpoint that was asked for is there, each once', () => {
  expect(SPECIFIED).toHaveLength(76)
  const missing = listed.filter((endpoint) => !routeOf(endpoint))
  expectNone(missing.map((endpoint) => `${nameOf(endpoint)} is in test/support/endpoints.ts and no route answers it`))
  expect(new Set(listed.map(nameOf)).size).toBe(listed.length)
})

test('the table is the one that was reviewed', async () => {
  await expectGolden(GOLDEN, (domain) => {
    const shown = routes.filter((route) => route.domain === domain)
    if (!shown.length) return ''
    const width = Math.max(...shown.map((route) => nameOf(route).length))
    const row = (label: string, cells: unknown[]) =>
      [label.padEnd(width), ...cells.map((cell) => String(cell).padEnd(12))].join('  ').trimEnd()
    const names = callers.map(({ name }) => name)
    const head = row('', names)
    const lines = shown.map((route) => row(`${route.method.padEnd(6)} ${route.path}`, statuses.get(route)!))
    return `${[head, ...lines].join('\n')}\n`
  })
})

test.each(named(routes))(
  '%s lets in whom the specification and the contract let in, and refuses everybody else',
  (_, route) => {
    const [success] = Object.keys(route.schema.response).map(Number)
    const demands = demandsOf(route)
    const wantedFor = ({ name }: Caller) => {
      if (demands === '-') return success
      if (name === 'anonymous') return 401
      if (demands === 'administrator') return name === 'user' ? 403 : success
      if (demands.startsWith('system ')) return name === 'admin' ? success : 403
      return demands === 'auth' || holds(name, demands) ? success : 403
    }
    const wrong = callers.flatMap((caller, at) => {
      const [status, want] = [statuses.get(route)![at]!, wantedFor(caller)]
      const says = `${caller.name} is answered ${status} in place of ${want}: ${whyOf(status, want, demands)}`
      return status === want ? [] : [says]
    })
    expectNone(wrong)
  },
)

test('what was made is found at its Location, by anyone who has made it', async () => {
  const lost: string[] = []
  for (const { what, caller, location } of made)
    if ((await caller.statusOf(location)) !== 200)
      lost.push(`${what} by ${caller.name} is not found at its Location ${location}: reply.created() says where it is`)
  expectNone(lost)
  if (!walksOutside) expect(new Set(made.map(({ what }) => what)).size).toBeGreaterThan(10)
})

test('what a request adds to its body or its headers gives it no right, no tenant, and no field that it may not set', async () => {
  const { tenant, member, ids } = await seedTenant(world, await world.givenTenant(), 'a-canary-of-others')
  // The mail of an invitation is marked after it has left.
  await resetsAnswered(world)
  const before = await fingerprintOf(world.look, tenant.id)
  const [, user, administrator, system] = callers as [Caller, Caller, Caller, Caller]
  const ofPeople = 'ownerId createdBy userId authorId applicantId reporterId receiverId uploaderId'.split(' ')
  const fields: Record<string, unknown> = {
    ...{ id: 987_654_321, tenantId: tenant.id, tenant_id: tenant.id, tenantCode: tenant.code, projectId: ids.projects },
    ...Object.fromEntries(ofPeople.map((name) => [name, member.id])),
    ...{ role: 'admin', roles: ['admin', 'tenant-admin'], permissions: ['tenant:list'], isSystemAdministrator: true },
    ...{ version: 41, status: 'ARCHIVED', currentStep: 9, read: true, amountCents: 1 },
    ...{ createdAt: '2001-01-01T00:00:00.000Z', updatedAt: '2001-01-01T00:00:00.000Z' },
  }
  const headers = {
    ...{ 'x-tenant-id': String(tenant.id), 'x-user-id': '1', 'x-forwarded-user': 'admin' },
    ...{ 'x-forwarded-host': 'evil.example', 'x-original-url': '/api/v1/tenants', 'x-http-method-override': 'DELETE' },
  }
  for (const route of routes.filter(({ method }) => method !== 'GET')) {
    const body = notIn(route.schema.body, fields)
    const isSystems = demandsOf(route).startsWith('system ')
    const ask = async (caller: Caller) => {
      // The system administrator may name a tenant; nobody else can.
      const named = caller === system ? headers : { ...headers, 'x-tenant-code': tenant.code }
      const answer = await caller.call(route, { body, headers: named })
      expect(answer.status, `${nameOf(route)} by ${caller.name}`).toBe(statuses.get(route)![callers.indexOf(caller)])
      for (const [name, value] of Object.entries(body)) expect(answer.data?.[name] ?? null).not.toEqual(value)
    }
    await Promise.all([user, administrator, ...(isSystems ? [system] : [])].map(ask))
  }
  expect(await fingerprintOf(world.look, tenant.id)).toBe(before)
})

/** What to look at where an answer differs from what the access of the route says. */
function whyOf(status: number, wanted: number | undefined, demands: string): string {
  if (status === 401 || status === 403)
    return `the route demands ${demands}; if that is right, its action refuses the person who made the thing`
  if (wanted === 401 || wanted === 403) return `the route has to demand ${demands} in config.access`
  if (status === 404) return 'what its path names is not theirs: their role may not send the route that makes it'
  if (status >= 500) return 'the action fails; the log of the service says why'
  if (status >= 400)
    return 'the example of its body, or of what its path names, is refused: correct it beside the schema'
  return `its response declares ${wanted}`
}

/** Those of the fields that a body does not have; none if no body is read. */
function notIn(body: z.ZodType | undefined, fields: object): object {
  if (!body) return {}
  const shape = JSON.stringify(z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' }))
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !shape.includes(`"${name}"`)))
}
