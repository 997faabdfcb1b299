import { expect, test } from 'vitest'
import { answerOf } from '../support/client.ts'
import { obeying } from '../support/obedient.ts'
import { until } from '../support/patience.ts'
import { listWalked, type Route, walksOutside } from '../support/routes.ts'
import { fillPath, kindsIn, sampleOf, searchOf, seedTenant } from '../support/samples.ts'
import { randomFrom } from '../support/workload.ts'
import { openWorld, type Person } from '../support/world.ts'

/**
 * H2 to H10 and H16 of the reliability page, over every route: requests that mean no good, drawn by a seeded generator.
 * No answer is ever a 5xx, every answer is the envelope, and afterwards the service is as it was. A failure prints the
 * seed and the request; HOSTILE_SEED and HOSTILE_REQUESTS draw others.
 */
const SEED = Number(process.env.HOSTILE_SEED ?? 20_261_121)
const REQUESTS = Number(process.env.HOSTILE_REQUESTS ?? 600)
/** As many as there are connections for commands: one more would wait for one, and not for long. */
const AT_ONCE = 6

/** Not those that end the session, or that do not end. */
const routes = (await listWalked()).filter(({ path }) => !/^\/auth\/logout$|\/stream$/.test(path))
const world = await openWorld()
const home = await seedTenant(world, await world.givenTenant(), 'home')
const spare = await seedTenant(world, await world.givenTenant(), 'spare')

test('hostile requests are answered in the envelope, and none with a 5xx', async () => {
  const draw = dice(SEED)
  const seen = new Map<number, number>()
  for (let sent = 0; sent < REQUESTS; sent += AT_ONCE) {
    const volley = Array.from({ length: AT_ONCE }, () => hostileRequest(draw))
    const answers = await Promise.all(volley.map((request) => obeying(() => send(request))))
    for (const [at, { statusCode, headers, body }] of answers.entries()) {
      const problem = problemOf(volley[at]!, statusCode, headers, body)
      if (problem)
        expect.fail(
          `${problem}: seed ${SEED}, request ${sent + at}: ${JSON.stringify(volley[at]).slice(0, 1500)}\n→ ${statusCode} ${body.slice(0, 500)}`,
        )
      seen.set(statusCode, (seen.get(statusCode) ?? 0) + 1)
    }
  }
  // A generator that is refused everywhere proves nothing: every kind of answer must have occurred.
  // Routes from outside may be open to everybody who is signed in, and are then never answered by 403.
  const everywhere = [200, 400, 401, 404]
  for (const status of walksOutside ? everywhere : [...everywhere, 201, 403, 409, 415])
    expect(seen.get(status) ?? 0, `answers of ${status} among ${JSON.stringify([...seen])}`).toBeGreaterThan(0)
  expect((seen.get(200) ?? 0) / REQUESTS).toBeGreaterThan(0.05)
})

test('afterwards the service is as it was', async () => {
  await world.as(home.member).read(`/projects/${home.ids.projects}`)
  const task = await world.givenTask(home.member, await world.givenProject(home.member))
  ;(await world.as(home.member).put(`/tasks/${task.id}`, { version: 0, title: 'Still standing' })).expect(200)
  await until(() => expect(world.database.stats()).toMatchObject({ leased: 0, waiting: 0, pending: 0 }))
})

/** An answer as `obeying` reads it; a 503 to a HEAD has no text that says what kind it is of. */
async function send(request: object) {
  const { statusCode, headers, body } = await world.app.inject(request as never)
  const isUndone = statusCode === 503 && !body.includes('OUTCOME_UNKNOWN')
  return { statusCode, headers, body, error: isUndone ? { type: 'UNAVAILABLE', details: [] } : undefined }
}

/** What is wrong with an answer; undefined if nothing is. */
function problemOf(...answer: Parameters<typeof answerOf>): string | undefined {
  const [, status, headers, body] = answer
  if (status >= 500) return 'it failed'
  if (!headers['x-request-id']) return 'it has no id'
  if (isJson(headers)) answerOf(...answer)
  else if (status >= 400) return 'its refusal is no JSON'
  const isTelling = / at .+:\d+|select .+ from|insert into|node_modules|postgres|ZodError|SQLSTATE/i
  return status >= 400 && isTelling.test(body) ? 'it tells of what is inside' : undefined
}
const isJson = (headers: Record<string, unknown>) =>
  String(headers['content-type'] ?? 'application/json').startsWith('application/json')

