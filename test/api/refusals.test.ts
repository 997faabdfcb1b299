import { describe, expect, test } from 'vitest'
import { allPermissions, type Permission } from '../../src/kernel/access.ts'
import { listWalked, named, type Route } from '../support/routes.ts'
import { addressOf, sampleOf } from '../support/samples.ts'
import { openWorld, type Person } from '../support/world.ts'

/** Who is refused, for every route of the table. */
const holders = new Map<Permission, Person>()
const routes = await listWalked()
const guarded = routes.filter(({ access }) => access !== 'anyone')
const permissionOf = ({ access }: Route) => access.replace('system:', '') as Permission
const wantsPermission = guarded.filter(({ access }) => access !== 'signed-in')

const world = await openWorld()
const tenant = await world.givenTenant()
const nobody = await world.givenUser(tenant, [])
const everything = await world.givenUser(tenant, allPermissions())
for (const permission of new Set(wantsPermission.map(permissionOf)))
  holders.set(permission, await world.givenUser(tenant, [permission]))

const TOO_LARGE = 'x'.repeat(1_100_000)
const JSON_TYPE = 'application/json'

/** A request as it is meant: with a good body if it takes one. */
async function* attempt(route: Route, headers: Record<string, string>) {
  const { body } = sampleOf(route)
  yield send(route, '1', headers, body && JSON.stringify(body), body && JSON_TYPE)
}

/** The same request with every kind of body: none, a good one, a bad one, no JSON, no type, too large. */
async function* attempts(route: Route, headers: Record<string, string>) {
  const bodies: [payload?: string, type?: string][] = [
    [],
    [JSON.stringify(sampleOf(route).body ?? {}), JSON_TYPE],
    ['{"version":"x"}', JSON_TYPE],
    ['{', JSON_TYPE],
    ['', JSON_TYPE],
    ['<xml/>', 'text/xml'],
    ['--x\r\n', 'multipart/form-data'],
    [TOO_LARGE, JSON_TYPE],
  ]
  for (const [payload, type] of route.method === 'GET' ? [[]] : bodies) yield send(route, '1', headers, payload, type)
  for (const id of ['x', '%00']) yield send(route, id, headers)
}

function send(route: Route, id: string, headers: Record<string, string>, payload?: string, type?: string) {
  return world.anyone.send({
    method: route.method,
    url: `/api/v1${addressOf(route, [id, id], sampleOf(route).query)}`,
    headers: { ...headers, ...(type && { 'content-type': type }) },
    ...(payload !== undefined && { payload }),
  })
}
const bearer = (person: Person) => ({ authorization: `Bearer ${person.token}` })

describe.each(named(guarded))('%s', (_, route) => {
  test('wants a token, whatever comes with the request', async () => {
    for (const answers of [
      attempts(route, {}),
      attempt(route, { authorization: 'Bearer stale' }),
      attempt(route, { 'x-tenant-code': tenant.code }),
    ])
      for await (const answer of answers) {
        answer.expect(401, 'UNAUTHENTICATED')
        expect(answer.headers['www-authenticate']).toBe('Bearer')
      }
  })
})

describe.each(named(wantsPermission))('%s', (_, route) => {
  test('wants its permission, whatever comes with the request', async () => {
    for await (const answer of attempts(route, bearer(nobody))) answer.expect(403, 'PERMISSION_DENIED')
  })

  test('wants no other permission than its own', async () => {
    const { body } = sampleOf(route)
    const key = { 'idempotency-key': `alone-${Math.random()}` }
    const holder = bearer(holders.get(permissionOf(route))!)
    const answer = await send(route, '999999', { ...holder, ...key }, body && JSON.stringify(body), body && JSON_TYPE)
    if (route.access.startsWith('system:')) answer.expect(403, 'ROLE_REQUIRED')
    // What a command passes on is another matter than who may give it: that refusal names what is missing.
    else if (answer.status === 403) expect(answer.error?.details).not.toEqual([])
    expect(answer.status).not.toBe(401)
  })
})

describe.each(named(guarded.filter(({ access }) => access.startsWith('system:'))))('%s', (_, route) => {
  test('wants the system administrator, whatever else one holds', async () => {
    for await (const answer of attempt(route, bearer(everything))) answer.expect(403, 'ROLE_REQUIRED')
  })
})

describe.each(named(guarded.filter(({ access }) => access === 'signed-in')))('%s', (_, route) => {
  test('is open to everybody who is signed in', async () => {
    if (route.path === '/auth/logout') return
    const { body } = sampleOf(route)
    const answer = await send(route, '999999', bearer(nobody), body && JSON.stringify(body), body && JSON_TYPE)
    expect([401, 403]).not.toContain(answer.status)
  })
})

describe.each(named(routes.filter(({ access }) => access === 'anyone')))('%s', (_, route) => {
  test('is open to anyone, and ignores a token that is stale', async () => {
    for (const answers of [attempt(route, {}), attempts(route, { authorization: 'Bearer stale' })])
      for await (const answer of answers) expect(answer.error?.type).not.toBe('UNAUTHENTICATED')
  })
})

test('a tenant that is closed is closed on every route but to sign out, before any permission is looked at', async () => {
  const closed = await world.givenTenant()
  const poor = await world.givenUser(closed, [])
  await world.look.rows(`update tenants set status = 'disabled' where id = $1`, [closed.id])
  for (const route of guarded.filter(({ path }) => path !== '/auth/logout'))
    for (const person of [closed.administrator, poor])
      for await (const answer of attempt(route, bearer(person))) answer.expect(403, 'TENANT_DISABLED')
})
