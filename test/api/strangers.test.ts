import { beforeAll, describe, test } from 'vitest'
import { allPermissions } from '../../src/kernel/access.ts'
import { type Answer, withoutChance } from '../support/client.ts'
import { expectGolden } from '../support/domains.ts'
import { expectNone } from '../support/expect-none.ts'
import { naming, sentAs } from '../support/requests.ts'
import { listWalked, named, nameOf, type Route } from '../support/routes.ts'
import {
  addressOf,
  type Furniture,
  fillPath,
  isUndone,
  kindsIn,
  makeBy,
  makerOf,
  missingOf,
  sampleOf,
  seedTenant,
} from '../support/samples.ts'
import { openWorld, type Person } from '../support/world.ts'

/**
 * Strangers of the same tenant: what belongs to a project or to a person is answered to everybody else like something
 * that does not exist, and is in none of their lists. `isolation.test.ts` holds the same of other tenants.
 */
const CANARY = 'CANARY-of-colleagues-8a40'

/** What belongs to a project or to a person; what is made below one of these belongs to the same people. */
const PRIVATE = ['projects', 'tasks', 'approvals', 'notifications', 'orderNo']
function isPrivate(kind: string): boolean {
  const maker = PRIVATE.includes(kind) ? undefined : makerOf(kind)
  return PRIVATE.includes(kind) || (maker !== undefined && kindsIn(maker).some(isPrivate))
}

/** Who holds one sees the orders of everybody, everything that happens, or everything there is; their own tests hold them to that. */
const SEES_ALL: readonly string[] = ['price:update', 'event:view', 'tenant:export']

let home: Furniture
let strangers: [who: string, person: Person][]
/** of what the member has made, by its kind: all text in it is the canary */
const made: Record<string, number | string> = {}
let before: Map<string, string>
let requests = 0

/** A stream does not end; its own tests hold it to one person. */
const routes = (await listWalked()).filter(({ path }) => !path.endsWith('/stream'))
const isForMembers = ({ access }: Route) => access !== 'anyone' && !access.startsWith('system:')
const isRead = ({ method }: Route) => method === 'GET'
const privateIn = (route: Route) => kindsIn(route).filter(isPrivate)
const bodyKindsOf = (route: Route) => Object.values(sampleOf(route).bodyIds ?? {})
const attacked = routes.filter((route) => [...kindsIn(route), ...bodyKindsOf(route)].some(isPrivate))

const world = await openWorld()
beforeAll(async () => {
  home = await seedTenant(world, await world.givenTenant(), 'of-everybody')
  const permissions = allPermissions().filter((permission) => !SEES_ALL.includes(permission))
  const everything = await world.givenRole(home.tenant, permissions)
  strangers = [
    ['who is a user', await world.givenUser(home.tenant)],
    ['who holds every permission but these', await world.givenUser(home.tenant, everything)],
  ]
  await fillWithThingsOf(home.member)
  before = await readAllAs(home.member)
})

const idOf = async (kind: string) => made[kind] ?? home.ids[kind as 'tasks'] ?? missingOf(kind)

/** One of each private kind, each with what can be made below it. */
async function fillWithThingsOf(member: Person) {
  const client = world.as(member)
  made.projects = (await world.givenProject(member, { name: CANARY, description: CANARY })).id
  made.tasks = (await world.givenTask(member, { id: made.projects as number }, { title: CANARY })).id
  for (const route of routes.filter((route) => route.method === 'POST' && isForMembers(route))) {
    const kinds = Object.keys(home.ids).filter((kind) => makerOf(kind) === route)
    const isMaker = kinds.some(isPrivate)
    const isBelow = privateIn(route).length > 0 && route.path.split('/').at(-1)!.endsWith('s')
    if (!isMaker && !isBelow) continue
    const thing = await makeBy(client, route, idOf, CANARY)
    for (const kind of kinds) made[kind] ??= thing.id
  }
  for (const { path } of routes.filter(isUndone)) {
    const attached = fillPath(path, await Promise.all(kindsIn({ path }).map(idOf)))
    ;(await world.as(home.tenant.administrator).put(attached)).expect(200)
  }
  const { departments } = home.ids
  const request = { type: 'leave', title: CANARY, payload: CANARY, departmentId: departments }
  made.approvals = (await client.create('/approvals', request)).id
  ;(await client.post(`/approvals/${made.approvals}/submit`, undefined, { 'idempotency-key': 'submit' })).expect(200)
}