const STRINGS = [
  ...['', ' ', '\t', 'a\nb', '\r\nSet-Cookie: a=b', '\u0000', 'a\u0000b', '\ud800', '\udc00\ud800', '\u202e', '\ufeff'],
  ...['\u200b', 'e\u0301', 'z̸͔͖a̷l̴g̶o̵', '漢字', '😀'.repeat(300), 'x'.repeat(300), 'x'.repeat(9000)],
  ...["' or '1'='1", "'; drop table tasks; --", '" or ""="', '1; select pg_sleep(5)', '$1', '\u0024{7*7}', '{{7*7}}'],
  ...['%', '%%%%', '_', '\\', '\\\\', '%5c', '../../etc/passwd', '<script>alert(1)</script>', 'javascript:alert(1)'],
  ...['null', 'undefined', 'true', 'NaN', '__proto__', 'constructor', 'toString', '{"a":1}', '[]'],
  ...['a@b', 'a@b.co', 'admin', 'ADMIN', 'DONE', 'default'],
]
const NUMBERS = [
  ...[0, -0, -1, 1, 1.5, 1e3, 999_999_999, 5e-324, 1e308, -1e308],
  ...[2 ** 31 - 1, 2 ** 31, 2 ** 32, 2 ** 53 - 1, 2 ** 53, 2 ** 63],
]
const words = (text: string) => text.trim().split(/\s+/)
const DATES = words(`
  0000-01-01 0001-01-01 9999-12-31 275760-09-13 +275760-09-13T00:00:00Z 2026-02-30 2026-1-1 2026-01-01T00:00:00
  2026-01-01T24:00:00Z 9999-12-31T23:59:59-14:00 0001-01-01T00:00:00+14:00 2026-01-01T00:00:00Z 2024-02-29 1
  now infinity -infinity epoch today`)
const IDS = words(`
  0 -1 1.5 1e3 0x10 abc 2147483648 9007199254740991 9007199254740992 9223372036854775808 ${'1'.repeat(300)}
  .. %2e%2e%2f %252e %00 %0a %20 1%20 1%00 %D9%A1 %f0%9f%98%80 1' 1;2 * {} [] 1,2 %ff %`)
const OTHERS = [null, true, false, [], {}, [[]], [1, 2], { a: { b: [] } }, [null], { length: 1 }]
const KEYS = [
  ...['', ' ', '\u0000'],
  ...words(`id tenantId tenant_id version status ownerId roles permissions createdAt password __proto__ constructor
    prototype toString hasOwnProperty $ne a.b 0 title description dueDate startDate endDate expiredAt assigneeId parentId
    leaderId priority`),
]
const RAW = [
  ...['', ' ', '\u0000', '{', '}', '[', 'null', '0', '""', '[]', '[{}]', '{}', '{} {}', '\ufeff{}', 'a=b&c=d', '<a/>'],
  ...['{"a":1,"a":2}', '{"version":0,"version":1}', '{"a":1e999}', '{"version":01}', '{"__proto__":{"a":1}}'],
  ...['{"constructor":{"prototype":{"a":1}}}', '{"title":"\\u0000"}', '{"title":"\\ud800"}'],
  ...[`${'['.repeat(5000)}${']'.repeat(5000)}`, '{"a":'.repeat(2000), `{"title":"${'x'.repeat(50_000)}"}`],
]
const TYPES = [
  ...Array(4).fill('application/json'),
  ...['application/json; charset=utf-8', 'application/json;charset=utf-16', ' application/json', '\tapplication/json'],
  ...['application/json\t', 'text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data'],
  ...['multipart/form-data; boundary=x', 'application/octet-stream', 'x', ''],
]
const QUERIES = [
  '',
  ...words(`page pageSize before keyword status priority assigneeId read version sort order scope method path userId from
    to tenantId __proto__ constructor a[b] a[] days`),
]
const PAGES = ['', ' 1', ...words('0 1 -1 101 1000 1001 999999999 1000000000 1e3 0x10 1.5 +1 NaN ١')]

/** A source of chance that can be repeated. */
function dice(seed: number) {
  const random = randomFrom(seed)
  return {
    chance: (probability: number) => random() < probability,
    of: <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!,
    below: (most: number) => Math.floor(random() * most),
  }
}
type Dice = ReturnType<typeof dice>

function hostileRequest(draw: Dice) {
  let route = draw.of(routes)
  // A password costs what a hundred other requests do.
  if (sampleOf(route).isSlow && draw.chance(0.9)) route = draw.of(routes.filter((other) => !sampleOf(other).isSlow))
  const person = callerOf(route, draw)
  const { body, query } = sampleOf(route)
  const withBody = route.method !== 'GET' && (body !== undefined || draw.chance(0.2))
  return {
    method: draw.chance(0.03) ? draw.of(['PATCH', 'HEAD', 'OPTIONS', 'PUT', 'DELETE', 'TRACE']) : route.method,
    url: `/api/v1${hostilePath(route, draw)}${hostileQuery(searchOf(route, query, home.ids), draw)}`,
    headers: hostileHeaders(person, withBody, draw),
    ...(withBody && { payload: hostileBody(body, draw) }),
  }
}

