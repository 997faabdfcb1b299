import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Answer } from '../support/client.ts'
import { clientOf } from '../support/client.ts'
import { formOf, pngOf } from '../support/form.ts'
import { type Instance, openInstance } from '../support/instance.ts'
import { until } from '../support/patience.ts'
import { startProxy, type TroubledWay } from '../support/proxy.ts'
import { listRoutes, type Route } from '../support/routes.ts'
import { type Furniture, fillPath, kindsIn, seedTenant, withIds } from '../support/samples.ts'
import { openWorld, type World } from '../support/world.ts'

/** RESET_SECONDS=25 for the full run; the short one ends with the first outcomes that nobody knows. */
const SECONDS = Number(process.env.RESET_SECONDS ?? 0)
const ENOUGH = 10
const CLIENTS = 12
/** After so many commands are through all connections to the database are lost again. */
const CALM = 6

let world: World
let way: TroubledWay
let service: Instance
let home: Furniture
/** A session that has ended does not end again, and a tenant that is closed refuses all others. */
const ONCE = ['/auth/logout', '/tenants/:id/close']
const routes = (await listRoutes()).filter(
  ({ method, keyed, path }) => method === 'POST' && keyed && !ONCE.includes(path),
)
beforeAll(async () => {
  world = await openWorld()
  const tenant = await world.givenTenant()
  await world.setRegistration(tenant, 'open')
  home = await seedTenant(world, tenant, 'home')
  way = await startProxy(Number(new URL(world.databaseUrl).port))
  service = await openInstance(`${way.through(world.databaseUrl)}?application_name=${NAME}`, {
    env: { CONTACT_LIMIT: '0', UPLOAD_LIMIT: '0', CHECKOUT_LIMIT: '0', RESET_LIMIT: '0' },
  })
})
afterAll(() => way?.cause({ kind: 'none' }))

interface Command {
  id: string
  route: string
  /** how often nobody knew whether it had happened */
  unknown: number
  last: Answer
}

test('a client that sends each POST again under its key, until the answer is definite, does it once', async () => {
  const commands: Command[] = []
  const end = performance.now() + 1000 * SECONDS
  const unknown = () => commands.reduce((sum, command) => sum + command.unknown, 0)
  const isOver = () => performance.now() > end && unknown() >= ENOUGH && commands.length > 2 * routes.length
  const resetting = (async () => {
    while (!isOver()) {
      const before = commands.length
      way.cause({ kind: 'reset' })
      // Until the server has noticed, a transaction that nobody waits for any more holds its key: it would count as used.
      await until(async () => (await world.look.countEverywhere(CONNECTIONS)) === 0)
      way.cause({ kind: 'none' })
      await until(() => commands.length >= before + CALM || isOver())
    }
  })()
  let next = 0
  await Promise.all(
    Array.from({ length: CLIENTS }, async () => {
      while (!isOver()) commands.push(await carryThrough(routes[next++ % routes.length]!, `u-${next}`))
    }),
  )
  await resetting

  const rows = await world.look.rows<{ id: string; times: number }>(
    `select request_id as id, count(*)::integer as times from audit_operations
      where request_id like 'u-%' and status < 400 group by 1`,
  )
  const times = new Map(rows.map(({ id, times }) => [id, times]))
  const became = (wanted: (command: Command) => boolean) =>
    commands.filter(wanted).map(({ route, id, last }) => `${id} ${route} ${last.status} ${last.body.error?.type ?? ''}`)
  const doubled = became(({ id }) => (times.get(id) ?? 0) > 1)
  const lost = became(({ id, last }) => isDone(last) && times.get(id) !== 1)
  const outOfNothing = became(({ id, last }) => !isDone(last) && times.has(id))
  const reusedByNobody = became(({ unknown, last }) => isReused(last) && unknown === 0)
  const done = commands.filter(({ last }) => isDone(last))
  expect({ doubled, lost, outOfNothing, reusedByNobody }).toEqual({
    doubled: [],
    lost: [],
    outOfNothing: [],
    reusedByNobody: [],
  })
  expect(new Set(done.map(({ route }) => route)).size).toBeGreaterThan(routes.length / 2)
})

const NAME = 'through-the-way'
const CONNECTIONS = `select count(*) from pg_stat_activity where application_name = '${NAME}'`
const isReused = ({ body }: Answer) => body.error?.type === 'IDEMPOTENCY_KEY_REUSED'
const isDone = (answer: Answer) => answer.status < 400 || isReused(answer)

/** Sends one command as the document says: again and again under one key, until it is known what has become of it. */
async function carryThrough(route: Route, id: string): Promise<Command> {
  const send = await prepare(route, { 'x-request-id': id, 'idempotency-key': `key-${id}` })
  let unknown = 0
  for (;;) {
    const answer = await send()
    if (answer.status < 500) return { id, route: route.path, unknown, last: answer }
    const isUnknown = answer.body.error.type === 'OUTCOME_UNKNOWN'
    if (isUnknown) unknown++
    else answer.expect(503, 'UNAVAILABLE')
    expect(answer.headers['retry-after']).toBe(isUnknown ? undefined : '1')
    await sleep(20 + 40 * Math.random())
  }
}

async function prepare(route: Route, headers: Record<string, string>): Promise<() => Promise<Answer>> {
  const idOf = async (kind: string) => (home.ids as Record<string, number | string>)[kind]!
  const path = fillPath(route.path, await Promise.all(kindsIn(route).map(idOf)))
  const client = clientOf(service.app, { ...headers, ...callerOf(route) })
  if (route.path === '/files') {
    const form = formOf([{ filename: 'a.png', content: pngOf(100) }])
    return () => client.send({ method: 'POST', url: `/api/v1${path}`, ...form })
  }
  const body = await withIds(route, idOf)
  if (route.access === 'anyone' && body && 'tenantCode' in body) body.tenantCode = home.tenant.code
  return () => client.post(path, body)
}

function callerOf({ access }: Route): Record<string, string> {
  if (access === 'anyone') return { 'x-tenant-code': home.tenant.code }
  const person = access.startsWith('system:') ? world.admin : home.tenant.administrator
  return { authorization: `Bearer ${person.token}` }
}