async function call(person: Person, route: Route, pathIds: (number | string)[], body = sampleOf(route).body) {
  const { query } = sampleOf(route)
  const sent = sentAs(route, body)
  return world.as(person).send({
    method: route.method,
    url: `/api/v1${addressOf(route, pathIds, query, { ...home.ids, ...made })}`,
    ...sent,
    headers: { 'idempotency-key': `stranger-${++requests}`, ...sent.headers },
  })
}

/** A request that names the member's things, or in their place what does not exist. */
async function attack(person: Person, route: Route, thing: (kind: string) => Promise<number | string>) {
  const pathIds = await Promise.all(kindsIn(route).map((kind) => (isPrivate(kind) ? thing(kind) : idOf(kind))))
  const { body, bodyIds = {} } = sampleOf(route)
  let named = body
  for (const [field, kind] of Object.entries(bodyIds))
    if (isPrivate(kind) && typeof body === 'object') named = naming(named, field, await thing(kind))
  return call(person, route, pathIds, named)
}

const essence = ({ status, body }: Answer) => JSON.stringify([status, withoutChance(body)])

/** What the member reads of their own things, by the route. */
async function readAllAs(person: Person): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  for (const route of routes.filter((route) => isRead(route) && privateIn(route).length > 0)) {
    const answer = await call(person, route, await Promise.all(kindsIn(route).map(idOf)))
    answer.expect(200)
    found.set(nameOf(route), essence(answer))
  }
  return found
}

describe.each(named(attacked))('%s', (_, route) => {
  test('answers a stranger of the same tenant as if the thing did not exist', async () => {
    const told: string[] = []
    for (const [who, person] of strangers) {
      const foreign = await attack(person, route, idOf)
      const missing = await attack(person, route, async (kind) => missingOf(kind))
      const given = `A stranger ${who} is answered ${foreign.status}`
      if (![403, 404].includes(foreign.status))
        told.push(`${given} by ${nameOf(route)}: find the thing by a statement that takes what the caller may see`)
      else if (essence(foreign) !== essence(missing))
        told.push(
          `${given} by ${nameOf(route)}, and ${missing.status} where nothing is there: answer both with the 404`,
        )
    }
    expectNone(told)
  })
})

const lists = routes.filter((route) => isRead(route) && isForMembers(route) && privateIn(route).length === 0)

describe.each(named(lists))('%s', (_, route) => {
  test('shows a stranger nothing that belongs to others', async () => {
    const pathIds = await Promise.all(kindsIn(route).map(idOf))
    const names = Object.keys(route.schema.querystring?.shape ?? {})
    const queries = ['', ...(names.includes('keyword') ? [`keyword=${CANARY}`] : [])]
    for (const [who, person] of strangers)
      for (const query of queries) {
        const answer = await world.as(person).get(addressOf(route, pathIds, query, { ...home.ids, ...made }))
        const told = `${nameOf(route)} shows a stranger ${who} what belongs to others: its statement has to take what the caller may see`
        expectNone(JSON.stringify(answer.data ?? null).includes(CANARY) ? [told] : [])
      }
  })
})

test('and what strangers have sent has changed nothing', async () => {
  const after = await readAllAs(home.member)
  expectNone(
    [...after]
      .filter(([name, answer]) => before.get(name) !== answer)
      .map(([name]) => `${name} shows what a stranger has changed`),
  )
})

test('what everybody of a tenant may read by its id is what was reviewed', async () => {
  const [[, user]] = strangers as [[string, Person]]
  const reads = routes.filter((route) => isRead(route) && isForMembers(route) && kindsIn(route).length > 0)
  const rows = await Promise.all(
    reads.map(async (route) => {
      const { status } = await call(user, route, await Promise.all(kindsIn(route).map(idOf)))
      return { route, line: `${status}  ${nameOf(route)}` }
    }),
  )
  await expectGolden(GOLDEN, (domain) => {
    const shown = rows.filter(({ route }) => route.domain === domain)
    return shown.map(({ line }) => `${line}\n`).join('')
  })
})

const GOLDEN = {
  file: 'strangers.txt',
  means: 'What a user is answered who has no part in a thing has changed',
  renew: 'npm test -- --project api strangers -u',
}