/** Usually anyone who may; the system administrator only if nothing of this test can be broken. */
function callerOf(route: Route, draw: Dice): Person | undefined {
  if (draw.chance(0.05)) return undefined
  if (route.access.startsWith('system:')) return draw.chance(0.5) ? world.admin : home.tenant.administrator
  return draw.of([home.tenant.administrator, home.tenant.administrator, home.member, home.outsider])
}

function hostilePath(route: Route, draw: Dice): string {
  const ids = kindsIn(route).map((kind) => {
    if (draw.chance(0.3)) return draw.of(IDS)
    const furniture = kind === 'tenants' || draw.chance(0.1) ? spare : home
    return (furniture.ids as unknown as Record<string, number>)[kind] ?? 1
  })
  const path = fillPath(route.path, ids)
  return draw.chance(0.02) ? path + draw.of(['/', '//', '/..', '/.', '%2f', ';a=b', '/%00', '.json', '#x']) : path
}

function hostileQuery(usual: string, draw: Dice): string {
  const pairs = usual && draw.chance(0.8) ? [usual] : []
  while (draw.chance(0.35)) {
    const name = draw.of(QUERIES)
    const value = draw.of<string>(draw.chance(0.5) ? PAGES : draw.chance(0.7) ? STRINGS : [...DATES, ...IDS])
    pairs.push(
      draw.chance(0.9)
        ? `${encode(name)}=${encode(value)}`
        : `${name}=${draw.of(['%', '%zz', '%00', '%ff', '+', '&', '=', '%ed%a0%80'])}`,
    )
  }
  return pairs.length ? `?${pairs.join(draw.chance(0.95) ? '&' : ';')}` : ''
}

/** As an address carries it: what is no text cannot be written in one. */
function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed())
}

let keys = 0
function hostileHeaders(person: Person | undefined, withBody: boolean, draw: Dice): Record<string, string> {
  const headers: Record<string, string> = {}
  if (person)
    headers.authorization = draw.chance(0.97)
      ? `Bearer ${person.token}`
      : draw.of([`Bearer ${person.token}x`, 'Bearer', 'Bearer ..', `Bearer ${'a'.repeat(5000)}`, 'Basic YTpi'])
  const maybe = (probability: number, name: string, values: string[]) => {
    if (draw.chance(probability)) headers[name] = draw.of(values)
  }
  maybe(0.2, 'idempotency-key', ['', ' ', 'same', 'x'.repeat(129), 'a b', "'; --"])
  if (draw.chance(0.8)) headers['idempotency-key'] = `hostile-${++keys}`
  maybe(0.1, 'x-request-id', ['', 'ok', 'x'.repeat(100), 'a b', '<x>', "'"])
  maybe(0.1, 'x-tenant-code', ['', 'default', 'nowhere', "' or 1=1", 'x'.repeat(1000), '%00'])
  maybe(0.1, 'x-forwarded-for', ['1.2.3.4', '::1', 'x', `1.1.1.1${', 2.2.2.2'.repeat(100)}`, ''])
  maybe(0.05, 'user-agent', ['x'.repeat(3000), '', "'; drop table audit_operations; --", '\u00ff\u00fe'])
  maybe(0.03, 'accept', ['text/html', 'application/xml', '*/*;q=0', 'x'])
  maybe(0.02, 'content-encoding', ['gzip', 'br', 'x'])
  if (withBody || draw.chance(0.1)) headers['content-type'] = draw.of(TYPES)
  return headers
}

function hostileBody(usual: Record<string, unknown> | undefined, draw: Dice): string {
  if (draw.chance(0.15)) return draw.of(RAW)
  const body: Record<string, unknown> = { ...usual }
  const names = Object.keys(body)
  for (let change = draw.below(3); change > 0; change--) {
    if (names.length && draw.chance(0.75)) body[draw.of(names)] = hostileValue(draw)
    // `__proto__` would not become a field by an assignment.
    else Object.defineProperty(body, draw.of(KEYS), { value: hostileValue(draw), enumerable: true, configurable: true })
  }
  return JSON.stringify(body)
}

function hostileValue(draw: Dice): unknown {
  const pool = draw.of<readonly unknown[]>([STRINGS, STRINGS, NUMBERS, DATES, OTHERS])
  return draw.of(pool)
}
