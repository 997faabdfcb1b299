import { expect, test } from 'vitest'
import { fingerprintOf } from '#test/fingerprint.ts'
import { randomFrom } from '#test/workload.ts'
import { openDirectory } from './directory.ts'

/**
 * Requests to SCIM that mean no good, drawn by a seeded generator: none is answered by a 5xx, each refusal has SCIM's form,
 * and another tenant is as it was. SCIM_REQUESTS draws more, SCIM_SEED others.
 */
const SEED = Number(process.env.SCIM_SEED ?? 20_261_123)
const REQUESTS = Number(process.env.SCIM_REQUESTS ?? 300)
const { world, tenant, roleId, key } = await openDirectory()

const VALUES: unknown[] = [
  ...[null, true, 0, -1, 1.5, 2 ** 53, '', ' ', 'False', 'x'.repeat(70), 'x'.repeat(5000), '\u202e', '__proto__'],
  ...['constructor', "' or 1=1 --", '%', '1', '987654321', 'a@example.org', [], {}, [[]], [{}], [null]],
  ...[[{ value: null }], [{ value: '1' }], [{ value: 'a@example.org' }], { formatted: 'x', givenName: 5 }],
  { __proto: { a: 1 } },
]
const NAMES = [
  ...['userName', 'USERNAME', 'externalId', 'displayName', 'active', 'name', 'emails', 'phoneNumbers', 'members'],
  ...['password', 'id', 'schemas', 'meta', 'groups', 'title', '__proto__', 'constructor', 'toString', ''],
  ...['name.givenName', 'name.x.y', '__proto__.a', 'constructor.prototype.a', 'name.__proto__.a'],
  'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User',
  'urn:ietf:params:scim:schemas:core:2.0:User:active',
]
const PATHS = [
  ...NAMES,
  ...['emails[type eq "work"].value', 'emails[', 'emails[]', 'emails[type eq "a" or type eq "b"]', 'a.b.c'],
  ...['members[value eq "1"]', `emails[${'('.repeat(400)}`, 'name[a eq 1].b', '.', '..', '[x eq 1]', 'x'.repeat(2000)],
  ...['emails[type eq "work"].', 'emails[__proto__ eq "x"].value'],
]
const FILTERS = [
  ...['userName eq "a"', 'userName', 'eq', '(', ')', '"', '\\', 'userName eq "\\ud800"', 'active eq null', 'a[b eq 1]'],
  ...['userName eq "%"', `userName eq "${'a'.repeat(900)}"`, 'userName eq "a" and '.repeat(40), 'x'.repeat(3000)],
  'id eq "1e9"',
]

test('hostile requests are refused in SCIM’s form, never by a 5xx, and change nothing elsewhere', async () => {
  const other = await world.givenTenant()
  const before = await fingerprintOf(world.look, other.id)
  const role = await roleId('tenant-admin')
  const target = await world.givenUser(tenant)
  const draw = randomFrom(SEED)
  const pick = <T>(of: readonly T[]) => of[Math.floor(draw() * of.length)]!
  const object = () => Object.fromEntries(Array.from({ length: 1 + draw() * 4 }, () => [pick(NAMES), pick(VALUES)]))
  const operation = () => ({
    op: pick(['add', 'Replace', 'remove', 'REMOVE', 'x', 5]),
    ...(draw() < 0.8 && { path: pick(PATHS) }),
    ...(draw() < 0.8 && { value: draw() < 0.5 ? pick(VALUES) : object() }),
  })
  const bodies = {
    POST: () => ({ userName: `hostile-${draw()}`, displayName: 'Hostile', ...object() }),
    PUT: () => ({ userName: `hostile-${draw()}`, displayName: 'Hostile', ...object() }),
    PATCH: () => ({ Operations: draw() < 0.95 ? Array.from({ length: 1 + draw() * 3 }, operation) : pick(VALUES) }),
    GET: () => undefined,
  }
  const seen = new Map<number, number>()
  for (let sent = 0; sent < REQUESTS; sent++) {
    const method = pick(['GET', 'POST', 'PUT', 'PATCH'] as const)
    const kind = pick(['Users', 'Groups'])
    const at = method === 'POST' || draw() < 0.3 ? '' : `/${pick([target.id, role, 0, 987_654_321, 'x'])}`
    const query =
      draw() < 0.5 ? `?filter=${encodeURIComponent(pick(FILTERS).toWellFormed())}&count=${pick(['1', '-1', 'x'])}` : ''
    const payload = bodies[method]()
    const request = {
      method,
      url: `/scim/v2/${kind}${at}${query}`,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/scim+json' },
      ...(payload && { payload: JSON.stringify(payload) }),
    }
    const { statusCode, body } = await world.app.inject(request)
    const told = `SCIM_SEED=${SEED}, request ${sent}: ${JSON.stringify(request).slice(0, 1500)}\n→ ${statusCode} ${body.slice(0, 500)}`
    expect(statusCode, told).toBeLessThan(500)
    if (statusCode >= 400 && statusCode !== 405)
      expect(JSON.parse(body), told).toMatchObject({
        schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
        status: String(statusCode),
      })
    seen.set(statusCode, (seen.get(statusCode) ?? 0) + 1)
  }
  for (const status of [200, 201, 400, 404]) expect(seen.get(status) ?? 0, JSON.stringify([...seen])).toBeGreaterThan(0)
  expect(({} as any).a).toBeUndefined()
  expect(await fingerprintOf(world.look, other.id)).toEqual(before)
})
